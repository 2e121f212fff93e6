//===- AttentionOps.cpp - Scaled dot-product attention --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;
using ops::tensorOf;

/// Query, key, value, mask and scale agree.
template <typename Adaptor>
static LogicalResult checkAttention(const ShapeErrors &errors,
                                    Adaptor adaptor) {
  Value query = adaptor.getQuery(), key = adaptor.getKey();
  Value value = adaptor.getValue(), mask = adaptor.getMask();
  if (failed(ops::checkRank(errors, query, "query", 2)) ||
      failed(ops::checkTf32(errors, adaptor.getTf32(), query)))
    return failure();
  ArrayRef<int64_t> heads = shapeOf(query).drop_back(2);
  for (auto [name, other] : {std::pair<StringRef, Value>("key", key),
                             std::pair<StringRef, Value>("value", value)})
    if (failed(ops::checkRank(errors, other, name, 2)))
      return failure();
    else if (shapeOf(other).drop_back(2) != heads)
      return errors.error("input '", name, "' is ", other.getType(),
                          ", but must have the leading dimensions ",
                          ops::listText(heads), " of 'query', which is ",
                          query.getType());
  if (shapeOf(key).back() != shapeOf(query).back())
    return errors.error("input 'key' is ", key.getType(), ", but must have ",
                        shapeOf(query).back(),
                        " columns, as 'query', which is ", query.getType());
  const int64_t keys = shapeOf(key)[heads.size()];
  if (shapeOf(value)[heads.size()] != keys)
    return errors.error("input 'value' is ", value.getType(),
                        ", but must have ", keys, " rows, as 'key', which is ",
                        key.getType());
  const double scale = adaptor.getScale();
  if (!std::isfinite(scale))
    return errors.error("attribute 'scale' is ", scale,
                        ", but must be a finite number");
  if (!mask)
    return success();
  SmallVector<int64_t> scores(shapeOf(query).drop_back());
  scores.push_back(keys);
  ArrayRef<int64_t> given = shapeOf(mask);
  bool fits = given.size() <= scores.size();
  for (size_t d = 1; fits && d <= given.size(); ++d)
    fits = given[given.size() - d] == 1 ||
           given[given.size() - d] == scores[scores.size() - d];
  if (!fits)
    return errors.error("input 'mask' is ", mask.getType(),
                        ", but must repeat to the shape ",
                        ops::listText(scores), " of the scores");
  return success();
}

/// [..,N,E] of the output, [..,N] of its statistics.
template <typename Adaptor>
static std::pair<RankedTensorType, RankedTensorType>
outputsOf(Adaptor adaptor) {
  RankedTensorType query = tensorOf(adaptor.getQuery());
  ArrayRef<int64_t> rows = query.getShape().drop_back();
  SmallVector<int64_t> output(rows);
  output.push_back(shapeOf(adaptor.getValue()).back());
  return {RankedTensorType::get(output, query.getElementType()),
          ops::statisticsOf(adaptor.getQuery(), rows)};
}

/// The outputs of an attention whose operands agree.
template <typename Adaptor>
static LogicalResult
inferAttention(const ShapeErrors &errors, Adaptor adaptor,
               SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkAttention(errors, adaptor)))
    return failure();
  auto [output, logsumexp] = outputsOf(adaptor);
  outputs.assign({output, logsumexp});
  return success();
}

/// The gradients of an attention whose operands agree.
template <typename Adaptor>
static LogicalResult
inferGradients(const ShapeErrors &errors, Adaptor adaptor,
               SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(checkAttention(errors, adaptor)))
    return failure();
  auto [output, logsumexp] = outputsOf(adaptor);
  for (auto [name, value, type] :
       {std::tuple<StringRef, Value, RankedTensorType>(
            "outputGrad", adaptor.getOutputGrad(), output),
        {"output", adaptor.getOutput(), output},
        {"logsumexp", adaptor.getLogsumexp(), logsumexp}})
    if (tensorOf(value) != type)
      return errors.error("input '", name, "' is ", value.getType(),
                          ", but must be ", type, " for 'query', which is ",
                          adaptor.getQuery().getType());
  for (Value input : {adaptor.getQuery(), adaptor.getKey(), adaptor.getValue()})
    outputs.push_back(tensorOf(input));
  return success();
}

LogicalResult
AttentionOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                          SmallVectorImpl<RankedTensorType> &outputs) {
  return inferAttention(errors, adaptor, outputs);
}

LogicalResult
AttentionGradOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                              SmallVectorImpl<RankedTensorType> &outputs) {
  return inferGradients(errors, adaptor, outputs);
}

LogicalResult
AttentionDropoutOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(ops::checkDropout(errors, adaptor.getP(), adaptor.getSeed())))
    return failure();
  return inferAttention(errors, adaptor, outputs);
}

LogicalResult AttentionDropoutGradOp::inferOutputs(
    const ShapeErrors &errors, Adaptor adaptor,
    SmallVectorImpl<RankedTensorType> &outputs) {
  if (failed(ops::checkDropout(errors, adaptor.getP(), adaptor.getSeed())))
    return failure();
  return inferGradients(errors, adaptor, outputs);
}

/// Pairs of a query and a key that it sees, over all heads.
static int64_t visiblePairs(Value query, Value key, bool causal) {
  ArrayRef<int64_t> shape = shapeOf(query);
  const int64_t rows = shape[shape.size() - 2];
  const int64_t keys = shapeOf(key)[shape.size() - 2];
  int64_t pairs = ops::multiplyBytes(rows, keys);
  if (causal) {
    // Row n has min(n + 1, keys) of them.
    const int64_t triangle = std::min(rows, keys);
    pairs = ops::addBytes(ops::multiplyBytes(triangle, triangle + 1) / 2,
                          ops::multiplyBytes(rows - triangle, keys));
  }
  for (int64_t size : shape.drop_back(2))
    pairs = ops::multiplyBytes(pairs, size);
  return pairs;
}

// A product of D columns takes 2 D for each pair. Forward has one with the
// columns of the keys and one with those of the values, and 5 for scale,
// maximum, exponential and sum. Backward makes the scores anew and has 2 more
// with the columns of the keys, 2 with those of the values.
int64_t ops::attentionFlops(Operation *op) {
  auto count = [](auto attention, int64_t ofKeys, int64_t ofValues,
                  int64_t more) {
    Value query = attention.getQuery();
    const int64_t columns =
        addBytes(multiplyBytes(shapeOf(query).back(), ofKeys),
                 multiplyBytes(shapeOf(attention.getValue()).back(), ofValues));
    return multiplyBytes(
        visiblePairs(query, attention.getKey(), attention.getCausal()),
        addBytes(multiplyBytes(columns, 2), more));
  };
  // A number drawn for each pair counts as in memplan.dropout.
  if (auto forward = dyn_cast<AttentionOp>(op))
    return count(forward, 1, 1, 5);
  if (auto forward = dyn_cast<AttentionDropoutOp>(op))
    return count(forward, 1, 1, 7);
  if (auto backward = dyn_cast<AttentionDropoutGradOp>(op))
    return count(backward, 3, 2, 8);
  return count(cast<AttentionGradOp>(op), 3, 2, 6);
}

/// Builds the gradient by `create` where nothing asks for what there is none
/// of; `mask` is the number of the mask.
template <typename Attention>
static LogicalResult
buildAttentionGradients(Attention op, ValueRange outputGrads,
                        ArrayRef<bool> wanted, unsigned mask,
                        llvm::function_ref<Operation *()> create,
                        SmallVectorImpl<Value> &inputGrads) {
  if (failed(ops::refuseStatisticGradients(op, outputGrads)))
    return failure();
  if (op.getMask() && wanted[mask])
    return op.emitOpError() << "has no gradient for its mask, but the mask "
                               "depends on a parameter; write the scores out";
  Operation *gradient = create();
  for (unsigned i = 0; i < 3; ++i)
    if (wanted[i])
      inputGrads[i] = gradient->getResult(i);
  return success();
}

LogicalResult AttentionOp::buildGradients(OpBuilder &builder,
                                          ValueRange outputGrads,
                                          ArrayRef<bool> wanted,
                                          SmallVectorImpl<Value> &inputGrads) {
  return buildAttentionGradients(
      *this, outputGrads, wanted, 3,
      [&]() -> Operation * {
        auto made = AttentionGradOp::create(
            builder, getLoc(), outputGrads[0], getQuery(), getKey(), getValue(),
            getOutputAt(0), getOutputAt(1), getMask(), getScale(), getCausal());
        made.setTf32(getTf32());
        return made;
      },
      inputGrads);
}

LogicalResult
AttentionDropoutOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                   ArrayRef<bool> wanted,
                                   SmallVectorImpl<Value> &inputGrads) {
  return buildAttentionGradients(
      *this, outputGrads, wanted, 4,
      [&]() -> Operation * {
        auto made = AttentionDropoutGradOp::create(
            builder, getLoc(), outputGrads[0], getQuery(), getKey(), getValue(),
            getOutputAt(0), getOutputAt(1), getSeed(), getMask(), getScale(),
            getP(), getSalt(), getCausal());
        made.setTf32(getTf32());
        return made;
      },
      inputGrads);
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/AttentionOps.cpp.inc"
