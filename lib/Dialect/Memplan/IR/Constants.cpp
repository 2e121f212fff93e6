//===- Constants.cpp - Where constant tensors lie on the device -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memplan;

TypedAttr mlir::memplan::fillValue(ConstantOp op) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  if (!value.isSplat())
    return nullptr;
  auto element = cast<TypedAttr>(value.getSplatValue<Attribute>());
  if (auto number = dyn_cast<FloatAttr>(element);
      number && number.getValue().isNaN())
    return nullptr;
  return element;
}

std::optional<int64_t> ConstantBlob::add(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  if (!constant || fillValue(constant))
    return std::nullopt;
  auto value = cast<DenseElementsAttr>(constant.getValue());
  ArrayRef<char> elements = value.getRawData();
  // Only a NaN is still one element for all.
  if (value.isSplat()) {
    std::string &all = expanded.emplace_back();
    for (int64_t i = 0, n = value.getNumElements(); i < n; ++i)
      all.append(elements.data(), elements.size());
    elements = all;
  }
  StringRef text(elements.data(), elements.size());
  auto [entry, isNew] = offsetOf.try_emplace(text, 0);
  if (isNew) {
    entry->second = llvm::alignTo(end, alignment);
    end = entry->second + int64_t(elements.size());
    list.emplace_back(entry->second, elements);
  }
  return entry->second;
}
