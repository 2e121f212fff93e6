//===- VerifyPlanned.cpp - Trusts no plan ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/VerifyPlanned.h"
#include "ForeignValues.h"
#include "TensorLinks.h"
#include "ValueHash.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// What one operand holds when it is read.
struct ReadOperand {
  unsigned number = 0;
  std::optional<ByteRange> range; ///< None for a constant on tensors.
  SymbolicBytes value;
};

class Verifier {
public:
  Verifier(func::FuncOp function, const ValueHashes *expected)
      : function(function), expected(expected),
        links(function.getNumArguments(), addresses, memory) {}

  /// planned_c1 to planned_c7.
  FailureOr<PlannedFacts> run();

private:
  LogicalResult readSignature();
  LogicalResult readAlignment();
  LogicalResult readArgument(BlockArgument argument);
  LogicalResult visit(Operation *op);
  LogicalResult execute(PlannableOpInterface op);
  LogicalResult copy(memref::CopyOp op);
  FailureOr<ReadOperand> readOperand(PlannableOpInterface op, unsigned number);
  FailureOr<SmallVector<ByteRange>> outputsOf(PlannableOpInterface op);
  FailureOr<std::optional<ByteRange>> workspaceOf(PlannableOpInterface op);
  LogicalResult checkMarkedPlaces(Operation *op, ArrayRef<ByteRange> outputs);
  LogicalResult checkAliasing(PlannableOpInterface op,
                              ArrayRef<ReadOperand> inputs,
                              ArrayRef<ByteRange> outputs,
                              const std::optional<ByteRange> &workspace);
  std::optional<SymbolicBytes> readWhole(const ByteRange &range,
                                         int64_t position);
  void writeBytes(const ByteRange &range, const SymbolicBytes &bytes,
                  int64_t position);
  void movePieces(PlannableOpInterface op, ArrayRef<ReadOperand> inputs,
                  const ByteRange &output, int64_t position);
  LogicalResult checkPlace(PlannableOpInterface op, unsigned output,
                           const ByteRange &range);
  LogicalResult checkAligned(PlannableOpInterface op, unsigned output,
                             const ByteRange &range);
  LogicalResult checkValue(Operation *op, uint64_t root);
  LogicalResult checkBoundary(func::ReturnOp terminator);
  LogicalResult checkArguments(ArrayRef<int64_t> promised);
  LogicalResult checkHash(Operation *at, const Twine &what, Value value,
                          int64_t promised, size_t index);
  void measure();

  bool isArena(const ByteRange &range) const { return range.argument == 0; }
  bool isDonated(unsigned argument) {
    return bool(function.getArgAttr(argument, kDonatedAttrName));
  }

  func::FuncOp function;
  const ValueHashes *expected;
  AddressMap addresses;
  SymbolicMemory memory;
  TensorLinks links;
  /// What concats have joined, and where.
  SmallVector<std::pair<ByteRange, SymbolicBytes>> joined;
  PlannedFacts facts;
  int64_t alignment = 1;
  uint64_t effects = 0; ///< Of the operations so far.
  SmallVector<int64_t>
      workspaceAt; ///< Arena bytes of the workspace of each compute operation.
  llvm::DenseMap<int64_t, std::pair<uint64_t, Operation *>>
      valueOfNode; ///< By `memplan.node`.
};

} // namespace

/// What vector loads and matrix libraries ask for.
static constexpr int64_t leastAlignment = 64;

LogicalResult Verifier::readAlignment() {
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
LogicalResult Verifier::readArgument(BlockArgument argument) {
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
LogicalResult Verifier::readSignature() {
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

FailureOr<PlannedFacts> Verifier::run() {
  if (failed(readSignature()))
    return failure();
  for (Operation &op : function.front().without_terminator()) {
    if (failed(visit(&op)))
      return failure();
  }
  facts.residentBytes = residentBytes(function);
  auto terminator = dyn_cast<func::ReturnOp>(function.front().getTerminator());
  if (!terminator)
    return emitError(function.getLoc(), "does not end in func.return");
  if (failed(checkBoundary(terminator)))
    return failure();
  measure();
  return std::move(facts);
}

LogicalResult Verifier::visit(Operation *op) {
  if (isAddressArithmetic(op))
    return success();
  FailureOr<bool> isLink = links.visit(op);
  if (failed(isLink) || *isLink)
    return isLink;
  LogicalResult result = failure();
  if (auto copied = dyn_cast<memref::CopyOp>(op))
    result = copy(copied);
  else if (auto plannable = dyn_cast<PlannableOpInterface>(op);
           plannable &&
           (plannable.isMemrefForm() || !plannable.hasMemrefForm()))
    result = execute(plannable);
  else
    return op->emitError("'")
           << op->getName() << "' is not part of the planned form (planned_c1)";
  links.ran();
  return result;
}

/// What an output of the next operation starts from moves to its bytes.
LogicalResult Verifier::copy(memref::CopyOp op) {
  const int64_t position = facts.bytesAt.size();
  FailureOr<ByteRange> from = addresses.resolve(op.getSource(), op),
                       to = addresses.resolve(op.getTarget(), op);
  if (failed(from) || failed(to))
    return failure();
  std::optional<SymbolicBytes> value = readWhole(*from, position);
  if (!value || value->pieces().size() != 1)
    return op->emitError("copies ")
           << *from << ", which hold no whole value at this point (planned_c3)";
  if (!isArena(*to) || to->begin % alignment != 0 || from->overlaps(*to) ||
      from->bytes() != to->bytes())
    return op->emitError("copies ")
           << *from << " to " << *to
           << "; a copy goes to as many other bytes of the arena, from a "
              "multiple of the alignment "
           << alignment << " on (planned_c4)";
  memory.write(*to, value->pieces().front().value, position,
               /*inPlace=*/false);
  return success();
}

FailureOr<ReadOperand> Verifier::readOperand(PlannableOpInterface op,
                                             unsigned number) {
  ReadOperand read;
  read.number = number;
  Value source = op->getOperand(number);
  if (Operation *maker = source.getDefiningOp(); maker && isNoRun(maker)) {
    read.value =
        SymbolicBytes({hashConstant(maker), 0},
                      std::max<int64_t>(byteSizeOf(source.getType()), 0));
    return read;
  }
  if (!op.isMemrefForm()) {
    FailureOr<Value> shown = links.sourceOf(source, op);
    if (failed(shown))
      return failure();
    source = *shown;
  }
  FailureOr<ByteRange> range = addresses.resolve(source, op);
  if (failed(range))
    return failure();
  std::optional<SymbolicBytes> value = readWhole(*range, facts.bytesAt.size());
  if (!value)
    return op->emitError("input ")
           << number << " reads " << *range
           << ", which hold no whole value at this point: never written, or "
              "overwritten since (planned_c3)";
  read.range = *range;
  read.value = std::move(*value);
  return read;
}

FailureOr<SmallVector<ByteRange>> Verifier::outputsOf(PlannableOpInterface op) {
  SmallVector<Value> destinations;
  if (op.isMemrefForm()) {
    for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
      destinations.push_back(op.getOutputAt(i));
  } else {
    FailureOr<SmallVector<Value>> stored = links.destinationsOf(op);
    if (failed(stored))
      return failure();
    destinations = std::move(*stored);
  }
  SmallVector<ByteRange> outputs;
  for (auto [i, destination] : llvm::enumerate(destinations)) {
    FailureOr<ByteRange> range = addresses.resolve(destination, op);
    if (failed(range) || failed(checkPlace(op, i, *range)))
      return failure();
    outputs.push_back(*range);
  }
  if (!op.isMemrefForm() && failed(checkMarkedPlaces(op, outputs)))
    return failure();
  return outputs;
}

/// What a host that keeps tensors goes by says the same.
LogicalResult Verifier::checkMarkedPlaces(Operation *op,
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

/// The last operand where it is neither input nor output, or what the attribute
/// says where the operation takes none.
FailureOr<std::optional<ByteRange>>
Verifier::workspaceOf(PlannableOpInterface op) {
  std::optional<ByteRange> workspace;
  const unsigned known = op.getNumInputs() + op.getNumOutputs();
  if (op.isMemrefForm() && op->getNumOperands() > known) {
    FailureOr<ByteRange> range =
        addresses.resolve(op->getOperands().back(), op);
    if (failed(range))
      return failure();
    workspace = *range;
  } else if (int64_t bytes = op.getWorkspaceBytes(); bytes != 0) {
    auto offset = op->getAttrOfType<IntegerAttr>(names::scratch);
    if (!offset || offset.getInt() < 0 || bytes > facts.arenaBytes ||
        offset.getInt() > facts.arenaBytes - bytes)
      return op->emitError("needs `")
             << names::scratch << "` with the first of " << bytes
             << " bytes of workspace in the arena (planned_c2)";
    workspace = ByteRange{0, offset.getInt(), offset.getInt() + bytes};
  }
  if (workspace && (!isArena(*workspace) || workspace->begin % alignment != 0))
    return op->emitError("workspace lies at ")
           << *workspace << "; it must start in the arena at a multiple of "
           << alignment << " (planned_c2)";
  return workspace;
}

LogicalResult Verifier::execute(PlannableOpInterface op) {
  int64_t position = facts.bytesAt.size();
  SmallVector<ReadOperand> inputs;
  SmallVector<SymbolicBytes> read;
  SmallVector<SymbolicValue> names;
  for (unsigned number : readOperands(op)) {
    FailureOr<ReadOperand> input = readOperand(op, number);
    if (failed(input))
      return failure();
    names.push_back(nameOf(input->value));
    read.push_back(input->value);
    inputs.push_back(std::move(*input));
  }
  FailureOr<SmallVector<ByteRange>> destinations = outputsOf(op);
  if (failed(destinations))
    return failure();
  ArrayRef<ByteRange> outputs = *destinations;
  FailureOr<std::optional<ByteRange>> scratch = workspaceOf(op);
  if (failed(scratch))
    return failure();
  std::optional<ByteRange> workspace = *scratch;
  if (failed(checkAliasing(op, inputs, outputs, workspace)))
    return failure();

  uint64_t root = hashOperation(op, names);
  if (failed(checkValue(op, root)))
    return failure();
  if (hasOtherEffects(op))
    effects = hashEffects(effects, root);
  if (workspace)
    memory.clobber(*workspace);
  if (std::optional<SymbolicBytes> whole = joinPieces(op, read)) {
    movePieces(op, inputs, outputs.front(), position);
    joined.emplace_back(outputs.front(), std::move(*whole));
  } else {
    for (auto [i, range] : llvm::enumerate(outputs)) {
      bool inPlace = llvm::any_of(inputs, [&](const ReadOperand &input) {
        return input.range && input.range->overlaps(range);
      });
      if (std::optional<SymbolicBytes> slice = sliceInput(op, i, read)) {
        writeBytes(range, *slice, position);
        joined.emplace_back(range, std::move(*slice));
        continue;
      }
      memory.write(range, {hashOutput(root, i), 0}, position, inPlace);
    }
  }
  workspaceAt.push_back(workspace ? workspace->bytes() : 0);
  facts.costMicros += costMicros(op);
  facts.bytesAt.emplace_back(op, 0);
  return success();
}

/// Where input `index` ends up in the output at `output`.
static std::optional<ByteRange>
pieceRange(PlannableOpInterface op, unsigned index, const ByteRange &output) {
  std::optional<PiecePlace> place = op.getPiecePlace(index);
  if (place)
    place = place->inside(output.place());
  return place ? std::optional(ByteRange::at(output.argument, *place))
               : std::nullopt;
}

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
std::optional<SymbolicBytes> Verifier::readWhole(const ByteRange &range,
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
void Verifier::writeBytes(const ByteRange &range, const SymbolicBytes &bytes,
                          int64_t position) {
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
void Verifier::movePieces(PlannableOpInterface op, ArrayRef<ReadOperand> inputs,
                          const ByteRange &output, int64_t position) {
  for (const ReadOperand &input : inputs)
    if (ByteRange to = *pieceRange(op, input.number, output); to != input.range)
      writeBytes(to, input.value, position);
}

/// planned_c2, planned_c5.
LogicalResult Verifier::checkPlace(PlannableOpInterface op, unsigned output,
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
  if (isArena(range))
    return checkAligned(op, output, range);
  if (function.getArgAttr(range.argument, kArenaOffsetAttrName))
    return op->emitError("output ")
           << output << " overwrites " << range
           << ", which lies in the arena and has no other bytes (planned_c9)";
  if (!written && !isDonated(range.argument))
    return op->emitError("output ")
           << output << " overwrites " << range
           << ", which belong to the caller (planned_c5)";
  return success();
}

/// planned_c2. A whole starts aligned, and a piece of it where kernels take it.
LogicalResult Verifier::checkAligned(PlannableOpInterface op, unsigned output,
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
LogicalResult
Verifier::checkAliasing(PlannableOpInterface op, ArrayRef<ReadOperand> inputs,
                        ArrayRef<ByteRange> outputs,
                        const std::optional<ByteRange> &workspace) {
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

/// planned_c6.
LogicalResult Verifier::checkValue(Operation *op, uint64_t root) {
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
LogicalResult Verifier::checkHash(Operation *at, const Twine &what, Value value,
                                  int64_t promised, size_t index) {
  FailureOr<ByteRange> range = addresses.resolve(value, at);
  if (failed(range))
    return failure();
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

LogicalResult Verifier::checkArguments(ArrayRef<int64_t> promised) {
  for (BlockArgument argument : function.getArguments().drop_front()) {
    unsigned i = argument.getArgNumber() - 1;
    // A donated argument may hold anything, unless the step updates it.
    int64_t untouched = hashBoundary({hashArgument(i, argument.getType()), 0},
                                     argument.getType());
    if (isDonated(i + 1) && promised[i] == untouched)
      continue;
    if (failed(checkHash(function,
                         "argument " + Twine(i + 1) + " at the end of the step",
                         argument, promised[i], i)))
      return failure();
  }
  return success();
}

/// planned_c7.
LogicalResult Verifier::checkBoundary(func::ReturnOp terminator) {
  auto promised = function->getAttrOfType<DenseI64ArrayAttr>(names::valueHash);
  size_t arguments = function.getNumArguments() - 1;
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

/// Live bytes at each operation: a value lives from its write to its last read,
/// and one that took its bytes over counts from the next operation on.
void Verifier::measure() {
  int64_t count = facts.bytesAt.size();
  SmallVector<int64_t> change(count + 1, 0);
  for (const StoredValue &value : memory.history()) {
    if (!isArena(value.range))
      continue;
    // A donated input is there before the first operation.
    int64_t begin = std::max<int64_t>(value.begin + (value.inPlace ? 1 : 0), 0),
            last = std::min(value.last, count - 1);
    if (begin > last)
      continue;
    change[begin] += value.range.bytes();
    change[last + 1] -= value.range.bytes();
  }
  int64_t live = facts.residentBytes;
  facts.peakBytes = live + facts.donatedBytes;
  for (int64_t at = 0; at < count; ++at) {
    live += change[at];
    facts.bytesAt[at].second = live + workspaceAt[at];
    if (facts.bytesAt[at].second > facts.peakBytes) {
      facts.peakBytes = facts.bytesAt[at].second;
      facts.peakOp = facts.bytesAt[at].first;
    }
  }
}

FailureOr<PlannedFacts>
mlir::memplan::executePlanned(func::FuncOp function,
                              const ValueHashes *expected) {
  return Verifier(function, expected).run();
}
