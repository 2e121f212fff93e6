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

static bool isOnHost(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && isa_and_nonnull<HostAttr>(memref.getMemorySpace());
}

FailureOr<int64_t> PlannedVerifier::readAlignment(unsigned argument) {
  auto align =
      function.getArgAttrOfType<IntegerAttr>(argument, kAlignmentAttrName);
  if (!align || align.getInt() <= 0)
    return emitError(function.getLoc(), "the arena needs a positive `")
           << kAlignmentAttrName << "`";
  if (align.getInt() < leastAlignment || !llvm::isPowerOf2_64(align.getInt()))
    return emitError(function.getLoc(), "the arena is aligned to ")
           << align.getInt() << " bytes; kernels take a power of two from "
           << leastAlignment << " on (planned_c2)";
  return align.getInt();
}

/// The first is on the device, a second on the host.
LogicalResult PlannedVerifier::readArena(BlockArgument argument) {
  const unsigned number = argument.getArgNumber();
  FailureOr<int64_t> align = readAlignment(number);
  if (failed(align))
    return failure();
  const int64_t bytes = byteSizeOf(argument.getType());
  if (number == 0) {
    facts.arenaBytes = bytes;
    alignment = *align;
    return success();
  }
  arenas = 2;
  facts.hostBytes = bytes;
  hostAlignment = *align;
  return success();
}

/// What the caller gives may lie in an arena (planned_c9).
FailureOr<ByteRange> PlannedVerifier::homeIn(unsigned arena,
                                             BlockArgument argument,
                                             int64_t offset) {
  const unsigned number = argument.getArgNumber();
  const int64_t bytes = byteSizeOf(argument.getType()),
                all = arena == 0 ? facts.arenaBytes : facts.hostBytes,
                align = arena == 0 ? alignment : hostAlignment;
  auto refuse = [&](const Twine &why) {
    return emitError(function.getLoc(), "argument ")
           << number << " lies in the " << (arena == 0 ? "" : "host ")
           << "arena from byte " << offset << " on, but " << why
           << " (planned_c9)";
  };
  if (arena == 0 && !isDonated(number))
    return refuse("it is not donated");
  if (arena == 1 && arenas < 2)
    return refuse("the function has no arena there");
  if (offset % align != 0)
    return refuse("that is not a multiple of the alignment " + Twine(align));
  if (offset < 0 || bytes > all || offset > all - bytes)
    return refuse("its " + Twine(bytes) + " bytes end beyond the " +
                  Twine(all) + " bytes of the arena");
  const ByteRange range{arena, offset, offset + bytes};
  for (const StoredValue &other : memory.history())
    if (other.range.overlaps(range))
      return refuse("another argument lies there");
  return range;
}

/// Memory of its own or, donated, in the arena, or on the host where it is
/// between steps.
FailureOr<ByteRange> PlannedVerifier::homeOf(BlockArgument argument) {
  const unsigned number = argument.getArgNumber();
  auto inArena =
           function.getArgAttrOfType<IntegerAttr>(number, kArenaOffsetAttrName),
       onHost =
           function.getArgAttrOfType<IntegerAttr>(number, kHostOffsetAttrName);
  if (inArena && onHost)
    return emitError(function.getLoc(), "argument ")
           << number << " lies in the arena and on the host (planned_c9)";
  if (onHost)
    return homeIn(1, argument, onHost.getInt());
  if (inArena)
    return homeIn(0, argument, inArena.getInt());
  return ByteRange{number, 0, byteSizeOf(argument.getType())};
}

LogicalResult PlannedVerifier::readArgument(BlockArgument argument) {
  const unsigned number = argument.getArgNumber();
  FailureOr<ByteRange> range = homeOf(argument);
  if (failed(range))
    return failure();
  if (isArena(*range))
    facts.donatedBytes += range->bytes();
  else if (isHost(*range))
    onHost[argument] = *range;
  memory.write(*range, {hashArgument(number - arenas, argument.getType()), 0},
               -1, false);
  return success();
}

/// planned_c1: the first argument is the arena, and no other but one after it
/// on the host.
LogicalResult PlannedVerifier::readSignature() {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(function.getLoc(),
                     "is not a planned function of one block");
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    const bool isArena(function.getArgAttr(number, kArenaAttrName));
    const bool isHost = number == 1 && isOnHost(argument.getType());
    if (isArena != (number == 0 || isHost))
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
    if (!isHost && isOnHost(argument.getType()))
      return emitError(function.getLoc(), "argument ")
             << number << " has type " << argument.getType()
             << "; only the host arena, argument 1, lies on the host "
                "(planned_c11)";
    if (failed(isArena ? readArena(argument) : readArgument(argument)))
      return failure();
  }
  if (function.getNumArguments() == 0)
    return emitError(function.getLoc(), "has no arena argument");
  return success();
}
