"""Report data in the form that the page's script reads: one list for each field, numbers for ids and for texts that occur often."""

from __future__ import annotations

from .source import ReportData

ACTIONS = ["compute", "free", "evict", "fetch", "wait", "drop_host"]
KINDS = ["parameter", "state", "input", "activation", "gradient", "output"]
ORIGINS = ["caller", "computed", "recomputed", "fetched", "evicted"]
WHATS = {"tensor": 0, "workspace": 1, "discard": 2}
# Columns of whole numbers that grow or repeat from row to row: their differences take a tenth of the bytes, once compressed.
DIFFERENCES = {"nodes": ["id"], "tensors": ["id", "producer", "bytes"], "ranges": ["owner", "begin", "end", "last", "bytes", "offset", "reuses"],
               "steps": ["bytes"]}


class Texts:
    """Texts by number, each once."""

    def __init__(self):
        self.numbers = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self):
        return list(self.numbers)


def _differences(column: list[int]) -> list[int]:
    return [after - before for before, after in zip([0, *column], column)]


def _shorten(columns: dict) -> dict:
    """The same columns in fewer bytes; restore() of assets/model.js undoes it. The start of a step is null where the step before ends."""
    columns["differences"] = DIFFERENCES
    for part, names in DIFFERENCES.items():
        for name in names:
            columns[part][name] = _differences(columns[part][name])
    starts, ends = columns["steps"]["start"], columns["steps"]["end"]
    columns["steps"]["start"] = [None if start == end else start for start, end in zip(starts, [None, *ends])]
    return columns


def columns_of(data: ReportData) -> dict:
    """The object that `PlanModel` of assets/model.js is made from."""
    report = data.report
    modules, operators, categories, sources = Texts(), Texts(), Texts(), Texts()
    node_at = {node["id"]: number for number, node in enumerate(report["nodes"])}
    tensor_at = {tensor["id"]: number for number, tensor in enumerate(report["tensors"])}
    nodes = {
        "id": [node["id"] for node in report["nodes"]],
        "name": [operators(node.get("name", "")) for node in report["nodes"]],
        "module": [modules(node.get("module", "")) for node in report["nodes"]],
        "source": [sources(node.get("source", "")) for node in report["nodes"]],
        "cost": [node["cost"] for node in report["nodes"]],
        "runs": [node.get("runs", 0) for node in report["nodes"]],
        "backward": [int(node.get("backward", False)) for node in report["nodes"]],
    }
    tensors = {
        "id": [tensor["id"] for tensor in report["tensors"]],
        "title": [tensor["title"] for tensor in report["tensors"]],
        "bytes": [tensor["bytes"] for tensor in report["tensors"]],
        "kind": [KINDS.index(tensor["kind"]) for tensor in report["tensors"]],
        "module": [modules(tensor.get("module", "")) for tensor in report["tensors"]],
        "view": [tensor_at[tensor["view_of"]] if "view_of" in tensor else -1 for tensor in report["tensors"]],
        "producer": [node_at[tensor["producer"]] if "producer" in tensor else -1 for tensor in report["tensors"]],
        "users": [[node_at[user] for user in tensor["users"]] for tensor in report["tensors"]],
    }
    live = report["live_ranges"]
    ranges = {
        "what": [WHATS[row["what"]] for row in live],
        "owner": [node_at[row["node"]] if row["what"] == "workspace" else tensor_at[row["tensor"]] for row in live],
        "space": [int(row.get("space") == "host") for row in live],
        "begin": [row["begin"] for row in live],
        "end": [row["end"] for row in live],
        "last": [row.get("last_use", -1) for row in live],
        "bytes": [row["bytes"] for row in live],
        "offset": [row.get("offset", -1) for row in live],
        "origin": [ORIGINS.index(row["origin"]) for row in live],
        "category": [categories(row["category"]) for row in live],
        "over": [tensor_at[row["over"]] if "over" in row else -1 for row in live],
        "reuses": [row.get("reuses", -1) for row in live],
    }

    def what_of(step):
        if step["action"] == "compute":
            return node_at[step["node"]]
        return [tensor_at[tensor] for tensor in step.get("tensors", [])]

    steps = {
        "action": [ACTIONS.index(step["action"]) for step in report["steps"]],
        "what": [what_of(step) for step in report["steps"]],
        "start": [step["start"] for step in report["steps"]],
        "end": [step["end"] for step in report["steps"]],
        "bytes": [step["bytes"] for step in report["steps"]],
        "stream": [step.get("stream", 0) for step in report["steps"]],
        "again": [int(step.get("recomputation", False)) for step in report["steps"]],
    }
    refused = report["refused"]
    made = {
        "name": report["graph"], "label": data.label, "verdict": report["verdict"], "summary": report["summary"], "nodes": nodes, "tensors": tensors,
        "ranges": ranges, "steps": steps,
        "refused": {"what": [row["what"] for row in refused], "tensor": [tensor_at[row["tensor"]] for row in refused], "node": [node_at[row["node"]] for row in refused],
                    "bytes": [row["bytes"] for row in refused], "reason": [row["reason"] for row in refused]},
        "names": {"actions": ACTIONS, "kinds": KINDS, "origins": ORIGINS, "modules": modules.all(), "operators": operators.all(), "categories": categories.all(), "sources": sources.all()},
    }
    if data.is_run:
        made["is_run"] = True
    if data.run_bytes is not None:
        made["run_bytes"] = data.run_bytes
    if "peak" in report:
        peak = report["peak"]
        made["peak"] = {"step": peak["step"], "bytes": peak["bytes"], "categories": list(peak["categories"].items()), "ranges": peak["live_ranges"]}
    return _shorten(made)
