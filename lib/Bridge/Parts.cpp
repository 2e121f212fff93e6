//===- Parts.cpp - Pieces that are written where they end up --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/Parts.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

/// What kernels ask of the address of an operand.
static constexpr int64_t pieceAlignment = 64;

bool mlir::memplan::mayHaveParts(Operation *op) {
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (!plannable || plannable.isMemrefForm() || plannable.getNumInputs() < 1 ||
      op->getNumResults() != 1)
    return false;
  for (unsigned i = 0, n = plannable.getNumInputs(); i < n; ++i) {
    std::optional<PiecePlace> place = plannable.getPiecePlace(i);
    if (!place || !place->isDense())
      return false;
  }
  return true;
}

namespace {

/// Lays out one concat after the other, from the last on.
class Layouter {
public:
  explicit Layouter(func::FuncOp function) : function(function) {
    for (auto [position, op] : llvm::enumerate(function.front()))
      positions[&op] = int64_t(position);
  }

  /// Why it cannot be laid out beside those before; empty if it now is.
  std::string add(PlannableOpInterface op);
  PartLayout take() { return std::move(layout); }

private:
  struct Range {
    unsigned whole = 0;
    int64_t begin = 0, end = 0;
  };

  std::string checkPiece(Value piece) const;
  std::string findOrigin(PlannableOpInterface op, Range &range) const;
  std::string checkOthers(PlannableOpInterface op, const Range &range) const;
  std::string checkPieces(PlannableOpInterface op, const Range &range) const;
  /// Position of the first operation that reads the value.
  int64_t firstReader(Value value) const;

  func::FuncOp function;
  PartLayout layout;
  llvm::DenseMap<Operation *, int64_t> positions;
  SmallVector<std::pair<Value, Range>> joined; ///< Outputs laid out so far.
};

} // namespace

int64_t Layouter::firstReader(Value value) const {
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
  auto maker = dyn_cast<PlannableOpInterface>(result.getOwner());
  if (!maker || !isMemoryEffectFree(result.getOwner()))
    return "is made by an operation of which nothing is known";
  if (maker.getWrittenOperand(result.getResultNumber()))
    return "is a new version of an argument";
  if (maker.getViewSource(result.getResultNumber()))
    return "is a view";
  if (llvm::any_of(piece.getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      }))
    return "is a result of the function";
  return "";
}

/// Where the output has to start, from what is placed already.
std::string Layouter::findOrigin(PlannableOpInterface op, Range &range) const {
  const Value output = op.getOutputAt(0);
  const int64_t bytes = byteSizeOf(output.getType());
  std::optional<std::pair<unsigned, int64_t>> origin;
  auto agree = [&](Value value, int64_t offset) {
    auto found = layout.places.find(value);
    if (found == layout.places.end())
      return true;
    std::pair<unsigned, int64_t> start(found->second.whole,
                                       found->second.offset - offset);
    if (!origin)
      origin = start;
    return *origin == start;
  };
  bool agrees = agree(output, 0);
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    agrees &= agree(op->getOperand(i), op.getPiecePlace(i)->byteOffset);
  if (!agrees)
    return "its inputs lie in another row already";
  range.whole = origin ? origin->first : layout.wholes.size();
  range.begin = origin ? origin->second : 0;
  range.end = range.begin + bytes;
  const int64_t room = origin ? layout.wholes[range.whole].bytes : bytes;
  if (range.begin < 0 || range.end > room)
    return "it reaches beyond the larger one that holds its inputs";
  return "";
}

/// Bytes may be known as the output of a small concat first, then as part of a
/// large one.
std::string Layouter::checkOthers(PlannableOpInterface op,
                                  const Range &range) const {
  for (const auto &[value, other] : joined) {
    if (other.whole != range.whole || other.end <= range.begin ||
        range.end <= other.begin)
      continue;
    if (range.begin < other.begin || other.end < range.end)
      return "it shares bytes with another one that it lies not inside of";
    if (firstReader(op.getOutputAt(0)) > firstReader(value))
      return "it is first read after a larger one that holds it";
  }
  return "";
}

std::string Layouter::checkPieces(PlannableOpInterface op,
                                  const Range &range) const {
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i) {
    Value piece = op->getOperand(i);
    const PiecePlace place = *op.getPiecePlace(i);
    std::string where = "input " + std::to_string(i) + " ";
    if (std::string why = checkPiece(piece); !why.empty())
      return where + why;
    const int64_t begin = range.begin + place.byteOffset,
                  end = begin + place.rowBytes;
    if (begin % pieceAlignment != 0)
      return where + "would start at byte " + std::to_string(begin) +
             ", which is no multiple of " + std::to_string(pieceAlignment);
    for (unsigned other = 0; other < i; ++other)
      if (op->getOperand(other) == piece)
        return where + "is input " + std::to_string(other) + " too";
    for (const auto &[value, placed] : layout.places)
      if (value != piece && placed.written && placed.whole == range.whole &&
          placed.offset < end &&
          begin < placed.offset + byteSizeOf(value.getType()) &&
          !layout.places.contains(piece))
        return where + "would lie over a piece of another one";
  }
  return "";
}

std::string Layouter::add(PlannableOpInterface op) {
  if (!mayHaveParts(op))
    return "not every input ends up in one run of bytes";
  Range range;
  if (std::string why = findOrigin(op, range); !why.empty())
    return why;
  if (std::string why = checkOthers(op, range); !why.empty())
    return why;
  if (std::string why = checkPieces(op, range); !why.empty())
    return why;
  Value output = op.getOutputAt(0);
  if (range.whole == layout.wholes.size())
    layout.wholes.push_back({output, range.end - range.begin});
  layout.places[output] = {range.whole, range.begin, /*written=*/false};
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    layout.places.try_emplace(
        op->getOperand(i),
        PlacedPart{range.whole, range.begin + op.getPiecePlace(i)->byteOffset,
                   /*written=*/true});
  joined.emplace_back(output, range);
  return "";
}

/// Concats that are marked or, if `all`, could be; the last first. A rerun only
/// makes a view again.
static SmallVector<PlannableOpInterface> concats(func::FuncOp function,
                                                 bool all) {
  SmallVector<PlannableOpInterface> list;
  for (Operation &op : llvm::reverse(function.front())) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (plannable && plannable.getRunIndex() == 0 &&
        (op.hasAttr(names::parts) || (all && mayHaveParts(&op))))
      list.push_back(plannable);
  }
  return list;
}

FailureOr<PartLayout> mlir::memplan::layOutParts(func::FuncOp function) {
  SmallVector<PlannableOpInterface> marked = concats(function, /*all=*/false);
  if (marked.empty())
    return PartLayout();
  Layouter layouter(function);
  for (PlannableOpInterface op : marked)
    if (std::string why = layouter.add(op); !why.empty())
      return op.emitError("cannot have its inputs written in place (`")
             << names::parts << "`): " << why;
  return layouter.take();
}

FailureOr<SmallVector<SmallVector<Operation *>>>
mlir::memplan::markAllParts(func::FuncOp function) {
  SmallVector<PlannableOpInterface> candidates = concats(function, true);
  SmallVector<SmallVector<Operation *>> groups;
  if (candidates.empty())
    return groups;
  Layouter layouter(function);
  SmallVector<Operation *> marked;
  for (PlannableOpInterface op : candidates) {
    bool asked = op->hasAttr(names::parts);
    if (std::string why = layouter.add(op); !why.empty()) {
      if (asked)
        return op.emitError("cannot have its inputs written in place (`")
               << names::parts << "`): " << why;
      continue;
    }
    if (asked)
      continue;
    op->setAttr(names::parts, UnitAttr::get(function.getContext()));
    marked.push_back(op);
  }
  PartLayout layout = layouter.take();
  groups.resize(layout.wholes.size());
  for (Operation *op : marked)
    groups[layout.places[op->getResult(0)].whole].push_back(op);
  return groups;
}
