"""Networks that have no definition in torchvision, and small variants of all example networks for tests."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class ConvPair(nn.Module):
    """Two 3x3 convolutions, each followed by batch normalization and ReLU."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.c1 = nn.Conv2d(inputs, outputs, kernel_size=3, padding=1, bias=False)
        self.b1 = nn.BatchNorm2d(outputs)
        self.c2 = nn.Conv2d(outputs, outputs, kernel_size=3, padding=1, bias=False)
        self.b2 = nn.BatchNorm2d(outputs)

    def forward(self, x):
        x = F.relu(self.b1(self.c1(x)))
        return F.relu(self.b2(self.c2(x)))


class UNet(nn.Module):
    """U-Net: an encoder that halves the resolution `depth` times, a decoder that doubles it, and skip connections.

    Height and width of the input must be multiples of 2**depth.
    """

    def __init__(self, inputs: int = 3, outputs: int = 1, width: int = 64, depth: int = 4):
        super().__init__()
        channels = [width << level for level in range(depth + 1)]
        self.down = nn.ModuleList(ConvPair(a, b) for a, b in zip([inputs, *channels], channels))
        upwards = list(zip(channels[::-1], channels[-2::-1]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, kernel_size=2, stride=2) for a, b in upwards)
        self.dec = nn.ModuleList(ConvPair(2 * b, b) for _, b in upwards)
        self.out = nn.Conv2d(width, outputs, kernel_size=1)

    def forward(self, x):
        skipped = []
        for level in self.down[:-1]:
            skipped.append(level(x))
            x = F.max_pool2d(skipped[-1], kernel_size=2)
        x = self.down[-1](x)
        for up, merge in zip(self.up, self.dec):
            x = merge(torch.cat([up(x), skipped.pop()], dim=1))
        return self.out(x)


class CausalAttention(nn.Module):
    """Multi-head self-attention in which a token sees itself and earlier ones, written as plain products and a softmax."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        head_width = width // self.heads

        def by_head(t):
            return t.view(batch, length, self.heads, head_width).transpose(1, 2)

        query, key, value = map(by_head, self.qkv(x).split(width, dim=2))
        scores = query @ key.transpose(-2, -1) * head_width**-0.5
        past = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        weights = scores.masked_fill(~past, float("-inf")).softmax(dim=-1)
        return self.proj((weights @ value).transpose(1, 2).reshape(batch, length, width))


class TransformerBlock(nn.Module):
    """Attention and a two-layer perceptron, each normalized before and added to its input."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.l1 = nn.LayerNorm(width)
        self.l2 = nn.LayerNorm(width)
        self.at = CausalAttention(width, heads)
        self.f1 = nn.Linear(width, 4 * width)
        self.f2 = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.at(self.l1(x))
        return x + self.f2(F.gelu(self.f1(self.l2(x)), approximate="tanh"))


class GPT2(nn.Module):
    """GPT-2 (small by default) without dropout; the output projection is the token embedding."""

    def __init__(self, vocabulary: int = 50257, width: int = 768, layers: int = 12, heads: int = 12, length: int = 1024):
        super().__init__()
        self.te = nn.Embedding(vocabulary, width)
        self.pe = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(TransformerBlock(width, heads) for _ in range(layers))
        self.ln = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.te.weight
        # Deviations of the GPT-2 paper's code; PyTorch's default of 1 for embeddings gives a useless first loss.
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)
                if getattr(module, "bias", None) is not None:
                    nn.init.zeros_(module.bias)

    def forward(self, tokens):
        x = self.te(tokens) + self.pe(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


def next_token_loss(logits, labels):
    """Mean cross entropy over all tokens of all sequences."""
    return F.cross_entropy(logits.view(-1, logits.shape[-1]), labels.view(-1))


class MLP(nn.Sequential):
    """Linear layers with ReLU between them."""

    def __init__(self, *widths: int):
        layers = []
        for a, b in zip(widths, widths[1:]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        super().__init__(*layers[:-1])


class SmallResidualNet(nn.Module):
    """Two residual blocks with batch normalization, the second one with a strided shortcut."""

    def __init__(self, width: int = 8, classes: int = 10):
        super().__init__()
        self.stem = nn.Conv2d(3, width, kernel_size=3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.first = ConvPair(width, width)
        self.second = ConvPair(width, 2 * width)
        self.shortcut = nn.Conv2d(width, 2 * width, kernel_size=1, stride=2, bias=False)
        self.fc = nn.Linear(2 * width, classes)

    def forward(self, x):
        x = F.relu(self.norm(self.stem(x)))
        x = x + self.first(x)
        x = self.shortcut(x) + F.max_pool2d(self.second(x), kernel_size=2)
        return self.fc(x.mean(dim=(2, 3)))
