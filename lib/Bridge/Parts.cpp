//===- Parts.cpp - Pieces that are written where they end up --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/Parts.h"
#include "PartRows.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

/// What kernels ask of the address of an operand.
static constexpr int64_t pieceAlignment = 64;

namespace {

/// Lays out one concat after the other, from the last on.
class Layouter {
public:
  explicit Layouter(func::FuncOp function) : function(function) {
    for (auto [position, op] : llvm::enumerate(function.front()))
      positions[&op] = int64_t(position);
  }

  /// Why it cannot be laid out beside those before; empty if it now is. Concats
  /// come before splits and slices.
  std::string add(PlannableOpInterface op);
  PartLayout take() { return std::move(layout); }

private:
  /// Where the output of a concat goes, and its inputs with it.
  struct Range {
    unsigned whole = 0;
    PiecePlace place;
    SmallVector<PiecePlace> pieces;
  };

  std::string addConcat(PlannableOpInterface op);
  std::string addSlices(PlannableOpInterface op);
  std::string checkPiece(Value piece) const;
  std::string findOrigin(PlannableOpInterface op, Range &range) const;
  std::string placePieces(PlannableOpInterface op, Range &range) const;
  std::string checkOthers(PlannableOpInterface op, const Range &range) const;
  std::string checkPieces(PlannableOpInterface op, const Range &range) const;
  /// Position of the first operation that reads the value.
  int64_t firstUser(Value value) const;

  func::FuncOp function;
  PartLayout layout;
  llvm::DenseMap<Operation *, int64_t> positions;
  SmallVector<std::pair<Value, Range>> joined; ///< Outputs laid out so far.
};

} // namespace

int64_t Layouter::firstUser(Value value) const {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (Operation *user : value.getUsers())
    first = std::min(first, positions.lookup(user));
  return first;
}

std::string Layouter::checkPiece(Value piece) const {
  if (layout.places.contains(piece))
    return "";
  auto result = dyn_cast<OpResult>(piece);
  if (!result)
    return "is an argument of the function";
  auto producer = dyn_cast<PlannableOpInterface>(result.getOwner());
  if (!producer || !isMemoryEffectFree(result.getOwner()))
    return "is made by an operation of which nothing is known";
  if (producer.getWrittenOperand(result.getResultNumber()))
    return "is a new version of an argument";
  if (producer.getViewSource(result.getResultNumber()))
    return "is a view";
  if (llvm::any_of(piece.getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      }))
    return "is a result of the function";
  return "";
}

/// Where a value of `bytes` bytes has to lie if its piece `inner` lies at
/// `placed`.
static std::optional<PiecePlace>
wholeAround(const PiecePlace &inner, const PiecePlace &placed, int64_t bytes) {
  if (inner.bytes() == bytes)
    return placed;
  PiecePlace place{placed.byteOffset - inner.byteOffset, bytes, 1, 0};
  if (inner.rows != placed.rows)
    return std::nullopt;
  if (!inner.isDense() && inner.stride != placed.stride)
    place = {place.byteOffset, inner.stride, placed.rows, placed.stride};
  return place;
}

/// Where the output has to lie, from what is placed already.
std::string Layouter::findOrigin(PlannableOpInterface op, Range &range) const {
  const Value output = op.getOutputAt(0);
  const int64_t bytes = byteSizeOf(output.getType());
  std::optional<std::pair<unsigned, PiecePlace>> origin;
  auto agree = [&](Value value, const PiecePlace &inner) {
    auto found = layout.places.find(value);
    if (found == layout.places.end())
      return true;
    std::optional<PiecePlace> place =
        wholeAround(inner, found->second.place, bytes);
    if (!place)
      return false;
    if (!origin)
      origin = {found->second.whole, *place};
    return *origin == std::pair(found->second.whole, *place);
  };
  bool agrees = true;
  if (auto found = layout.places.find(output); found != layout.places.end())
    origin = {found->second.whole, found->second.place};
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    agrees &= agree(op->getOperand(i), *op.getPiecePlace(i));
  if (!agrees)
    return "its inputs lie in another row already";
  range.whole = origin ? origin->first : layout.wholes.size();
  range.place = origin ? origin->second : PiecePlace{0, bytes, 1, 0};
  const PiecePlace room{0, origin ? layout.wholes[range.whole].bytes : bytes, 1,
                        0};
  // A row that went on in the next one would lie over what others write.
  const PiecePlace &place = range.place;
  if (!room.contains(place) ||
      (!place.isDense() &&
       place.byteOffset % place.stride + place.rowBytes > place.stride))
    return "it reaches beyond the larger one that holds its inputs";
  return checkRows(output, place.rows);
}

std::string Layouter::placePieces(PlannableOpInterface op, Range &range) const {
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i) {
    std::optional<PiecePlace> place = op.getPiecePlace(i)->inside(range.place);
    if (!place)
      return "input " + std::to_string(i) + " has no rows of one distance";
    range.pieces.push_back(*place);
  }
  return "";
}

/// Bytes may be known as the output of a small concat first, then as part of a
/// large one.
std::string Layouter::checkOthers(PlannableOpInterface op,
                                  const Range &range) const {
  for (const auto &[value, other] : joined) {
    if (other.whole != range.whole || !other.place.overlaps(range.place))
      continue;
    if (!other.place.contains(range.place))
      return "it shares bytes with another one that it lies not inside of";
    if (firstUser(op.getOutputAt(0)) > firstUser(value))
      return "it is first read after a larger one that holds it";
  }
  return "";
}

std::string Layouter::checkPieces(PlannableOpInterface op,
                                  const Range &range) const {
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i) {
    Value piece = op->getOperand(i);
    const PiecePlace &place = range.pieces[i];
    std::string where = "input " + std::to_string(i) + " ";
    if (std::string why = checkPiece(piece); !why.empty())
      return where + why;
    if (std::string why = checkRows(piece, place.rows); !why.empty())
      return where + why;
    if (place.byteOffset % pieceAlignment != 0)
      return where + "would start at byte " + std::to_string(place.byteOffset) +
             ", which is no multiple of " + std::to_string(pieceAlignment);
    for (unsigned other = 0; other < i; ++other)
      if (op->getOperand(other) == piece)
        return where + "is input " + std::to_string(other) + " too";
    if (layout.places.contains(piece))
      continue;
    for (const auto &[value, placed] : layout.places)
      if (placed.written && placed.whole == range.whole &&
          placed.place.overlaps(place))
        return where + "would lie over a piece of another one";
  }
  return "";
}

std::string Layouter::addConcat(PlannableOpInterface op) {
  Range range;
  if (std::string why = findOrigin(op, range); !why.empty())
    return why;
  if (std::string why = placePieces(op, range); !why.empty())
    return why;
  if (std::string why = checkOthers(op, range); !why.empty())
    return why;
  if (std::string why = checkPieces(op, range); !why.empty())
    return why;
  Value output = op.getOutputAt(0);
  if (range.whole == layout.wholes.size())
    layout.wholes.push_back({output, range.place.bytes()});
  layout.places[output] = {range.whole, range.place, /*written=*/false};
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    layout.places.try_emplace(
        op->getOperand(i),
        PlacedPart{range.whole, range.pieces[i], /*written=*/true});
  joined.emplace_back(output, std::move(range));
  return "";
}

/// Results that are views as they stand need no mark; those of a value that has
/// gaps itself are copied.
std::string Layouter::addSlices(PlannableOpInterface op) {
  Value source = op->getOperand(0);
  if (auto found = layout.places.find(source);
      layout.slices.contains(source) ||
      (found != layout.places.end() && !found->second.place.isDense()))
    return "its input has gaps between its rows itself";
  for (OpResult result : op->getResults()) {
    std::string where = "output " + std::to_string(result.getResultNumber());
    if (op.getViewSource(result.getResultNumber()))
      return where + " is a view without it";
    if (layout.places.contains(result))
      return where + " is written where it ends up";
    const PiecePlace place = *op.getSlicePlace(result.getResultNumber());
    if (place.byteOffset % pieceAlignment != 0)
      return where + " starts at byte " + std::to_string(place.byteOffset) +
             ", which is no multiple of " + std::to_string(pieceAlignment);
    if (std::string why = checkRows(result, place.rows); !why.empty())
      return where + " " + why;
  }
  layout.slices.insert_range(op->getResults());
  return "";
}

std::string Layouter::add(PlannableOpInterface op) {
  if (!mayHaveParts(op))
    return "what it moves is not in rows, or in more than " +
           std::to_string(mostPartRows);
  return isConcat(op) ? addConcat(op) : addSlices(op);
}

/// What is marked or, if `all`, could be: concats, the last first, then splits
/// and slices. A recomputation only makes a view again.
static SmallVector<PlannableOpInterface> candidates(func::FuncOp function,
                                                    bool all) {
  SmallVector<PlannableOpInterface> concats, slices;
  for (Operation &op : llvm::reverse(function.front())) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.getRunIndex() != 0 ||
        !(op.hasAttr(names::parts) || (all && mayHaveParts(&op))))
      continue;
    (mayHaveParts(&op) && !isConcat(&op) ? slices : concats)
        .push_back(plannable);
  }
  // A slice of a slice comes after it.
  llvm::append_range(concats, llvm::reverse(slices));
  return concats;
}

static LogicalResult refuse(PlannableOpInterface op, StringRef why) {
  return op.emitError(isConcat(op) || !mayHaveParts(op)
                          ? "cannot have its inputs written in place (`"
                          : "cannot have its outputs read in place (`")
         << names::parts << "`): " << why;
}

FailureOr<PartLayout> mlir::memplan::layOutParts(func::FuncOp function) {
  SmallVector<PlannableOpInterface> marked =
      candidates(function, /*all=*/false);
  if (marked.empty())
    return PartLayout();
  Layouter layouter(function);
  for (PlannableOpInterface op : marked)
    if (std::string why = layouter.add(op); !why.empty())
      return refuse(op, why);
  return layouter.take();
}

static bool isInOneRow(Operation *op) {
  return llvm::all_of(placesOf(op),
                      [](const PiecePlace &place) { return place.isDense(); });
}

FailureOr<SmallVector<SmallVector<Operation *>>>
mlir::memplan::markAllParts(func::FuncOp function, bool rows) {
  SmallVector<PlannableOpInterface> all = candidates(function, /*all=*/true);
  SmallVector<SmallVector<Operation *>> groups;
  if (all.empty())
    return groups;
  Layouter layouter(function);
  SmallVector<Operation *> concats;
  for (PlannableOpInterface op : all) {
    bool asked = op->hasAttr(names::parts);
    if (!asked && !rows && !isInOneRow(op))
      continue;
    if (std::string why = layouter.add(op); !why.empty()) {
      if (asked)
        return refuse(op, why);
      continue;
    }
    if (asked)
      continue;
    op->setAttr(names::parts, UnitAttr::get(function.getContext()));
    if (isConcat(op))
      concats.push_back(op);
    else
      groups.push_back({op});
  }
  PartLayout layout = layouter.take();
  const size_t first = groups.size();
  groups.resize(first + layout.wholes.size());
  for (Operation *op : concats)
    groups[first + layout.places[op->getResult(0)].whole].push_back(op);
  return groups;
}
