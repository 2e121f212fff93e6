"""Models of the benchmarks of memplan.torch, on the device "meta": build(name) gives a module, inputs with targets, and a loss."""
import pathlib
import sys

import torch
import torchvision
from torch import nn
from torch.nn import functional

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / part) for part in ("build/python", "benchmarks")]
import shared  # noqa: E402
from memplan.models import UNet  # noqa: E402


class Layer(nn.Module):
    """Transformer layer with fused attention: causal with norms first (GPT-2), or bidirectional with norms last (BERT)."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh" if causal else "none"), nn.Linear(4 * width, width))

    def mix(self, x):
        parts = self.attend(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.project(mixed.transpose(1, 2).flatten(2))

    def forward(self, x):
        if self.causal:
            x = x + self.mix(self.norms[0](x))
            return x + self.feed(self.norms[1](x))
        x = self.norms[0](x + self.mix(x))
        return self.norms[1](x + self.feed(x))


class Language(nn.Module):
    """Embeddings, layers and an output tied to the embedding."""

    def __init__(self, words, length, causal, width=768, heads=12, layers=12):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads, causal) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.out.weight = self.words.weight

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        return self.out(self.norm(x)).flatten(0, 1)


DEFAULTS = ("resnet18:8", "vgg16:32", "unet:8", "mobilenet_v2:32", "resnet50:32", "mobilenet_v3_small:64", "bert:4", "gpt2:8", "vit_b_16:32", "densenet121:32", "convnext_tiny:32", "shufflenet_v2_x1_0:64")


def build(name):
    """(module, inputs and target, loss) of NAME:BATCH; nothing is allocated."""
    model, batch = name.split(":")
    batch = int(batch)
    with torch.device("meta"):
        if model in ("gpt2", "bert"):
            words, length = (50257, 1024) if model == "gpt2" else (30522, 512)
            net = Language(words, length, causal=model == "gpt2")
            return net, (torch.empty(batch, length, dtype=torch.long), torch.empty(batch * length, dtype=torch.long)), functional.cross_entropy
        if model == "unet":
            net = UNet(3, 1)
            return net, (torch.empty(batch, 3, 416, 608), torch.empty(batch, 1, 416, 608)), functional.binary_cross_entropy_with_logits
        net = getattr(torchvision.models, model)()
        return net, (torch.empty(batch, 3, 224, 224), torch.empty(batch, dtype=torch.long)), functional.cross_entropy


def heads(found):
    """The lines above a table: what its rows are of, a line for each run that they come from."""
    return list(dict.fromkeys(shared.head(model["origin"]) for model in found))
