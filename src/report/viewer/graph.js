// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Draws one execution as inline SVG, and tells it in words for those who do not see it.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes and children; text is always text.
function make(name, attributes = {}, ...children) {
  const isSvg = ["svg", "g", "path", "rect", "text", "title", "desc"].includes(name);
  const element = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const KNOWN = ["po", "rf", "co", "fr", "addr", "data", "ctrl", "rmw", "sync", "race"];
function colourOf(name, relations) {
  if (KNOWN.includes(name)) return `r-${name}`;
  const others = relations.filter((relation) => !KNOWN.includes(relation.name));
  const index = others.findIndex((relation) => relation.name === name);
  return `r-${(index < 0 ? 0 : index) % 6}`;
}

// What is visible: events by kind, those of the highlight always; edges of the ticked relations and of the highlight.
function shownOf(data, execution, choice) {
  const visible = execution.nodes.map((node) => choice.kinds[node.kind]);
  const bold = execution.highlight ? execution.highlight.edges : [];
  for (const { from, to } of bold) visible[from] = visible[to] = true;
  const edges = [];
  data.relations.forEach((relation, index) => {
    if (!choice.relations[index]) return;
    for (const [from, to] of visibleEdges(pairsOf(execution.relations[index] || []), relation.order, visible))
      edges.push({ from, to, name: relation.name, bold: false });
  });
  for (const { from, to, relation } of bold) {
    const there = edges.find((edge) => edge.from === from && edge.to === to && edge.name === relation);
    if (there) there.bold = true;
    else edges.push({ from, to, name: relation, bold: true });
  }
  // Program order is straight down the middle; then the bold ones get the best way.
  const weight = (edge) => (edge.name === "po" ? 0 : edge.bold ? 1 : 2);
  edges.sort((a, b) => weight(a) - weight(b));
  return { visible, edges };
}

function marksOf(data, execution, choice) {
  return (event) => data.sets
    .filter((_, index) => choice.sets[index] && (execution.sets[index] || []).includes(event))
    .map((set) => set.name).join(" ");
}

function nodeWords(data, execution, event) {
  const node = execution.nodes[event];
  const thread = node.thread < 0 ? "initial write" : `thread ${data.programs[execution.program][node.thread].name}`;
  return `${node.name}: ${node.what}, ${thread}${node.place ? `, ${node.place}` : ""}`;
}

// The head of an arrow as a path of its own, so that it has the colour of its edge everywhere.
function headOf({ control, end }, isBold) {
  const dx = end[0] - control[0], dy = end[1] - control[1], length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length], long = 9, wide = isBold ? 6.5 : 4;
  const tip = [end[0] + ux * 8, end[1] + uy * 8], base = [tip[0] - ux * (long + (isBold ? 3 : 0)), tip[1] - uy * (long + (isBold ? 3 : 0))];
  const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${point(tip)}L${point([base[0] - uy * wide, base[1] + ux * wide])}L${point([base[0] + uy * wide, base[1] - ux * wide])}Z`;
}

function drawEdge(edge, execution, relations) {
  const { start, control, end } = edge.route;
  const name = (event) => execution.nodes[event].name;
  const path = `M${start.map((v) => v.toFixed(1)).join(" ")}Q${[...control, ...end].map((v) => v.toFixed(1)).join(" ")}`;
  return make("g", {
    class: `edge ${colourOf(edge.name, relations)}${edge.bold ? " bold" : ""}`,
    "data-relation": edge.name, "data-from": name(edge.from), "data-to": name(edge.to),
  }, make("title", {}, `${edge.name} from ${name(edge.from)} to ${name(edge.to)}`),
  make("path", { d: path }), make("path", { class: "head", d: headOf(edge.route, edge.bold) }));
}

function drawLabel(edge, relations) {
  return make("g", { class: `edge ${colourOf(edge.name, relations)}${edge.bold ? " bold" : ""}`, "data-label": edge.name,
    "aria-hidden": "true" }, make("text", { x: edge.label.x.toFixed(1), y: (edge.label.y + 4).toFixed(1) }, edge.name));
}

function drawGraph(data, execution, choice) {
  const threads = data.programs[execution.program];
  const { visible, edges } = shownOf(data, execution, choice);
  const placed = placeNodes(execution, threads, visible, marksOf(data, execution, choice));
  routeEdges(edges, placed.boxes, placed);
  const boldEvents = new Set(edges.filter((edge) => edge.bold).flatMap((edge) => [edge.from, edge.to]));
  const svg = make("svg", { viewBox: `0 0 ${placed.width} ${placed.height}`, role: "group",
    "aria-label": `Graph of ${visible.filter(Boolean).length} events and ${edges.length} edges` });
  for (const lane of placed.lanes) svg.append(
    make("rect", { class: "lane", x: lane.x, y: placed.laneTop, width: lane.w, height: placed.laneHeight, rx: 8 }),
    make("text", { class: "lane-name", x: lane.x + lane.w / 2, y: placed.laneTop + 20, "text-anchor": "middle" }, lane.name));
  for (const edge of edges) svg.append(drawEdge(edge, execution, data.relations));
  execution.nodes.forEach((node, event) => {
    const box = placed.boxes[event];
    if (!box) return;
    const words = nodeWords(data, execution, event) + (box.marks ? `, in ${box.marks}` : "");
    svg.append(make("g", { class: `node ${data.kinds[node.kind].name}${boldEvents.has(event) ? " bold" : ""}`, tabindex: 0,
      role: "img", "aria-label": words, "data-event": event, "data-name": node.name },
    make("title", {}, words),
    make("rect", { x: (box.x - box.w / 2).toFixed(1), y: box.y - box.h / 2, width: box.w, height: box.h, rx: 6 }),
    make("text", { x: box.x.toFixed(1), y: box.y + (box.marks ? -2 : 5), "text-anchor": "middle" }, `${node.name}: ${node.what}`),
    ...(box.marks ? [make("text", { class: "marks", x: box.x.toFixed(1), y: box.y + 14, "text-anchor": "middle" }, box.marks)] : [])));
  });
  // Labels last: no line may cross them.
  for (const edge of edges) svg.append(drawLabel(edge, data.relations));
  return { svg, visible, edges, width: placed.width, height: placed.height };
}

function tell(data, execution, choice, drawn) {
  const name = (event) => execution.nodes[event].name;
  const marks = marksOf(data, execution, choice);
  const cell = (text) => make("td", {}, text);
  const body = make("tbody");
  execution.nodes.forEach((node, event) => {
    if (!drawn.visible[event]) return;
    const thread = node.thread < 0 ? "initial" : data.programs[execution.program][node.thread].name;
    body.append(make("tr", {}, make("th", { scope: "row" }, node.name), cell(node.what), cell(thread), cell(node.place),
      cell(marks(event))));
  });
  const table = make("table", {}, make("caption", {}, "Events shown"),
    make("thead", {}, make("tr", {}, ...["Event", "What", "Thread", "Place", "Sets"].map((text) =>
      make("th", { scope: "col" }, text)))), body);
  const list = make("ul", { "aria-label": "Edges shown, by relation" });
  for (const relation of [...new Set(drawn.edges.map((edge) => edge.name))]) list.append(make("li", {},
    make("strong", {}, relation), `: ${drawn.edges.filter((edge) => edge.name === relation)
      .map((edge) => `${name(edge.from)} → ${name(edge.to)}`).join(", ")}`));
  return [table, list];
}
