//===- VerifySignature.cpp - What a planned function is given -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedVerifier.h"
#include "ValueHash.h"

using namespace mlir;
using namespace mlir::memplan;

LogicalResult PlannedVerifier::readAlignment() {
  auto align = function.getArgAttrOfType<IntegerAttr>(0, kAlignmentAttrName);
  if (!align || align.getInt() <= 0)
    return emitError(function.getLoc(), "the arena needs a positive `")
           << kAlignmentAttrName << "`";
  alignment = align.getInt();
  if (alignment < leastAlignment || !llvm::isPowerOf2_64(alignment))
    return emitError(function.getLoc(), "the arena is aligned to ")
           << alignment << " bytes; kernels take a power of two from "
           << leastAlignment << " on (planned_c2)";
  return success();
}

/// What the caller gives lies in memory of its own or, donated, where the
/// attribute says (planned_c9).
LogicalResult PlannedVerifier::readArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  ByteRange range{number, 0, byteSizeOf(argument.getType())};
  if (auto offset = function.getArgAttrOfType<IntegerAttr>(
          number, kArenaOffsetAttrName)) {
    auto refuse = [&](const Twine &why) {
      return emitError(function.getLoc(), "argument ")
             << number << " lies in the arena from byte " << offset.getInt()
             << " on, but " << why << " (planned_c9)";
    };
    if (!isDonated(number))
      return refuse("it is not donated");
    if (offset.getInt() % alignment != 0)
      return refuse("that is not a multiple of the alignment " +
                    Twine(alignment));
    if (offset.getInt() < 0 || range.end > facts.arenaBytes ||
        offset.getInt() > facts.arenaBytes - range.end)
      return refuse("its " + Twine(range.end) + " bytes end beyond the " +
                    Twine(facts.arenaBytes) + " bytes of the arena");
    range = {0, offset.getInt(), offset.getInt() + range.end};
    for (const StoredValue &other : memory.history())
      if (other.range.overlaps(range))
        return refuse("another argument lies there");
    facts.donatedBytes += range.bytes();
  }
  memory.write(range, {hashArgument(number - 1, argument.getType()), 0}, -1,
               false);
  return success();
}

/// planned_c1: the first argument is the arena, no other is.
LogicalResult PlannedVerifier::readSignature() {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(function.getLoc(),
                     "is not a planned function of one block");
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (bool(function.getArgAttr(number, kArenaAttrName)) != (number == 0))
      return emitError(function.getLoc(), "must have the arena as its first "
                                          "argument and nowhere else; `")
             << kArenaAttrName << "` is "
             << (number == 0 ? "missing on" : "also on") << " argument "
             << number;
    int64_t bytes = byteSizeOf(argument.getType());
    if (bytes < 0 || !isa<MemRefType>(argument.getType()))
      return emitError(function.getLoc(), "argument ")
             << number << " has type " << argument.getType()
             << " instead of a memref of static shape";
    if (number == 0) {
      facts.arenaBytes = bytes;
      if (failed(readAlignment()))
        return failure();
    } else if (failed(readArgument(argument))) {
      return failure();
    }
  }
  if (function.getNumArguments() == 0)
    return emitError(function.getLoc(), "has no arena argument");
  return success();
}
