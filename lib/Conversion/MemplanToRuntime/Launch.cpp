//===- Launch.cpp - What a kernel sees of an operation --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Constants.h"

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

static std::optional<rt::DType> convertElementType(Type type) {
  if (type.isF32())
    return rt::DType::F32;
  if (type.isInteger(64))
    return rt::DType::I64;
  if (type.isInteger(8))
    return rt::DType::I8;
  if (type.isBF16())
    return rt::DType::BF16;
  if (type.isF16())
    return rt::DType::F16;
  return std::nullopt;
}

std::optional<rt::Operand> mlir::memplan::describeOperand(Type type) {
  auto shaped = cast<ShapedType>(type);
  std::optional<rt::DType> dtype = convertElementType(shaped.getElementType());
  if (!dtype)
    return std::nullopt;
  rt::Operand operand;
  operand.dtype = *dtype;
  operand.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  return operand;
}

/// The value of an inherent attribute as the table holds it, or nothing for
/// one that is not part of the kernel's contract.
static std::optional<rt::AttributeValue> convertAttribute(Attribute attribute) {
  if (isa<UnitAttr>(attribute))
    return rt::AttributeValue(int64_t(1));
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return rt::AttributeValue(int64_t(boolean.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return rt::AttributeValue(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return rt::AttributeValue(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return rt::AttributeValue(text.getValue().str());
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute))
    return rt::AttributeValue(std::vector<int64_t>(list.asArrayRef().begin(),
                                                   list.asArrayRef().end()));
  if (auto list = dyn_cast<DenseF64ArrayAttr>(attribute))
    return rt::AttributeValue(std::vector<double>(list.asArrayRef().begin(),
                                                  list.asArrayRef().end()));
  return std::nullopt;
}

/// Attributes that the kernel sees: its own, not those that describe the
/// operation to planners.
static SmallVector<NamedAttribute> kernelAttributes(Operation *op) {
  SmallVector<NamedAttribute> attributes;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    // The elements are an input, unless one number says them all.
    if (TypedAttr value = fillValue(constant))
      attributes.emplace_back(StringAttr::get(op->getContext(), "value"),
                              value);
    return attributes;
  }
  if (isa<OpaqueOp>(op)) {
    if (auto parameters = op->getAttrOfType<DictionaryAttr>("parameters"))
      llvm::append_range(attributes, parameters);
    return attributes;
  }
  static constexpr llvm::StringLiteral planning[] = {"run", "workspace_bytes",
                                                     "operandSegmentSizes"};
  for (NamedAttribute attribute : op->getAttrs())
    if (!llvm::is_contained(planning, attribute.getName().getValue()) &&
        !attribute.getName().getValue().contains('.'))
      attributes.push_back(attribute);
  return attributes;
}

FailureOr<rt::Instruction>
mlir::memplan::describeKernel(PlannableOpInterface op, std::string &reason) {
  rt::Instruction instruction;
  instruction.kernel = op.getKernelName().str();
  instruction.run = op.getRunIndex();
  for (NamedAttribute attribute : kernelAttributes(op)) {
    std::optional<rt::AttributeValue> value =
        convertAttribute(attribute.getValue());
    if (!value) {
      llvm::raw_string_ostream(reason)
          << "has attribute '" << attribute.getName().getValue()
          << "' of a kind that kernels do not take: " << attribute.getValue();
      return failure();
    }
    instruction.attributes.push_back(
        {attribute.getName().getValue().str(), std::move(*value)});
  }
  llvm::sort(instruction.attributes,
             [](const rt::Attribute &a, const rt::Attribute &b) {
               return a.name < b.name;
             });
  return instruction;
}

/// The launch with every operand in a place of its own: none is in place.
static FailureOr<rt::Instruction> describeWhole(PlannableOpInterface op,
                                                std::string &reason) {
  FailureOr<rt::Instruction> instruction = describeKernel(op, reason);
  if (failed(instruction))
    return failure();
  int32_t places = 0;
  auto add = [&](Type type, std::vector<rt::Operand> &operands) {
    std::optional<rt::Operand> operand = describeOperand(type);
    if (!operand) {
      llvm::raw_string_ostream(reason) << "has an operand of type " << type
                                       << ", for which no kernels exist";
      return failure();
    }
    operand->space = rt::Space::Argument;
    operand->index = places++;
    operands.push_back(std::move(*operand));
    return success();
  };
  for (Value input : op->getOperands().take_front(op.getNumInputs()))
    if (failed(add(input.getType(), instruction->inputs)))
      return failure();
  for (unsigned i = 0, e = op.getNumOutputs(); i < e; ++i)
    if (failed(add(op.getOutputAt(i).getType(), instruction->outputs)))
      return failure();
  if (auto constant = dyn_cast<ConstantOp>(op.getOperation());
      constant && !fillValue(constant))
    return add(op.getOutputAt(0).getType(), instruction->inputs).failed()
               ? FailureOr<rt::Instruction>(failure())
               : instruction;
  return instruction;
}

FailureOr<rt::Instruction>
mlir::memplan::describeLaunch(PlannableOpInterface op) {
  std::string reason;
  FailureOr<rt::Instruction> instruction = describeWhole(op, reason);
  if (failed(instruction))
    return op.emitOpError(reason);
  return instruction;
}

std::optional<std::string> mlir::memplan::profileKey(PlannableOpInterface op) {
  std::string reason;
  FailureOr<rt::Instruction> instruction = describeWhole(op, reason);
  if (failed(instruction))
    return std::nullopt;
  return rt::profileKey(*instruction);
}
