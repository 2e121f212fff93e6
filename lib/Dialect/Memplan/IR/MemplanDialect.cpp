//===- MemplanDialect.cpp - The memplan dialect ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::memplan;

#include "memplan/Dialect/Memplan/IR/MemplanDialect.cpp.inc"

namespace {
/// A training step may be written with functions; planning sees one body.
struct MemplanInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void MemplanDialect::initialize() {
  registerAttributesAndTypes();
  addInterfaces<MemplanInlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "memplan/Dialect/Memplan/IR/MemplanOps.cpp.inc"
      >();
}
