// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where things are drawn: a column per thread, what comes first above what comes after, initial writes on top, and edges
// as quadratic curves that avoid the events and each other. Pure functions of the data; nothing here touches the page but
// the measuring of text.

const ROW = 84, GAP = 120, TOP = 26, HEADER = 30, PAD = 14;
const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
})();
const NODE_FONT = "13px ui-monospace, monospace", MARK_FONT = "11px ui-monospace, monospace",
  LABEL_FONT = "750 13px system-ui, sans-serif";

// [a, b, c, d] → [[a, b], [c, d]]
function pairsOf(flat) {
  const pairs = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i], flat[i + 1]]);
  return pairs;
}

// The edges of a relation between visible events; an order goes on through the hidden ones.
function visibleEdges(pairs, isOrder, visible) {
  if (!isOrder || visible.every(Boolean)) return pairs.filter(([from, to]) => visible[from] && visible[to]);
  const next = visible.map(() => []);
  for (const [from, to] of pairs) next[from].push(to);
  // What a visible event reaches through hidden ones only, less what lies behind another of those.
  const near = visible.map(() => new Set());
  const reached = (start) => {
    const found = new Set(), todo = [start], seen = new Set();
    while (todo.length) for (const to of next[todo.pop()])
      if (visible[to]) found.add(to);
      else if (!seen.has(to)) { seen.add(to); todo.push(to); }
    return found;
  };
  visible.forEach((shown, event) => { if (shown) near[event] = reached(event); });
  const behind = (event) => {
    const found = new Set(), todo = [...near[event]];
    while (todo.length) for (const to of near[todo.pop()]) if (!found.has(to)) { found.add(to); todo.push(to); }
    return found;
  };
  const edges = [];
  near.forEach((targets, from) => {
    if (!targets.size) return;
    const far = behind(from);
    for (const to of [...targets].sort((a, b) => a - b)) if (!far.has(to)) edges.push([from, to]);
  });
  return edges;
}

// The row of each event: one more than those above it, counting visible ones only.
function rowsOf(count, above, visible) {
  const before = Array.from({ length: count }, () => []);
  for (const [upper, lower] of above) before[lower].push(upper);
  const rows = new Array(count).fill(-1);
  const stack = [];
  for (let start = 0; start < count; ++start) {
    stack.push([start, 0]);
    const open = new Set([start]);
    while (stack.length) {
      const top = stack[stack.length - 1], [event, index] = top;
      if (rows[event] >= 0) { stack.pop(); continue; }
      if (index < before[event].length) {
        top[1] += 1;
        const upper = before[event][index];
        if (rows[upper] < 0 && !open.has(upper)) { open.add(upper); stack.push([upper, 0]); }
        continue;
      }
      rows[event] = Math.max(0, ...before[event].map((upper) => rows[upper] + (visible[upper] ? 1 : 0)));
      stack.pop();
    }
  }
  return rows;
}

function placeNodes(execution, threads, visible, marksOf) {
  const { nodes } = execution;
  const rows = rowsOf(nodes.length, pairsOf(execution.above), visible);
  const boxes = nodes.map((node, event) => {
    if (!visible[event]) return null;
    const marks = marksOf(event);
    const wide = Math.max(measure(`${node.name}: ${node.what}`, NODE_FONT), marks ? measure(marks, MARK_FONT) : 0);
    return { w: Math.ceil(wide) + 2 * PAD, h: marks ? 44 : 30, marks, x: 0, y: 0 };
  });
  const initial = nodes.flatMap((node, event) => (visible[event] && node.thread < 0 ? [event] : []));
  const laneTop = initial.length ? TOP + 62 : 8;
  const first = laneTop + HEADER + 32;
  const lanes = [];
  let x = 16, last = 0;
  threads.forEach((thread, index) => {
    const own = nodes.flatMap((node, event) => (visible[event] && node.thread === index ? [event] : []));
    const byRow = new Map();
    for (const event of own) byRow.set(rows[event], [...(byRow.get(rows[event]) || []), event]);
    const widthOf = (events) => events.reduce((sum, event) => sum + boxes[event].w, 0) + 24 * (events.length - 1);
    const w = Math.max(96, measure(thread.name, LABEL_FONT), ...[...byRow.values()].map(widthOf)) + 28;
    for (const [row, events] of byRow) {
      let left = x + w / 2 - widthOf(events) / 2;
      for (const event of events) {
        boxes[event].x = left + boxes[event].w / 2;
        boxes[event].y = first + row * ROW;
        left += boxes[event].w + 24;
      }
      last = Math.max(last, row);
    }
    lanes.push({ x, w, name: thread.name });
    x += w + GAP;
  });
  let width = Math.max(x - GAP + 16, 120);
  const initialWidth = initial.reduce((sum, event) => sum + boxes[event].w + 28, 28);
  width = Math.max(width, initialWidth);
  const slack = (width - initialWidth + 28) / (initial.length + 1);
  let left = slack;
  for (const event of initial) {
    boxes[event].x = left + boxes[event].w / 2;
    boxes[event].y = TOP;
    left += boxes[event].w + (initial.length > 1 ? slack : 28);
  }
  if (initial.length) width = Math.max(width, left);
  const bottom = first + last * ROW + 36;
  return { boxes, lanes, laneTop, laneHeight: bottom - laneTop, width, height: bottom + 8 };
}

// Where the line from the middle of a box towards a point leaves it.
function border(box, [x, y], gap) {
  const dx = x - box.x, dy = y - box.y;
  if (dx === 0 && dy === 0) return [box.x, box.y];
  const t = Math.min((box.w / 2 + gap) / Math.abs(dx || 1e-9), (box.h / 2 + gap) / Math.abs(dy || 1e-9));
  return [box.x + dx * t, box.y + dy * t];
}

const at = ({ start, control, end }, t) => [0, 1].map((i) =>
  (1 - t) * (1 - t) * start[i] + 2 * t * (1 - t) * control[i] + t * t * end[i]);
const STEPS = Array.from({ length: 23 }, (_, i) => (i + 1) / 24);
const BENDS = [0, 26, -26, 48, -48, 74, -74, 108, -108, 150, -150, 200, -200];

function curve(a, b, bend) {
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  // Bent to the same side whichever way the edge goes.
  const side = dy < 0 || (dy === 0 && dx < 0) ? -1 : 1;
  const control = [(a.x + b.x) / 2 - (side * 2 * bend * dy) / length, (a.y + b.y) / 2 + (side * 2 * bend * dx) / length];
  return { start: border(a, control, 1), control, end: border(b, control, 9) };
}

function loop(box) {
  const right = box.x + box.w / 2;
  return { start: [right, box.y - 8], control: [right + 54, box.y], end: [right + 8, box.y + 8] };
}

// Edges one after the other: the bend that crosses no event, keeps away from edges that are there, and is small.
function routeEdges(edges, boxes, size) {
  const others = boxes.flatMap((box, event) => (box ? [{ box, event }] : []));
  for (const lane of size.lanes) others.push({ event: -1, box: { x: lane.x + lane.w / 2, y: size.laneTop + 16,
    w: measure(lane.name, LABEL_FONT), h: 14 } });
  const drawn = [];
  const costOf = (route, edge, bend) => {
    let cost = Math.abs(bend) * 0.3;
    const close = drawn.map(() => 0);
    for (const t of STEPS) {
      const [x, y] = at(route, t);
      if (x < 2 || y < 2 || x > size.width - 2 || y > size.height - 2) cost += 40;
      for (const { box, event } of others)
        if (event !== edge.from && event !== edge.to && Math.abs(x - box.x) < box.w / 2 + 6 &&
            Math.abs(y - box.y) < box.h / 2 + 5) cost += 90;
      drawn.forEach((points, other) => {
        for (const [px, py] of points) if (Math.abs(px - x) + Math.abs(py - y) < 9) { close[other] += 1; break; }
      });
    }
    // A crossing costs little, running side by side a lot.
    for (const samples of close) cost += 2 * samples + 9 * Math.max(0, samples - 4);
    return cost;
  };
  const isSmall = edges.length <= 150;
  for (const edge of edges) {
    if (edge.from === edge.to) {
      edge.route = loop(boxes[edge.from]);
    } else {
      let best = Infinity;
      for (const bend of isSmall ? BENDS : BENDS.slice(0, 5)) {
        const route = curve(boxes[edge.from], boxes[edge.to], bend);
        const cost = costOf(route, edge, bend);
        if (cost < best) { best = cost; edge.route = route; }
      }
    }
    drawn.push(STEPS.map((t) => at(edge.route, t)));
  }
  placeLabels(edges, others, drawn, size);
}

function placeLabels(edges, others, drawn, size) {
  const taken = [];
  const overlap = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;
  edges.forEach((edge, index) => {
    const w = measure(edge.name, LABEL_FONT) + 6;
    let best = Infinity;
    for (const t of [0.5, 0.43, 0.57, 0.36, 0.64, 0.29, 0.71, 0.22, 0.78]) {
      const [x, y] = at(edge.route, t);
      const label = { x: Math.min(Math.max(x, w / 2 + 2), size.width - w / 2 - 2), y, w, h: 16 };
      let cost = Math.abs(t - 0.5) * 12;
      for (const { box } of others) if (overlap(label, box)) cost += 60;
      for (const other of taken) if (overlap(label, other)) cost += 40;
      drawn.forEach((points, other) => {
        if (other !== index) for (const [px, py] of points)
          if (overlap(label, { x: px, y: py, w: 2, h: 2 })) cost += 3;
      });
      if (cost < best) { best = cost; edge.label = label; }
    }
    taken.push(edge.label);
  });
}
