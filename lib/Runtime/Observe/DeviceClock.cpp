//===- DeviceClock.cpp - Times by the clock of a device -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceClock.h"

#include "memplan/Runtime/Execute/KernelCall.h"

#include <algorithm>
#include <utility>

namespace memplan::runtime {

/// A reading of the clock of a GPU is good to half a microsecond.
static constexpr double microsAtOnce = 1000;
static constexpr int32_t mostAtOnce = 500;

static int32_t countFor(double micros) {
  return std::clamp(int32_t(microsAtOnce / std::max(micros, 1.0)), 1,
                    mostAtOnce);
}

namespace {
/// Outputs that lie on inputs, as the launch of the step left them.
class SavedOutputs {
public:
  static Result<SavedOutputs> of(const Executable &executable,
                                 size_t instruction) {
    SavedOutputs saved(executable.device());
    const memplan_launch_t &launch = executable.launch(instruction);
    const Instruction &of = executable.program().instructions[instruction];
    for (int32_t a = 0; a < launch.alias_count; ++a) {
      const auto output = size_t(launch.aliases[a].output);
      const int64_t bytes = of.outputs[output].spanBytes();
      Result<DeviceBuffer> copy =
          DeviceBuffer::allocate(saved.device, bytes, 256);
      if (!copy)
        return copy.error();
      void *place = launch.outputs[output].data;
      if (Status s = saved.copy(copy->base(), place, bytes); !s.ok())
        return s;
      saved.copies.emplace_back(place, std::move(*copy));
    }
    return saved;
  }

  Status restore() const {
    for (const auto &[place, saved] : copies)
      if (Status s = copy(place, saved.base(), saved.bytes()); !s.ok())
        return s;
    return Status::success();
  }

private:
  explicit SavedOutputs(const Device &device) : device(device) {}
  Status copy(void *target, const void *source, int64_t bytes) const {
    return device.status(
        device.backend().copy(device.handle(), target, source, bytes),
        "cannot keep what a launch overwrites");
  }

  const Device &device;
  std::vector<std::pair<void *, DeviceBuffer>> copies;
};
} // namespace

Result<double> timeLaunches(const Executable &executable, size_t instruction,
                            int32_t &count) {
  const Device &device = executable.device();
  const memplan_launch_t &launch = executable.launch(instruction);
  Result<SavedOutputs> saved = SavedOutputs::of(executable, instruction);
  if (!saved)
    return saved.error();
  double micros = 0;
  memplan_status_t code = MEMPLAN_OK;
  if (count == 0) {
    code = device.backend().time_launches(device.handle(), &launch, 1, &micros);
    count = countFor(micros);
  }
  if (code == MEMPLAN_OK)
    code = device.backend().time_launches(device.handle(), &launch, count,
                                          &micros);
  if (code != MEMPLAN_OK)
    return device.status(code, std::string("cannot time ") + launch.kernel);
  if (Status s = saved->restore(); !s.ok())
    return s;
  return micros / count;
}

/// Launches of the variant, once to warm up; nothing where it does not fit.
static Result<std::optional<double>>
timeVariant(const Executable &executable, size_t number,
            const WorkspaceVariant &variant) {
  const Device &device = executable.device();
  Result<DeviceBuffer> scratch =
      DeviceBuffer::allocate(device, variant.workspaceBytes, 256);
  if (!scratch)
    return std::optional<double>();
  Instruction instruction = executable.program().instructions[number];
  instruction.variant = variant.name;
  instruction.workspace.reset();
  if (variant.workspaceBytes > 0)
    instruction.workspace =
        Operand{Space::Arena, 0, 0, DType::I8, {variant.workspaceBytes}};
  Result<KernelCall> call =
      KernelCall::prepare(device, instruction, variant.workspaceBytes);
  if (!call)
    return call.error();
  const memplan_launch_t &launch = executable.launch(number);
  std::vector<void *> operands;
  for (int32_t i = 0; i < launch.input_count; ++i)
    operands.push_back(launch.inputs[i].data);
  for (int32_t o = 0; o < launch.output_count; ++o)
    operands.push_back(launch.outputs[o].data);
  operands.push_back(scratch->base());
  Result<double> once = call->time(operands.data(), 1);
  if (!once)
    return once.error();
  const int32_t count = countFor(*once);
  Result<double> micros = call->time(operands.data(), count);
  if (!micros)
    return micros.error();
  return std::optional<double>(*micros / count);
}

Result<std::vector<VariantTime>> timeVariants(const Executable &executable,
                                              size_t number) {
  std::vector<VariantTime> times;
  const Instruction &instruction = executable.program().instructions[number];
  if (instruction.variant.empty())
    return times;
  Result<std::vector<WorkspaceVariant>> variants =
      queryWorkspaceVariants(executable.device(), instruction);
  if (!variants)
    return variants.error();
  for (const WorkspaceVariant &variant : *variants) {
    if (variant.name == instruction.variant || variant.name.empty())
      continue;
    Result<std::optional<double>> micros =
        timeVariant(executable, number, variant);
    if (!micros)
      return micros.error();
    if (*micros)
      times.push_back({variant.name, variant.workspaceBytes, **micros});
  }
  return times;
}

} // namespace memplan::runtime
