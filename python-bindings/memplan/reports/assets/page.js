"use strict";
// Puts the page together: reads the data, fills the sections, follows links.

async function readData() {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

function drawVerdict(model) {
  const place = document.getElementById("verdict");
  const [, first, rest] = /^(Fits|Takes|Does not fit|No plan was found)?([\s\S]*)$/.exec(model.verdict);
  if (first) place.append(make("span", { class: first === "Fits" || first === "Takes" ? "fits" : "fails" }, first));
  place.append(rest);
  document.getElementById("name").textContent = shorten(model.name || "A training step", 200);
  const note = document.getElementById("note");
  const ran = "This is what a dynamic run did, in the sequence in which it ran. ";
  const traced = !model.is_run ? "" : model.run_bytes === undefined ? ran : `${ran}Its pool and what the caller owns took ${sayBytes(model.run_bytes)}; with the offsets shown here the same sequence takes ${sayBytes(model.summary.device_bytes)}. `;
  note.textContent = traced + (model.summary.note ?? "");
  note.hidden = !note.textContent;
}

function drawTiles(model) {
  const { summary } = model;
  const tiles = document.getElementById("tiles");
  const tile = (name, id, value, small, title) => tiles.append(make("div", { title }, make("dt", {}, name), make("dd", { id }, value, make("small", {}, small))));
  const bytes = (name, id, value, small) => tile(name, id, sayBytes(value), small, exactBytes(value));
  if (model.hasSteps) {
    const percent = summary.budget_bytes ? `${((100 * summary.device_bytes) / summary.budget_bytes).toFixed(1)} % of ${sayBytes(summary.budget_bytes)}` : "no budget";
    bytes("Device bytes", "device-bytes", summary.device_bytes, percent);
    bytes("Peak, live", "peak-bytes", summary.peak_bytes, `at step ${model.peak.step}`);
    const over = summary.unplanned_cost > 0 ? 100 * (summary.time / summary.unplanned_cost - 1) : 0;
    tile("Time", "time-cost", sayNumber(summary.time), `units of cost, ${sayPercent(Math.abs(over))} ${over >= 0 ? "more" : "less"} than each node once`, `${summary.time} in the cost unit of the graph`);
    const bound = summary.time_bound ?? (summary.time === summary.cost ? summary.bound : undefined);
    if (bound !== undefined) tile("Could save at most", "gap", sayPercent(summary.time > 0 ? 100 * (1 - bound / summary.time) : 0), `${{ staged: "in stages", "fixed-order": "in this order", "run-once": "with each node once" }[summary.time_bound !== undefined ? summary.time_bound_space : summary.bound_space] ?? "in any order"}, ${summary.proof === "solver" ? "by a solver's floating point" : "proved"}`);
    if (summary.host_bytes > 0) bytes("On the host", "host-bytes", summary.host_bytes, "most at one time");
  } else {
    if (summary.budget_bytes !== undefined) bytes("Budget", "budget-bytes", summary.budget_bytes, "cannot be kept");
    if (summary.bound_bytes !== undefined) bytes("Least possible", "bound-bytes", summary.bound_bytes, "no budget below works");
    if (summary.minimum_budget_bytes !== undefined) bytes("Known to work", "minimum-bytes", summary.minimum_budget_bytes, "least budget with a plan");
  }
  bytes("Unplanned peak", "unplanned-bytes", summary.unplanned_bytes, "source order, nothing recomputed");
}

/** Of a plan without steps: what binds. */
function drawWitness(model, body) {
  const witnesses = (model.summary.witness_tensors ?? []).map((id) => model.tensorAt.get(id));
  if (model.summary.witness_node === undefined) return body.append(make("p", { class: "hint" }, "There is no plan, so that nothing is known of its peak."));
  const node = model.nodes.id.indexOf(model.summary.witness_node);
  body.append(make("p", { class: "hint" }, `What does not fit is ${shorten(model.nodeTitle(node), 300)}: these must be live beside it.`));
  body.append(table(witnesses, [bytesColumn("Bytes", (tensor) => model.tensors.bytes[tensor]), tensorColumn(model, "Tensor", (tensor) => tensor)], { label: "What must be live" }));
}

/** A page of a curve alone. */
function drawCurveAlone(curve) {
  const points = curve.points;
  document.getElementById("name").textContent = shorten(curve.graph || "A training step", 200);
  const percent = (point) => sayPercent(curve.least_cost > 0 ? 100 * (point.time / curve.least_cost - 1) : 0);
  document.getElementById("verdict").textContent = points.length
    ? `Plans from ${sayBytes(points[0].device_bytes)} at ${percent(points[0])} more time to ${sayBytes(points.at(-1).device_bytes)} at ${percent(points.at(-1))}; unplanned the step takes ${sayBytes(curve.unplanned_bytes)}.`
    : "No plan was found with any budget.";
  document.querySelectorAll("main section").forEach((section) => { section.hidden = section.id !== "curve"; });
  const body = document.querySelector("#curve .body");
  drawCurve({ curve, hasSteps: false, summary: {} }, body);
  if (points.length) body.append(table(points, [bytesColumn("Device bytes", (point) => point.device_bytes), { name: "Time", value: (point) => point.time, number: true, show: (point) => sayNumber(point.time) },
    { name: "More time", value: (point) => point.time, number: true, show: percent }, { name: "Could save at most", value: (point) => point.gap_percent ?? 0, number: true, show: (point) => sayPercent(point.gap_percent ?? 0) },
    { name: "Status", value: (point) => point.status ?? "" }, { name: "Solver", value: (point) => point.solver ?? "", wide: true }], { label: "Plans of the curve", down: false, filter: false }));
}

function start(data) {
  document.getElementById("made").textContent = `Made by ${data.made_by}. Sizes: 1 KiB = 1024 bytes. Nothing on this page came from a network.`;
  if (!data.plans.length) {
    drawCurveAlone(data.curve);
    document.body.dataset.ready = "yes";
    return;
  }
  const models = data.plans.map((plan) => new PlanModel(plan));
  const [model] = models;
  model.curve = data.curve;
  drawVerdict(model);
  drawTiles(model);
  const details = document.getElementById("details");
  let opener = null, arena = { find() {} };
  const close = () => {
    details.hidden = true;
    // No element is called so: the page stays where it is. No event follows, which could close what is opened next.
    if (location.hash.startsWith("#tensor=")) history.replaceState(null, "", "#closed");
    opener?.focus?.();
  };
  const follow = (link) => {
    const found = /^#tensor=(-?\d+)$/.exec(link);
    const tensor = found ? model.tensorAt.get(Number(found[1])) : undefined;
    if (tensor === undefined) {
      details.hidden = true;
      return;
    }
    if (details.hidden) opener = document.activeElement;
    details.replaceChildren(...describeTensor(model, tensor, close, (chosen) => {
      arena.find(chosen);
      document.getElementById("arena").scrollIntoView();
    }));
    details.hidden = false;
    details.querySelector("h3").focus({ preventScroll: true });
  };
  // The frame of a notebook has no address of its own that a link could lead to.
  const isFrame = location.protocol === "about:";
  const openTensor = (tensor) => {
    const link = `#tensor=${model.tensors.id[tensor]}`;
    if (isFrame) follow(link);
    else location.hash = link;
  };
  if (isFrame)
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a")?.getAttribute("href");
      if (!link?.startsWith("#")) return;
      event.preventDefault();
      if (link.startsWith("#tensor=")) follow(link);
      else document.getElementById(link.slice(1))?.scrollIntoView();
    });
  const bodyOf = (id) => document.querySelector(`#${id} .body`);
  const hide = (id) => { document.getElementById(id).hidden = true; };
  if (models.length > 1) drawComparison(models, document.getElementById("compare"));
  if (data.measured) drawMeasured(model, data.measured, document.getElementById("measured"));
  if (model.hasSteps) {
    drawPeak(model, bodyOf("peak"), openTensor);
    drawTime(model, bodyOf("time"));
    arena = drawArena(model, bodyOf("arena"), openTensor);
    drawDone(model, bodyOf("done"));
    drawLanes(model, bodyOf("lanes"));
  } else {
    drawWitness(model, bodyOf("peak"));
    ["time", "arena", "done", "lanes"].forEach(hide);
  }
  drawCurve(model, bodyOf("curve"));
  drawTensors(model, bodyOf("tensors"));
  const sections = [...document.querySelectorAll("main section")].filter((section) => !section.hidden);
  document.getElementById("sections").append(...sections.map((section) => make("a", { href: `#${section.id}`, title: section.querySelector("h2").textContent }, section.dataset.short)));
  window.addEventListener("hashchange", () => follow(location.hash));
  window.addEventListener("keydown", (event) => { if (event.key === "Escape" && !details.hidden) close(); });
  follow(location.hash);
  document.body.dataset.ready = "yes";
}

readData().then(start).catch((error) => {
  document.getElementById("verdict").textContent = `This page cannot be drawn: ${error.message}`;
  document.body.dataset.ready = "failed";
  throw error;
});
