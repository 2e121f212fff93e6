#!/usr/bin/env python3
"""Tries the training steps of many networks and writes the table of docs/Export.md.

usage: table.py [--names A,B] [--all] [--held-out] [--run] [--opt FILE] [--runner FILE] [--results FILE.jsonl] [--write]

Each network is exported on both roads, its joint program planned by `memplan-opt` within 90 % of its peak, or the least of BUDGETS that it fits, and with --run trained for three steps by
`memplan-run` and by PyTorch, from the same weights on the same data. A network is tried in a process of its own. --write puts the table of all
results that the file holds into docs/Export.md. Needs torchvision; networks of `transformers`, `timm` and `diffusers` are tried where these
are installed. --held-out tries those of held_out.py, which have a table of their own.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python-bindings"), str(pathlib.Path(__file__).parent)]
STEPS, RATE = 3, 0.1
# Tried one after the other: of a small step the working set of one operation may be most of the peak.
BUDGETS = ("90%", "100%")


def try_export(function, network, model) -> dict:
    begin = time.perf_counter()
    try:
        text = function(model, network.inputs, network.targets, network.loss)
    except Exception as error:  # what is found is what is reported
        message = " ".join(str(error).split())
        return {"error": f"{type(error).__name__}: {message}"[:400], "operators": sorted({e.operator for e in getattr(error, "errors", [])})}
    return {"text": text, "seconds": round(time.perf_counter() - begin, 2)}


def without_chance(model):
    """Dropout and stochastic depth draw other numbers than torch does, so that runs are compared without them."""
    for module in model.modules():
        for name in ("p", "dropout", "dropout_p", "attention_dropout", "activation_dropout", "layerdrop", "drop_prob", "dropout_prob"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return model


def train(model, network, dtype):
    """Losses and what three steps of SGD leave, by PyTorch in `dtype`."""
    import copy

    import torch
    torch.manual_seed(0)
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


def run_program(runner: str, text: str, model, network, folder: pathlib.Path, budgets) -> dict:
    import numpy
    import safetensors.torch
    (folder / "step.mlir").write_text(text)
    held = {n: v.detach().clone().contiguous() for n, v in [*model.named_parameters(), *model.named_buffers()] if v.is_floating_point()}
    written = {n: v for n, v in held.items() if f'memplan.name = "{n}"' in text}
    safetensors.torch.save_file(written, folder / "start.safetensors")
    command = [runner, str(folder / "step.mlir"), "--effort=500", f"--steps={STEPS}", "--check", f"--params={folder / 'start.safetensors'}",
               f"--save-params={folder / 'end.safetensors'}"]
    for name, value in {**network.inputs, **network.targets}.items():
        numpy.save(folder / f"{name}.npy", value.contiguous().numpy())
        command.append(f"--data={name}={folder / name}.npy")
    for budget in budgets:  # kernels have scratch that memplan-opt does not know of
        done = subprocess.run([*command, f"--budget={budget}"], capture_output=True, text=True)
        if done.returncode == 0:
            break
    if done.returncode:
        return {"budget": budget, "error": " ".join((done.stderr or done.stdout).split())[-300:]}
    losses = [float(line.rsplit("=", 1)[1]) for line in done.stdout.splitlines() if line.startswith("step ")]
    end = {n: v.double() for n, v in safetensors.torch.load_file(folder / "end.safetensors").items()}
    import torch
    start = {n: v.double() for n, v in held.items()}
    torch_losses, single = train(model, network, torch.float32)
    exact_losses, exact = train(model, network, torch.float64)
    names = [n for n in written if n in end]
    of_losses = lambda found: max(abs(a - b) / max(abs(b), 1e-30) for a, b in zip(found, exact_losses))  # noqa: E731
    return {"budget": budget, "losses": losses, "loss_error": of_losses(losses), "torch_loss_error": of_losses(torch_losses),
            "error": None, "value_error": distance(end, exact, start, names), "torch_value_error": distance(single, exact, start, names)}


def measure(network, arguments) -> dict:
    import logging

    import torch
    from memplan.export import coverage, export_joint_step, export_training_step, optimizer, record_initializers
    logging.disable(logging.WARNING)
    torch.manual_seed(0)
    result = {"name": network.name, "family": network.family}
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
            done = subprocess.run([arguments.opt, str(folder / "joint.mlir"), f"--budget={budget}", "--effort=500", "-o", str(folder / "planned.mlir")],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                break
        result["plan"] = {"error": " ".join(done.stderr.split())[:300] if done.returncode else None, "summary": done.stderr.strip()[-300:],
                          "seconds": round(time.perf_counter() - begin, 2)}
        if arguments.run and joint["opaque"] == 0:
            result["run"] = run_program(arguments.runner, texts["joint"], model, network, folder, BUDGETS[BUDGETS.index(budget):])
    return result


def table(results: list[dict]) -> str:
    """Rows for docs/Export.md and the counts above them."""
    tried = [r for r in results if "joint" in r]
    planned = [r for r in tried if r.get("plan", {}).get("error", "") is None]
    whole = [r for r in planned if r["joint"].get("opaque") == 0]
    ran = [r for r in whole if "run" in r and r["run"]["error"] is None]
    within = [r for r in ran if r["run"]["value_error"] <= 4 * r["run"]["torch_value_error"] + 1e-6]
    lines = [f"{len(tried)} networks: {len(planned)} planned, {len(whole)} of them without an opaque operation, {len(ran)} of these run for {STEPS} steps, "
             f"{sum('error' not in r['module'] for r in tried)} on the road of modules too. {len(within)} of {len(ran)} end within 4 times torch's own f32 error.", "",
             "| network | module road | joint road | opaque operations | error after 3 steps, torch's own |", "|---|---|---|---|---|"]
    for r in tried:
        module = "yes" if "error" not in r["module"] else ", ".join(f"`{o.removeprefix('aten.')}`" for o in r["module"]["operators"][:3]) or "not traced"
        run = r.get("run")
        joint = "not exported" if "error" in r["joint"] else "not planned" if r not in planned else "planned"
        joint = "runs" if run and run["error"] is None else joint
        kernels = ", ".join(f"`{k.removeprefix('aten.')}` {n}" for k, n in list(r["joint"].get("kernels", {}).items())[:4])
        share = f"{r['joint'].get('opaque', '')} of {r['joint'].get('operations', '')}" + (f": {kernels}" if kernels else "")
        error = f"{run['value_error']:.1e}, {run['torch_value_error']:.1e}" if run and run["error"] is None else ""
        lines.append(f"| {r['name']} | {module} | {joint} | {share} | {error} |")
    return "\n".join(lines)


def known_networks(arguments) -> list:
    import networks
    import torch
    torch.manual_seed(0)  # the data of a row are those of every other run
    if arguments.held_out:
        import held_out
        return held_out.networks()
    return networks.networks(True) + networks.networks() if arguments.all else networks.networks()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--one", help="used for the process of one network")
    parser.add_argument("--opt", default=str(ROOT / "build/bin/memplan-opt"))
    parser.add_argument("--runner", default=str(ROOT / "build/bin/memplan-run"))
    parser.add_argument("--results", default=str(ROOT / "benchmarks/models/results.jsonl"))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    known = {n.name: n for n in known_networks(arguments)}
    if arguments.one:
        print(json.dumps(measure(known[arguments.one], arguments)))
        return
    path = pathlib.Path(arguments.results)
    results = {r["name"]: r for r in map(json.loads, path.read_text().splitlines())} if path.exists() else {}
    wanted = [n for n in arguments.names.split(",") if n]
    for network in [] if arguments.write and not wanted else known.values():
        if wanted and network.name not in wanted:
            continue
        flags = [flag for flag, on in (("--all", arguments.all), ("--held-out", arguments.held_out), ("--run", arguments.run)) if on]
        command = [sys.executable, __file__, "--one", network.name, "--opt", arguments.opt, "--runner", arguments.runner, *flags]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=900)
            line = done.stdout.strip().splitlines()[-1] if done.returncode == 0 else ""
            result = json.loads(line) if line else {"name": network.name, "family": network.family, "error": done.stderr[-400:]}
        except subprocess.TimeoutExpired:
            result = {"name": network.name, "family": network.family, "error": "took longer than 15 minutes"}
        results[network.name] = result
        brief = {k: v for k, v in result.get("joint", {}).items() if k in ("error", "operations", "opaque", "kernels", "seconds")}
        print(network.name, brief or result.get("error"), result.get("plan", {}).get("error"), (result.get("run") or {}).get("error", ""),
              *(f"{k}={v:.1e}" for k, v in (result.get("run") or {}).items() if k.endswith("error") and isinstance(v, float)), flush=True)
        path.write_text("".join(json.dumps(r) + "\n" for r in results.values()))
    if arguments.write:
        order = {name: i for i, name in enumerate(known)}
        rows = table(sorted((r for r in results.values() if r["name"] in order), key=lambda r: order[r["name"]]))
        mark = f"<!-- benchmarks/models/table.py{' --held-out' if arguments.held_out else ''} writes this -->\n"
        page = ROOT / "docs/Export.md"
        before, _, rest = page.read_text().partition(mark)
        _, _, after = rest.partition("<!-- end of the table -->\n")
        page.write_text(f"{before}{mark}{rows}\n<!-- end of the table -->\n{after}")


if __name__ == "__main__":
    main()
