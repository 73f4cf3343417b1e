// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A history of operations: a lane for each thread, time from left to right, each operation a bar from its call to its return.
// Below it the run that has this history, step by step.

const COLUMN = 10, BAR = 26, LANE_GAP = 10, LANE_NAME = 92;

function drawHistory({ bars }) {
  const threads = [...new Set(bars.map((bar) => bar.thread))].sort((a, b) => a - b);
  const columns = Math.max(...bars.map((bar) => bar.to)) + 2;
  const width = LANE_NAME + columns * COLUMN + 12;
  const tops = new Map();
  let height = 0;
  for (const thread of threads) {
    tops.set(thread, height);
    height += (Math.max(...bars.filter((bar) => bar.thread === thread).map((bar) => bar.line)) + 1) * (BAR + 6) + LANE_GAP;
  }
  const axis = height + 6;
  const svg = make("svg", { viewBox: `0 0 ${width} ${height + 26}`, width, height: height + 26, role: "img",
    "aria-label": `History: ${bars.map((bar) => `thread ${bar.thread + 1} ${bar.label}`).join("; ")}` });
  for (const thread of threads) svg.append(
    make("rect", { class: "lane", x: 0, y: tops.get(thread), width, height: laneHeight(thread), rx: 8 }),
    make("text", { class: "lane-name", x: 10, y: tops.get(thread) + 22 }, `thread ${thread + 1}`));
  for (const bar of bars) {
    const x = LANE_NAME + bar.from * COLUMN, y = tops.get(bar.thread) + 5 + bar.line * (BAR + 6);
    const end = LANE_NAME + bar.to * COLUMN + COLUMN / 2;
    // A pending operation is open to the right.
    const outline = bar.pending ? `M${end} ${y}H${x}V${y + BAR}H${end}L${end + 8} ${y + BAR / 2}Z`
      : `M${x} ${y}H${end}V${y + BAR}H${x}Z`;
    const words = `thread ${bar.thread + 1}: ${bar.label}${bar.unexplained ? ": the first return that nothing explains" : ""}`;
    svg.append(make("g", { class: `bar${bar.unexplained ? " unexplained" : ""}${bar.pending ? " pending" : ""}` },
      make("title", {}, words), make("path", { d: outline }), make("text", { x: x + 8, y: y + 18 }, bar.label)));
  }
  svg.append(make("g", { class: "axis" }, make("path", { d: `M${LANE_NAME} ${axis}H${width - 12}` }),
    make("path", { class: "head", d: `M${width - 4} ${axis}L${width - 13} ${axis - 4}V${axis + 4}Z` }),
    make("text", { x: LANE_NAME, y: axis + 15 }, "time")));
  return svg;

  function laneHeight(thread) {
    const next = threads[threads.indexOf(thread) + 1];
    return (next === undefined ? height : tops.get(next)) - tops.get(thread) - LANE_GAP / 2;
  }
}

// The steps of the run: a column per thread.
function tellRun({ headings, rows }) {
  const body = rows.map(({ number, column, lines }) => make("tr", {}, make("th", { scope: "row" }, number),
    ...headings.map((_, index) => make("td", {}, ...(index === column ? lines.flatMap((line, i) => (i ? [make("br"), line] : [line])) : [])))));
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "step"),
    ...headings.map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, ...body));
}

function fillHistory(shown) {
  const section = document.getElementById("history");
  section.hidden = !shown;
  if (!shown) return;
  section.querySelector(".scenario").textContent = `Scenario: ${shown.scenario}`;
  section.querySelector(".chart").replaceChildren(drawHistory(shown));
  section.querySelector(".why").replaceChildren(...shown.why.map((text) => make("p", {}, text)));
  section.querySelector(".steps").replaceChildren(tellRun(shown.run));
}
