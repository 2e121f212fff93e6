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

static LogicalResult checkGroups(const ShapeErrors &errors, int64_t groups,
                                 int64_t channels, StringRef what) {
  if (groups >= 1 && channels % groups == 0)
    return success();
  return errors.error("attribute 'groups' is ", groups,
                      ", but must divide the ", channels, " ", what);
}

/// A filter counts the channels of one group.
static LogicalResult checkFilterChannels(const ShapeErrors &errors,
                                         const ImageShape &filter,
                                         bool channelsLast, int64_t channels,
                                         int64_t groups, StringRef what) {
  if (filter.channels == channels / groups)
    return success();
  return errors.error("input 'filter' has ", filter.channels,
                      " channels in dimension ", channelsLast ? 3 : 1, ", but ",
                      channels, " ", what, " in ", groups, " groups make ",
                      channels / groups);
}

template <typename Adaptor>
static Window windowOf(Adaptor adaptor, ArrayRef<int64_t> kernel) {
  return {kernel, adaptor.getStrides(), adaptor.getPadding(),
          adaptor.getDilation()};
}

/// An image with the batch, the elements and the layout of `value`.
static RankedTensorType imageLike(Value value, bool channelsLast,
                                  int64_t channels, ArrayRef<int64_t> size) {
  RankedTensorType type = ops::tensorOf(value);
  return ImageShape(type.getShape()[0], channels, size)
      .type(type.getElementType(), channelsLast);
}

LogicalResult
Conv2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                       SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getFilter(), "filter")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  const bool last = adaptor.getChannelsLast();
  const ImageShape input(adaptor.getInput(), last),
      filter(adaptor.getFilter(), last);
  const int64_t groups = adaptor.getGroups(), outputChannels = filter.batch;
  if (failed(checkGroups(errors, groups, input.channels, "input channels")) ||
      failed(checkGroups(errors, groups, outputChannels, "output channels")) ||
      failed(checkFilterChannels(errors, filter, last, input.channels, groups,
                                 "input channels")))
    return failure();
  if (adaptor.getBias() &&
      failed(checkVector(errors, adaptor.getBias(), "bias", outputChannels,
                         "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(
          windowOf(adaptor, filter.size()).shrink(errors, input.size(), size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getInput(), last, outputChannels, size));
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
  const bool last = adaptor.getChannelsLast();
  const ImageShape grad(adaptor.getOutputGrad(), last),
      filter(adaptor.getFilter(), last);
  if (grad.channels != filter.batch)
    return errors.error("input 'outputGrad' has ", grad.channels,
                        " channels, but 'filter' has ", filter.batch,
                        " in dimension 0");
  if (failed(checkGroups(errors, adaptor.getGroups(), filter.batch,
                         "output channels")))
    return failure();
  int64_t channels;
  if (llvm::MulOverflow(filter.channels, adaptor.getGroups(), channels))
    return errors.error("attribute 'groups' is ", adaptor.getGroups(),
                        ", which makes too many channels");
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, filter.size())
                 .grow(errors, grad.size(), adaptor.getOutputPadding(), size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getOutputGrad(), last, channels, size));
  return success();
}

LogicalResult
Conv2DFilterGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getOutputGrad(), "outputGrad")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  const bool last = adaptor.getChannelsLast();
  const ImageShape input(adaptor.getInput(), last),
      grad(adaptor.getOutputGrad(), last);
  if (input.batch != grad.batch)
    return errors.error("input 'outputGrad' has batch ", grad.batch,
                        ", but 'input' has ", input.batch);
  int64_t groups = adaptor.getGroups();
  if (failed(checkGroups(errors, groups, input.channels, "input channels")) ||
      failed(checkGroups(errors, groups, grad.channels, "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, adaptor.getKernel())
                 .shrink(errors, input.size(), size)))
    return failure();
  if (grad.size() != size)
    return errors.error("input 'outputGrad' has size ", grad.height, "x",
                        grad.width, ", but the window has ", size[0], "x",
                        size[1], " positions in 'input'");
  outputs.push_back(
      ImageShape(grad.channels, input.channels / groups, adaptor.getKernel())
          .type(ops::tensorOf(adaptor.getInput()).getElementType(), last));
  return success();
}

LogicalResult
ConvTranspose2DOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkImage(errors, adaptor.getInput(), "input")) ||
      failed(checkImage(errors, adaptor.getFilter(), "filter")) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), adaptor.getInput())))
    return failure();
  const bool last = adaptor.getChannelsLast();
  const ImageShape input(adaptor.getInput(), last),
      filter(adaptor.getFilter(), last);
  if (input.channels != filter.batch)
    return errors.error("input 'input' has ", input.channels,
                        " channels, but 'filter' has ", filter.batch,
                        " in dimension 0");
  if (failed(checkGroups(errors, adaptor.getGroups(), input.channels,
                         "input channels")))
    return failure();
  int64_t channels;
  if (llvm::MulOverflow(filter.channels, adaptor.getGroups(), channels))
    return errors.error("attribute 'groups' is ", adaptor.getGroups(),
                        ", which makes too many channels");
  if (adaptor.getBias() && failed(checkVector(errors, adaptor.getBias(), "bias",
                                              channels, "output channels")))
    return failure();
  SmallVector<int64_t> size;
  if (failed(windowOf(adaptor, filter.size())
                 .grow(errors, input.size(), adaptor.getOutputPadding(), size)))
    return failure();
  outputs.push_back(imageLike(adaptor.getInput(), last, channels, size));
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ConvOps.cpp.inc"
