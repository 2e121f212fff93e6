"use strict";
// Tables: what was done and refused, all tensors, and the panel about one tensor.

const PAGE_ROWS = 100;

/** A table of rows that can be sorted and filtered; `columns` are {name, value(row), show?(row), number?, wide?}. */
function table(rows, columns, { label, sortBy = 0, down = true, filter = true, text = null }) {
  const head = make("tr"), body = make("tbody"), status = make("span", { role: "status" });
  const search = make("input", { type: "search", placeholder: "Filter", "aria-label": `Filter: ${label}` });
  const more = make("button", { hidden: true }, "Show more");
  let shown = rows, order = sortBy, falling = down, count = PAGE_ROWS;
  const textOf = text ?? ((row) => columns.map((column) => column.value(row)).join(" "));
  const draw = () => {
    body.replaceChildren(...shown.slice(0, count).map((row) => make("tr", {}, ...columns.map((column) => {
      const cell = column.show ? column.show(row) : String(column.value(row));
      return make("td", { class: [column.number && "number", column.wide && "wide", column.clip && "clip", column.word && "word"].filter(Boolean).join(" ") || null }, cell);
    }))));
    more.hidden = shown.length <= count;
    status.textContent = `${Math.min(count, shown.length).toLocaleString("en")} of ${shown.length.toLocaleString("en")}${shown.length < rows.length ? ` (${rows.length.toLocaleString("en")} in all)` : ""}`;
    [...head.children].forEach((cell, at) => cell.setAttribute("aria-sort", at === order ? (falling ? "descending" : "ascending") : "none"));
    columns.forEach((column, at) => { head.children[at].firstChild.textContent = column.name + (at === order ? (falling ? " \u25be" : " \u25b4") : ""); });
  };
  const arrange = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = words.length ? rows.filter((row) => { const full = textOf(row).toLowerCase(); return words.every((word) => full.includes(word)); }) : rows.slice();
    const keys = new Map(shown.map((row) => [row, columns[order].value(row)]));
    const sign = falling ? -1 : 1;
    shown.sort((a, b) => { const x = keys.get(a), y = keys.get(b); return x < y ? -sign : x > y ? sign : 0; });
    count = PAGE_ROWS;
    draw();
  };
  columns.forEach((column, at) => head.append(make("th", { class: [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ") || null }, make("button", { on: { click: () => {
    falling = at === order ? !falling : Boolean(column.number);
    order = at;
    arrange();
  } } }, column.name))));
  search.addEventListener("input", arrange);
  more.addEventListener("click", () => { count += 5 * PAGE_ROWS; draw(); });
  arrange();
  return make("div", {}, make("div", { class: "row" }, filter ? search : null, status), make("div", { class: "table", tabindex: 0, role: "region", "aria-label": label }, make("table", {}, make("thead", {}, head), body)), make("div", { class: "row" }, more));
}

const bytesColumn = (name, value) => ({ name, value, number: true, show: (row) => bytesText(value(row)) });
const tensorColumn = (model, name, of) => ({
  name, value: (row) => model.tensors.title[of(row)], clip: true,
  show: (row) => make("a", { href: `#tensor=${model.tensors.id[of(row)]}`, title: shorten(model.tensors.title[of(row)], 300) }, shorten(model.tensors.title[of(row)], 90)),
});
const nodeColumn = (model, name, of, extra = {}) => ({ name, value: (row) => (of(row) < 0 ? "" : model.nodeTitle(of(row))), clip: true, show: (row) => (of(row) < 0 ? "" : make("span", { title: shorten(model.nodeTitle(of(row)), 300) }, shorten(model.nodeTitle(of(row)), 90))), ...extra });

/** The lists of "What was done": {name, hint, rows, columns}. */
function deeds(model) {
  const steps = model.steps.action.map((_, step) => step);
  const actionOf = (step) => model.names.actions[model.steps.action[step]];
  const took = (step) => model.steps.end[step] - model.steps.start[step];
  const again = steps.filter((step) => model.steps.again[step]);
  const copies = steps.filter((step) => ["evict", "fetch"].includes(actionOf(step)));
  const ranges = model.ranges.what.map((_, range) => range);
  const inPlace = ranges.filter((range) => model.ranges.over[range] >= 0);
  const shared = ranges.filter((range) => model.ranges.reuses[range] >= 0 && model.ranges.what[range] !== 1 && model.ranges.bytes[range] > 0);
  const owner = (range) => model.ranges.owner[range];
  const stepColumn = { name: "Step", value: (step) => step, number: true };
  return [
    { name: "Recomputed", hint: `Nodes that run again because their outputs were dropped: together ${sayNumber(again.reduce((sum, step) => sum + took(step), 0))} units of cost.`, rows: again,
      columns: [stepColumn, nodeColumn(model, "Node", (step) => model.steps.what[step]), { name: "Time", value: took, number: true, show: (step) => sayNumber(took(step)) },
        { name: "Runs", value: (step) => model.nodes.runs[model.steps.what[step]], number: true }] },
    { name: "Copied", hint: "Tensors that go to the host and come back.", rows: copies,
      columns: [stepColumn, { name: "Copy", value: (step) => (actionOf(step) === "evict" ? "to the host" : "from the host") }, tensorColumn(model, "Tensor", (step) => model.steps.what[step][0]),
        bytesColumn("Bytes", (step) => model.tensors.bytes[model.steps.what[step][0]]), { name: "Time", value: took, number: true, wide: true, show: (step) => sayNumber(took(step)) }] },
    { name: "In place", hint: "Outputs written over an input whose last user their node is.", rows: inPlace,
      columns: [bytesColumn("Bytes", (range) => model.ranges.bytes[range]), tensorColumn(model, "Output", owner), tensorColumn(model, "Over", (range) => model.ranges.over[range]), { name: "Step", value: (range) => model.ranges.begin[range], number: true, wide: true }] },
    { name: "Shared", hint: "Values that lie in bytes which another value had before.", rows: shared,
      columns: [bytesColumn("Bytes", (range) => model.ranges.bytes[range]), tensorColumn(model, "Value", owner), { name: "In bytes of", value: (range) => model.rangeTitle(model.ranges.reuses[range]), clip: true, show: (range) => shorten(model.rangeTitle(model.ranges.reuses[range]), 90) }, { name: "From step", value: (range) => model.ranges.begin[range], number: true, wide: true }] },
    { name: "Refused", hint: "What is kept over the peak without being used there, and outputs that are not in place, each with what stands against it.", rows: model.refused.tensor.map((_, refusal) => refusal),
      columns: [bytesColumn("Bytes", (refusal) => model.refused.bytes[refusal]), { name: "What", word: true, value: (refusal) => model.refused.what[refusal] }, tensorColumn(model, "Tensor", (refusal) => model.refused.tensor[refusal]), { name: "Why not", value: (refusal) => model.refused.reason[refusal], show: (refusal) => shorten(model.refused.reason[refusal], 400) }] },
  ];
}

function drawDone(model, body) {
  const lists = deeds(model);
  const tabs = make("div", { class: "row", role: "tablist", "aria-label": "What was done" }), panel = make("div", { role: "tabpanel" });
  const open = (list) => {
    for (const tab of tabs.children) tab.setAttribute("aria-selected", tab.dataset.name === list.name);
    panel.replaceChildren(make("p", { class: "hint" }, list.rows.length ? list.hint : `${list.name}: none in this plan.`), ...(list.rows.length ? [table(list.rows, list.columns, { label: list.name, down: list.columns[0].name !== "Step" })] : []));
  };
  for (const list of lists) tabs.append(make("button", { role: "tab", "data-name": list.name, on: { click: () => open(list) } }, `${list.name} (${list.rows.length.toLocaleString("en")})`));
  body.append(tabs, panel);
  open(lists.find((list) => list.rows.length) ?? lists[0]);
}

function drawTensors(model, body) {
  const atPeak = new Set(model.peak ? model.peak.ranges.filter((range) => model.ranges.what[range] === 0).map((range) => model.ranges.owner[range]) : []);
  const bounds = model.tensors.id.map((_, tensor) => {
    const ranges = (model.rangesOf.get(tensor) ?? []).filter((range) => !model.ranges.space[range] && model.ranges.what[range] === 0);
    return { first: ranges.length ? Math.min(...ranges.map((range) => model.ranges.begin[range])) : -1, steps: ranges.reduce((sum, range) => sum + model.ranges.end[range] - model.ranges.begin[range], 0) };
  });
  const module = (tensor) => model.names.modules[model.tensors.module[tensor]];
  body.append(table(model.tensors.id.map((_, tensor) => tensor), [
    bytesColumn("Bytes", (tensor) => model.tensors.bytes[tensor]),
    tensorColumn(model, "Tensor", (tensor) => tensor),
    { name: "Kind", value: (tensor) => model.names.kinds[model.tensors.kind[tensor]], wide: true },
    { name: "Module", value: module, clip: true, wide: true, show: (tensor) => shorten(module(tensor), 90) },
    { name: "At the peak", value: (tensor) => (atPeak.has(tensor) ? "yes" : ""), wide: true },
    { name: "From step", value: (tensor) => bounds[tensor].first, number: true, wide: true, show: (tensor) => (bounds[tensor].first < 0 ? "" : String(bounds[tensor].first)) },
    { name: "Steps live", value: (tensor) => bounds[tensor].steps, number: true },
  ], { label: "All tensors" }));
}

/** The panel about one tensor. */
function describeTensor(model, tensor, close, find) {
  const { tensors, ranges } = model;
  const lines = [];
  const line = (name, ...value) => lines.push(make("dt", {}, name), make("dd", {}, ...value));
  line("Bytes", tensors.view[tensor] >= 0 ? "a view: none of its own" : `${sayBytes(tensors.bytes[tensor])} (${exactBytes(tensors.bytes[tensor])})`);
  line("Kind", model.names.kinds[tensors.kind[tensor]]);
  if (model.names.modules[tensors.module[tensor]]) line("Module", shorten(model.names.modules[tensors.module[tensor]], 2000));
  if (tensors.view[tensor] >= 0) line("View of", make("a", { href: `#tensor=${tensors.id[tensors.view[tensor]]}` }, shorten(tensors.title[tensors.view[tensor]], 200)));
  line("Made by", tensors.producer[tensor] < 0 ? "the caller" : model.nodePlace(tensors.producer[tensor], 400, true));
  const users = tensors.users[tensor];
  line("Used by", users.length ? users.slice(0, 20).map((node) => model.nodePlace(node, 200)).join("; ") + (users.length > 20 ? ` and ${users.length - 20} more` : "") : "nothing");
  for (const refusal of model.refusalsOf.get(tensor) ?? []) line(`Not ${model.refused.what[refusal] === "recompute" ? "recomputed" : "in place"}`, shorten(model.refused.reason[refusal], 1000));
  const own = tensors.view[tensor] >= 0 ? model.rangesOf.get(tensors.view[tensor]) : model.rangesOf.get(tensor);
  const stays = (own ?? []).map((range) => {
    const where = ranges.space[range] ? "on the host" : ranges.offset[range] >= 0 ? `at ${sayBytes(ranges.offset[range])} (offset ${ranges.offset[range].toLocaleString("en")})` : "outside the arena";
    const over = ranges.over[range] >= 0 ? `, over ${shorten(tensors.title[ranges.over[range]], 100)}` : "";
    return make("li", {}, `steps ${ranges.begin[range]} to ${ranges.end[range]}, ${where}: ${model.names.origins[ranges.origin[range]]}${over}; ${shorten(model.whyUntil(range), 300)}`);
  });
  return [
    make("button", { class: "close", on: { click: close } }, "Close"), make("h3", { tabindex: -1 }, shorten(tensors.title[tensor], 2000)), make("dl", {}, ...lines),
    make("h3", {}, stays.length === 1 ? "One live range" : `${stays.length} live ranges`), make("ul", {}, ...stays.slice(0, 50)),
    make("div", { class: "row" }, make("button", { on: { click: () => find(tensor) } }, "Show in the arena map")),
  ];
}
