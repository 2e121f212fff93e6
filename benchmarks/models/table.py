#!/usr/bin/env python3
"""Tries the training steps of many networks and writes the tables of docs/Export.md.

usage: table.py [--names A,B] [--all] [--more | --held-out] [--run] [--timeout SECONDS] [--again] [--build FOLDER] [--results FILE.jsonl] [--write]

Each network is exported on both roads, its joint program planned by `memplan-opt` within 90 % of its peak, or the least of BUDGETS that it fits. With --run it is
trained for three steps by `memplan-run` and by PyTorch, from the same weights on the same data. A network is tried in a process of its own, for SECONDS at most.
Each result goes to the file at once, with its commit, so that a table can be made in pieces: those that the file lacks are tried first, those that it has from this
commit only with --again. --write puts all results that the file holds into the table of docs/Export.md. Rows of the page that the file has no result for stay, under
their own commit. Needs torchvision; networks of `transformers`, `timm` and `diffusers` are tried where these are installed. --held-out tries those
of held_out.py, which have a table of their own. --more tries those of more.py, which have none.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python-bindings"), str(ROOT / "benchmarks"), str(pathlib.Path(__file__).parent)]
from shared import built, origin, put_table  # noqa: E402

STEPS, RATE = 3, 0.1
# Tried one after the other: of a small step the working set of one operation may be most of the peak.
BUDGETS = ("90%", "100%")


def try_export(function, network, model) -> dict:
    begin = time.perf_counter()
    try:
        text = function(model, network.inputs, network.targets, network.loss)
    except Exception as error:  # what is found is what is reported
        message = " ".join(re.sub(r"[^\s\"]*/site-packages/", "", str(error).replace(f"{ROOT}/", "")).split())
        return {"error": f"{type(error).__name__}: {message}"[:400], "operators": sorted({e.operator for e in getattr(error, "errors", [])})}
    return {"text": text, "seconds": round(time.perf_counter() - begin, 2)}


def without_chance(model):
    """Dropout and stochastic depth draw other numbers than torch does, so that runs are compared without them."""
    for module in model.modules():
        for name in ("p", "dropout", "dropout_p", "attention_dropout", "attn_dropout", "activation_dropout", "layerdrop", "drop_prob", "dropout_prob"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return model


def train(model, network, dtype, onednn=True):
    """Losses and what three steps of SGD leave, by PyTorch in `dtype`, with or without its kernels of oneDNN."""
    import copy

    import torch
    torch.manual_seed(0)
    torch.backends.mkldnn.set_flags(onednn)
    model = copy.deepcopy(model).to(dtype)
    for module in model.modules():  # PyTorch's product of experts takes no f64: there each expert is computed by itself
        if dtype == torch.float64 and getattr(getattr(module, "config", None), "_experts_implementation", None):
            module.config._experts_implementation = "eager"
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    data = [{k: v.to(dtype) if v.is_floating_point() else v for k, v in d.items()} for d in (network.inputs, network.targets)]
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = network.loss(model(*data[0].values()), *data[1].values())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, {n: v.detach().double() for n, v in [*model.named_parameters(), *model.named_buffers()] if v.is_floating_point()}


def distance(values: dict, exact: dict, start: dict, names) -> float:
    """Largest error of a tensor, by its root mean square over the largest change that any tensor made."""
    scale = max((exact[n] - start[n]).square().mean().sqrt().item() for n in names)
    return max((values[n] - exact[n]).square().mean().sqrt().item() for n in names) / max(scale, 1e-30)


def run_within(command: list[str], budgets, limit: int | None = None):
    """What the first budget that holds the run gives, that budget, and whether it was run with `--check`. The unplanned program of --check has a block of its own for
    each value, which may be more than the machine's memory, or `limit` bytes: then the run goes without."""
    limit = limit or 1024 * int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1])
    for checked in (True, False):
        for budget in budgets:  # kernels have scratch that memplan-opt does not know of
            done = subprocess.run([part for part in [*command, f"--budget={budget}"] if checked or part != "--check"], capture_output=True, text=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            if done.returncode == 0:
                return done, budget, checked
            if "the unplanned program: cannot allocate" in done.stderr:
                break
        else:
            break
    return done, budget, checked


def run_program(runner: str, text: str, model, network, folder: pathlib.Path, budgets) -> dict:
    """What three steps of `memplan-run` leave, and how far that and PyTorch in f32 are from PyTorch in f64."""
    import numpy
    import safetensors.torch
    import torch
    (folder / "step.mlir").write_text(text)
    held = {n: v.detach().clone().contiguous() for n, v in [*model.named_parameters(), *model.named_buffers()] if v.is_floating_point()}
    written = {n: v for n, v in held.items() if f'memplan.name = "{n}"' in text}
    safetensors.torch.save_file(written, folder / "start.safetensors")
    command = [runner, str(folder / "step.mlir"), "--effort=500", f"--steps={STEPS}", "--check", f"--params={folder / 'start.safetensors'}",
               f"--save-params={folder / 'end.safetensors'}"]
    for name, value in {**network.inputs, **network.targets}.items():
        numpy.save(folder / f"{name}.npy", value.contiguous().numpy())
        command.append(f"--data={name}={folder / name}.npy")
    done, budget, checked = run_within(command, budgets)
    if done.returncode:
        return {"budget": budget, "error": " ".join((done.stderr or done.stdout).split())[-300:]}
    losses = [float(line.rsplit("=", 1)[1]) for line in done.stdout.splitlines() if line.startswith("step ")]
    same = re.search(r"^check: after each of \d+ steps (\d+) values .* bit for bit$", done.stdout, re.MULTILINE)
    end = {n: v.double() for n, v in safetensors.torch.load_file(folder / "end.safetensors").items()}
    start = {n: v.double() for n, v in held.items()}
    exact_losses, exact = train(model, network, torch.float64)
    # How a kernel orders its sums is part of the error: of PyTorch's two sets of kernels the larger error counts.
    in_f32 = [train(model, network, torch.float32, onednn) for onednn in (True, False)]
    names = [n for n in written if n in end]

    def of_losses(found) -> float:
        return max(abs(a - b) / max(abs(b), 1e-30) for a, b in zip(found, exact_losses))

    return {"budget": budget, "losses": losses, "same_values": int(same[1]) if same else 0, "checked": checked, "error": None,
            "loss_error": of_losses(losses), "torch_loss_error": max(of_losses(found) for found, _ in in_f32),
            "value_error": distance(end, exact, start, names), "torch_value_error": max(distance(found, exact, start, names) for _, found in in_f32)}


def measure(network, arguments) -> dict:
    import logging

    import torch
    from memplan.export import coverage, export_joint_step, export_training_step, optimizer, record_initializers
    logging.disable(logging.WARNING)
    torch.manual_seed(0)
    result = {"name": network.name, "family": network.family, "origin": origin()}
    try:
        with record_initializers() as record:
            model = network.build().train()
    except Exception as error:
        return {**result, "error": f"cannot be built: {type(error).__name__}: {error}"[:300]}
    settings = dict(record=record, optimizer_settings=optimizer("sgd", lr=RATE))
    result["parameters"] = sum(p.numel() for p in model.parameters())
    if arguments.run:
        model = without_chance(model)
    module = try_export(lambda *a: export_training_step(*a, **settings), network, model)
    joint = try_export(lambda *a: export_joint_step(*a, **settings), network, model)
    texts = {"module": module.pop("text", None), "joint": joint.pop("text", None)}
    result |= {"module": module, "joint": joint}
    if texts["joint"] is None:
        return result
    joint |= coverage(texts["joint"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "joint.mlir").write_text(texts["joint"])
        begin = time.perf_counter()
        for budget in BUDGETS:
            command = [str(arguments.build / "bin/memplan-opt"), str(folder / "joint.mlir"), f"--budget={budget}", "--effort=500", "-o", str(folder / "planned.mlir")]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                break
        result["plan"] = {"error": " ".join(done.stderr.split())[:300] if done.returncode else None, "summary": done.stderr.strip()[-300:],
                          "seconds": round(time.perf_counter() - begin, 2)}
        if arguments.run and joint["opaque"] == 0:
            result["run"] = run_program(str(arguments.build / "bin/memplan-run"), texts["joint"], model, network, folder, BUDGETS[BUDGETS.index(budget):])
    return result


def planned(r: dict) -> bool:
    return r.get("plan", {"error": ""})["error"] is None


def ran(r: dict) -> bool:
    return planned(r) and r.get("run", {"error": ""})["error"] is None


def row(r: dict) -> str:
    if "joint" not in r:
        return f"| {r['name']} | | {r['error'].splitlines()[-1]} | | | |"
    module = "yes" if "error" not in r["module"] else ", ".join(f"`{o.removeprefix('aten.')}`" for o in r["module"]["operators"][:3]) or "not traced"
    if "error" in r["joint"]:
        return f"| {r['name']} | {module} | not exported | {r['joint']['error'].partition(': ')[2][:160]} | | |"
    joint = "planned" if planned(r) else "not planned"
    if ran(r):
        joint = "runs, not checked" if not r["run"].get("checked", True) else "runs" if r["run"]["same_values"] else "runs, with other bits"
    kernels = ", ".join(f"`{k.removeprefix('aten.')}` {n}" for k, n in list(r["joint"].get("kernels", {}).items())[:4])
    share = f"{r['joint'].get('opaque', '')} of {r['joint'].get('operations', '')}" + (f": {kernels}" if kernels else "")
    errors = (f"{r['run'][kind]:.1e}, {r['run']['torch_' + kind]:.1e}" if ran(r) else "" for kind in ("loss_error", "value_error"))
    return f"| {r['name']} | {module} | {joint} | {share} | {' | '.join(errors)} |"


# --- The page: its rows are all that is kept, so that what is said of them is read from them ---

# Commit, named rows of other commits, day and machine.
HEAD = re.compile(r"^Commit ([^;,]+)((?:; [^:;]+: [^;,]+)*), (\d{4}-\d\d-\d\d, .*)$")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of_page(text: str) -> dict[str, dict]:
    """The rows of a table, by network, each with its commit and where that was run."""
    lines = text.strip().splitlines()
    if not (found := HEAD.match(lines[0].replace("`", "")) if lines else None):
        return {}
    others = [part.rpartition(": ") for part in found[2].split("; ")[1:]]
    commit_of = {name: commit for names, _, commit in others for name in names.split(", ")}
    rows = (line for line in lines if line.startswith("| ") and not line.startswith("| network |"))
    return {cells(line)[0]: {"row": line, "commit": commit_of.get(cells(line)[0], found[1]), "place": found[3]} for line in rows}


def row_for_page(r: dict) -> dict:
    origin = r["origin"]
    return {"row": row(r), "commit": origin["commit"], "place": f"{origin['date']}, {origin['processor']} ({origin['processors']} processors)."}


def commits(rows: dict[str, dict]) -> str:
    """The line that says what the rows are of: the commit of most rows, and those of the others."""
    by_commit = collections.defaultdict(list)
    for name, entry in rows.items():
        by_commit[entry["commit"]].append(name)
    (commit, most), *others = sorted(by_commit.items(), key=lambda item: -len(item[1]))
    named = "; ".join(f"{', '.join(names)}: {other}" for other, names in others)
    return f"Commit {commit}{f'; `{named}`' if named else ''}, {rows[most[0]]['place']}"


def within(row_cells: list[str], factor: float) -> bool:
    """Whether loss and values are as near to f64 as `factor` times PyTorch in f32; 1e-7 is the rounding of one number."""
    return all(own <= factor * torch + 1e-7 for own, torch in ([float(part) for part in cell.split(", ")] for cell in row_cells[4:6]))


def sums(lines: list[str], known: int) -> str:
    rows = [cells(line) for line in lines]
    runs = [r for r in rows if r[2].startswith("runs")]
    all_planned = [r for r in rows if r[2] == "planned"] + runs
    factors = (1, "torch's own f32 error"), (2, "twice that"), (4, "4 times that")
    near = ", ".join(f"{sum(within(r, factor) for r in runs)} within {text}" for factor, text in factors)
    unchecked = sum(r[2] == "runs, not checked" for r in runs)
    whole = sum(r[3].startswith("0 of") for r in all_planned)
    return (f"{len(rows)} of {known} networks are in the table. {len(all_planned)} are planned, {whole} of them without an opaque operation. "
            f"{len(runs)} of these run for {STEPS} steps, {sum(r[1] == 'yes' for r in rows)} on the road of modules too. "
            f"Of the {len(runs)}, {sum(r[2] == 'runs' for r in runs)} equal their unplanned run bit for bit"
            f"{f'; of {unchecked} that run does not fit the memory' if unchecked else ''}. By the digits shown, {near}.")


def table(rows: dict[str, dict], known: int) -> str:
    """Rows for docs/Export.md and the counts above them."""
    lines = [entry["row"] for entry in rows.values()]
    return "\n".join([commits(rows), "", sums(lines, known), "",
                      "| network | module road | joint road | opaque operations | error of the loss, torch's own | of values after 3 steps, torch's own |",
                      "|---|---|---|---|---|---|", *lines])


def write(page: pathlib.Path, script: str, results: dict[str, dict], known: list[str]) -> None:
    """Puts the results into the table of the page, in the order of `known`; its other rows stay."""
    before = page.read_text().partition(f"<!-- {script} writes this -->\n")[2].partition("<!-- end of the table -->")[0]
    rows = rows_of_page(before) | {name: row_for_page(r) for name, r in results.items()}
    put_table(page, script, table({name: rows[name] for name in known if name in rows}, len(known)))


def known_networks(arguments) -> list:
    import networks
    import torch
    torch.manual_seed(0)  # the data of a row are those of every other run
    if arguments.held_out or arguments.more:
        import held_out
        import more
        return (held_out if arguments.held_out else more).networks()
    return networks.networks(True) + networks.networks() if arguments.all else networks.networks()


def measure_apart(network, arguments) -> dict:
    """`measure` in a process of its own, which ends with all that it started when its time is up."""
    flags = [f"--{name.replace('_', '-')}" for name in ("all", "more", "held_out", "run") if getattr(arguments, name)]
    command = [sys.executable, __file__, "--one", network.name, "--build", str(arguments.build), *flags]
    unknown = {"name": network.name, "family": network.family, "origin": origin()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=arguments.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return {**unknown, "error": f"took longer than {arguments.timeout} s"}
    line = out.strip().splitlines()[-1:] if process.returncode == 0 else []
    return json.loads(line[0]) if line else {**unknown, "error": err.strip()[-400:] or f"ended with status {process.returncode}"}


def say(result: dict) -> None:
    brief = {k: v for k, v in result.get("joint", {}).items() if k in ("error", "operations", "opaque", "kernels", "seconds")}
    run = result.get("run") or {}
    print(result["name"], brief or result.get("error"), result.get("plan", {}).get("error"), run.get("error", ""),
          *(f"{k}={v:.1e}" for k, v in run.items() if k.endswith("error") and isinstance(v, float)), flush=True)


def arguments_of_the_call() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS")
    parser.add_argument("--one", help="used for the process of one network")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--results", default=str(ROOT / "benchmarks/models/results.jsonl"))
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main() -> None:
    arguments = arguments_of_the_call()
    if arguments.more and arguments.write:
        sys.exit("the networks of --more have no table; leave out --write")
    known = {n.name: n for n in known_networks(arguments)}
    if arguments.one:
        print(json.dumps(measure(known[arguments.one], arguments)))
        return
    path = pathlib.Path(arguments.results)
    results = {r["name"]: r for r in map(json.loads, path.read_text().splitlines())} if path.exists() else {}
    wanted = [n for n in arguments.names.split(",") if n]
    if unknown := sorted(set(wanted) - set(known)):
        sys.exit(f"no network {', '.join(unknown)}; there are {', '.join(known)}")
    commit = origin()["commit"]
    if wanted or not arguments.write:
        built(arguments.build, "memplan-opt", "memplan-run")
        todo = [known[n] for n in wanted or sorted(known, key=results.__contains__)]
        for network in todo if arguments.again else [n for n in todo if results.get(n.name, {}).get("origin", {}).get("commit") != commit]:
            results[network.name] = measure_apart(network, arguments)
            say(results[network.name])
            path.write_text("".join(json.dumps(r) + "\n" for r in results.values()))
    if arguments.write:
        flag = " --held-out" if arguments.held_out else ""
        write(ROOT / "docs/Export.md", f"benchmarks/models/table.py{flag}", results, list(known))


if __name__ == "__main__":
    main()
