//===- Arith.cpp - Planning elementwise arithmetic on tensors -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ModelSupport.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {
template <typename OpT>
struct ElementwiseModel
    : PlannableOpInterface::ExternalModel<ElementwiseModel<OpT>, OpT> {
  SmallVector<unsigned> getInPlaceOperands(Operation *op,
                                           unsigned index) const {
    return models::operandsOfResultType(op, index);
  }
};
} // namespace

template <typename OpT> static void attachOne(MLIRContext *context) {
  if constexpr (OpT::template hasTrait<OpTrait::Elementwise>())
    OpT::template attachInterface<ElementwiseModel<OpT>>(*context);
}

template <typename... OpTs> static void attach(MLIRContext *context) {
  (attachOne<OpTs>(context), ...);
}

void mlir::memplan::registerArithModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >(context);
  });
}

void mlir::memplan::registerAllModels(DialectRegistry &registry) {
  registerLinalgModels(registry);
  registerTensorModels(registry);
  registerTosaModels(registry);
  registerArithModels(registry);
}
