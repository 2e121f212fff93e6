//===- Readers.cpp - The table of readers ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include <cstdio>
#include <cstdlib>

using namespace memplan::fuzz;

static const Reader table[] = {
    {"graph", readGraph, nullptr},
    {"plan", readPlan, nullptr},
    {"buffers", readBuffers, nullptr},
    {"profile", readProfile, nullptr},
    {"program", readProgram, programSamples},
    {"tensors", readTensors, tensorsSamples},
    {"array", readArray, arraySamples},
};
std::span<const Reader> memplan::fuzz::readers() { return table; }

void memplan::fuzz::require(bool holds, std::string_view what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzzing: %.*s\n", int(what.size()), what.data());
  std::abort();
}
