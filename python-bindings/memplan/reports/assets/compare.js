"use strict";
// Two plans side by side, and a run beside its plan.

/** For how many steps, as a share of the step, each tensor is live on the device, by id. */
function liveShares(model) {
  const shares = new Map();
  const count = Math.max(1, model.steps.action.length);
  const { what, owner, begin, end, space, bytes, offset } = model.ranges;
  for (let range = 0; range < what.length; ++range)
    if (what[range] === 0 && !space[range]) {
      const id = model.tensors.id[owner[range]];
      const known = shares.get(id) ?? { share: 0, bytes: bytes[range], offset: offset[range], runs: 0 };
      known.share += (end[range] - begin[range]) / count;
      known.runs += 1;
      shares.set(id, known);
    }
  return shares;
}

const signed = (value, say) => `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${say(Math.abs(value))}`;

function drawComparison([first, second], section) {
  section.hidden = false;
  const body = section.querySelector(".body");
  const rows = [
    ["Device bytes", "device_bytes", sayBytes, exactBytes], ["Peak, live", "peak_bytes", sayBytes, exactBytes], ["On the host", "host_bytes", sayBytes, exactBytes],
    ["Time", "time", sayNumber, String], ["Work", "cost", sayNumber, String], ["Budget", "budget_bytes", sayBytes, exactBytes],
  ].filter(([, key]) => first.summary[key] !== undefined && second.summary[key] !== undefined);
  body.append(make("p", { class: "hint" }, `The first plan is ${shorten(first.label ?? "the first file", 100)}, which the rest of this page shows; the second is ${shorten(second.label ?? "the second file", 100)}.`));
  body.append(make("div", { class: "table" }, make("table", {}, make("thead", {}, make("tr", {}, ...["", "First", "Second", "Change"].map((text) => make("th", { class: text ? "number" : null }, text)))),
    make("tbody", {}, ...rows.map(([name, key, say, exact]) => make("tr", {}, make("td", {}, name), ...[first, second].map((model) => make("td", { class: "number", title: exact(model.summary[key]) }, say(model.summary[key]))), make("td", { class: "number" }, signed(second.summary[key] - first.summary[key], say))))))));
  const [a, b] = [liveShares(first), liveShares(second)];
  const changed = [...new Set([...a.keys(), ...b.keys()])].map((id) => {
    const none = { share: 0, bytes: 0, offset: -1, runs: 0 };
    return { id, one: a.get(id) ?? none, two: b.get(id) ?? none, tensor: first.tensorAt.get(id) };
  }).filter((row) => row.tensor !== undefined && (Math.abs(row.one.share - row.two.share) > 1e-9 || row.one.offset !== row.two.offset || row.one.runs !== row.two.runs));
  const weight = (row) => Math.abs(row.two.share - row.one.share) * Math.max(row.one.bytes, row.two.bytes);
  const place = (part) => (part.offset >= 0 ? sayBytes(part.offset) : "\u2013");
  body.append(make("h3", {}, "What lives longer or elsewhere"), make("p", { class: "hint" }, "For which share of the step each tensor is live on the device in the first and in the second plan; at the top what changes most, by bytes and steps."));
  body.append(table(changed, [
    { name: "Byte-steps", value: weight, number: true, show: (row) => signed(Math.sign(row.two.share - row.one.share) * weight(row), sayBytes) }, tensorColumn(first, "Tensor", (row) => row.tensor), { ...bytesColumn("Bytes", (row) => Math.max(row.one.bytes, row.two.bytes)), wide: true },
    { name: "First", value: (row) => row.one.share, number: true, show: (row) => `${(100 * row.one.share).toFixed(1)} %` }, { name: "Second", value: (row) => row.two.share, number: true, show: (row) => `${(100 * row.two.share).toFixed(1)} %` },
    { name: "Ranges", value: (row) => row.two.runs - row.one.runs, number: true, wide: true, show: (row) => `${row.one.runs} \u2192 ${row.two.runs}` }, { name: "Offset", value: (row) => row.two.offset - row.one.offset, number: true, wide: true, show: (row) => `${place(row.one)} \u2192 ${place(row.two)}` },
  ], { label: "What lives longer or elsewhere" }));
  const runs = first.nodes.id.map((id, node) => ({ node, other: second.nodes.id.indexOf(id) })).filter(({ node, other }) => other >= 0 && first.nodes.runs[node] !== second.nodes.runs[other]);
  const moved = (row) => (second.nodes.runs[row.other] - first.nodes.runs[row.node]) * first.nodes.cost[row.node];
  body.append(make("h3", {}, "Where time went"), runs.length ? table(runs, [{ name: "Time", value: moved, number: true, show: (row) => signed(moved(row), sayNumber) }, nodeColumn(first, "Node", (row) => row.node), { name: "Runs", value: (row) => second.nodes.runs[row.other], number: true, show: (row) => `${first.nodes.runs[row.node]} \u2192 ${second.nodes.runs[row.other]}` }], { label: "Where time went" })
    : make("p", { class: "hint" }, "Both plans run every node as often."));
}

/** Four digits, which measurements are good for. */
const sayShort = (value) => Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 6 });

/** Planned and measured times of each run, and bytes, the furthest apart first. */
function drawMeasured(model, measured, section) {
  section.hidden = false;
  const body = section.querySelector(".body");
  const rows = measured.steps.map(([step, micros]) => ({ step, planned: model.steps.end[step] - model.steps.start[step], micros }));
  const planned = rows.reduce((sum, row) => sum + row.planned, 0), took = rows.reduce((sum, row) => sum + row.micros, 0);
  // Costs of a model are right up to a factor; what the plan gets wrong is what differs beyond it.
  const scale = took > 0 && planned > 0 ? took / planned : 1;
  const off = (row) => row.micros - scale * row.planned;
  if (measured.bytes !== undefined) body.append(make("p", {}, "Arena: planned ", bytesText(model.summary.arena_bytes), ", handed out ", bytesText(measured.bytes), measured.bytes === model.summary.arena_bytes ? " (to the byte)" : "", ", touched ", bytesText(measured.touched_bytes), "."));
  body.append(make("p", { class: "hint" }, `Planned ${sayNumber(planned)}, measured ${sayNumber(took)} for ${rows.length.toLocaleString("en")} actions. One unit of cost took ${scale.toPrecision(4)} microseconds, by which planned times are multiplied below. First those furthest from the plan.`));
  body.append(table(rows, [
    { name: "Off by", value: (row) => Math.abs(off(row)), number: true, show: (row) => signed(off(row), sayShort) }, { name: "Step", value: (row) => row.step, number: true, wide: true },
    { name: "What", value: (row) => model.stepTitle(row.step), clip: true, show: (row) => shorten(model.stepTitle(row.step), 90) },
    { name: "Planned", value: (row) => scale * row.planned, number: true, show: (row) => sayShort(scale * row.planned) }, { name: "Measured", value: (row) => row.micros, number: true, show: (row) => sayShort(row.micros) },
  ], { label: "The run beside its plan" }));
}
