//===- KernelCall.cpp - A kernel prepared for operands anywhere -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/KernelCall.h"

#include "LaunchTable.h"

#include <algorithm>

namespace memplan::runtime {

struct KernelCall::State {
  const Device &device;
  const Instruction instruction;
  LaunchTable table;
  void *handle = nullptr;

  State(const Device &device, Instruction source)
      : device(device), instruction(std::move(source)),
        table({&instruction, 1}) {}
  ~State() { release(); }

  void release() {
    if (handle)
      device.backend().release(device.handle(), handle);
    handle = nullptr;
  }

  void setOperands(void *const *operands) {
    memplan_launch_t &launch = table.launch(0);
    const int32_t count = launch.input_count + launch.output_count;
    for (int32_t i = 0; i < count; ++i)
      table.operands(0)[i].data = operands[i];
    launch.workspace = launch.workspace_bytes > 0 ? operands[count] : nullptr;
  }

  /// With as much scratch as the launch says.
  Result<memplan_prepared_t> prepare() {
    Result<memplan_prepared_t> prepared =
        prepareLaunch(device, table.launch(0), instruction.kernel);
    if (!prepared)
      return prepared;
    table.launch(0).state = handle = prepared->state;
    if (table.launch(0).strides && !prepared->takes_strides)
      return Status{MEMPLAN_UNAVAILABLE,
                    instruction.kernel +
                        " has operands with gaps between their samples, which "
                        "its kernel on " +
                        device.name() + " does not take"};
    return prepared;
  }
};

KernelCall::KernelCall(std::unique_ptr<State> state)
    : state(std::move(state)) {}
KernelCall::KernelCall(KernelCall &&) noexcept = default;
KernelCall &KernelCall::operator=(KernelCall &&) noexcept = default;
KernelCall::~KernelCall() = default;

const Instruction &KernelCall::instruction() const {
  return state->instruction;
}
int64_t KernelCall::workspaceBytes() const {
  return state->table.launch(0).workspace_bytes;
}

Result<KernelCall> KernelCall::prepare(const Device &device,
                                       Instruction instruction,
                                       int64_t scratchLimit) {
  auto state = std::make_unique<State>(device, std::move(instruction));
  memplan_launch_t &launch = state->table.launch(0);
  const int64_t given = launch.workspace_bytes;
  Result<memplan_prepared_t> prepared = state->prepare();
  if (!prepared)
    return prepared.error();
  const int64_t wanted =
      std::max(prepared->wanted_workspace_bytes, prepared->workspace_bytes);
  if (wanted > given && wanted <= scratchLimit) {
    state->release();
    launch.workspace_bytes = wanted;
    prepared = state->prepare();
    if (!prepared)
      return prepared.error();
  }
  if (prepared->workspace_bytes > launch.workspace_bytes)
    return invalid(state->instruction.kernel + " needs " +
                   std::to_string(prepared->workspace_bytes) +
                   " workspace bytes on " + device.name() + ", more than the " +
                   std::to_string(launch.workspace_bytes) +
                   " that it may take");
  return KernelCall(std::move(state));
}

Status KernelCall::launch(void *const *operands) const {
  state->setOperands(operands);
  const Device &device = state->device;
  const memplan_status_t code =
      device.backend().launch(device.handle(), &state->table.launch(0));
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, state->instruction.kernel);
}

Result<double> KernelCall::time(void *const *operands, int32_t count) const {
  const Device &device = state->device;
  if (!device.backend().time_launches)
    return Status{MEMPLAN_UNAVAILABLE, device.name() + " has no clock"};
  state->setOperands(operands);
  double micros = 0;
  const memplan_status_t code = device.backend().time_launches(
      device.handle(), &state->table.launch(0), count, &micros);
  if (code != MEMPLAN_OK)
    return device.status(code, state->instruction.kernel);
  return micros;
}

} // namespace memplan::runtime
