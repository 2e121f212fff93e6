"use strict";
// Charts by Bokeh: bytes over the step, the arena, bytes against time, and lanes. Each is drawn when it comes into view.

const charts = [];
const isDark = () => window.matchMedia("(prefers-color-scheme: dark)").matches;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Gives a figure the colours of the page. */
function paint(figure) {
  const text = css("--text"), line = css("--line"), faint = css("--faint");
  figure.background_fill_color = css("--ground");
  figure.border_fill_color = css("--ground");
  figure.outline_line_color = line;
  for (const axis of [...figure.below, ...figure.left].filter((part) => part instanceof Bokeh.Axis)) {
    axis.axis_label_text_color = text;
    axis.axis_label_text_font_style = "normal";
    axis.major_label_text_color = text;
    axis.axis_line_color = axis.major_tick_line_color = faint;
    axis.minor_tick_line_color = null;
  }
  for (const grid of figure.center.filter((part) => part instanceof Bokeh.Grid)) grid.grid_line_color = line;
}


function figureOf({ x, y, height = 340, extra = {} }) {
  const figure = Bokeh.Plotting.figure({
    height, sizing_mode: "stretch_width", tools: "pan,wheel_zoom,box_zoom,reset,save", active_drag: "box_zoom", active_scroll: null, toolbar_location: "above", x_axis_label: x, y_axis_label: y, ...extra,
  });
  figure.toolbar.logo = null;
  for (const axis of [...figure.below, ...figure.left])
    if (axis instanceof Bokeh.LinearAxis) axis.formatter = new Bokeh.BasicTickFormatter({ use_scientific: false });
  if (figure.below[0] instanceof Bokeh.LinearAxis) figure.below[0].ticker.desired_num_ticks = isNarrow() ? 4 : 7;
  figure.min_border_left = 10;
  paint(figure);
  charts.push(figure);
  return figure;
}

/** Keys for a chart: arrows move, + and - zoom, 0 shows all. */
function steer(holder, figure) {
  const home = {};
  const ranges = { x: figure.x_range, y: figure.y_range };
  holder.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: ["x", -0.2, 1], ArrowRight: ["x", 0.2, 1], ArrowUp: ["y", 0.2, 1], ArrowDown: ["y", -0.2, 1], "+": ["x", 0, 0.5], "-": ["x", 0, 2], 0: ["x", 0, 0] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    for (const name of ["x", "y"]) home[name] ??= [ranges[name].start, ranges[name].end];
    const [name, by, zoom] = move;
    if (zoom === 0) {
      for (const each of ["x", "y"]) [ranges[each].start, ranges[each].end] = home[each];
      return;
    }
    const range = ranges[name], span = range.end - range.start, middle = (range.start + range.end) / 2 + by * span;
    [range.start, range.end] = [middle - (span * zoom) / 2, middle + (span * zoom) / 2];
  });
}

/** Takes what a chart holds out of the tab order, in shadow trees too: seven buttons of a toolbar would stand before the next part, and
 * what they do has keys. */
function leaveTabOrder(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.tabIndex >= 0) element.tabIndex = -1;
    if (element.shadowRoot) leaveTabOrder(element.shadowRoot);
  }
}

/** A place for a chart, drawn once it is near the screen. */
function chart(label, draw) {
  const holder = make("div", { class: "chart", tabindex: 0, role: "group", "aria-label": `${label}. Arrow keys move, plus and minus zoom, 0 shows all.` });
  const show = async () => {
    const figure = (holder.figure = draw(holder));
    steer(holder, figure);
    await Bokeh.Plotting.show(figure, holder);
    leaveTabOrder(holder);
    holder.dataset.drawn = "yes";
  };
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    show();
  }, { rootMargin: "600px" }).observe(holder);
  return holder;
}

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach(paint));

const isNarrow = () => window.innerWidth < 640;
// Beside the pointer there is no room on a phone.
const hover = (renderers, tooltips, extra = {}) => new Bokeh.HoverTool({ renderers, tooltips, attachment: isNarrow() ? "vertical" : "horizontal", ...extra });
const source = (data) => new Bokeh.ColumnDataSource({ data });
const fieldOf = (name) => ({ field: name });
const legendOf = (names) => make("ul", { class: "legend" }, ...names.map((name) => make("li", {}, make("i", { style: { background: PALETTE[name] ?? "#8C8C8C" } }), name)));

/** The step from which on the backward pass and the update run: the one that parts both best, since single nodes may run on the other side of it. */
function firstBackward(model) {
  const { action, what, again } = model.steps;
  let first = 0, sum = 0, least = 0;
  action.forEach((code, step) => {
    if (model.names.actions[code] !== "compute" || again[step]) return;
    sum += model.nodes.backward[what[step]] ? 1 : -1;
    if (sum < least) [least, first] = [sum, step + 1];
  });
  return first;
}

function drawTime(model, body) {
  const stacked = model.stack(2000);
  const at = stacked.steps;
  const caller = model.summary.device_bytes - model.summary.arena_bytes;
  const most = Math.max(model.peak.bytes, model.summary.budget_bytes ?? 0, model.summary.device_bytes);
  const unit = unitOf(most);
  body.append(make("p", { class: "hint" }, "Live bytes at each step, by kind. The backward pass has a grey ground, the peak is marked", model.summary.budget_bytes ? ", the dashed line is the budget." : "."), legendOf(ORDER.filter((name) => model.names.categories.includes(name) || (name === "fixed" && model.summary.fixed_bytes > 0))));
  body.append(chart("Live bytes over the step", () => {
    const figure = figureOf({ x: "step", y: unit.name, extra: { x_range: [0, model.steps.action.length], y_range: [0, (1.05 * most) / unit.bytes] } });
    figure.add_layout(new Bokeh.BoxAnnotation({ left: firstBackward(model), right: model.steps.action.length, fill_color: isDark() ? "#8a93a6" : "#6a7385", fill_alpha: 0.16, line_color: null, level: "underlay" }));
    // Each step is a stair: its left and right end.
    const xs = new Float64Array(2 * at.length);
    at.forEach((step, i) => { xs[2 * i] = step; xs[2 * i + 1] = i + 1 < at.length ? at[i + 1] : step + 1; });
    let below = new Float64Array(2 * at.length).fill(model.summary.fixed_bytes / unit.bytes);
    if (model.summary.fixed_bytes > 0) figure.varea({ x: xs, y1: new Float64Array(2 * at.length), y2: below, fill_color: PALETTE.fixed });
    for (const name of ORDER) {
      const index = stacked.categories.indexOf(name);
      if (index < 0) continue;
      const above = below.slice();
      for (let i = 0; i < at.length; ++i) {
        above[2 * i] += stacked.sums[index][i] / unit.bytes;
        above[2 * i + 1] += stacked.sums[index][i] / unit.bytes;
      }
      figure.varea({ x: fieldOf("x"), y1: fieldOf("y1"), y2: fieldOf("y2"), source: source({ x: xs, y1: below, y2: above }), fill_color: PALETTE[name], fill_alpha: 0.9 });
      below = above;
    }
    const tops = Array.from(at, (step) => model.steps.bytes[step] / unit.bytes);
    const line = figure.line({ x: fieldOf("x"), y: fieldOf("y"), source: source({ x: Array.from(at, (step) => step + 0.5), y: tops, size: at.map((step) => sayBytes(model.steps.bytes[step])), exact: at.map((step) => exactBytes(model.steps.bytes[step])), does: at.map((step) => shorten(model.stepTitle(step), isNarrow() ? 28 : 140)), step: at }), line_color: css("--text"), line_width: 1 });
    if (model.summary.budget_bytes) figure.add_layout(new Bokeh.Span({ location: model.summary.budget_bytes / unit.bytes, dimension: "width", line_color: css("--mark"), line_dash: "dashed", line_width: 2 }));
    figure.scatter({ x: fieldOf("x"), y: fieldOf("y"), source: source({ x: [model.peak.step + 0.5], y: [model.peak.bytes / unit.bytes] }), marker: "inverted_triangle", size: 14, fill_color: css("--mark"), line_color: css("--ground") });
    figure.add_tools(hover([line], [["step", "@step: @does"], ["live", "@size (@exact)"]], { mode: "vline" }));
    return figure;
  }));
  if (caller > 0) body.append(make("p", { class: "hint" }, "Of it the caller's tensors and what is always there: ", bytesText(caller), "; in the arena: ", bytesText(model.summary.arena_bytes ?? 0), "."));
}

const MOST_RECTANGLES = 20000;

function drawArena(model, body, openTensor) {
  const { begin, end, bytes, offset, space } = model.ranges;
  let shown = begin.map((_, range) => range).filter((range) => offset[range] >= 0 && !space[range] && bytes[range] > 0);
  const all = shown.length;
  if (!all) {
    body.append(make("p", { class: "hint" }, "This plan has no arena: it counts live bytes and leaves the places to an allocator."));
    return { find() {} };
  }
  const area = (range) => bytes[range] * (end[range] - begin[range]);
  if (all > MOST_RECTANGLES) shown = shown.sort((a, b) => area(b) - area(a)).slice(0, MOST_RECTANGLES).sort((a, b) => a - b);
  const unit = unitOf(model.summary.arena_bytes);
  const search = make("input", { type: "search", placeholder: "Find a tensor, module or operator", "aria-label": "Find in the arena map" });
  const found = make("span", { role: "status" });
  body.append(make("p", { class: "hint" }, `Each rectangle is a value: its bytes upwards, the steps it lives to the right. ${all > shown.length ? `The ${shown.length.toLocaleString("en")} largest of ${all.toLocaleString("en")} are drawn. ` : ""}Choose one to see what made it, who uses it and why it is there.`),
    make("div", { class: "row" }, search, found), legendOf(ORDER.filter((name) => model.names.categories.includes(name))));
  const data = {
    left: shown.map((range) => begin[range]), right: shown.map((range) => end[range]), bottom: shown.map((range) => offset[range] / unit.bytes), top: shown.map((range) => (offset[range] + bytes[range]) / unit.bytes),
    fill: shown.map((range) => model.colour(range)), alpha: shown.map(() => 0.85),
    // A line around what is thin would hide it.
    edge: shown.map((range) => (bytes[range] > model.summary.arena_bytes / 60 ? css("--ground") : model.colour(range))), title: shown.map((range) => shorten(model.rangeTitle(range), 80)), size: shown.map((range) => sayBytes(bytes[range])),
    when: shown.map((range) => `${begin[range]} to ${end[range]}`), made: shown.map((range) => (model.ranges.what[range] === 1 || model.tensors.producer[model.ranges.owner[range]] < 0 ? "the caller" : model.nodePlace(model.tensors.producer[model.ranges.owner[range]], 70))), why: shown.map((range) => shorten(model.whyUntil(range), 90)),
  };
  const rectangles = source(data);
  // Rings around what was found: a value may be thinner than a pixel.
  const rings = source({ x: [], y: [] });
  let figure = null;
  body.append(chart("Arena map: offsets against steps", () => {
    figure = figureOf({ x: "step", y: `offset in ${unit.name}`, height: 460, extra: { x_range: [0, model.steps.action.length], y_range: [0, model.summary.arena_bytes / unit.bytes], tools: "pan,wheel_zoom,box_zoom,reset,save,tap" } });
    const quads = figure.quad({ left: fieldOf("left"), right: fieldOf("right"), bottom: fieldOf("bottom"), top: fieldOf("top"), source: rectangles, fill_color: fieldOf("fill"), fill_alpha: fieldOf("alpha"), line_color: fieldOf("edge"), line_alpha: fieldOf("alpha"), line_width: shown.length > 3000 ? 0 : 0.5, nonselection_line_alpha: fieldOf("alpha"), nonselection_fill_alpha: fieldOf("alpha") });
    figure.scatter({ x: fieldOf("x"), y: fieldOf("y"), source: rings, marker: "circle", size: 18, fill_color: null, line_color: css("--mark"), line_width: 3 });
    figure.add_layout(new Bokeh.Span({ location: model.peak.step + 0.5, dimension: "height", line_color: css("--mark"), line_dash: "dotted", line_width: 2 }));
    figure.add_tools(hover([quads], [["", "@title"], ["bytes", "@size"], ["steps", "@when"], ["made by", "@made"], ["why", "@why"]]));
    rectangles.selected.change.connect(() => {
      const [first] = rectangles.selected.indices;
      if (first !== undefined && model.ranges.what[shown[first]] !== 1) openTensor(model.ranges.owner[shown[first]]);
    });
    return figure;
  }));
  const texts = shown.map((range) => `${model.rangeTitle(range)} ${model.module(range)} ${model.operator(range)}`.toLowerCase());
  const light = (isLit, count, what) => {
    rectangles.data = { ...data, alpha: shown.map((range, i) => (isLit(range, i) ? 0.95 : 0.08)) };
    const lit = shown.map((range, i) => i).filter((i) => what && isLit(shown[i], i)).slice(0, 200);
    rings.data = { x: lit.map((i) => (data.left[i] + data.right[i]) / 2), y: lit.map((i) => (data.bottom[i] + data.top[i]) / 2) };
    found.textContent = what ? `${count.toLocaleString("en")} of ${shown.length.toLocaleString("en")} ${what}` : "";
  };
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = texts.map((text) => words.every((word) => text.includes(word)));
    light((_, i) => hits[i], hits.filter(Boolean).length, words.length ? "match" : "");
    if (!words.length) rectangles.data = { ...data };
  });
  return { find: (tensor) => light((range) => model.ranges.owner[range] === tensor && model.ranges.what[range] !== 1, model.rangesOf.get(tensor)?.length ?? 0, "are this tensor") };
}

const BESIDE = [["kept for backward", "square", "\u25a0"], ["recomputed", "diamond", "\u25c6"], ["gradients", "triangle", "\u25b2"], ["temporaries", "inverted_triangle", "\u25bc"], ["fetched", "plus", "+"], ["scratch", "x", "\u00d7"], ["states", "hex", "\u2b22"]];
/** Colour and mark of a baseline, which nobody has to tell by the colour alone. */
function besideOf(number) {
  const [name, marker, sign] = BESIDE[number % BESIDE.length];
  return { colour: name === "scratch" ? css("--faint") : PALETTE[name], marker, sign };
}

/** What is known of the largest batch: where --max-batch has chosen it, the number and what it was allowed to cost. */
function sayBatch(model) {
  const { batch, slowdown } = model.summary;
  if (batch === undefined)
    return make("p", { class: "hint", id: "batch" }, "Largest batch: a graph has the shapes of one batch, so that this page cannot know it. With the program, ", make("code", {}, "memplan-opt STEP.mlir --budget=SIZE --max-batch --report=FILE.html"), " finds the largest that fits and draws its plan; of a PyTorch script ", make("code", {}, "python -m memplan.torch doctor --budget=SIZE SCRIPT"), " tells it.");
  const allowed = { forward: "at most the time of one more forward pass", any: "whatever it costs" }[slowdown] ?? `at most ${slowdown} times the unplanned time`;
  const said = slowdown === "per-sample" ? `Batch ${batch.toLocaleString("en")}: of those that fit the budget, the one of least time for each sample.` : `${model.summary.batch_search_stopped ? "Largest batch known (the search was stopped)" : "Largest batch"} that fits the budget: ${batch.toLocaleString("en")}, with ${allowed} allowed.`;
  return make("p", { class: "hint", id: "batch" }, said, model.summary.batch_is_estimated ? " Some of its costs were not measured." : "");
}

function drawCurve(model, body) {
  const points = model.curve?.points ?? [];
  const batch = sayBatch(model);
  if (!points.length) {
    body.append(make("p", { class: "hint" }, "No curve was given. ", make("code", {}, "memplan report PLAN GRAPH --points=8"), " plans for eight budgets and draws them here beside this plan, with what published methods make of the same budgets."), batch);
    return;
  }
  const unit = unitOf(points[points.length - 1].budget_bytes);
  const above = (time) => 100 * (time / model.curve.least_cost - 1);
  const here = model.hasSteps ? model.summary.device_bytes : null;
  const hint = make("p", { class: "hint" }, "Each point is a plan: the budget it was made for, and the time beyond running every node once. The band reaches down to what is proved that no plan can beat. ");
  if (here !== null) {
    const next = points.filter((point) => point.device_bytes > here && point.device_bytes <= here + 2 ** 30).pop();
    const now = above(model.summary.time);
    hint.append(next && above(next.time) < now - 1e-9 ? `With ${sayBytes(next.device_bytes - here)} more this step would take ${sayPercent(now - above(next.time))} of its least time less.` : "Another GiB buys no time here.");
  }
  body.append(hint);
  const baselines = (model.curve.baselines ?? []).filter((row) => row.points.length);
  const legend = (text, colour, sign) => make("li", {}, make("b", { style: { color: colour } }, sign), ` ${text}`);
  if (baselines.length)
    body.append(make("p", { class: "hint" }, "Beside it what published methods make of the same budgets, with memplan's order, in-place outputs and arena, so that only what is computed again differs. A budget that a method does not keep has no mark."), make("ul", { class: "legend" }, legend("memplan", PALETTE.parameters, "\u25cf"), ...baselines.map((row, number) => legend(row.points.length === points.length ? row.solver : `${row.solver}: ${row.points.length} of ${points.length} budgets`, besideOf(number).colour, besideOf(number).sign))));
  body.append(chart("Bytes against time", () => {
    const most = Math.max(...points.map((point) => above(point.time)), model.hasSteps ? above(model.summary.time) : 0);
    // Far above memplan's own most, a baseline would press the curve flat; panning leads there.
    const top = 1.08 * Math.max(1, most, Math.min(4 * most, Math.max(0, ...baselines.flatMap((row) => row.points.map((point) => above(point.time))))));
    const figure = figureOf({ x: `budget in ${unit.name}`, y: "% more time", extra: { y_range: [-0.04 * top, top] } });
    const x = points.map((point) => point.budget_bytes / unit.bytes);
    figure.varea({ x: fieldOf("x"), y1: fieldOf("y1"), y2: fieldOf("y2"), source: source({ x, y1: points.map((point) => above(Math.max(point.bound ?? 0, model.curve.least_cost))), y2: points.map((point) => above(point.time)) }), fill_color: PALETTE.states, fill_alpha: 0.35 });
    const plans = source({ x, y: points.map((point) => above(point.time)), size: points.map((point) => sayBytes(point.device_bytes)), time: points.map((point) => sayNumber(point.time)), gap: points.map((point) => sayPercent(point.gap_percent ?? 0)), proof: points.map((point) => `${point.bound_space ?? ""} ${point.proof ?? ""}`) });
    figure.line({ x: fieldOf("x"), y: fieldOf("y"), source: plans, line_color: PALETTE.parameters, line_width: 2 });
    const dots = figure.scatter({ x: fieldOf("x"), y: fieldOf("y"), source: plans, size: 9, fill_color: PALETTE.parameters, line_color: css("--ground") });
    const beside = baselines.map((row, number) => {
      const { colour, marker } = besideOf(number);
      const data = source({ x: row.points.map((point) => point.budget_bytes / unit.bytes), y: row.points.map((point) => above(point.time)), solver: row.points.map(() => row.solver), size: row.points.map((point) => sayBytes(point.device_bytes)), time: row.points.map((point) => sayNumber(point.time)) });
      figure.line({ x: fieldOf("x"), y: fieldOf("y"), source: data, line_color: colour, line_dash: "dotted", line_width: 1.5 });
      return figure.scatter({ x: fieldOf("x"), y: fieldOf("y"), source: data, marker, size: 9, fill_color: colour, line_color: css("--text"), line_width: 0.5 });
    });
    if (beside.length) figure.add_tools(hover(beside, [["", "@solver"], ["bytes", "@size"], ["time", "@time (@y{0.00} % more)"]]));
    // A plan holds for every budget from its own bytes on.
    if (model.hasSteps) figure.scatter({ x: fieldOf("x"), y: fieldOf("y"), source: source({ x: [model.summary.device_bytes / unit.bytes], y: [above(model.summary.time)] }), marker: "star", size: 20, fill_color: css("--mark"), line_color: css("--text") });
    figure.add_tools(hover([dots], [["takes", "@size"], ["time", "@time (@y{0.00} % more)"], ["could save", "at most @gap"], ["proof", "@proof"]]));
    return figure;
  }), batch);
}

/** What a time is in. */
const UNIT = "Times are in the unit of the graph's costs: microseconds where they were measured or estimated for a device.";

function drawLanes(model, body) {
  const lanes = new Map();
  const rows = [];
  model.steps.action.forEach((code, step) => {
    const action = model.names.actions[code];
    const lane = action === "compute" ? `stream ${model.steps.stream[step]}` : action === "evict" ? "to the host" : action === "fetch" ? "from the host" : null;
    if (lane === null) return;
    if (!lanes.has(lane)) lanes.set(lane, 0);
    lanes.set(lane, lanes.get(lane) + model.steps.end[step] - model.steps.start[step]);
    rows.push({ step, lane, kind: action !== "compute" ? "fetched" : model.steps.again[step] ? "recomputed" : model.nodes.backward[model.steps.what[step]] ? "gradients" : "parameters" });
  });
  const names = [...lanes.keys()].sort();
  const time = model.summary.time || 1;
  // What is thinner than a thousandth of a pixel shows nothing.
  const shown = rows.length > MOST_RECTANGLES ? rows.sort((a, b) => model.steps.end[b.step] - model.steps.start[b.step] - model.steps.end[a.step] + model.steps.start[a.step]).slice(0, MOST_RECTANGLES) : rows;
  body.append(make("p", { class: "hint" }, names.map((name) => `${name}: busy ${sayPercent((100 * lanes.get(name)) / time)} of the time`).join("; "), `. ${UNIT}`),
    make("ul", { class: "legend" }, ...[["forward", "parameters"], ["backward", "gradients"], ["recomputed", "recomputed"], ["copies", "fetched"]].filter(([, kind]) => rows.some((row) => row.kind === kind)).map(([text, name]) => make("li", {}, make("i", { style: { background: PALETTE[name] } }), text))));
  body.append(chart("Streams and copies over time", () => {
    const figure = figureOf({ x: "time, in units of cost", y: "", height: 120 + 46 * names.length, extra: { y_range: names.slice().reverse(), x_range: [0, time] } });
    const data = source({ y: shown.map((row) => row.lane), left: shown.map((row) => model.steps.start[row.step]), right: shown.map((row) => model.steps.end[row.step]), fill: shown.map((row) => PALETTE[row.kind]), does: shown.map((row) => shorten(model.stepTitle(row.step), 80)), took: shown.map((row) => sayNumber(model.steps.end[row.step] - model.steps.start[row.step])), step: shown.map((row) => row.step) });
    const bars = figure.hbar({ y: fieldOf("y"), left: fieldOf("left"), right: fieldOf("right"), height: 0.8, source: data, fill_color: fieldOf("fill"), line_color: null });
    figure.add_tools(hover([bars], [["step", "@step: @does"], ["takes", "@took"]]));
    return figure;
  }));
}
