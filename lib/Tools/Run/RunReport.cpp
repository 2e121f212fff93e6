//===- RunReport.cpp - What memplan-run prints ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReport.h"

#include "memplan/Runtime/Data/RealElement.h"

#include <algorithm>
#include <cstdio>

using namespace memplan::runtime;

namespace memplan {

Status printLosses(const Runnable &runnable, int64_t step) {
  const Program &program = runnable.program();
  std::string line = "step " + std::to_string(step) + ":";
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    const Output &output = program.outputs[o];
    const DType type = output.operand.dtype;
    if (output.kind != OutputKind::Loss || !isFloat(type) ||
        output.operand.bytes() != byteSize(type))
      continue;
    std::byte bytes[sizeof(float)] = {};
    if (Status s = runnable.readOutput(int32_t(o), bytes, byteSize(type));
        !s.ok())
      return s;
    char text[32];
    std::snprintf(text, sizeof(text), " = %.9g", double(readReal(type, bytes)));
    line += " " + (output.name.empty() ? "loss" : output.name) + text;
  }
  std::printf("%s\n", line.c_str());
  return Status::success();
}

using Long = long long;

static void printBlock(const std::string &name, const ArenaUse &use,
                       const char *claim) {
  std::printf("measured: %s: planned %lld bytes, handed out %lld, touched "
              "%lld%s\n",
              name.c_str(), Long(use.plannedBytes), Long(use.handedOutBytes),
              Long(use.touchedBytes), claim);
}

void printUse(const Executable &executable, const StepUse &use) {
  for (size_t a = 0; a < use.arenas.size(); ++a) {
    bool exact = use.arenas[a].handedOutBytes == use.arenas[a].plannedBytes;
    printBlock("arena " + std::to_string(a) +
                   (executable.program().arenas[a].isHost() ? " (host)" : ""),
               use.arenas[a], exact ? "; handed out as planned" : "");
  }
  for (size_t block = 0; block < use.scratch.size(); ++block)
    std::printf("measured: shared scratch %zu: %lld bytes beyond the plan, "
                "handed out %lld, touched %lld\n",
                block, Long(use.scratch[block].plannedBytes),
                Long(use.scratch[block].handedOutBytes),
                Long(use.scratch[block].touchedBytes));
  const Device &device = executable.device();
  // What an older backend leaves alone is not known.
  memplan_overhead_t overhead = {0, 0, -1};
  if (device.backend().overhead_bytes &&
      device.backend().overhead_bytes(device.handle(), &overhead) == MEMPLAN_OK)
    std::printf("measured: beside the plan: %s bytes of context, %lld of "
                "libraries, %lld of kernel code\n",
                overhead.context_bytes < 0
                    ? "unknown"
                    : std::to_string(overhead.context_bytes).c_str(),
                Long(overhead.handle_bytes), Long(overhead.code_bytes));
}

/// Prints allocations of the whole process while a step ran. The executor makes
/// none; a kernel library may, above all in the first step, where it writes its
/// code.
static void printAllocations(const std::vector<StepStats> &steps) {
  if (steps.front().allocations < 0)
    return; // Nothing counts.
  std::printf("allocations inside a step: %lld in the first",
              static_cast<long long>(steps.front().allocations));
  int64_t later = 0;
  for (size_t i = 1; i < steps.size(); ++i)
    later = std::max(later, steps[i].allocations);
  int64_t bytes = 0;
  for (const StepStats &step : steps)
    bytes = std::max(bytes, step.allocatedBytes);
  if (steps.size() > 1)
    std::printf(", at most %lld in a later one", static_cast<long long>(later));
  std::printf("; at most %lld bytes at a moment of a launch\n",
              static_cast<long long>(bytes));
}

void printSteps(const std::vector<StepStats> &steps) {
  if (steps.empty())
    return;
  std::vector<double> micros;
  for (const StepStats &step : steps)
    micros.push_back(step.micros);
  // The first step meets cold caches; it counts only when it is alone.
  if (micros.size() > 1)
    micros.erase(micros.begin());
  std::sort(micros.begin(), micros.end());
  std::printf("time: %.3f ms a step (median of %zu), least %.3f ms\n",
              micros[micros.size() / 2] * 1e-3, micros.size(),
              micros.front() * 1e-3);
  printAllocations(steps);
}

void printPlannedFor(const Program &program, const Device &device) {
  if (const std::string other = device.differenceFrom(program.device);
      !other.empty())
    std::fprintf(stderr,
                 "memplan-run: warning: the plan of '%s' %s: scratch, variants "
                 "and costs are those of the other; plan again for this "
                 "device\n",
                 program.name.c_str(), other.c_str());
}

void printScratch(const Executable &executable) {
  const SharedScratch &shared = executable.sharedScratch();
  if (shared.instructions > 0)
    std::fprintf(stderr,
                 "memplan-run: note: the program was planned without the "
                 "workspaces of %lld instructions on this backend; they share "
                 "%lld bytes beyond the plan\n",
                 Long(shared.instructions), Long(shared.bytes));
  const MissingWorkspace &missing = executable.missingWorkspace();
  if (missing.instructions > 0)
    std::fprintf(stderr,
                 "memplan-run: note: %lld instructions run on slower kernels, "
                 "as the program was planned without the workspaces of this "
                 "backend (up to %lld bytes) and only %lld bytes may be taken "
                 "beyond the plan; give memplan-run the .mlir file in tensor "
                 "form, or plan with --backend\n",
                 Long(missing.instructions), Long(missing.largestBytes),
                 Long(missing.roomBytes));
}

} // namespace memplan
