//===- Compare.cpp - A planned run against an unplanned run ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Data/RealElement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace memplan::runtime {

Status checkComparable(const Program &planned, const Program &unplanned) {
  if (planned.arguments.size() != unplanned.arguments.size() ||
      planned.outputs.size() != unplanned.outputs.size())
    return invalid("the planned program has " +
                   std::to_string(planned.arguments.size()) +
                   " arguments and " + std::to_string(planned.outputs.size()) +
                   " outputs, the unplanned " +
                   std::to_string(unplanned.arguments.size()) + " and " +
                   std::to_string(unplanned.outputs.size()));
  for (size_t i = 0; i < planned.arguments.size(); ++i) {
    // Where an argument lies is the plan's business.
    Argument other = unplanned.arguments[i];
    other.arena = planned.arguments[i].arena;
    other.arenaOffset = planned.arguments[i].arenaOffset;
    if (!(planned.arguments[i] == other))
      return invalid("argument " + std::to_string(i) + " is '" +
                     planned.arguments[i].name + "' in the planned program, '" +
                     unplanned.arguments[i].name +
                     "' in the unplanned, or of another kind");
  }
  for (size_t o = 0; o < planned.outputs.size(); ++o) {
    const Output &a = planned.outputs[o], &b = unplanned.outputs[o];
    if (a.kind != b.kind || a.operand.dtype != b.operand.dtype ||
        a.operand.shape != b.operand.shape)
      return invalid("output " + std::to_string(o) + " is " +
                     typeText(a.operand.dtype, a.operand.shape) +
                     " in the planned program, " +
                     typeText(b.operand.dtype, b.operand.shape) +
                     " in the unplanned");
  }
  return Status::success();
}

static std::string elementText(const std::byte *bytes, DType dtype) {
  if (isFloat(dtype)) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9g", double(readReal(dtype, bytes)));
    return text;
  }
  int64_t value = 0;
  std::memcpy(&value, bytes, size_t(byteSize(dtype)));
  return std::to_string(dtype == DType::I8 ? int64_t(int8_t(value)) : value);
}

static Status compareNearly(const std::string &what, DType dtype,
                            const std::vector<std::byte> &planned,
                            const std::vector<std::byte> &unplanned,
                            Closeness &closeness) {
  double difference = 0, norm = 0;
  const auto size = size_t(byteSize(dtype));
  const size_t count = planned.size() / size;
  for (size_t i = 0; i < count; ++i) {
    const double a = readReal(dtype, planned.data() + i * size);
    const double b = readReal(dtype, unplanned.data() + i * size);
    difference += (a - b) * (a - b);
    norm += b * b;
  }
  constexpr double noise = 1e-4;
  const double far = std::sqrt(difference) /
                     (std::sqrt(norm) + noise * std::sqrt(double(count)));
  closeness.farthest = std::max(closeness.farthest, far);
  if (far <= closeness.tolerance)
    return Status::success();
  char text[64];
  std::snprintf(text, sizeof(text), "%.3g, but %.3g is allowed", far,
                closeness.tolerance);
  return {MEMPLAN_CHECK_FAILED,
          what + " differs from the unplanned run by a norm of " + text};
}

static Status compareBytes(const std::string &what, DType dtype,
                           const std::vector<std::byte> &planned,
                           const std::vector<std::byte> &unplanned,
                           Closeness &closeness) {
  auto difference =
      std::mismatch(planned.begin(), planned.end(), unplanned.begin());
  if (difference.first == planned.end())
    return Status::success();
  if (isFloat(dtype) && closeness.tolerance > 0)
    return compareNearly(what, dtype, planned, unplanned, closeness);
  int64_t element = (difference.first - planned.begin()) / byteSize(dtype);
  size_t at = size_t(element * byteSize(dtype));
  return {MEMPLAN_CHECK_FAILED,
          what + " differs at element " + std::to_string(element) +
              ": planned " + elementText(planned.data() + at, dtype) +
              ", unplanned " + elementText(unplanned.data() + at, dtype)};
}

int64_t countEncoded(const Program &program) {
  return std::count_if(program.instructions.begin(), program.instructions.end(),
                       [](const Instruction &instruction) {
                         return instruction.kernel == "memplan.encode_bf16";
                       });
}

/// The step may leave anything in a donated input that it does not update.
static bool isKept(const Program &program, size_t argument) {
  return !program.arguments[argument].donated ||
         std::any_of(program.updates.begin(), program.updates.end(),
                     [&](const Update &update) {
                       return size_t(update.argument) == argument;
                     });
}

Status compareStep(const Runnable &planned, const Runnable &unplanned,
                   Closeness &closeness) {
  const Program &program = planned.program();
  std::vector<std::byte> a, b;
  auto resize = [&](int64_t bytes) {
    a.resize(size_t(bytes));
    b.resize(size_t(bytes));
  };
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    const Output &output = program.outputs[o];
    resize(output.operand.bytes());
    Status read = planned.readOutput(int32_t(o), a.data(), int64_t(a.size()));
    if (read.ok())
      read = unplanned.readOutput(int32_t(o), b.data(), int64_t(b.size()));
    if (read.ok())
      read = compareBytes("output '" + output.name + "'", output.operand.dtype,
                          a, b, closeness);
    if (!read.ok())
      return read;
  }
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Argument &argument = program.arguments[i];
    if (!isKept(program, i))
      continue;
    resize(argument.bytes());
    Status read = planned.readArgument(int32_t(i), a.data(), int64_t(a.size()));
    if (read.ok())
      read = unplanned.readArgument(int32_t(i), b.data(), int64_t(b.size()));
    if (read.ok())
      read = compareBytes(std::string(toString(argument.kind)) + " '" +
                              argument.name + "'",
                          argument.dtype, a, b, closeness);
    if (!read.ok())
      return read;
  }
  return Status::success();
}

static void countValues(const Program &program, CompareReport &report) {
  for (const Output &output : program.outputs) {
    ++report.values;
    report.bytes += output.operand.bytes();
  }
  for (size_t i = 0; i < program.arguments.size(); ++i)
    if (isKept(program, i)) {
      ++report.values;
      report.bytes += program.arguments[i].bytes();
    }
}

Result<CompareReport> compareRuns(Runnable &planned, Runnable &unplanned,
                                  const Feed &feed,
                                  const CompareOptions &options) {
  if (Status s = checkComparable(planned.program(), unplanned.program());
      !s.ok())
    return s;
  std::vector<Runnable *> runnables = {&planned, &unplanned};
  if (options.lossless)
    runnables.push_back(options.lossless);
  for (Runnable *runnable : runnables)
    if (Status s = feed.initialize(*runnable); !s.ok())
      return s;
  Closeness closeness{options.tolerance};
  Closeness loss{std::numeric_limits<double>::infinity()};
  auto oneStep = [&](int64_t step) {
    for (Runnable *runnable : runnables)
      if (Status s = feed.feedStep(*runnable, step); !s.ok())
        return s;
    if (Status s = planned.run(options.observers); !s.ok())
      return s;
    for (Runnable *other : runnables)
      if (other != &planned)
        if (Status s = other->run(); !s.ok())
          return s;
    Status status = compareStep(planned, unplanned, closeness);
    if (status.ok() && options.lossless)
      status = compareStep(planned, *options.lossless, loss);
    return status;
  };
  CompareReport report;
  for (int64_t i = 0; i < options.steps; ++i) {
    if (options.stop && options.stop())
      break;
    int64_t step = feed.firstStep() + i;
    Status status = oneStep(step);
    if (!status.ok())
      return Status{status.code,
                    "step " + std::to_string(step) + ": " + status.message};
    if (options.afterStep)
      if (Status s = options.afterStep(step); !s.ok())
        return s;
    ++report.steps;
  }
  countValues(planned.program(), report);
  report.farthest = closeness.farthest;
  report.farthestFromLossless = loss.farthest;
  return report;
}

} // namespace memplan::runtime
