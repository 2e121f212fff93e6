//===- DynamicOps.cpp - Ops of C programs, checked and run ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicHandles.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::runtime;
using memplan::capi::noHandle;
using memplan::capi::readType;
using memplan::capi::Tensor;

static Result<AttributeValue> readAttribute(const memplan_attribute_t &from) {
  if (from.count < 0)
    return invalid("attribute '" + std::string(from.name) + "' has " +
                   std::to_string(from.count) + " entries");
  switch (from.kind) {
  case MEMPLAN_ATTRIBUTE_INT:
    return AttributeValue(from.int_value);
  case MEMPLAN_ATTRIBUTE_FLOAT:
    return AttributeValue(from.float_value);
  case MEMPLAN_ATTRIBUTE_STRING:
    if (from.string)
      return AttributeValue(std::string(from.string));
    break;
  case MEMPLAN_ATTRIBUTE_INTS:
    if (from.ints || from.count == 0)
      return AttributeValue(
          std::vector<int64_t>(from.ints, from.ints + from.count));
    break;
  case MEMPLAN_ATTRIBUTE_FLOATS:
    if (from.floats || from.count == 0)
      return AttributeValue(
          std::vector<double>(from.floats, from.floats + from.count));
    break;
  }
  return invalid("attribute '" + std::string(from.name) +
                 "' has no value of kind " + std::to_string(from.kind));
}

/// Checks the op and leaves its operands and the key of its kernel.
Status memplan_dynamic::lookUp(const memplan_dynamic_op_t &op) {
  if (op.struct_bytes < int32_t(sizeof(memplan_dynamic_op_t)))
    return invalid("memplan_dynamic_op_t of " +
                   std::to_string(op.struct_bytes) +
                   " bytes: begin with MEMPLAN_DYNAMIC_OP_INIT");
  if (!op.kernel || op.input_count < 0 || op.output_count < 1 ||
      op.attribute_count < 0 || (op.input_count > 0 && !op.inputs) ||
      !op.outputs || (op.attribute_count > 0 && !op.attributes))
    return invalid("an op needs a kernel and an output, counts that are not "
                   "negative, and what they count");
  inputs.clear();
  outputs.clear();
  key.assign(op.kernel).push_back('\0');
  auto number = [&](int64_t value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  auto type = [&](const Tensor &tensor) {
    number(int64_t(tensor.dtype));
    number(int64_t(tensor.shape.size()));
    for (int64_t size : tensor.shape)
      number(size);
  };
  number(op.input_count);
  for (int32_t i = 0; i < op.input_count; ++i) {
    const Tensor *input = find(op.inputs[i]);
    if (!input)
      return noHandle(op.inputs[i]);
    inputs.push_back({input->value, input->offset});
    type(*input);
  }
  for (int32_t o = 0; o < op.output_count; ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    Tensor made;
    if (Status s = readType(output.dtype, output.rank, output.shape, made);
        !s.ok())
      return s;
    type(made);
    number(output.over);
    if (output.over < 0) {
      outputs.push_back({made.bytes, -1, 0});
      continue;
    }
    if (output.over >= op.input_count ||
        find(op.inputs[output.over])->bytes != made.bytes)
      return invalid("output " + std::to_string(o) + " lies over input " +
                     std::to_string(output.over) +
                     ", which is not there or of another size");
    const Place &input = inputs[size_t(output.over)];
    outputs.push_back({0, input.value, input.offset});
  }
  return Status::success();
}

Status memplan_dynamic::giveInputs(const memplan_dynamic_op_t &op) {
  for (int32_t i = 0; i < 64 && op.drop_inputs >> i != 0; ++i) {
    if ((op.drop_inputs >> i & 1) == 0)
      continue;
    bool isWrong = i >= op.input_count;
    for (int32_t other = 0; other < op.input_count && !isWrong; ++other)
      isWrong = other < i && (op.drop_inputs >> other & 1) &&
                op.inputs[other] == op.inputs[i];
    for (size_t o = 0; o < outputs.size() && !isWrong; ++o)
      isWrong = outputs[o].over == inputs[size_t(i)].value;
    if (isWrong)
      return invalid("drop_inputs has input " + std::to_string(i) +
                     ", which is not there, overwritten, or dropped twice");
    inputs[size_t(i)].isLast = true;
  }
  return Status::success();
}

Result<std::shared_ptr<const KernelCall>>
memplan_dynamic::callFor(const memplan_dynamic_op_t &op) {
  Instruction call;
  call.kernel = op.kernel;
  for (int32_t i = 0; i < op.attribute_count; ++i) {
    if (!op.attributes[i].name)
      return invalid("an attribute without a name");
    Result<AttributeValue> value = readAttribute(op.attributes[i]);
    if (!value)
      return value.error();
    call.attributes.push_back({op.attributes[i].name, std::move(*value)});
  }
  std::sort(
      call.attributes.begin(), call.attributes.end(),
      [](const Attribute &a, const Attribute &b) { return a.name < b.name; });
  for (const Attribute &attribute : call.attributes)
    key += attribute.name + "=" + attributeText(attribute.value) + '\0';
  if (auto known = calls.find(key); known != calls.end())
    return known->second;
  int32_t next = 0;
  for (int32_t i = 0; i < op.input_count; ++i) {
    const Tensor &input = *find(op.inputs[i]);
    call.inputs.push_back({Space::Arena, next++, 0, input.dtype, input.shape});
  }
  for (int32_t o = 0; o < op.output_count; ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    call.outputs.push_back(
        {Space::Arena, output.over >= 0 ? output.over : next++, 0,
         DType(output.dtype),
         std::vector<int64_t>(output.shape, output.shape + output.rank)});
  }
  Result<KernelCall> prepared =
      KernelCall::prepare(engine.device(), std::move(call));
  if (!prepared)
    return prepared.error();
  if (calls.size() >= 4096)
    calls.clear(); // Paths keep what they need.
  auto shared = std::make_shared<const KernelCall>(std::move(*prepared));
  calls.emplace(key, shared);
  return shared;
}

Status memplan_dynamic::apply(const memplan_dynamic_op_t &op,
                              memplan_handle_t *handles) {
  if (Status s = lookUp(op); !s.ok())
    return s;
  if (Status s = giveInputs(op); !s.ok())
    return s;
  auto call = callFor(op);
  if (!call)
    return call.error();
  results.resize(outputs.size());
  const double cost = op.cost_micros > 0
                          ? op.cost_micros
                          : estimatedMicros((*call)->instruction());
  // All that can fail comes before the op runs.
  std::vector<Tensor> made(outputs.size());
  size_t fresh = 0;
  for (size_t o = 0; o < made.size(); ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    fresh += output.over < 0;
    if (Status s = readType(output.dtype, output.rank, output.shape, made[o]);
        !s.ok())
      return s;
  }
  needSlots(fresh);
  if (Status s = engine.apply(*call, cost, inputs, outputs, results.data());
      !s.ok())
    return s;
  for (int32_t i = 0; i < op.input_count && i < 64; ++i)
    if (op.drop_inputs >> i & 1)
      forget(*find(op.inputs[i]));
  for (size_t o = 0; o < made.size(); ++o) {
    made[o].value = results[o];
    if (op.outputs[o].over < 0) {
      handles[o] = add(std::move(made[o]));
      continue;
    }
    handles[o] = op.inputs[op.outputs[o].over];
    for (Tensor &other : tensors)
      if (other.generation % 2 == 1 && other.value == outputs[o].over)
        other.value = results[o];
  }
  return Status::success();
}
