//===- VerifyValues.cpp - What the bytes of a planned function hold -------===//
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

/// What a range inside `at` holds where `at` holds `bytes`.
static SymbolicBytes bytesInside(const ByteRange &range, const ByteRange &at,
                                 const SymbolicBytes &bytes) {
  SymbolicBytes found;
  const PiecePlace place = at.place();
  for (int64_t number = 0; number < range.rows; ++number) {
    const ByteRange row = range.row(number);
    const int64_t distance = row.begin - at.begin,
                  above = at.isDense() ? 0 : distance / place.stride;
    found.append(bytes.slice(distance - above * (place.stride - place.rowBytes),
                             row.bytes()));
  }
  return found;
}

/// planned_c3: bytes of one value, or of several that a concat has joined there
/// and nothing has overwritten since.
std::optional<SymbolicBytes> PlannedVerifier::readWhole(const ByteRange &range,
                                                        int64_t position) {
  std::optional<SymbolicMemory::Found> found = memory.read(range, position);
  if (!found)
    return std::nullopt;
  if (found->value || found->bytes.pieces().size() == 1)
    return std::move(found->bytes);
  for (const auto &[at, bytes] : llvm::reverse(joined))
    if (at.contains(range) && bytesInside(range, at, bytes) == found->bytes)
      return std::move(found->bytes);
  return std::nullopt;
}

/// Puts bytes that have names already into the rows of a range.
void PlannedVerifier::writeBytes(const ByteRange &range,
                                 const SymbolicBytes &bytes, int64_t position) {
  if (bytes.pieces().size() == 1) {
    memory.write(range, bytes.pieces().front().value, position,
                 /*inPlace=*/false);
    return;
  }
  for (int64_t number = 0; number < range.rows; ++number) {
    ByteRange to = range.row(number);
    const SymbolicBytes row = bytes.slice(number * to.bytes(), to.bytes());
    for (const SymbolicBytes::Piece &piece : row.pieces()) {
      to.end = to.begin + piece.bytes;
      memory.write(to, piece.value, position, /*inPlace=*/false);
      to.begin = to.end;
    }
  }
}

/// What lies in its place already keeps its name there.
LogicalResult PlannedVerifier::movePieces(PlannableOpInterface op,
                                          ArrayRef<ReadOperand> inputs,
                                          const ByteRange &output,
                                          int64_t position) {
  for (const ReadOperand &input : inputs) {
    const ByteRange to = *pieceRange(op, input.number, output);
    if (to == input.range)
      continue;
    if (failed(noteWrite(op, "output 0", to)))
      return failure();
    writeBytes(to, input.value, position);
  }
  return success();
}

/// planned_c6.
LogicalResult PlannedVerifier::checkValue(Operation *op, uint64_t root) {
  auto number = op->getAttrOfType<IntegerAttr>(kNodeAttrName);
  if (!number)
    return success();
  auto [entry, isFirst] = valueOfNode.try_emplace(number.getInt(), root, op);
  if (!isFirst && entry->second.first != root) {
    InFlightDiagnostic diag =
        op->emitError("computes another value than the run of the same node "
                      "before (planned_c6)");
    diag.attachNote(entry->second.second->getLoc()) << "that run is here";
    return diag;
  }
  if (expected && expected->nodes.lookup(number.getInt()) != root)
    return op->emitError("reads other values than node ")
           << number.getInt() << " of the unplanned function (planned_c6)";
  return success();
}

/// planned_c7: `value` is at the end what entry `index` of the hashes says.
LogicalResult PlannedVerifier::checkHash(Operation *at, const Twine &what,
                                         Value value, int64_t promised,
                                         size_t index) {
  FailureOr<ByteRange> range = addresses.resolve(value, at);
  if (failed(range))
    return failure();
  if (auto home = onHost.find(value); home != onHost.end())
    range = home->second;
  std::optional<SymbolicBytes> found = readWhole(*range, facts.bytesAt.size());
  int64_t wanted = expected ? expected->boundary[index] : promised;
  if (found && hashBoundary(nameOf(*found), value.getType()) == wanted &&
      promised == wanted)
    return success();
  return emitError(at->getLoc(), what)
         << (found ? " has another value than in the unplanned function"
                   : " holds no whole value")
         << " (planned_c7)";
}

LogicalResult PlannedVerifier::checkArguments(ArrayRef<int64_t> promised) {
  for (BlockArgument argument : function.getArguments().drop_front(arenas)) {
    unsigned number = argument.getArgNumber(), i = number - arenas;
    // A donated argument may hold anything, unless the step updates it.
    int64_t untouched = hashBoundary({hashArgument(i, argument.getType()), 0},
                                     argument.getType());
    if (isDonated(number) && promised[i] == untouched)
      continue;
    if (failed(checkHash(
            function, "argument " + Twine(number) + " at the end of the step",
            argument, promised[i], i)))
      return failure();
  }
  return success();
}

/// planned_c7.
LogicalResult PlannedVerifier::checkBoundary(func::ReturnOp terminator) {
  auto promised = function->getAttrOfType<DenseI64ArrayAttr>(names::valueHash);
  size_t arguments = function.getNumArguments() - arenas;
  size_t values = arguments + terminator.getNumOperands();
  bool withEffects = promised && size_t(promised.size()) == values + 1;
  if (!promised || (size_t(promised.size()) != values && !withEffects) ||
      (expected && expected->boundary.size() != size_t(promised.size())))
    return emitError(function.getLoc(), "needs `")
           << names::valueHash << "` with one number for each of its "
           << arguments << " arguments and " << terminator.getNumOperands()
           << " results; the planned form carries it";
  if (failed(checkArguments(promised)))
    return failure();
  for (auto [i, value] : llvm::enumerate(terminator.getOperands()))
    if (failed(checkHash(terminator, "result " + Twine(i), value,
                         promised[arguments + i], arguments + i)))
      return failure();
  uint64_t wanted = withEffects ? uint64_t(promised[values]) : 0;
  if (effects != wanted || (expected && withEffects &&
                            uint64_t(expected->boundary[values]) != wanted))
    return emitError(function.getLoc(),
                     "runs other operations with effects than the unplanned "
                     "function, or in another order (planned_c7)");
  return success();
}
