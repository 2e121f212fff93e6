//===- RandomProgram.h - Programs on several streams ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_RANDOMPROGRAM_H
#define MEMPLAN_TEST_UNIT_CUDA_RANDOMPROGRAM_H

#include "memplan/Runtime/Execute/Executor.h"

#include <random>

namespace memplan::runtime::test {

/// Kernels and copies at random on three streams and both engines, of f32. Each
/// kernel is one launch.
Program randomProgram(std::mt19937 &random, int32_t instructions);

/// All arenas after a step that began with zeros there.
std::vector<std::byte>
runFromZeros(Executable &executable,
             std::span<StepObserver *const> observers = {});

} // namespace memplan::runtime::test

#endif // MEMPLAN_TEST_UNIT_CUDA_RANDOMPROGRAM_H
