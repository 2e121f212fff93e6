"use strict";
// The peak as a map of buttons, which can be walked into with a pointer or by keyboard: areas are bytes.

/** Squarified treemap (Bruls, Huizing and van Wijk, 2000): places {bytes} in a box, the larger first. */
function squarify(items, box) {
  const placed = [];
  let { x, y, w, h } = box;
  let rest = items.filter((item) => item.bytes > 0);
  let total = rest.reduce((sum, item) => sum + item.bytes, 0);
  while (rest.length) {
    const scale = (w * h) / total;
    const side = Math.min(w, h);
    let count = 0, area = 0, worst = Infinity;
    for (let next = 1; next <= rest.length; ++next) {
      const sum = area + rest[next - 1].bytes * scale;
      const largest = rest[0].bytes * scale, least = rest[next - 1].bytes * scale;
      const ratio = Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * least));
      if (ratio > worst) break;
      [worst, area, count] = [ratio, sum, next];
    }
    const row = rest.slice(0, count);
    const depth = area / side;
    let along = 0;
    for (const item of row) {
      const length = (item.bytes * scale) / depth;
      placed.push(w >= h ? { item, x, y: y + along, w: depth, h: length } : { item, x: x + along, y, w: length, h: depth });
      along += length;
    }
    if (w >= h) [x, w] = [x + depth, w - depth];
    else [y, h] = [y + depth, h - depth];
    total -= row.reduce((sum, item) => sum + item.bytes, 0);
    rest = rest.slice(count);
  }
  return placed;
}

/** A tree of {name, bytes, parts, range?}: paths lead to leaves. */
function growTree(leaves) {
  const root = { name: "peak", bytes: 0, parts: new Map() };
  for (const { path, bytes, category, range } of leaves) {
    let at = root;
    at.bytes += bytes;
    path.forEach((name, depth) => {
      if (!at.parts.has(name)) at.parts.set(name, { name, bytes: 0, parts: new Map(), up: at, categories: new Map() });
      at = at.parts.get(name);
      at.bytes += bytes;
      at.categories.set(category, (at.categories.get(category) ?? 0) + bytes);
      if (depth === path.length - 1 && range !== undefined) at.range = range;
    });
  }
  return root;
}

const groupings = {
  "by kind": (model, range) => [model.category(range)],
  "by module": (model, range) => (model.module(range) ? model.module(range).split(/[./]/).slice(0, 8) : ["(no module)"]),
  "by operator": (model, range) => [model.operator(range)],
};

/** Folds levels that hold one part only, so that each click shows something. */
function fold(tree) {
  let at = tree;
  while (at.parts.size === 1 && [...at.parts.values()][0].parts.size > 0) at = [...at.parts.values()][0];
  return at;
}

function drawPeak(model, body, openTensor) {
  const leavesBy = (grouping) => {
    const leaves = model.peak.ranges.map((range) => ({
      path: [...groupings[grouping](model, range), `${model.rangeTitle(range)}\u0000${range}`], bytes: model.ranges.bytes[range], category: model.category(range), range,
    }));
    if (model.summary.fixed_bytes > 0) leaves.push({ path: ["fixed"], bytes: model.summary.fixed_bytes, category: "fixed" });
    const packing = model.summary.device_bytes - model.peak.bytes;
    if (packing > 0) leaves.push({ path: ["lost to packing"], bytes: packing, category: "lost to packing" });
    return leaves;
  };
  const map = make("div", { class: "map", role: "group", "aria-label": "What the peak is made of" });
  const crumbs = make("div", { class: "crumbs" });
  const buttons = make("div", { class: "row", role: "group", "aria-label": "Grouping" });
  const named = model.peak.ranges.filter((range) => model.module(range)).reduce((sum, range) => sum + model.ranges.bytes[range], 0);
  let at = null, grouping = 2 * named > model.peak.bytes ? "by module" : "by operator";

  const colourOf = (part) => PALETTE[[...part.categories].sort((a, b) => b[1] - a[1])[0][0]] ?? "#8C8C8C";
  const nameOf = (part) => part.name.split("\u0000")[0];
  /** The parts of a tile, as a picture inside it. */
  const preview = (tree, size) => {
    const inner = make("div", { class: "inner", "aria-hidden": "true" });
    const parts = [...tree.parts.values()].sort((a, b) => b.bytes - a.bytes).slice(0, 40);
    for (const { item, x, y, w, h } of squarify(parts, { x: 0, y: 0, w: size.w, h: size.h })) {
      const colour = colourOf(item), name = shorten(nameOf(item), 24);
      // Seven pixels a letter: of a longer name a part is shown where it says something.
      const label = h > 14 && (w > 7 * name.length + 8 || w > 70) ? name : "";
      inner.append(make("span", { class: w < 3 || h < 3 ? "thin" : null, style: { left: `${(100 * x) / size.w}%`, top: `${(100 * y) / size.h}%`, width: `${(100 * w) / size.w}%`, height: `${(100 * h) / size.h}%`, background: colour, color: wantsBlack(colour) ? "#000" : "#fff" } }, label));
    }
    return inner;
  };
  const draw = (keepFocus) => {
    map.replaceChildren();
    const parts = [...at.parts.values()].sort((a, b) => b.bytes - a.bytes);
    // Beyond these, parts are too small to be hit.
    const shown = parts.slice(0, 120);
    const rest = parts.slice(120).reduce((sum, part) => sum + part.bytes, 0);
    if (rest > 0) shown.push({ name: `${parts.length - 120} smaller ones`, bytes: rest, parts: new Map(), categories: new Map([["inputs", rest]]) });
    const size = { w: Math.max(1, map.clientWidth), h: Math.max(1, map.clientHeight) };
    for (const placed of squarify(shown, { x: 0, y: 0, ...size })) {
      const { item } = placed;
      const [x, w] = [placed.x, placed.w].map((length) => (100 * length) / size.w);
      const [y, h] = [placed.y, placed.h].map((length) => (100 * length) / size.h);
      const colour = colourOf(item);
      const label = `${shorten(nameOf(item), 200)}: ${sayBytes(item.bytes)}, ${((100 * item.bytes) / model.peak.bytes).toFixed(1)} % of the peak`;
      const isSmall = placed.w <= 44 || placed.h <= 32;
      const tile = make("button", {
        class: [isSmall && "small", (placed.w < 3 || placed.h < 3) && "thin"].filter(Boolean).join(" ") || null,
        title: `${label} (${exactBytes(item.bytes)})`, "aria-label": label,
        style: { left: `${x}%`, top: `${y}%`, width: `${w}%`, height: `${h}%`, background: colour, color: wantsBlack(colour) ? "#000" : "#fff" },
        on: { click: () => enter(item) },
      });
      // A label that does not fit says less than none; the title has it.
      if (!isSmall) tile.append(make("b", {}, shorten(nameOf(item), 80)), make("small", {}, sayBytes(item.bytes)));
      if (w > 12 && h > 25 && item.parts.size > 0) tile.append(preview(fold(item), { w: placed.w, h: placed.h - 40 }));
      map.append(tile);
    }
    const trail = [];
    for (let up = at; up; up = up.up) trail.unshift(up);
    crumbs.replaceChildren(...trail.flatMap((part, depth) => [
      depth ? "\u203a" : null,
      part === at ? make("b", {}, `${shorten(nameOf(part))} ${sayBytes(part.bytes)}`) : make("button", { on: { click: () => { at = part; draw(true); } } }, shorten(nameOf(part))),
    ].filter(Boolean)));
    if (keepFocus) map.querySelector("button")?.focus();
  };
  const enter = (part) => {
    if (part.parts.size > 0) {
      at = part.range === undefined ? fold(part) : part;
      draw(true);
    } else if (part.range !== undefined && model.ranges.what[part.range] !== 1) openTensor(model.ranges.owner[part.range]);
  };
  const group = (name) => {
    grouping = name;
    at = growTree(leavesBy(name));
    for (const button of buttons.children) button.setAttribute("aria-pressed", button.textContent === name);
    draw(false);
  };
  map.addEventListener("keydown", (event) => {
    if ((event.key === "Escape" || event.key === "Backspace") && at.up) {
      at = at.up;
      draw(true);
      event.preventDefault();
    }
  });
  for (const name of Object.keys(groupings)) buttons.append(make("button", { "aria-pressed": false, on: { click: () => group(name) } }, name));
  const legend = make("ul", { class: "legend" }, ...model.peak.categories.map(([name, bytes]) => make("li", {}, make("i", { style: { background: PALETTE[name] ?? "#8C8C8C" } }), `${name} `, bytesText(bytes))));
  const where = make("p", { class: "hint" }, `Step ${model.peak.step} of ${model.steps.action.length}: ${model.stepTitle(model.peak.step)}. Live there: `, bytesText(model.peak.bytes),
    ". Click a tile to go into it, Escape to go back.");
  body.append(where, buttons, legend, crumbs, map);
  group(grouping);
}
