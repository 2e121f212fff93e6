"""A graph and a plan that use everything the formats offer on one stream: the ground from which mutations start."""
import copy

TENSORS = [
    {"id": 0, "bytes": 64, "kind": "input", "donated": True},
    {"id": 1, "bytes": 64, "kind": "parameter"},
    {"id": 2, "bytes": 64},
    {"id": 3, "view_of": 2},
    {"id": 4, "bytes": 64},
    {"id": 5, "bytes": 32},
    {"id": 6, "bytes": 64},
    {"id": 7, "bytes": 4, "kind": "output"},
    {"id": 8, "bytes": 64, "kind": "gradient"},
    {"id": 9, "bytes": 64, "kind": "gradient"},
    {"id": 10, "bytes": 32, "kind": "gradient"},
    {"id": 11, "bytes": 8, "kind": "output"},
    {"id": 12, "bytes": 16, "kind": "input"},
]
NODES = [
    {"id": 0, "cost": 2, "inputs": [0, 1, 12], "outputs": [2], "in_place": [[2, 0]]},
    {"id": 1, "cost": 0, "inputs": [2], "outputs": [3]},
    {"id": 2, "cost": 3, "inputs": [3], "outputs": [4, 5], "workspace_bytes": 16},
    {"id": 3, "cost": 1, "inputs": [4], "outputs": [6], "in_place": [[6, 4]]},
    {
        "id": 4,
        "cost": 2,
        "inputs": [6, 5],
        "outputs": [7],
        "in_place": [[7, 6]],
        "variants": [{"cost": 2}, {"cost": 5, "workspace_bytes": 8}],
    },
    {"id": 5, "cost": 4, "inputs": [7, 5, 2], "outputs": [8]},
    {"id": 6, "cost": 1, "inputs": [8], "outputs": [9], "collective": True},
    {"id": 7, "cost": 1, "inputs": [9], "outputs": [10], "collective": True},
    {"id": 8, "cost": 1, "inputs": [1, 9], "outputs": [], "writes": [1]},
    {"id": 9, "cost": 1, "inputs": [10], "outputs": [11], "recompute": False},
]
STEPS = [
    {"compute": 0},
    {"compute": 1},
    {"compute": 2},
    {"evict": 2, "event": 0},
    {"compute": 3, "in_place": [[6, 4]]},
    {"wait": 0},  # 5
    {"compute": 4},
    {"free": [6, 5]},
    {"fetch": 2, "event": 1},
    {"wait": 1},
    {"compute": 1},  # 10
    {"compute": 2, "discard": [4]},
    {"compute": 5},
    {"free": [5, 3]},
    {"drop_host": 2},
    {"compute": 6},  # 15
    {"free": [8]},
    {"compute": 7},
    {"compute": 8},
    {"free": [9]},
    {"compute": 9},  # 20
    {"free": [10]},
]
# (what, id, first step, end, bytes): read off the steps by hand.
STAYS = [
    ("tensor", 2, 0, 5, 64),
    ("tensor", 4, 2, 7, 64),
    ("tensor", 5, 2, 7, 32),
    ("workspace", 2, 2, 3, 16),
    ("tensor", 7, 6, 22, 4),
    ("tensor", 2, 8, 13, 64),
    ("workspace", 2, 11, 12, 16),
    ("discard", 4, 11, 12, 64),
    ("tensor", 5, 11, 13, 32),
    ("tensor", 8, 12, 16, 64),
    ("tensor", 9, 15, 19, 64),
    ("tensor", 10, 17, 21, 32),
    ("tensor", 11, 20, 22, 8),
]
# x, w and the label, plus, at step 11: tensors 2, 5 and 7, discarded 4, the workspace.
PEAK = 64 + 64 + 16 + (64 + 32 + 4) + 64 + 16
ARENA_BYTES = 192


def graph():
    return copy.deepcopy({"version": 1, "name": "mutations", "fixed_bytes": 0, "tensors": TENSORS, "nodes": NODES})


def first_fit(alignment=16):
    placed, records = [], []
    for what, i, begin, end, size in STAYS:
        offset = 0
        while any(b < end and begin < e and o < offset + size and offset < o + s for b, e, o, s in placed):
            offset += alignment
        placed.append((begin, end, offset, size))
        records.append({what: i, "step_begin": begin, "step_end": end, "offset": offset})
    return records


def plan():
    return copy.deepcopy(
        {
            "version": 1,
            "graph": "mutations",
            "status": "feasible",
            "cost": 19,
            "time": 19,
            "bound": 16,
            "bound_space": "fixed-order",
            "proof": "exact",
            "peak_bytes": PEAK,
            "solver": "hand",
            "budget_bytes": 400,
            "steps": STEPS,
            "arenas": [{"space": "device", "bytes": ARENA_BYTES, "alignment": 16, "placements": first_fit()}],
        }
    )
