//===- Arguments.cpp - What goes into a step and comes out ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableState.h"

namespace memplan::runtime {

Status Executable::bindArgument(int32_t argument, void *data, int64_t bytes) {
  if (Status status = state->program.checkArgument(argument, bytes);
      !status.ok())
    return status;
  if (!data || reinterpret_cast<uintptr_t>(data) % 64 != 0)
    return invalid("argument '" +
                   state->program.arguments[size_t(argument)].name +
                   "' is bound to memory that is null or not aligned to 64 "
                   "bytes");
  if (state->program.arguments[size_t(argument)].arena >= 0)
    return invalid("argument '" +
                   state->program.arguments[size_t(argument)].name +
                   "' lies in an arena and cannot be bound to other memory; "
                   "write it before each step");
  if (const int32_t own = state->ownBlocks[size_t(argument)]; own >= 0)
    state->beside[size_t(own)] = DeviceBuffer();
  state->dropGraph();
  state->arguments[size_t(argument)] = static_cast<std::byte *>(data);
  state->resolve();
  return Status::success();
}

/// An argument in an arena takes bytes of outputs of the last step.
static void overwriteOutputs(ExecutableState &state, const Argument &argument) {
  for (size_t o = 0; o < state.program.outputs.size(); ++o) {
    const Operand &output = state.program.outputs[o].operand;
    if (output.space == Space::Arena && output.index == argument.arena &&
        output.byteOffset < argument.arenaOffset + argument.bytes() &&
        argument.arenaOffset < output.byteOffset + output.bytes())
      state.overwritten[o] = true;
  }
}

Status Executable::writeArgument(int32_t argument, const void *host,
                                 int64_t bytes) {
  if (Status status = state->program.checkArgument(argument, bytes);
      !status.ok())
    return status;
  const Argument &info = state->program.arguments[size_t(argument)];
  if (info.arena >= 0) {
    overwriteOutputs(*state, info);
    state->holds[size_t(argument)] = true;
  }
  return state->device.status(state->write(argumentBase(size_t(argument)), host,
                                           bytes, state->isOnHost(info)),
                              "cannot write argument " +
                                  std::to_string(argument));
}

Status Executable::readArgument(int32_t argument, void *host,
                                int64_t bytes) const {
  if (Status status = state->program.checkArgument(argument, bytes);
      !status.ok())
    return status;
  const Argument &info = state->program.arguments[size_t(argument)];
  if (info.arena >= 0 && !state->holds[size_t(argument)])
    return invalid("argument '" + info.name +
                   "' lies in an arena, where other values take its bytes "
                   "after its last user: it cannot be read after the step");
  return state->device.status(state->read(argumentBase(size_t(argument)), host,
                                          bytes, state->isOnHost(info)),
                              "cannot read argument " +
                                  std::to_string(argument));
}

Status ExecutableState::checkArguments() {
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    if (program.arguments[i].arena < 0)
      continue;
    if (!holds[i])
      return invalid("argument '" + program.arguments[i].name +
                     "' lies in an arena, where nothing was written or the "
                     "last step used its bytes: write it before each step");
    holds[i] = program.keepsOnHost(program.arguments[i]);
  }
  overwritten.assign(overwritten.size(), false);
  return Status::success();
}

Status Executable::readOperand(const Operand &operand, void *host) const {
  const bool isHost = operand.space == Space::Arena &&
                      program().arenas[size_t(operand.index)].isHost();
  return state->device.status(
      state->read(state->addressOf(operand), host, operand.bytes(), isHost),
      "cannot read an operand");
}

Status Executable::readOutput(int32_t output, void *host, int64_t bytes) const {
  if (Status status = state->program.checkOutput(output, bytes); !status.ok())
    return status;
  const Output &info = state->program.outputs[size_t(output)];
  if (state->overwritten[size_t(output)])
    return invalid(
        "output '" + info.name +
        "' is not kept: an argument that lies in an arena was written "
        "over its bytes; read outputs before the next batch is "
        "written");
  return readOperand(info.operand, host);
}

} // namespace memplan::runtime
