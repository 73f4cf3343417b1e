// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The page around the graph: choosing an execution, relations and sets, the program, highlighting, keys and colours.

const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const choice = {
  execution: 0,
  relations: data.relations.map((relation) => relation.shown),
  kinds: data.kinds.map((kind) => kind.shown),
  sets: data.sets.map((set) => set.shown),
  zoom: null, // as large as fits, until somebody chooses
};
let drawn = null;

const STATUS = { allowed: "allowed", forbidden: "forbidden", violation: "violation" };
const stateText = (execution) => execution.state.map(([name, value]) => `${name}=${value};`).join(" ");
function statusText(execution) {
  const by = execution.axioms.length ? ` by ${execution.axioms.join(", ")}` : "";
  return STATUS[execution.status] + (execution.status === "forbidden" ? by : "");
}

function fillHeader() {
  part("title").textContent = data.title + (data.model ? ` under ${data.model}` : "");
  part("condition").textContent = data.condition;
  for (const note of data.notes) part("notes").append(make("p", { class: "note" }, note));
}

function fillExecutions() {
  data.executions.forEach((execution, index) => {
    const state = stateText(execution) || execution.title || "execution";
    const item = make("li", { role: "option", id: `execution-${index}`, "aria-selected": "false" },
      make("div", { class: "state" }, `${index + 1}. ${state}`),
      make("span", { class: execution.status }, statusText(execution)));
    if (execution.satisfies) item.append(make("span", {}, " · satisfies the condition"));
    if (execution.flags.length) item.append(make("span", { class: "flag" }, ` · flagged ${execution.flags.join(", ")}`));
    item.addEventListener("click", () => { choose(index); part("executions").focus(); });
    part("executions").append(item);
  });
}

// One checkbox for each entry, kept with `values`.
function fillBoxes(id, entries, values, describe) {
  part(id).hidden = entries.length === 0;
  entries.forEach((entry, index) => {
    const box = make("input", { type: "checkbox", "data-name": entry.name });
    box.checked = values[index];
    box.addEventListener("change", () => { values[index] = box.checked; draw(); });
    part(id).querySelector(".choices").append(make("label", entry.title ? { class: "whole" } : {}, box, ...describe(entry, index)));
  });
}

// How many edges or events there are in this execution, and grey for none.
function countBoxes() {
  const execution = data.executions[choice.execution];
  const count = (id, numbers) => part(id).querySelectorAll(".count").forEach((element, index) => {
    element.textContent = numbers[index];
  });
  count("relations", data.relations.map((_, index) => (execution.relations[index] || []).length / 2));
  count("kinds", data.kinds.map((_, index) => execution.nodes.filter((node) => node.kind === index).length));
  count("sets", data.sets.map((_, index) => (execution.sets[index] || []).length));
}

function fillProgram() {
  const execution = data.executions[choice.execution];
  const threads = data.programs[execution.program];
  part("program").hidden = threads.every((thread) => thread.lines.length === 0);
  part("threads").replaceChildren(...threads.filter((thread) => thread.lines.length).map((thread) => {
    const index = threads.indexOf(thread);
    const lines = thread.lines.map((line, number) => {
      const events = execution.nodes.flatMap((node, event) =>
        (node.thread === index && node.line === number ? [event] : []));
      const item = make("li", { "data-thread": index, "data-line": number },
        make("span", { class: "number" }, line.number ? String(line.number) : ""),
        make("span", { class: "text" }, line.text),
        make("span", { class: "events" }, events.map((event) => execution.nodes[event].name).join(" ")));
      if (events.length) {
        item.tabIndex = 0;
        item.setAttribute("aria-label", `${line.text}: ${events.map((event) =>
          `${execution.nodes[event].name}: ${execution.nodes[event].what}`).join("; ")}`);
        onPoint(item, () => light(events));
      }
      return item;
    });
    return make("div", {}, make("h3", {}, thread.name), make("ol", {}, ...lines));
  }));
}

// Pointing and focusing do the same.
function onPoint(element, act) {
  element.addEventListener("pointerenter", act);
  element.addEventListener("focus", act);
  element.addEventListener("pointerleave", unlight);
  element.addEventListener("blur", unlight);
}

// Lights events, their lines and their edges.
function light(events) {
  unlight();
  const execution = data.executions[choice.execution];
  const names = events.map((event) => execution.nodes[event].name);
  for (const event of events) {
    const node = part("canvas").querySelector(`[data-event="${event}"]`);
    if (node) node.classList.add("lit");
    const { thread, line } = execution.nodes[event];
    const item = part("threads").querySelector(`[data-thread="${thread}"][data-line="${line}"]`);
    if (item) { item.classList.add("lit"); reveal(part("threads"), item); }
  }
  drawn.svg.classList.add("dim");
  for (const edge of drawn.svg.querySelectorAll(".edge[data-from]"))
    edge.classList.toggle("near", names.includes(edge.dataset.from) || names.includes(edge.dataset.to));
  const labels = drawn.svg.querySelectorAll(".edge[data-label]");
  drawn.edges.forEach((edge, index) => labels[index].classList.toggle("near", events.includes(edge.from) || events.includes(edge.to)));
}
function unlight() {
  for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
  drawn.svg.classList.remove("dim");
}
function reveal(pane, item) {
  const outer = pane.getBoundingClientRect(), inner = item.getBoundingClientRect();
  if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 8;
}

function fillHighlight() {
  const { highlight } = data.executions[choice.execution];
  part("highlight").hidden = !highlight;
  if (!highlight) { part("highlight").replaceChildren(); return; }
  const { nodes } = data.executions[choice.execution];
  const steps = highlight.edges.map(({ from, to, relation }, index) =>
    `${index === 0 || highlight.edges[index - 1].to !== from ? `${index ? "; " : ""}${nodes[from].name}` : ""} –${relation}→ ${nodes[to].name}`);
  part("highlight").replaceChildren(
    make("p", { class: "title" }, highlight.title, ...(highlight.text ? [": ", make("code", {}, highlight.text)] : [])),
    ...(steps.length ? [make("p", {}, make("code", {}, steps.join("")))] : []),
    ...(highlight.explanation ? [make("p", {}, highlight.explanation)] : []));
}

function draw() {
  const execution = data.executions[choice.execution];
  const focused = document.activeElement && document.activeElement.closest("#canvas [data-name]");
  drawn = drawGraph(data, execution, choice);
  part("canvas").replaceChildren(drawn.svg);
  resize();
  for (const node of drawn.svg.querySelectorAll("[data-event]")) onPoint(node, () => light([Number(node.dataset.event)]));
  part("words").replaceChildren(...tell(data, execution, choice, drawn));
  if (focused) {
    const again = drawn.svg.querySelector(`[data-name="${focused.dataset.name}"]`);
    if (again) again.focus();
  }
}
// The largest size up to the natural one at which the whole width is seen.
const fitting = () => Math.min(1, Math.max(0.25, part("canvas").clientWidth / drawn.width));
function zoom() {
  return choice.zoom === null ? fitting() : choice.zoom;
}
function resize() {
  drawn.svg.setAttribute("width", Math.floor(drawn.width * zoom()));
  drawn.svg.setAttribute("height", Math.floor(drawn.height * zoom()));
}
function zoomTo(factor) {
  choice.zoom = factor === null ? null : Math.min(3, Math.max(0.25, factor));
  resize();
}

function choose(index) {
  choice.execution = Math.min(Math.max(index, 0), data.executions.length - 1);
  const execution = data.executions[choice.execution];
  document.querySelectorAll("#executions li").forEach((item, number) =>
    item.setAttribute("aria-selected", String(number === choice.execution)));
  const selected = part(`execution-${choice.execution}`);
  part("executions").setAttribute("aria-activedescendant", selected.id);
  reveal(part("executions"), selected);
  part("position").textContent = `${choice.execution + 1} of ${data.executions.length}`;
  part("previous").disabled = choice.execution === 0;
  part("next").disabled = choice.execution + 1 === data.executions.length;
  part("verdict").replaceChildren(`Execution ${choice.execution + 1}: `, make("strong", { class: execution.status }, statusText(execution)),
    stateText(execution) ? `, final state ${stateText(execution)}` : "", execution.satisfies ? " It satisfies the condition." : "");
  fillHighlight();
  fillProgram();
  countBoxes();
  draw();
  try { history.replaceState(null, "", `#${choice.execution + 1}`); } catch { /* some browsers refuse it for files */ }
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const inList = event.target === part("executions");
  const moves = { ArrowLeft: -1, ArrowRight: 1, ...(inList ? { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8,
    Home: -data.executions.length, End: data.executions.length } : {}) };
  if (!(event.key in moves)) return;
  event.preventDefault();
  choose(choice.execution + moves[event.key]);
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
function setTheme(isDark) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  part("theme").setAttribute("aria-pressed", String(isDark));
}
let themeIsChosen = false;
darkness.addEventListener("change", () => { if (!themeIsChosen) setTheme(darkness.matches); });

function start() {
  setTheme(darkness.matches);
  part("theme").addEventListener("click", () => {
    themeIsChosen = true;
    setTheme(document.documentElement.dataset.theme !== "dark");
  });
  fillHeader();
  fillHistory(data.history);
  if (data.executions.length === 0) {
    part("verdict").textContent = "There is no execution to show.";
    for (const id of ["previous", "next", "smaller", "fit", "larger"]) part(id).disabled = true;
    for (const id of ["relations", "kinds", "sets", "program", "description"]) part(id).hidden = true;
    return;
  }
  fillExecutions();
  const count = () => make("span", { class: "count" });
  fillBoxes("relations", data.relations, choice.relations, (relation) =>
    [make("span", { class: `sample ${colourOf(relation.name, data.relations)}`, "aria-hidden": "true" }), relation.name, count()]);
  fillBoxes("kinds", data.kinds, choice.kinds, (kind) => [`${kind.name}: ${kind.title}`, count()]);
  part("kinds").querySelectorAll("label").forEach((label, index) => {
    label.hidden = !data.executions.some((execution) => execution.nodes.some((node) => node.kind === index));
  });
  fillBoxes("sets", data.sets, choice.sets, (set) => [set.name, count()]);
  part("previous").addEventListener("click", () => choose(choice.execution - 1));
  part("next").addEventListener("click", () => choose(choice.execution + 1));
  part("smaller").addEventListener("click", () => zoomTo(zoom() / 1.25));
  part("larger").addEventListener("click", () => zoomTo(zoom() * 1.25));
  part("fit").addEventListener("click", () => zoomTo(null));
  document.addEventListener("keydown", onKey);
  addEventListener("resize", resize);
  addEventListener("hashchange", () => choose((Number(location.hash.slice(1)) || 1) - 1));
  choose((Number(location.hash.slice(1)) || 1) - 1);
}
start();
