#!/usr/bin/env python3
"""Trains a MobileNetV2 on made-up images within a budget: 120 MiB, where the step takes 172 MiB without a plan.

usage: vision.py [--budget=SIZE] [--batch=N] [--steps=N] [--size=PIXELS]
"""
import argparse

import memplan.torch
import torch
import torchvision
from torch.nn.functional import cross_entropy

parser = argparse.ArgumentParser()
parser.add_argument("--budget", default="120MiB")
parser.add_argument("--batch", type=int, default=16)
parser.add_argument("--steps", type=int, default=3)
parser.add_argument("--size", type=int, default=96)
options = parser.parse_args()

torch.manual_seed(0)
model = torchvision.models.mobilenet_v2(num_classes=10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
step = memplan.torch.compile(model, options.budget, loss=cross_entropy, optimizer=optimizer)  # the one line
for number in range(options.steps):
    images, labels = torch.randn(options.batch, 3, options.size, options.size), torch.randint(0, 10, (options.batch,))
    loss = step(images, labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {number}: loss {loss.item():.4f}; {step.report}")
