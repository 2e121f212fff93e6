//===- Tensor.cpp - Planning shapes, slices and views ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ModelSupport.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"

using namespace mlir;
using namespace mlir::memplan;

/// Where a slice begins that is one run of elements of its source.
static std::optional<ViewSource> sliceSource(tensor::ExtractSliceOp op) {
  RankedTensorType source = op.getSourceType();
  if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticSizes(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticStrides(), [](int64_t s) { return s != 1; }) ||
      byteSizeOf(source) < 0)
    return std::nullopt;
  int64_t stride = elementBytes(source.getElementType()), begin = 0;
  bool isWhole = true; // All dimensions so far, from the last on.
  for (int64_t dim = source.getRank() - 1; dim >= 0; --dim) {
    const int64_t size = op.getStaticSizes()[dim];
    if (!isWhole && size != 1)
      return std::nullopt;
    begin += op.getStaticOffsets()[dim] * stride;
    stride *= source.getDimSize(dim);
    isWhole &= size == source.getDimSize(dim);
  }
  return ViewSource{0, begin};
}

/// A part is read and written, once each.
static int64_t twice(Value part) {
  return ops::multiplyBytes(2,
                            std::max<int64_t>(byteSizeOf(part.getType()), 0));
}

namespace {
struct EmptyModel
    : PlannableOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  bool hasContents(Operation *) const { return false; }
};

/// The same elements in the same order.
template <typename OpT>
struct ViewModel : PlannableOpInterface::ExternalModel<ViewModel<OpT>, OpT> {
  std::optional<ViewSource> getViewSource(Operation *, unsigned) const {
    return ViewSource{0, 0};
  }
};

/// Moves elements and computes nothing.
template <typename OpT>
struct MoveModel : PlannableOpInterface::ExternalModel<MoveModel<OpT>, OpT> {
  int64_t getFlops(Operation *) const { return 0; }
};

struct ExtractSliceModel
    : PlannableOpInterface::ExternalModel<ExtractSliceModel,
                                          tensor::ExtractSliceOp> {
  std::optional<ViewSource> getViewSource(Operation *op, unsigned) const {
    return sliceSource(cast<tensor::ExtractSliceOp>(op));
  }
  int64_t getFlops(Operation *) const { return 0; }
  int64_t getBytesMoved(Operation *op) const {
    return getViewSource(op, 0) ? 0 : twice(op->getResult(0));
  }
};

/// Over its destination it writes the slice alone.
struct InsertSliceModel
    : PlannableOpInterface::ExternalModel<InsertSliceModel,
                                          tensor::InsertSliceOp> {
  int64_t getFlops(Operation *) const { return 0; }
  int64_t getBytesMoved(Operation *op) const {
    return twice(op->getOperand(0));
  }
};
} // namespace

void mlir::memplan::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::CastOp::attachInterface<ViewModel<tensor::CastOp>>(*context);
    tensor::ExpandShapeOp::attachInterface<ViewModel<tensor::ExpandShapeOp>>(
        *context);
    tensor::CollapseShapeOp::attachInterface<
        ViewModel<tensor::CollapseShapeOp>>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::PadOp::attachInterface<MoveModel<tensor::PadOp>>(*context);
    tensor::ConcatOp::attachInterface<MoveModel<tensor::ConcatOp>>(*context);
    tensor::SplatOp::attachInterface<MoveModel<tensor::SplatOp>>(*context);
  });
}
