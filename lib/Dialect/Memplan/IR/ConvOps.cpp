//===- ConvOps.cpp - Convolutions -----------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;

static LogicalResult checkGroups(const ShapeErrors &errors, int64_t groups,
                                 int64_t channels, StringRef what) {
  if (groups >= 1 && channels % groups == 0)
    return success();
  return errors.error("attribute 'groups' is ", groups,
                      ", but must divide the ", channels, " ", what);
}

/// Dimension 1 of the filter counts the channels of one group.
static LogicalResult checkFilterChannels(const ShapeErrors &errors,
                                         Value filter, int64_t channels,
                                         int64_t groups, StringRef what) {
  if (shapeOf(filter)[1] == channels / groups)
    return success();
  return errors.error("input 'filter' has ", shapeOf(filter)[1],
                      " channels in dimension 1, but ", channels, " ", what,
                      " in ", groups, " groups make ", channels / groups);
}

template <typename Adaptor>
static Window windowOf(Adaptor adaptor, ArrayRef<int64_t> kernel) {
  return {kernel, adaptor.getStrides(), adaptor.getPadding(),
          adaptor.getDilation()};
}

static RankedTensorType imageLike(Value value, int64_t channels,
                                  ArrayRef<int64_t> size) {
  RankedTensorType type = ops::tensorOf(value);
  return RankedTensorType::get({type.getShape()[0], channels, size[0], size[1]},
                               type.getElementType());
}

LogicalResult
Conv2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                       SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getFilter(), "filter")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(adaptor.getInput()),
                    filter = shapeOf(adaptor.getFilter());
  int64_t groups = adaptor.getGroups();
  if (failed(checkGroups(errors, groups, input[1], "input channels")) ||
      failed(checkGroups(errors, groups, filter[0], "output channels")) ||
      failed(checkFilterChannels(errors, adaptor.getFilter(), input[1], groups,
                                 "input channels")))
    return failure();
  if (adaptor.getBias() && failed(checkVector(errors, adaptor.getBias(), "bias",
                                              filter[0], "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, filter.drop_front(2))
                 .shrink(errors, input.drop_front(2), size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getInput(), filter[0], size));
  return success();
}

LogicalResult
Conv2DInputGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getOutputGrad(), "outputGrad")) ||
      failed(checkImage(errors, adaptor.getFilter(), "filter")) ||
      failed(
          ops::checkTf32(errors, adaptor.getTf32(), adaptor.getOutputGrad())))
    return failure();
  ArrayRef<int64_t> grad = shapeOf(adaptor.getOutputGrad()),
                    filter = shapeOf(adaptor.getFilter());
  if (grad[1] != filter[0])
    return errors.error("input 'outputGrad' has ", grad[1],
                        " channels, but 'filter' has ", filter[0],
                        " in dimension 0");
  if (failed(checkGroups(errors, adaptor.getGroups(), filter[0],
                         "output channels")))
    return failure();
  int64_t channels;
  if (llvm::MulOverflow(filter[1], adaptor.getGroups(), channels))
    return errors.error("attribute 'groups' is ", adaptor.getGroups(),
                        ", which makes too many channels");
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, filter.drop_front(2))
                 .grow(errors, grad.drop_front(2), adaptor.getOutputPadding(),
                       size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getOutputGrad(), channels, size));
  return success();
}

LogicalResult
Conv2DFilterGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getOutputGrad(), "outputGrad")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(adaptor.getInput()),
                    grad = shapeOf(adaptor.getOutputGrad());
  if (input[0] != grad[0])
    return errors.error("input 'outputGrad' has batch ", grad[0],
                        ", but 'input' has ", input[0]);
  int64_t groups = adaptor.getGroups();
  if (failed(checkGroups(errors, groups, input[1], "input channels")) ||
      failed(checkGroups(errors, groups, grad[1], "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, adaptor.getKernel())
                 .shrink(errors, input.drop_front(2), size)))
    return failure();
  if (grad.drop_front(2) != ArrayRef(size))
    return errors.error("input 'outputGrad' has size ", grad[2], "x", grad[3],
                        ", but the window has ", size[0], "x", size[1],
                        " positions in 'input'");
  ArrayRef<int64_t> kernel = adaptor.getKernel();
  outputs.push_back(RankedTensorType::get(
      {grad[1], input[1] / groups, kernel[0], kernel[1]},
      ops::tensorOf(adaptor.getInput()).getElementType()));
  return success();
}

LogicalResult
ConvTranspose2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getFilter(), "filter")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(adaptor.getInput()),
                    filter = shapeOf(adaptor.getFilter());
  if (input[1] != filter[0])
    return errors.error("input 'input' has ", input[1],
                        " channels, but 'filter' has ", filter[0],
                        " in dimension 0");
  if (failed(
          checkGroups(errors, adaptor.getGroups(), input[1], "input channels")))
    return failure();
  int64_t channels;
  if (llvm::MulOverflow(filter[1], adaptor.getGroups(), channels))
    return errors.error("attribute 'groups' is ", adaptor.getGroups(),
                        ", which makes too many channels");
  if (adaptor.getBias() && failed(checkVector(errors, adaptor.getBias(), "bias",
                                              channels, "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, filter.drop_front(2))
                 .grow(errors, input.drop_front(2), adaptor.getOutputPadding(),
                       size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getInput(), channels, size));
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ConvOps.cpp.inc"
