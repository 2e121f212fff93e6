"""Small steps with plans by hand that use streams, events and copies, applied to the planned form by memplan-opt."""
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Planner"))
import byte_machine  # noqa: E402

T = "tensor<8x8xf32>"


def step(results, *lines):
    """Operations on 8x8 tensors: "%a = matmul %x, %w {attributes}"."""
    body = []
    for line in lines:
        name, rest = line.split(" = ", 1)
        op, operands = rest.split(" ", 1)
        count = operands.split("{")[0].count("%")
        body.append(f"  {name} = memplan.{op} {operands} : ({', '.join([T] * count)}) -> {T}")
    types = [T + " {memplan.updates = 1 : i64}" if r.endswith("'") else T for r in results]
    values = [r.rstrip("'") for r in results]
    return "\n".join([f"func.func @step(%x: {T}, %w: {T} {{memplan.kind = \"parameter\"}}) -> ({', '.join(types)}) {{", *body,
                      f"  return {', '.join(values)} : {', '.join([T] * len(results))}", "}"])


# Two streams read one value while it is copied out; it comes back where another was.
PAIR = (step(["%4"], "%0 = matmul %x, %w", "%1 = tanh %0 {workspace_bytes = 100 : i64}", "%2 = matmul %1, %w", "%3 = relu %2", "%4 = add %3, %0"),
        [{"compute": 0, "event": 0}, {"evict": 2, "event": 1}, {"wait": 0, "stream": 1}, {"compute": 1, "stream": 1, "event": 2},
         {"wait": 1}, {"wait": 2}, {"compute": 2}, {"free": [3]}, {"fetch": 2, "event": 3}, {"compute": 3, "in_place": [[5, 4]]},
         {"wait": 3}, {"compute": 4, "in_place": [[6, 5]]}, {"free": [2]}, {"drop_host": 2}])
# One stream: two values go and come back, the host's bytes are used again, one value is made twice, the parameter is updated.
UPDATE = (step(["%5", "%6'"], "%0 = matmul %x, %w", "%1 = tanh %0", "%2 = matmul %1, %w", "%3 = sub %2, %0", "%4 = relu %3", "%5 = sub %4, %1",
               "%6 = sgd_update %w, %5 {lr = 0.1}"),
          [{"compute": 0}, {"evict": 2, "event": 0}, {"compute": 1}, {"wait": 0}, {"compute": 2}, {"free": [3]}, {"fetch": 2, "event": 1},
           {"wait": 1}, {"drop_host": 2}, {"compute": 3, "in_place": [[5, 4]]}, {"evict": 5, "event": 2}, {"compute": 1}, {"free": [2]},
           {"wait": 2}, {"fetch": 5, "event": 3}, {"wait": 3}, {"compute": 4, "in_place": [[6, 5]]}, {"compute": 5, "in_place": [[7, 6]]},
           {"free": [3]}, {"compute": 6}])
# Three streams, copies issued from the second, an event of a stream that waited for others.
BRANCHES = (step(["%5"], "%0 = relu %x", "%1 = tanh %0", "%2 = sigmoid %0", "%3 = mul %1, %2", "%4 = matmul %3, %w", "%5 = add %4, %1"),
            [{"compute": 0, "event": 0}, {"wait": 0, "stream": 1}, {"wait": 0, "stream": 2}, {"compute": 1, "stream": 1, "event": 1},
             {"evict": 3, "stream": 1, "event": 2}, {"compute": 2, "stream": 2, "event": 3}, {"wait": 1, "stream": 2},
             {"compute": 3, "stream": 2, "event": 4}, {"free": [4]}, {"wait": 4, "stream": 1}, {"wait": 2, "stream": 1}, {"free": [2]},
             {"compute": 4, "stream": 1, "event": 5}, {"fetch": 3, "stream": 1, "event": 6}, {"free": [5]}, {"wait": 5}, {"wait": 6},
             {"compute": 5}, {"drop_host": 3}, {"free": [6, 3]}])
# A parameter that the arena does not hold goes and comes back to its own place, which the device has all the time.
CALLERS = (step(["%3", "%4'"], "%0 = matmul %x, %w", "%1 = tanh %0", "%2 = add %1, %0", "%3 = matmul %2, %w", "%4 = sgd_update %w, %3 {lr = 0.1}"),
           [{"compute": 0}, {"evict": 1, "event": 0}, {"compute": 1}, {"wait": 0}, {"compute": 2}, {"free": [2]}, {"free": [3]},
            {"fetch": 1, "event": 1}, {"wait": 1}, {"drop_host": 1}, {"compute": 3}, {"free": [4]}, {"compute": 4}])
# The parameter is on the host between steps: fetched for its use, and once more for its update, after which it goes back.
HOSTED = (step(["%3", "%4'"], "%0 = matmul %x, %w", "%1 = tanh %0", "%2 = relu %0", "%3 = mul %2, %1", "%4 = sgd_update %w, %3 {lr = 0.1}"),
          [{"fetch": 1, "event": 0}, {"wait": 0}, {"compute": 0}, {"free": [1]}, {"compute": 1}, {"evict": 3, "event": 1}, {"wait": 1},
           {"compute": 2}, {"free": [2]}, {"fetch": 3, "event": 2}, {"wait": 2}, {"drop_host": 3}, {"compute": 3}, {"free": [4, 3]},
           {"fetch": 1, "event": 3}, {"wait": 3}, {"compute": 4}, {"evict": 1, "event": 4}, {"wait": 4}], [1])
ALL = {"pair": PAIR, "update": UPDATE, "branches": BRANCHES, "callers": CALLERS, "hosted": HOSTED}


def pack(steps, storages):
    """First fit, where the list order says that bytes are free."""
    rows, boxes = [], []
    for s in storages:
        size, end = len(s.addresses), len(steps) if s.end is None else s.end
        meets = [(o, o + n) for b, e, o, n in boxes if b < max(end, s.begin + 1) and s.begin < max(e, b + 1)]
        offset = next(o for o in range(0, 1 << 20, 256) if all(o + size <= low or high <= o for low, high in meets))
        boxes.append((s.begin, end, offset, size))
        rows.append({s.what: s.name, "step_begin": s.begin, "step_end": end, "offset": offset})
    return {"bytes": max((o + n for _, _, o, n in boxes), default=0), "alignment": 256, "placements": rows}


def make_plan(graph, steps, hosted):
    plan = {"version": 1, "graph": "step", "status": "feasible", "solver": "hand", "steps": steps}
    machine = byte_machine.Machine(graph, plan, hosted)
    nodes = {n["id"]: n for n in graph["nodes"]}
    plan["cost"] = sum(nodes[s["compute"]]["cost"] for s in steps if "compute" in s)
    plan["time"], plan["peak_bytes"] = machine.time(), machine.peak
    inside = [s for s in machine.storages if s.what != "tensor" or s.name > 1 or s.name in hosted]
    plan["arenas"] = [{"space": "device", **pack(steps, inside)}, {"space": "host", **pack(steps, machine.stays), "owns": hosted}]
    return plan


RATES = (200000, 100000, 0.001)


def planned(tool, folder, name):
    """The planned form of one of them, and its plan."""
    source, steps, *hosted = ALL[name]
    path = folder / f"{name}.mlir"
    path.write_text(source)

    def opt(*flags):
        run = subprocess.run([tool("memplan-opt"), str(path), *flags], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout

    graph = json.loads(opt("--emit=graph"))
    graph["bandwidth"] = dict(zip(("h2d", "d2h", "latency"), RATES))
    plan = make_plan(graph, steps, *(hosted or [[]]))
    (folder / f"{name}.plan.json").write_text(json.dumps(plan))
    return opt(f"--plan={folder / f'{name}.plan.json'}", "--bandwidth=" + ",".join(map(str, RATES))), plan
