#!/usr/bin/env python3
"""Time of an export on the joint road beside PyTorch's own tracing of the same joint graph. Writes a table of docs/Export.md.

    benchmarks/models/export_time.py [--rounds 3] [--names A,B] [--write]

PyTorch's is `aot_export_module(trace_joint=True)`: forward, loss and backward as one graph of aten operators, of fake tensors. The two take turns in one process, so
that a slow minute of the machine meets both. Of each the fastest turn counts, without the first, which loads modules. Needs `transformers`; takes a minute.
"""
import argparse
import copy
import sys
import time
from unittest import mock

import table
from shared import Table

NAMES = "resnet50,mobilenet_v2,vit_b_32,gpt2,bert,unet"


def seconds(function) -> float:
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def turns(network, rounds: int) -> tuple[float, float, int]:
    """Seconds of the export and of PyTorch's tracing, and the operations of the program."""
    import torch
    from memplan.export import coverage, export_joint_step, optimizer, record_initializers
    from torch._functorch.aot_autograd import aot_export_module

    with record_initializers() as record:
        model = network.build().train()

    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = copy.deepcopy(model)

        def forward(self, *tensors):
            count = len(network.inputs)
            return (network.loss(self.model(*tensors[:count]), *tensors[count:]),)

    tensors = (*network.inputs.values(), *network.targets.values())
    step = Step()
    # PyTorch's function refuses a parameter without a gradient. One with two names has none by one of them.
    for name, parameter in list(step.named_parameters(remove_duplicate=False)):
        if name not in dict(step.named_parameters()):
            owner, _, last = name.rpartition(".")
            setattr(step.get_submodule(owner), last, torch.nn.Parameter(parameter.detach().clone()))
    step(*tensors)[0].backward()
    for parameter in step.parameters():
        parameter.requires_grad_(parameter.grad is not None)
    step.zero_grad()
    text = []

    def ours():
        text[:] = [export_joint_step(model, network.inputs, network.targets, network.loss, record=record, optimizer_settings=optimizer("sgd", lr=0.1))]

    def torchs():
        # Code of transformers that asks whether it is compiled leaves out what depends on values; the export says so too.
        with mock.patch.object(torch.compiler, "_is_compiling_flag", True):
            aot_export_module(step, tensors, trace_joint=True, output_loss_index=0)

    ours(), torchs()
    found = [(seconds(ours), seconds(torchs)) for _ in range(rounds)]
    return (*map(min, zip(*found)), coverage(text[0])["operations"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--names", default=NAMES)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    import networks
    known = {n.name: n for n in networks.networks(True) + networks.networks()}
    wanted = options.names.split(",")
    if unknown := sorted(set(wanted) - set(known)):
        sys.exit(f"no network {', '.join(unknown)}; there are {', '.join(known)}")
    lines = Table()
    lines.add("| network | operations | export, s | PyTorch's tracing, s | ratio |", "|---|---|---|---|---|")
    for name in wanted:
        own, torchs, operations = turns(known[name], options.rounds)
        lines.add(f"| {name} | {operations} | {own:.2f} | {torchs:.2f} | {own / torchs:.2f} |")
    if options.write:
        lines.write([table.ROOT / "docs/Export.md"], "benchmarks/models/export_time.py")


if __name__ == "__main__":
    main()
