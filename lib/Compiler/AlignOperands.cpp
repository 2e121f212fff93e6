//===- AlignOperands.cpp - Copies of views that a kernel cannot read ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers and parts lie at multiples of the plan's alignment, and a view lies
// as many bytes behind its source as its slice begins. Tensor cores read 16
// bytes at once, which a slice of a few elements of 16 bits does not allow.
//
//===----------------------------------------------------------------------===//

#include "AlignOperands.h"

#include "memplan/Bridge/GraphView.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

/// Bytes from the start of the buffer in which a value lies.
static int64_t offsetOf(Value value) {
  int64_t bytes = 0;
  while (auto result = dyn_cast<OpResult>(value)) {
    auto producer = dyn_cast<PlannableOpInterface>(result.getOwner());
    std::optional<ViewSource> source =
        producer ? producer.getViewSource(result.getResultNumber())
                 : std::nullopt;
    if (!source)
      break;
    bytes += source->byteOffset;
    value = result.getOwner()->getOperand(source->operand);
  }
  return bytes;
}

/// Dense bytes at the start of a buffer: a concat of one.
static Value copyOf(OpBuilder &builder, Value value) {
  return ConcatOp::create(builder, value.getLoc(), ValueRange{value},
                          /*dim=*/0)
      .getResult(0);
}

LogicalResult mlir::memplan::alignOperands(PlannableOpInterface op,
                                           const rt::Instruction &launch,
                                           const rt::Device &device) {
  SmallVector<std::pair<unsigned, int64_t>> views;
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    if (const int64_t offset = offsetOf(op->getOperand(i)); offset != 0)
      views.emplace_back(i, offset);
  if (views.empty())
    return success();
  rt::Result<int64_t> alignment = rt::queryOperandAlignment(device, launch);
  if (!alignment)
    return op.emitOpError()
           << "cannot run on this backend: " << alignment.error().message;
  OpBuilder builder(op);
  for (auto [input, offset] : views)
    if (*alignment > 0 && offset % *alignment != 0)
      op->setOperand(input, copyOf(builder, op->getOperand(input)));
  return success();
}
