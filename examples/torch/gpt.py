#!/usr/bin/env python3
"""Trains a small GPT with dropout on made-up words within a budget: alone, or with a budget for each of several processes.

Without a plan its step takes 103 MiB, and 107 MiB under DistributedDataParallel.

usage: gpt.py [--budget=SIZE] [--batch=N] [--steps=N] [--layers=N]
       torchrun --nproc-per-node=2 gpt.py [--shard] [...]     # under DistributedDataParallel; --shard: under fully_shard (FSDP2)
"""
import argparse
import os

import memplan.torch
import torch
from torch import nn
from torch.nn.functional import cross_entropy

parser = argparse.ArgumentParser()
parser.add_argument("--budget", default="80MiB")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--steps", type=int, default=3)
parser.add_argument("--layers", type=int, default=4)
parser.add_argument("--shard", action="store_true")
options = parser.parse_args()
WORDS, LENGTH, WIDTH, HEADS = 1000, 64, 128, 4


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.attend, self.project = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.feed = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1))

    def forward(self, x):
        q, k, v = (p.unflatten(-1, (HEADS, -1)).transpose(1, 2) for p in self.attend(self.norms[0](x)).chunk(3, -1))
        x = x + self.project(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.feed(self.norms[1](x))


torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(WORDS, WIDTH), *(Block() for _ in range(options.layers)), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS))
if "WORLD_SIZE" in os.environ:  # torchrun sets it
    torch.distributed.init_process_group("gloo")
    if options.shard:
        from torch.distributed.fsdp import fully_shard

        for layer in model:
            fully_shard(layer)
        model = fully_shard(model)
    else:
        model = nn.parallel.DistributedDataParallel(model)
    torch.manual_seed(torch.distributed.get_rank())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def next_word(logits, words):
    return cross_entropy(logits.flatten(0, 1), words.flatten())


step = memplan.torch.compile(model, options.budget, loss=next_word, optimizer=optimizer)  # the one line
for number in range(options.steps):
    words = torch.randint(0, WORDS, (options.batch, LENGTH + 1))
    loss = step(words[:, :-1], words[:, 1:])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {number}: loss {loss.item():.4f}; {step.report}", flush=True)
if torch.distributed.is_initialized():
    torch.distributed.destroy_process_group()
