//===- CaseProgram.cpp - Programs that run one case -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"

#include "memplan/Runtime/Data/RealElement.h"

#include <cstring>

namespace memplan::runtime::conformance {

static constexpr int64_t alignment = 256;

static int64_t aligned(int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

template <typename T>
static void store(const Values &values, std::vector<std::byte> &bytes) {
  bytes.resize(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value = T(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

template <typename T>
static void load(const std::vector<std::byte> &bytes, Values &values) {
  values.resize(bytes.size() / sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = double(value);
  }
}

std::vector<std::byte> toBytes(const TestTensor &tensor) {
  std::vector<std::byte> bytes;
  if (tensor.dtype == DType::I64)
    store<int64_t>(tensor.values, bytes);
  else if (tensor.dtype == DType::I8)
    store<int8_t>(tensor.values, bytes);
  else {
    const auto size = size_t(byteSize(tensor.dtype));
    bytes.resize(tensor.values.size() * size);
    for (size_t i = 0; i < tensor.values.size(); ++i)
      writeReal(tensor.dtype, float(tensor.values[i]), bytes.data() + i * size);
  }
  return bytes;
}

Values toValues(const std::vector<std::byte> &bytes, DType dtype) {
  Values values;
  if (dtype == DType::I64)
    load<int64_t>(bytes, values);
  else if (dtype == DType::I8)
    load<int8_t>(bytes, values);
  else {
    const auto size = size_t(byteSize(dtype));
    for (size_t at = 0; at < bytes.size(); at += size)
      values.push_back(double(readReal(dtype, bytes.data() + at)));
  }
  return values;
}

/// Moves each operand by elements of its own.
static void shiftOperands(Program &program, int64_t elements) {
  Instruction &call = program.instructions[0];
  for (std::vector<Operand> *operands : {&call.inputs, &call.outputs})
    for (Operand &operand : *operands)
      operand.byteOffset += elements * byteSize(operand.dtype);
  for (Output &output : program.outputs)
    output.operand.byteOffset += elements * byteSize(output.operand.dtype);
  for (size_t i = 0; i < program.arguments.size(); ++i)
    program.arguments[i].shape = {count(program.arguments[i].shape) + elements};
}

Program caseProgram(const Case &test, const memplan_in_place_t *alias,
                    int64_t shift) {
  Program program;
  program.name = test.kernel;
  Instruction instruction;
  instruction.kernel = test.kernel;
  instruction.node = 0;
  instruction.attributes = test.attributes;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    Argument argument;
    argument.name = "input" + std::to_string(i);
    argument.dtype = test.inputs[i].dtype;
    argument.shape = test.inputs[i].shape;
    program.arguments.push_back(argument);
    instruction.inputs.push_back(
        {Space::Argument, int32_t(i), 0, argument.dtype, argument.shape});
  }
  int64_t end = 0;
  for (size_t o = 0; o < test.outputs.size(); ++o) {
    Operand operand{Space::Arena, 0, end, test.outputs[o].dtype,
                    test.outputs[o].shape};
    if (alias && alias->output == int32_t(o)) {
      operand.space = Space::Argument;
      operand.index = alias->input;
      operand.byteOffset = 0;
    } else {
      end += aligned(operand.bytes() + shift * byteSize(operand.dtype));
    }
    instruction.outputs.push_back(operand);
    program.outputs.push_back(
        {"output" + std::to_string(o), OutputKind::Output, operand});
  }
  program.arenas.push_back({end, alignment, "device"});
  program.instructions.push_back(std::move(instruction));
  if (shift > 0)
    shiftOperands(program, shift);
  return program;
}

Status addWorkspace(const Device &device, Program &program) {
  for (Instruction &instruction : program.instructions) {
    if (instruction.isCopy())
      continue;
    Result<int64_t> bytes = queryWorkspaceBytes(device, instruction);
    if (!bytes)
      return bytes.error();
    if (*bytes == 0)
      continue;
    int64_t begin = aligned(program.arenas[0].bytes);
    instruction.workspace =
        Operand{Space::Arena, 0, begin, DType::I8, {*bytes}};
    program.arenas[0].bytes = begin + *bytes;
  }
  return Status::success();
}

Result<std::vector<std::vector<std::byte>>>
runCase(const Device &device, const Case &test, const memplan_in_place_t *alias,
        int64_t shift) {
  Program program = caseProgram(test, alias, shift);
  if (Status status = addWorkspace(device, program); !status.ok())
    return status;
  int64_t arenaBytes = program.arenas[0].bytes;
  Result<Executable> executable =
      Executable::compile(device, std::move(program));
  if (!executable)
    return executable.error();
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    std::vector<std::byte> bytes = toBytes(test.inputs[i]);
    const int64_t before = shift * byteSize(test.inputs[i].dtype);
    bytes.insert(bytes.begin(), size_t(before), std::byte{0xFF});
    if (Status status = executable->writeArgument(int32_t(i), bytes.data(),
                                                  int64_t(bytes.size()));
        !status.ok())
      return status;
  }
  // All ones is a NaN, so that an element that nothing writes cannot pass.
  memplan_status_t filled = device.backend().fill(
      device.handle(), executable->arenaBase(0), 0xFF, arenaBytes);
  if (filled != MEMPLAN_OK)
    return device.status(filled, "cannot fill the arena");
  if (Status status = executable->run(); !status.ok())
    return status;
  std::vector<std::vector<std::byte>> outputs;
  for (size_t o = 0; o < test.outputs.size(); ++o) {
    outputs.emplace_back(
        size_t(executable->program().outputs[o].operand.bytes()));
    if (Status status = executable->readOutput(
            int32_t(o), outputs.back().data(), int64_t(outputs.back().size()));
        !status.ok())
      return status;
  }
  return outputs;
}

} // namespace memplan::runtime::conformance
