//===- Program.cpp - The flat table that the runtime executes -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Program/Program.h"

#include <algorithm>

#include <charconv>

namespace memplan::runtime {

int64_t byteSize(DType type) {
  switch (type) {
  case DType::F32:
    return 4;
  case DType::I64:
    return 8;
  case DType::I8:
    return 1;
  case DType::BF16:
  case DType::F16:
    return 2;
  }
  return 0;
}

bool isFloat(DType type) { return type != DType::I64 && type != DType::I8; }

std::string_view toString(DType type) {
  switch (type) {
  case DType::F32:
    return "f32";
  case DType::I64:
    return "i64";
  case DType::I8:
    return "i8";
  case DType::BF16:
    return "bf16";
  case DType::F16:
    return "f16";
  }
  return "?";
}

std::string_view toString(ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::Parameter:
    return "parameter";
  case ArgumentKind::State:
    return "state";
  case ArgumentKind::Input:
    return "input";
  }
  return "?";
}

std::string_view toString(OutputKind kind) {
  return kind == OutputKind::Loss ? "loss" : "output";
}

std::string_view toString(Queue queue) {
  switch (queue) {
  case Queue::Compute:
    return "compute";
  case Queue::DeviceToHost:
    return "d2h";
  case Queue::HostToDevice:
    return "h2d";
  }
  return "?";
}

std::optional<int64_t> tensorBytes(DType type,
                                   const std::vector<int64_t> &shape) {
  int64_t bytes = byteSize(type);
  for (int64_t dim : shape)
    if (dim < 0 || __builtin_mul_overflow(bytes, dim, &bytes))
      return std::nullopt;
  return bytes;
}

std::vector<int64_t> denseStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t next = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = next;
    // A shape without elements may have any other sizes.
    if (__builtin_mul_overflow(next, shape[d], &next))
      next = 0;
  }
  return strides;
}

int64_t Operand::spanBytes() const {
  if (strides.empty() || bytes() == 0)
    return bytes();
  int64_t last = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    last += (shape[d] - 1) * strides[d];
  return (last + 1) * byteSize(dtype);
}

std::vector<ByteRun> runsOf(const Operand &operand) {
  const std::vector<int64_t> &shape = operand.shape, &strides = operand.strides;
  size_t outer = strides.empty() || operand.bytes() == 0 ? 0 : shape.size();
  int64_t length = 1;
  while (outer > 0 && (shape[outer - 1] == 1 || strides[outer - 1] == length))
    length *= shape[--outer];
  const int64_t unit = byteSize(operand.dtype);
  if (outer == 0)
    return {{operand.byteOffset, operand.byteOffset + operand.bytes()}};
  std::vector<ByteRun> runs;
  std::vector<int64_t> index(outer);
  for (const int64_t count = operand.bytes() / (length * unit);
       int64_t(runs.size()) < count;) {
    int64_t element = 0;
    for (size_t d = 0; d < outer; ++d)
      element += index[d] * strides[d];
    const int64_t begin = operand.byteOffset + element * unit;
    runs.push_back({begin, begin + length * unit});
    for (size_t d = outer; d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
  return runs;
}

std::string typeText(DType type, const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  return text.append(toString(type));
}

Status Program::checkArgument(int32_t argument, int64_t bytes) const {
  if (argument < 0 || size_t(argument) >= arguments.size())
    return invalid("no argument " + std::to_string(argument) +
                   "; the program has " + std::to_string(arguments.size()));
  const Argument &info = arguments[size_t(argument)];
  if (bytes != info.bytes())
    return invalid("argument '" + info.name + "' takes " +
                   std::to_string(info.bytes()) + " bytes, not " +
                   std::to_string(bytes));
  return Status::success();
}

Status Program::checkOutput(int32_t output, int64_t bytes) const {
  if (output < 0 || size_t(output) >= outputs.size())
    return invalid("no output " + std::to_string(output) +
                   "; the program has " + std::to_string(outputs.size()));
  const Output &info = outputs[size_t(output)];
  if (bytes != info.operand.bytes())
    return invalid("output '" + info.name + "' takes " +
                   std::to_string(info.operand.bytes()) + " bytes, not " +
                   std::to_string(bytes));
  return Status::success();
}

bool Program::namesValues() const {
  for (const Instruction &instruction : instructions)
    for (const Operand &output : instruction.outputs)
      return output.value >= 0;
  // Nothing is made, as in a step that returns a view of an argument.
  return std::any_of(
             outputs.begin(), outputs.end(),
             [](const Output &output) { return output.operand.value >= 0; }) ||
         std::any_of(updates.begin(), updates.end(), [](const Update &update) {
           return update.value.value >= 0;
         });
}

bool Program::usesQueues() const {
  return std::any_of(instructions.begin(), instructions.end(),
                     [&](const Instruction &instruction) {
                       return instruction.isCopy() ||
                              instruction.stream != instructions[0].stream;
                     });
}

bool Program::keepsOnHost(const Argument &argument) const {
  return argument.arena >= 0 && arenas[size_t(argument.arena)].isHost() &&
         !(argument.kind == ArgumentKind::Input && argument.donated);
}

int32_t Program::firstStrided() const {
  auto isStrided = [](const Operand &operand) {
    return !operand.strides.empty();
  };
  for (size_t i = 0; i < instructions.size(); ++i)
    for (const std::vector<Operand> *operands :
         {&instructions[i].inputs, &instructions[i].outputs})
      if (std::any_of(operands->begin(), operands->end(), isStrided))
        return int32_t(i);
  return -1;
}

int64_t Program::residentBytes() const {
  int64_t bytes = fixedBytes + int64_t(constants.size());
  for (const ArenaInfo &arena : arenas)
    bytes += arena.isHost() ? 0 : arena.bytes;
  for (const Argument &argument : arguments)
    bytes += argument.arena < 0 ? argument.bytes() : 0;
  return bytes;
}

std::vector<memplan_in_place_t> aliasesOf(const Instruction &instruction) {
  std::vector<memplan_in_place_t> aliases;
  for (size_t o = 0; o < instruction.outputs.size(); ++o) {
    const Operand &output = instruction.outputs[o];
    for (size_t i = 0; i < instruction.inputs.size(); ++i) {
      const Operand &input = instruction.inputs[i];
      if (output.space == input.space && output.index == input.index &&
          output.byteOffset == input.byteOffset && output.bytes() > 0 &&
          runsOf(output) == runsOf(input))
        aliases.push_back({int32_t(o), int32_t(i)});
    }
  }
  return aliases;
}

//===----------------------------------------------------------------------===//
// Profile keys
//===----------------------------------------------------------------------===//

static std::string numberText(double value) {
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

template <typename T> static std::string listText(const std::vector<T> &list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size(); ++i) {
    text += i ? "," : "";
    if constexpr (std::is_same_v<T, double>)
      text += numberText(list[i]);
    else
      text += std::to_string(list[i]);
  }
  return text + "]";
}

std::string attributeText(const AttributeValue &value) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (const auto *real = std::get_if<double>(&value)) {
    // A real number stays apart from an integer of the same value.
    std::string text = numberText(*real);
    return text.find_first_of(".en") == text.npos ? text + ".0" : text;
  }
  if (const auto *string = std::get_if<std::string>(&value))
    return '"' + *string + '"';
  if (const auto *integers = std::get_if<std::vector<int64_t>>(&value))
    return listText(*integers);
  return listText(std::get<std::vector<double>>(value));
}

static std::string typesText(const std::vector<Operand> &operands) {
  std::string text = "(";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") + typeText(operands[i].dtype, operands[i].shape);
  return text + ")";
}

std::string profileKey(const Instruction &instruction) {
  std::string text = instruction.kernel + "{";
  for (size_t i = 0; i < instruction.attributes.size(); ++i) {
    const Attribute &attribute = instruction.attributes[i];
    text +=
        (i ? ", " : "") + attribute.name + "=" + attributeText(attribute.value);
  }
  return text + "} " + typesText(instruction.inputs) + " -> " +
         typesText(instruction.outputs);
}

} // namespace memplan::runtime
