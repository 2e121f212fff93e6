"use strict";
// What the page knows: the columns of the data, and questions about them. Names come from anywhere, so that they only ever become
// text nodes: nothing here or elsewhere sets innerHTML.

const PALETTE = {
  parameters: "#0072B2", states: "#56B4E9", gradients: "#CC79A7", "kept for backward": "#D55E00", temporaries: "#E69F00",
  recomputed: "#009E73", fetched: "#B010D8", inputs: "#B0B060", outputs: "#F0E442", scratch: "#4D4D4D", fixed: "#BFBFBF",
  "lost to packing": "#E8E8E8",
};
// In charts drawn over each other in this order, from the bottom.
const ORDER = ["fixed", "parameters", "states", "inputs", "gradients", "kept for backward", "recomputed", "fetched", "temporaries", "outputs", "scratch"];

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

function unitOf(bytes) {
  let unit = 0;
  while (unit + 1 < byteUnits.length && Math.abs(bytes) >= 1024 ** (unit + 1)) ++unit;
  return { name: byteUnits[unit], bytes: 1024 ** unit };
}

/** "1.46 GiB", "512 B": three digits, for a person. */
function sayBytes(bytes) {
  const unit = unitOf(bytes);
  const value = bytes / unit.bytes;
  return `${unit.bytes === 1 ? Math.round(value) : value.toPrecision(value >= 1000 ? 4 : 3)} ${unit.name}`;
}

const exactBytes = (bytes) => `${bytes.toLocaleString("en")} bytes`;
const sayNumber = (value) => Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 6 });
const sayPercent = (value) => `${value.toFixed(2)} %`;
const shorten = (text, most = 60) => (text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`);

/** An element with attributes and children; texts are texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "style") Object.assign(element.style, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const bytesText = (bytes) => make("span", { title: exactBytes(bytes) }, sayBytes(bytes));

/** Whether black is easier to read on a colour than white. */
function wantsBlack(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179;
}

/** Puts back, in the data itself, the columns that columns.py has made shorter. */
function restore(data) {
  for (const [part, names] of Object.entries(data.differences))
    for (const name of names) {
      const column = data[part][name];
      for (let row = 1; row < column.length; ++row) column[row] += column[row - 1];
    }
  const { start, end } = data.steps;
  for (let step = 1; step < start.length; ++step) start[step] ??= end[step - 1];
  return data;
}

class PlanModel {
  constructor(data) {
    Object.assign(this, restore(data));
    this.rangesOf = new Map();
    const { what, owner } = this.ranges;
    for (let range = 0; range < what.length; ++range)
      if (what[range] !== 1) {
        if (!this.rangesOf.has(owner[range])) this.rangesOf.set(owner[range], []);
        this.rangesOf.get(owner[range]).push(range);
      }
    this.tensorAt = new Map(this.tensors.id.map((id, tensor) => [id, tensor]));
    this.refusalsOf = new Map();
    this.refused.tensor.forEach((tensor, refusal) => this.refusalsOf.set(tensor, [...(this.refusalsOf.get(tensor) ?? []), refusal]));
  }

  get hasSteps() {
    return this.steps.action.length > 0;
  }
  category(range) {
    return this.names.categories[this.ranges.category[range]];
  }
  colour(range) {
    return PALETTE[this.category(range)] ?? "#8C8C8C";
  }
  nodeTitle(node) {
    const module = this.names.modules[this.nodes.module[node]];
    const op = this.names.operators[this.nodes.name[node]] || `node ${this.nodes.id[node]}`;
    return module ? `${module} \u00b7 ${op}` : op;
  }
  /** Where the program says a node: "model.py:17", or "". */
  source(node) {
    return this.names.sources[this.nodes.source[node]];
  }
  /** The node's title with its file and line; the folders of the file only where there is room. */
  nodePlace(node, most = 300, withFolders = false) {
    const source = withFolders ? this.source(node) : this.source(node).replace(/^.*[\\/]/, "");
    return shorten(this.nodeTitle(node), most) + (source ? ` (${shorten(source, 120)})` : "");
  }
  rangeTitle(range) {
    const owner = this.ranges.owner[range];
    if (this.ranges.what[range] === 1) return `workspace of ${this.nodeTitle(owner)}`;
    return (this.ranges.what[range] === 2 ? "discarded " : "") + this.tensors.title[owner];
  }
  module(range) {
    const owner = this.ranges.owner[range];
    return this.names.modules[this.ranges.what[range] === 1 ? this.nodes.module[owner] : this.tensors.module[owner]];
  }
  operator(range) {
    const owner = this.ranges.owner[range];
    const node = this.ranges.what[range] === 1 ? owner : this.tensors.producer[owner];
    return node < 0 ? `(${this.names.kinds[this.tensors.kind[owner]]})` : this.names.operators[this.nodes.name[node]] || `node ${this.nodes.id[node]}`;
  }
  stepTitle(step) {
    if (step < 0 || step >= this.steps.action.length) return "";
    const action = this.names.actions[this.steps.action[step]];
    const what = this.steps.what[step];
    if (action === "compute") return `${this.steps.again[step] ? "recompute " : ""}${this.nodePlace(what, 200)}`;
    if (action === "wait") return "wait for a copy or a stream";
    return `${action.replace("_", " ")} ${what.map((tensor) => shorten(this.tensors.title[tensor], 40)).slice(0, 3).join(", ")}${what.length > 3 ? " ..." : ""}`;
  }

  /** Why the value of a range is there until its end, in words. */
  whyUntil(range) {
    const { last, end, origin, owner, what } = this.ranges;
    if (what[range] === 1) return "scratch of one run";
    if (what[range] === 2) return "made by a recomputation that needs another output; freed at once";
    if (this.names.origins[origin[range]] === "caller" && end[range] >= this.steps.action.length) return "the caller's: there for the whole step";
    if (this.category(range) === "outputs") return "the caller reads it after the step";
    if (last[range] < 0) return "nothing uses it in this range";
    const used = `last used at step ${last[range]} by ${this.stepTitle(last[range])}`;
    return end[range] >= this.steps.action.length ? `${used}; resident at the end of the step` : used;
  }

  /** By step and category, the live bytes on the device, in at most `most` columns: each is the step with the most bytes of its bin. */
  stack(most) {
    const count = this.steps.action.length;
    const chosen = [];
    const width = Math.max(1, Math.ceil(count / most));
    for (let begin = 0; begin < count; begin += width) {
      let best = begin;
      for (let step = begin; step < Math.min(count, begin + width); ++step) if (this.steps.bytes[step] > this.steps.bytes[best]) best = step;
      chosen.push(best);
    }
    const categories = this.names.categories;
    const sums = categories.map(() => new Float64Array(chosen.length + 1));
    const after = (step) => {
      let low = 0, high = chosen.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (chosen[middle] < step) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const { begin, end, bytes, category, space } = this.ranges;
    for (let range = 0; range < begin.length; ++range)
      if (!space[range]) {
        const of = sums[category[range]];
        of[after(begin[range])] += bytes[range];
        of[after(end[range])] -= bytes[range];
      }
    for (const of of sums) for (let at = 1; at < of.length; ++at) of[at] += of[at - 1];
    return { steps: chosen, categories, sums };
  }
}
