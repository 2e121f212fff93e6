#!/usr/bin/env python3
"""Bytes of a step of GPT-2 small without a plan: attention as one operation, and its scores written out. Writes a table of docs/Export.md.

    benchmarks/models/attention.py [--batch 8] [--build DIR] [--write]

Both steps are exports of one module, by `attention_as_products`: that of `transformers` with its dropout, as it is trained, and the same without dropout. Needs
`transformers`; takes a minute.
"""
import argparse
import pathlib
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("", "cuda")]
from gpt2_bytes import unplanned_bytes  # noqa: E402
from shared import ROOT, Table, built  # noqa: E402


def export(path, batch, dropout, as_products):
    import torch
    import transformers

    from memplan.export import export_joint_step, optimizer, record_initializers

    config = transformers.GPT2Config(use_cache=False) if dropout else transformers.GPT2Config(use_cache=False, attn_pdrop=0.0, resid_pdrop=0.0, embd_pdrop=0.0)
    with record_initializers() as record:
        model = transformers.GPT2LMHeadModel(config).train()
    ids = torch.zeros((batch, config.n_positions), dtype=torch.int64)
    path.write_text(export_joint_step(model, {"input_ids": ids, "labels": ids}, {}, None, record=record, optimizer_settings=optimizer("adamw", lr=1e-4),
                                      attention_as_products=as_products))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tool = built(options.build.resolve(), "memplan-opt") / "bin/memplan-opt"
    sys.path.insert(0, str(options.build.resolve() / "python"))  # graphs are read by the built package
    table = Table()
    table.add(f"| GPT-2 small, batch {options.batch}, f32 | attention as one operation, bytes | scores written out | ratio |", "|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        step = pathlib.Path(name) / "step.mlir"
        for dropout in (True, False):
            found = []
            for as_products in (False, True):
                export(step, options.batch, dropout, as_products)
                found.append(unplanned_bytes(tool, step, "f32", step.with_suffix(".json")))
            table.add(f"| {'dropout .1, as it is trained' if dropout else 'without dropout'} | {found[0]:,} | {found[1]:,} | {found[0] / found[1]:.3f} |")
    if options.write:
        table.write([ROOT / "docs/Export.md"], "benchmarks/models/attention.py")


if __name__ == "__main__":
    main()
