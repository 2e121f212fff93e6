#!/usr/bin/env python3
"""Bytes of a GPT-2 step without a plan: attention as one operation in bf16, against its scores written out in f32.

    benchmarks/cuda/gpt2_bytes.py [--batch 8] [--build DIR]

Both steps are exports of one module, by `attention_as_products`. Needs PyTorch (utils/install-torch.sh); takes half a minute and no GPU.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built  # noqa: E402


def export(path, batch, as_products):
    import torch
    from torch.nn import functional as F

    from memplan import models
    from memplan.export import export_training_step, optimizer, record_initializers

    class Attention(models.CausalAttention):
        def forward(self, x):
            size, length, width = x.shape
            query, key, value = (part.view(size, length, self.heads, width // self.heads).transpose(1, 2) for part in self.qkv(x).split(width, dim=2))
            return self.proj(F.scaled_dot_product_attention(query, key, value, is_causal=True).transpose(1, 2).reshape(size, length, width))

    models.CausalAttention = Attention
    with record_initializers() as record, torch.device("meta"):
        model = models.GPT2().train()
        tokens = {name: torch.zeros((batch, 1024), dtype=torch.int64) for name in ("tokens", "next_tokens")}
    path.write_text(export_training_step(model, {"tokens": tokens["tokens"]}, {"next_tokens": tokens["next_tokens"]}, models.next_token_loss, record=record,
                                         optimizer_settings=optimizer("adamw", lr=1e-4), attention_as_products=as_products))


def unplanned_bytes(tool, step, precision, graph, *flags):
    """Peak of the step as it stands: parameters, states and whatever lives at once."""
    import memplan

    subprocess.run([str(tool), str(step), f"--precision={precision}", "--emit=graph", *flags, "-o", str(graph), "--quiet"], check=True)
    return memplan.Graph.load(str(graph)).unplanned_peak_bytes


def peaks(batch, build):
    """Bytes of the step with attention as one operation in bf16, and of that in f32 with all scores."""
    tool = built(build, "memplan-opt") / "bin/memplan-opt"
    with tempfile.TemporaryDirectory() as name:
        folder, found = pathlib.Path(name), []
        for as_products, precision in ((False, "bf16"), (True, "f32")):
            export(folder / "step.mlir", batch, as_products)
            found.append(unplanned_bytes(tool, folder / "step.mlir", precision, folder / "graph.json"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    fused, plain = peaks(options.batch, options.build.resolve())
    print(f"{fused} / {plain} = {fused / plain:.3f}")


if __name__ == "__main__":
    main()
