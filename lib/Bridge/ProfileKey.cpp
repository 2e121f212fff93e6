//===- ProfileKey.cpp - The text under which a kernel call is measured ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/ProfileKey.h"
#include "Refusals.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include <charconv>

using namespace mlir;
using namespace mlir::memplan;

static std::string realText(double value) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string text(buffer, end);
  // A real number stays apart from an integer of the same value.
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

/// Nothing for attributes that a kernel does not see as a value.
static std::optional<std::string> valueText(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return std::to_string(integer.getType().isInteger(1)
                              ? int64_t(integer.getValue().getBoolValue())
                              : integer.getInt());
  if (isa<UnitAttr>(attribute))
    return "1";
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return realText(real.getValueAsDouble());
  if (auto string = dyn_cast<StringAttr>(attribute))
    return "\"" + string.str() + "\"";
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    std::string text;
    for (int64_t value : list.asArrayRef())
      text += (text.empty() ? "" : ",") + std::to_string(value);
    return "[" + text + "]";
  }
  return std::nullopt;
}

/// What the kernel sees: an opaque operation hands on its parameters alone.
static DictionaryAttr kernelAttributes(PlannableOpInterface op) {
  auto opaque = dyn_cast<OpaqueOp>(op.getOperation());
  if (!opaque)
    return computedAttributes(op);
  DictionaryAttr parameters = opaque.getParametersAttr();
  return parameters ? parameters : DictionaryAttr::get(op->getContext());
}

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto shaped = cast<ShapedType>(type);
  for (int64_t size : shaped.getShape())
    os << size << 'x';
  os << shaped.getElementType();
  return text;
}

std::string mlir::memplan::profileKey(PlannableOpInterface op) {
  std::string attributes, inputs, outputs;
  for (NamedAttribute attribute : kernelAttributes(op))
    if (std::optional<std::string> value = valueText(attribute.getValue()))
      attributes += (attributes.empty() ? "" : ", ") +
                    attribute.getName().str() + "=" + *value;
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    inputs += (i ? ", " : "") + typeText(op->getOperand(i).getType());
  for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
    outputs += (i ? ", " : "") + typeText(op.getOutputAt(i).getType());
  return op.getKernelName().str() + "{" + attributes + "} (" + inputs +
         ") -> (" + outputs + ")";
}
