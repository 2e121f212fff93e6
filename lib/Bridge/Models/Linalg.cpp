//===- Linalg.cpp - Planning structured operations ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ModelSupport.h"

using namespace mlir;
using namespace mlir::memplan;
using linalg::LinalgOp;

/// Every element of the destination is written, whatever the order of loops.
static bool writesAll(LinalgOp op, OpOperand *destination) {
  return op.getMatchingIndexingMap(destination).isProjectedPermutation() &&
         llvm::none_of(op.getStaticLoopRanges(), [](int64_t range) {
           return range == 0 || ShapedType::isDynamic(range);
         });
}

static bool readsDestination(LinalgOp op, unsigned index) {
  OpOperand *destination = op.getDpsInitOperand(index);
  return op.payloadUsesValueFromOperand(destination) ||
         !writesAll(op, destination);
}

/// Inputs that are read at the element that is written, and nowhere else.
static SmallVector<unsigned> inPlaceOperands(LinalgOp op, unsigned index) {
  SmallVector<unsigned> operands;
  OpOperand *destination = op.getDpsInitOperand(index);
  AffineMap written = op.getMatchingIndexingMap(destination);
  if (op.getNumLoops() != op.getNumParallelLoops() || !written.isPermutation())
    return operands;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input) == written &&
        input->get().getType() == destination->get().getType())
      operands.push_back(input->getOperandNumber());
  return operands;
}

/// Operations of the body for each point of the iteration domain.
static int64_t flops(LinalgOp op) {
  int64_t inBody = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    inBody += inner.getNumOperands() > 0;
  for (int64_t range : op.getStaticLoopRanges())
    inBody = ops::multiplyBytes(inBody, std::max<int64_t>(range, 0));
  return inBody;
}

namespace {
template <typename OpT>
struct LinalgModel
    : PlannableOpInterface::ExternalModel<LinalgModel<OpT>, OpT> {
  bool hasMemrefForm(Operation *) const { return true; }
  bool isDestinationRead(Operation *op, unsigned index) const {
    return readsDestination(cast<LinalgOp>(op), index);
  }
  SmallVector<unsigned> getInPlaceOperands(Operation *op,
                                           unsigned index) const {
    return inPlaceOperands(cast<LinalgOp>(op), index);
  }
  int64_t getFlops(Operation *op) const { return flops(cast<LinalgOp>(op)); }
};
} // namespace

template <typename... OpTs> static void attach(MLIRContext *context) {
  (OpTs::template attachInterface<LinalgModel<OpTs>>(*context), ...);
}

void mlir::memplan::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
