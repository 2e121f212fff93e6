//===- Tsan.cpp - Queues under the thread sanitizer -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of its own, since what it is built from is instrumented: the
// backend, the steps of the executor and the kernels. "safe" runs right
// programs, of which the sanitizer must say nothing, "unsafe" one that lacks a
// wait, which it must report.
//
//===----------------------------------------------------------------------===//

#include "QueuePrograms.h"

#include "memplan/Kernels/Cpu/CpuBackend.h"
#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Runtime/Execute/Executor.h"

#include <cstdio>
#include <cstring>

using namespace memplan::runtime;

/// The kernels of the tests are all that there are.
std::span<const memplan_kernel_t> memplan::runtime::referenceKernels() {
  return {};
}

static Status runSteps(const Device &device, const Program &program) {
  ExecuteOptions options;
  options.allowRaces = true;
  Result<Executable> executable = Executable::compile(device, program, options);
  Status status = executable.ok() ? Status::success() : executable.error();
  for (int step = 0; step < 5 && status.ok(); ++step)
    status = executable->run();
  return status;
}

int main(int argc, char **argv) {
  const bool safe = argc > 1 && std::strcmp(argv[1], "safe") == 0;
  test::registerQueueKernels();
  Status status = registerBackend("reference", referenceBackend());
  Result<Device> device = Device::open("reference", 0, /*threads=*/2);
  if (!status.ok() || !device.ok())
    return 1;
  status = runSteps(*device, test::coloredProgram(safe));
  std::mt19937 random(3);
  if (safe)
    for (int round = 0; round < 5 && status.ok(); ++round)
      status = runSteps(*device, test::randomQueueProgram(random, 40));
  if (!status.ok())
    std::fprintf(stderr, "%s\n", status.message.c_str());
  std::printf("ran\n");
  return status.ok() ? 0 : 1;
}
