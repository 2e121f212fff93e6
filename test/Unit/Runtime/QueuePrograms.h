//===- QueuePrograms.h - Small programs on several queues -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_RUNTIME_QUEUEPROGRAMS_H
#define MEMPLAN_TEST_UNIT_RUNTIME_QUEUEPROGRAMS_H

#include "memplan/Runtime/Program/Program.h"

#include <random>

namespace memplan::runtime::test {

/// Registers, once, kernels on words of eight bytes. Each takes at least as
/// many microseconds as its attribute `micros` says.
///   test.mix    every word of its output depends on every word of its inputs
///   test.meet   waits for another test.meet up to `micros`, else fails
///   test.fails  as test.mix, but fails if told to
void registerQueueKernels();
void failKernels(bool fail);

/// `bytes` bytes of an arena.
Operand atBytes(int32_t arena, int64_t offset, int64_t bytes);
Instruction mixCall(std::string kernel, int32_t stream,
                    std::vector<Operand> inputs, std::vector<Operand> outputs,
                    int64_t micros);
Instruction copyCall(Queue queue, int32_t stream, Operand source,
                     Operand target);

/// Eight kernels, colored by MXNet's longest paths: 1 5 6 7 8 on stream 0 and 2
/// 3 4 on stream 1. Kernel 6 writes over what 1 made, which 5 was the last to
/// read in the table; 2 reads it too. Safe, 6 waits for 2.
Program coloredProgram(bool safe);

/// Kernels and copies at random on three streams and both engines, over few
/// places that are all written at first, with the waits that they need and some
/// that they do not. Values are named.
Program randomQueueProgram(std::mt19937 &random, int32_t instructions);

} // namespace memplan::runtime::test

#endif // MEMPLAN_TEST_UNIT_RUNTIME_QUEUEPROGRAMS_H
