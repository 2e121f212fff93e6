//===- LaunchTable.cpp - Instructions as kernels see them -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchTable.h"

namespace memplan::runtime {

static memplan_attribute_t describe(const Attribute &attribute) {
  memplan_attribute_t result = {};
  result.name = attribute.name.c_str();
  const AttributeValue &value = attribute.value;
  result.kind = int32_t(value.index());
  if (const auto *integer = std::get_if<int64_t>(&value)) {
    result.int_value = *integer;
  } else if (const auto *real = std::get_if<double>(&value)) {
    result.float_value = *real;
  } else if (const auto *string = std::get_if<std::string>(&value)) {
    result.string = string->c_str();
  } else if (const auto *ints = std::get_if<std::vector<int64_t>>(&value)) {
    result.ints = ints->data();
    result.count = int32_t(ints->size());
  } else {
    const auto &floats = std::get<std::vector<double>>(value);
    result.floats = floats.data();
    result.count = int32_t(floats.size());
  }
  return result;
}

static memplan_tensor_t describe(const Operand &operand) {
  return {nullptr, int32_t(operand.dtype), int32_t(operand.shape.size()),
          operand.shape.data()};
}

/// Strides of each operand of an instruction; none where all are dense.
static std::vector<const int64_t *> stridesOf(const Instruction &instruction) {
  std::vector<const int64_t *> strides;
  bool any = false;
  for (const std::vector<Operand> *operands :
       {&instruction.inputs, &instruction.outputs})
    for (const Operand &operand : *operands) {
      any |= !operand.strides.empty();
      strides.push_back(operand.strides.empty() ? nullptr
                                                : operand.strides.data());
    }
  return any ? strides : std::vector<const int64_t *>();
}

/// Bytes in front of the first place in a workspace that is aligned as kernels
/// rely on: none where it was planned so.
static int64_t misplacedBytes(const Operand &workspace) {
  constexpr int64_t alignment = 256;
  const int64_t bytes = workspace.bytes();
  const int64_t before = -workspace.byteOffset & (alignment - 1);
  return bytes < alignment ? 0 : std::min(before, bytes);
}

LaunchTable::LaunchTable(std::span<const Instruction> instructions)
    : launches(instructions.size()), first(instructions.size()),
      attributes(instructions.size()), aliases(instructions.size()),
      strides(instructions.size()) {
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction &instruction = instructions[i];
    first[i] = tensors.size();
    for (const Operand &operand : instruction.inputs)
      tensors.push_back(describe(operand));
    for (const Operand &operand : instruction.outputs)
      tensors.push_back(describe(operand));
    for (const Attribute &attribute : instruction.attributes)
      attributes[i].push_back(describe(attribute));
    aliases[i] = aliasesOf(instruction);
    strides[i] = stridesOf(instruction);
  }
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction &instruction = instructions[i];
    memplan_launch_t &launch = launches[i];
    launch = {};
    launch.kernel = instruction.kernel.c_str();
    launch.inputs = tensors.data() + first[i];
    launch.input_count = int32_t(instruction.inputs.size());
    launch.outputs = launch.inputs + launch.input_count;
    launch.output_count = int32_t(instruction.outputs.size());
    launch.attributes = attributes[i].data();
    launch.attribute_count = int32_t(attributes[i].size());
    launch.aliases = aliases[i].data();
    launch.alias_count = int32_t(aliases[i].size());
    launch.workspace_bytes = instruction.workspace
                                 ? instruction.workspace->bytes() -
                                       misplacedBytes(*instruction.workspace)
                                 : 0;
    launch.stream = instruction.stream;
    launch.instruction = int32_t(i);
    launch.strides = strides[i].empty() ? nullptr : strides[i].data();
    if (!instruction.variant.empty())
      launch.variant = instruction.variant.c_str();
  }
}

void LaunchTable::resolve(
    std::span<const Instruction> instructions,
    const std::function<std::byte *(const Operand &)> &base) {
  auto at = [&](const Operand &operand) {
    return base(operand) + operand.byteOffset;
  };
  for (size_t i = 0; i < instructions.size(); ++i) {
    memplan_tensor_t *tensor = tensors.data() + first[i];
    for (const Operand &operand : instructions[i].inputs)
      (tensor++)->data = at(operand);
    for (const Operand &operand : instructions[i].outputs)
      (tensor++)->data = at(operand);
    if (instructions[i].workspace)
      launches[i].workspace = at(*instructions[i].workspace) +
                              misplacedBytes(*instructions[i].workspace);
  }
}

/// The first operand of 16 bits, or null.
static const memplan_tensor_t *firstHalf(const memplan_launch_t &launch) {
  auto isHalf = [](const memplan_tensor_t &tensor) {
    return tensor.dtype == MEMPLAN_BF16 || tensor.dtype == MEMPLAN_F16;
  };
  const memplan_tensor_t *end = launch.inputs + launch.input_count;
  const memplan_tensor_t *found = std::find_if(launch.inputs, end, isHalf);
  if (found != end)
    return found;
  end = launch.outputs + launch.output_count;
  found = std::find_if(launch.outputs, end, isHalf);
  return found == end ? nullptr : found;
}

Result<memplan_prepared_t> prepareLaunch(const Device &device,
                                         memplan_launch_t &launch,
                                         const std::string &what) {
  const memplan_backend_t &backend = device.backend();
  const memplan_tensor_t *half = firstHalf(launch);
  if (half && backend.abi_version < 6)
    return Status{MEMPLAN_UNAVAILABLE,
                  what + ": the backend '" + backend.name +
                      "' has no kernels for elements of " +
                      std::string(toString(DType(half->dtype))) +
                      ": run it with --precision=f32, or on the backend cpu"};
  if (!backend.list_variants)
    launch.variant = nullptr;
  memplan_prepared_t prepared = {};
  const memplan_status_t code =
      backend.prepare(device.handle(), &launch, &prepared);
  if (code != MEMPLAN_OK)
    return device.status(code, what);
  // What was priced is what runs, or nothing does.
  const char *taken = prepared.variant ? prepared.variant : "";
  if (!launch.variant || std::string_view(taken) == launch.variant)
    return prepared;
  Status wrong =
      invalid(what + " was planned as the variant '" + launch.variant +
              "', and " + device.name() + " prepared '" + taken + "'");
  backend.release(device.handle(), prepared.state);
  return wrong;
}

} // namespace memplan::runtime
