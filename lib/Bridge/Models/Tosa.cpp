//===- Tosa.cpp - Planning TOSA operations --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelSupport.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memplan;
using models::elementsOf;

static int64_t dimension(Value value, unsigned index) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || index >= type.getRank() || type.isDynamicDim(index))
    return 1;
  return std::max<int64_t>(type.getDimSize(index), 1);
}

static int64_t product(std::initializer_list<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    result = ops::multiplyBytes(result, factor);
  return result;
}

static int64_t windowFlops(Operation *op, ArrayRef<int64_t> kernel) {
  int64_t result = elementsOf(op->getResult(0));
  for (int64_t size : kernel)
    result = ops::multiplyBytes(result, size);
  return result;
}

/// A multiplication and an addition for each point of the iteration domain;
/// else one for each element that is made, or reduced.
static int64_t flops(Operation *op) {
  const int64_t made = elementsOf(op->getResult(0));
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      // The filter is [outputs, window..., inputs].
      .Case<tosa::Conv2DOp, tosa::Conv3DOp>([&](auto conv) {
        Value filter = conv.getWeight();
        return product({2, made, elementsOf(filter) / dimension(filter, 0)});
      })
      .Case([&](tosa::TransposeConv2DOp conv) {
        Value filter = conv.getWeight();
        const int64_t inputs = dimension(filter, 3);
        return product(
            {2, elementsOf(conv.getInput()), elementsOf(filter) / inputs});
      })
      // [window..., inputs, multiplier]
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        Value filter = conv.getWeight();
        return product({2, made, dimension(filter, 0), dimension(filter, 1)});
      })
      .Case([&](tosa::MatMulOp matmul) {
        return product({2, made, dimension(matmul.getA(), 2)});
      })
      .Case<tosa::AvgPool2dOp, tosa::MaxPool2dOp>(
          [&](auto pool) { return windowFlops(op, pool.getKernel()); })
      .Case<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
            tosa::ReduceProductOp, tosa::ReduceAllOp, tosa::ReduceAnyOp,
            tosa::ArgMaxOp>(
          [&](auto reduce) { return elementsOf(reduce->getOperand(0)); })
      .Case<tosa::ConcatOp, tosa::GatherOp, tosa::IdentityOp, tosa::PadOp,
            tosa::ReshapeOp, tosa::ReverseOp, tosa::ScatterOp, tosa::SliceOp,
            tosa::TileOp, tosa::TransposeOp>([](auto) { return 0; })
      .Default([&](Operation *) { return made; });
}

namespace {
template <typename OpT>
struct TosaModel : PlannableOpInterface::ExternalModel<TosaModel<OpT>, OpT> {
  int64_t getFlops(Operation *op) const { return flops(op); }
  SmallVector<unsigned> getInPlaceOperands(Operation *op,
                                           unsigned index) const {
    if (!op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>())
      return {};
    return models::operandsOfResultType(op, index);
  }
  std::optional<ViewSource> getViewSource(Operation *op, unsigned) const {
    if (isa<tosa::ReshapeOp, tosa::IdentityOp>(op))
      return ViewSource{0, 0};
    return std::nullopt;
  }
};
} // namespace

template <typename OpT> static void attachOne(MLIRContext *context) {
  if constexpr (!OpT::template hasTrait<OpTrait::ConstantLike>() &&
                OpT::template hasTrait<OpTrait::ZeroRegions>() &&
                !OpT::template hasTrait<OpTrait::ZeroResults>() &&
                !std::is_same_v<OpT, tosa::ConstShapeOp> &&
                !std::is_same_v<OpT, tosa::VariableReadOp>)
    OpT::template attachInterface<TosaModel<OpT>>(*context);
}

template <typename... OpTs> static void attach(MLIRContext *context) {
  (attachOne<OpTs>(context), ...);
}

void mlir::memplan::registerTosaModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    attach<
#define GET_OP_LIST
#include "mlir/Dialect/Tosa/IR/TosaOps.cpp.inc"
        >(context);
  });
}
