//===- GradientsLinear.cpp - Products and look-ups ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

static int64_t rankOf(Value value) {
  return cast<ShapedType>(value.getType()).getRank();
}

/// [.., N] as [-1, N]: all leading dimensions in one. A view.
static Value flatten(OpBuilder &builder, Location loc, Value value) {
  int64_t last = cast<ShapedType>(value.getType()).getShape().back();
  return ReshapeOp::create(builder, loc, value, ArrayRef<int64_t>{-1, last})
      .getResult(0);
}

/// A product that allows TF32 where `forward` does.
static Value multiply(OpBuilder &builder, MatmulOp forward, Value lhs,
                      bool transposeLhs, Value rhs, bool transposeRhs) {
  auto product = MatmulOp::create(builder, forward.getLoc(), lhs, rhs,
                                  /*bias=*/Value(), transposeLhs, transposeRhs);
  product.setTf32(forward.getTf32());
  return product.getResult(0);
}

// With Y = a(A) b(B), where a and b transpose or not:
//   dA = dY b(B)^T, or its transpose b(B) dY^T if a transposes
//   dB = a(A)^T dY, or its transpose dY^T a(A) if b transposes
// Each is one matmul, as the transposes fold into its flags.
LogicalResult MatmulOp::buildGradients(OpBuilder &builder,
                                       ValueRange outputGrads,
                                       ArrayRef<bool> wanted,
                                       SmallVectorImpl<Value> &inputGrads) {
  Location loc = getLoc();
  Value outputGrad = outputGrads[0];
  bool transposeLhs = getTransposeLhs(), transposeRhs = getTransposeRhs();
  bool sharedRhs = rankOf(getLhs()) > rankOf(getRhs());
  if (sharedRhs && transposeLhs && (wanted[0] || wanted[1]))
    return emitOpError() << "has no gradient with transpose_lhs and one rhs "
                            "matrix for a batch of lhs matrices; "
                            "transpose lhs with memplan.transpose first";
  if (wanted[0])
    inputGrads[0] = transposeLhs ? multiply(builder, *this, getRhs(),
                                            transposeRhs, outputGrad, true)
                                 : multiply(builder, *this, outputGrad, false,
                                            getRhs(), !transposeRhs);
  if (wanted[1]) {
    Value lhs = getLhs(), grad = outputGrad;
    if (sharedRhs) {
      lhs = flatten(builder, loc, lhs);
      grad = flatten(builder, loc, grad);
    }
    inputGrads[1] =
        transposeRhs
            ? multiply(builder, *this, grad, true, lhs, transposeLhs)
            : multiply(builder, *this, lhs, !transposeLhs, grad, false);
  }
  if (getBias() && wanted[2]) {
    auto leading =
        llvm::to_vector(llvm::seq<int64_t>(0, rankOf(outputGrad) - 1));
    inputGrads[2] = ReduceSumOp::create(builder, loc, outputGrad, leading,
                                        /*keepdims=*/false)
                        .getResult(0);
  }
  return success();
}

LogicalResult EmbeddingOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  int64_t rows = cast<ShapedType>(getTable().getType()).getDimSize(0);
  if (wanted[0])
    inputGrads[0] = EmbeddingGradOp::create(builder, getLoc(), getIds(),
                                            outputGrads[0], rows)
                        .getResult(0);
  return success();
}
