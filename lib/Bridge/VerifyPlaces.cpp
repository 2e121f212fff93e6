//===- VerifyPlaces.cpp - Where a planned operation may write -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedVerifier.h"

using namespace mlir;
using namespace mlir::memplan;

/// Where input `index` ends up in the output at `output`.
std::optional<ByteRange> PlannedVerifier::pieceRange(PlannableOpInterface op,
                                                     unsigned index,
                                                     const ByteRange &output) {
  std::optional<PiecePlace> place = op.getPiecePlace(index);
  if (place)
    place = place->inside(output.place());
  return place ? std::optional(ByteRange::at(output.argument, *place))
               : std::nullopt;
}

/// What a host that keeps tensors goes by says the same.
LogicalResult PlannedVerifier::checkMarkedPlaces(Operation *op,
                                                 ArrayRef<ByteRange> outputs) {
  auto offsets = op->getAttrOfType<DenseI64ArrayAttr>(names::offsets);
  if (!offsets)
    return success();
  for (auto [i, range] : llvm::enumerate(outputs))
    if (size_t(offsets.size()) != outputs.size() ||
        offsets[i] != (isArena(range) ? range.begin : -1))
      return op->emitError("`")
             << names::offsets << "` does not say that result " << i
             << " is stored at " << range << " (planned_c2)";
  return success();
}

/// planned_c2, planned_c5.
LogicalResult PlannedVerifier::checkPlace(PlannableOpInterface op,
                                          unsigned output,
                                          const ByteRange &range) {
  std::optional<unsigned> written = op.getWrittenOperand(output);
  if (written) {
    FailureOr<ReadOperand> old = readOperand(op, *written);
    if (failed(old))
      return failure();
    if (old->range != range)
      return op->emitError("output ")
             << output << " must be input " << *written
             << " itself, which it is the new version of (planned_c5)";
  }
  if (isHost(range))
    return op->emitError("output ")
           << output << " overwrites " << range
           << " on the host, where only copies go (planned_c11)";
  if (isArena(range))
    return checkAligned(op, output, range);
  if (function.getArgAttr(range.argument, kArenaOffsetAttrName) ||
      function.getArgAttr(range.argument, kHostOffsetAttrName))
    return op->emitError("output ")
           << output << " overwrites " << range
           << ", which lies in an arena and has no other bytes (planned_c9)";
  if (!written && !isDonated(range.argument))
    return op->emitError("output ")
           << output << " overwrites " << range
           << ", which belong to the caller (planned_c5)";
  return success();
}

/// planned_c2. A whole starts aligned, and a piece of it where kernels take it.
LogicalResult PlannedVerifier::checkAligned(PlannableOpInterface op,
                                            unsigned output,
                                            const ByteRange &range) {
  auto offsets = op->getAttrOfType<DenseI64ArrayAttr>(names::partOffset);
  const int64_t inWhole = offsets && output < size_t(offsets.size())
                              ? std::max<int64_t>(offsets[output], 0)
                              : 0;
  if ((range.begin - inWhole) % alignment != 0)
    return op->emitError("output ")
           << output << " starts at byte " << range.begin
           << ", which is not a multiple of the alignment " << alignment
           << " (planned_c2)";
  if (inWhole % leastAlignment != 0 || inWhole > range.begin)
    return op->emitError("output ")
           << output << " starts at byte " << inWhole
           << " of its whole, which is not a multiple of " << leastAlignment
           << " inside the arena (planned_c2)";
  return success();
}

/// planned_c4. Scratch and outputs are written while inputs are still read.
LogicalResult PlannedVerifier::checkAliasing(
    PlannableOpInterface op, ArrayRef<ReadOperand> inputs,
    ArrayRef<ByteRange> outputs, const std::optional<ByteRange> &workspace) {
  for (auto [o, output] : llvm::enumerate(outputs)) {
    SmallVector<unsigned> allowed = op.getInPlaceOperands(o);
    if (std::optional<unsigned> written = op.getWrittenOperand(o))
      allowed.push_back(*written);
    // What the output starts from would be lost over any other operand.
    if (std::optional<unsigned> start = op.getDestinationOperand(o);
        start && op.isDestinationRead(o))
      allowed = {*start};
    for (const ReadOperand &input : inputs)
      if (input.range && output.overlaps(*input.range) &&
          !(output == *input.range &&
            llvm::is_contained(allowed, input.number)) &&
          !(o == 0 && pieceRange(op, input.number, output) == input.range))
        return op->emitError("output ")
               << o << " at " << output << " overwrites input " << input.number
               << " at " << *input.range
               << ", which the operation does not allow (planned_c4)";
    for (size_t other = o + 1; other < outputs.size(); ++other)
      if (output.overlaps(outputs[other]))
        return op->emitError("outputs ")
               << o << " and " << other << " share bytes: " << output << " and "
               << outputs[other] << " (planned_c4)";
  }
  if (!workspace)
    return success();
  SmallVector<ByteRange> all(outputs);
  for (const ReadOperand &input : inputs)
    if (input.range)
      all.push_back(*input.range);
  for (const ByteRange &range : all)
    if (range.overlaps(*workspace))
      return op->emitError("workspace at ")
             << *workspace << " overlaps an operand at " << range
             << " (planned_c4)";
  return success();
}
