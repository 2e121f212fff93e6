//===- TraceRecorder.h - What a dynamic step did ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sequence of a plan with the time and the place of everything, as JSON:
// docs/Formats.md, "Traces".
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DYNAMIC_TRACERECORDER_H
#define MEMPLAN_RUNTIME_DYNAMIC_TRACERECORDER_H

#include "memplan/Runtime/Dynamic/Engine.h"

#include <string>

namespace memplan::runtime {

/// Listens to the steps of one program and keeps the last one.
class TraceRecorder : public DynamicListener {
public:
  /// Fails for a program that runs an instruction again: it is planned.
  static Result<TraceRecorder> create(const Program &program);

  /// Forgets the step before. `arguments` are the values of the program's
  /// arguments, -1 for those that are not there.
  void beginStep(std::span<const ValueId> arguments, double at);
  void endStep(const Pool &pool);

  std::string text() const;

  void launching(const DynamicLaunch &launch) override;
  void made(ValueId value, int64_t op, int32_t output, int64_t address,
            int64_t bytes, double at) override;
  void overwritten(ValueId value, int64_t op, int32_t output, int64_t address,
                   int64_t bytes) override;
  void left(ValueId value, int64_t address, int64_t bytes, double at) override;
  void copiedOut(ValueId value, double at) override;
  void copiedIn(ValueId value, int64_t address, double at) override;
  void leftHost(ValueId value, double at) override;

private:
  enum class Action : uint8_t { Compute, Free, Evict, Fetch, Wait, DropHost };
  struct Step {
    Action action = Action::Compute;
    int32_t tensor = -1; ///< or instruction of a compute, or event of a wait
    int32_t event = -1;  ///< of a copy
    double at = 0;
    std::vector<int64_t> addresses;
    std::vector<std::pair<int32_t, int32_t>> inPlace; ///< output and tensor
  };
  struct Tensor {
    int64_t bytes = 0;
    int32_t node = -1, output = 0;
    int32_t instruction = -1; ///< -1: an argument
    /// An output that is an argument's new version is no tensor of its own.
    bool isListed = true;
  };
  void add(Action action, ValueId value, double at);
  void addCopy(Action action, ValueId value, double at, int64_t address);
  int32_t tensorOf(ValueId value) const;
  void stepText(const Step &step, std::string &text) const;

  std::string name;
  std::vector<Tensor> tensors;      ///< by number of the value
  std::vector<int32_t> firstOutput; ///< of each instruction, among tensors
  std::vector<int32_t> nodes;
  std::vector<int32_t> aliasOf;  ///< by number: itself, or the argument
  std::vector<int32_t> numberOf; ///< by value of the engine
  std::vector<Step> steps;
  int32_t events = 0;
  double start = 0;
  bool recording = false;
  int64_t poolBytes = 0, highWaterBytes = 0;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DYNAMIC_TRACERECORDER_H
