//===- VerifyPlanned.cpp - Trusts no plan ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignValues.h"
#include "PlannedVerifier.h"
#include "ValueHash.h"

using namespace mlir;
using namespace mlir::memplan;

FailureOr<PlannedFacts> PlannedVerifier::run() {
  if (failed(readSignature()))
    return failure();
  isConcurrent = llvm::any_of(function.front(), [](Operation &op) {
    return isa<EvictOp, FetchOp>(op) || op.hasAttr(kStreamAttrName);
  });
  for (Operation &op : function.front().without_terminator()) {
    if (failed(visit(&op)))
      return failure();
  }
  facts.residentBytes = residentBytes(function);
  facts.timeMicros = order.makespan();
  auto terminator = dyn_cast<func::ReturnOp>(function.front().getTerminator());
  if (!terminator)
    return emitError(function.getLoc(), "does not end in func.return");
  if (failed(checkBoundary(terminator)))
    return failure();
  measure();
  return std::move(facts);
}

LogicalResult PlannedVerifier::visit(Operation *op) {
  if (isAddressArithmetic(op))
    return success();
  FailureOr<bool> isLink = links.visit(op);
  if (failed(isLink) || *isLink)
    return isLink;
  if (auto record = dyn_cast<RecordOp>(op)) {
    events[record.getEvent()] = order.ofStream(record.getStream());
    return success();
  }
  if (auto waiting = dyn_cast<WaitOp>(op))
    return wait(waiting);
  LogicalResult result = failure();
  if (auto copied = dyn_cast<memref::CopyOp>(op))
    result = copy(copied);
  else if (auto evicted = dyn_cast<EvictOp>(op))
    result = evict(evicted);
  else if (auto fetched = dyn_cast<FetchOp>(op))
    result = fetch(fetched);
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
LogicalResult PlannedVerifier::copy(memref::CopyOp op) {
  const int64_t position = facts.bytesAt.size();
  FailureOr<ByteRange> from = addresses.resolve(op.getSource(), op),
                       to = addresses.resolve(op.getTarget(), op);
  if (failed(from) || failed(to))
    return failure();
  std::optional<SymbolicBytes> value = readWhole(*from, position);
  if (!value || value->pieces().size() != 1)
    return op->emitError("copies ")
           << *from << ", which hold no whole value at this point (planned_c3)";
  begin(op, 0);
  if (failed(noteRead(op, "a copy", *from)) ||
      failed(noteWrite(op, "a copy", *to)))
    return failure();
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

FailureOr<ReadOperand> PlannedVerifier::readOperand(PlannableOpInterface op,
                                                    unsigned number) {
  ReadOperand read;
  read.number = number;
  Value source = op->getOperand(number);
  if (Operation *producer = source.getDefiningOp();
      producer && isNoRun(producer)) {
    read.value =
        SymbolicBytes({hashConstant(producer), 0},
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
  if (failed(noteRead(op, "input " + Twine(number), *range)))
    return failure();
  read.range = *range;
  read.value = std::move(*value);
  return read;
}

FailureOr<SmallVector<ByteRange>>
PlannedVerifier::outputsOf(PlannableOpInterface op) {
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

/// The last operand where it is neither input nor output, or what the attribute
/// says where the operation takes none.
FailureOr<std::optional<ByteRange>>
PlannedVerifier::workspaceOf(PlannableOpInterface op) {
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

LogicalResult PlannedVerifier::execute(PlannableOpInterface op) {
  SmallVector<ReadOperand> inputs;
  SmallVector<SymbolicValue> names;
  const double micros = costMicros(op);
  begin(op, micros);
  for (unsigned number : readOperands(op)) {
    FailureOr<ReadOperand> input = readOperand(op, number);
    if (failed(input))
      return failure();
    names.push_back(nameOf(input->value));
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
  if (workspace) {
    if (failed(noteWrite(op, "the workspace", *workspace)))
      return failure();
    memory.clobber(*workspace);
  }
  if (failed(writeOutputs(op, root, inputs, outputs)))
    return failure();
  workspaceAt.push_back(workspace ? workspace->bytes() : 0);
  facts.costMicros += micros;
  facts.bytesAt.emplace_back(op, 0);
  return success();
}

/// Gives the bytes of each output the name of what it holds now.
LogicalResult PlannedVerifier::writeOutputs(PlannableOpInterface op,
                                            uint64_t root,
                                            ArrayRef<ReadOperand> inputs,
                                            ArrayRef<ByteRange> outputs) {
  const int64_t position = facts.bytesAt.size();
  SmallVector<SymbolicBytes> read;
  for (const ReadOperand &input : inputs)
    read.push_back(input.value);
  if (std::optional<SymbolicBytes> whole = joinPieces(op, read)) {
    if (failed(movePieces(op, inputs, outputs.front(), position)))
      return failure();
    joined.emplace_back(outputs.front(), std::move(*whole));
    return success();
  }
  for (auto [i, range] : llvm::enumerate(outputs)) {
    if (failed(noteWrite(op, "output " + Twine(i), range)))
      return failure();
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
  return success();
}

/// Live bytes at each operation: a value lives from its write to its last read,
/// and one that took its bytes over counts from the next operation on.
void PlannedVerifier::measure() {
  int64_t count = facts.bytesAt.size();
  SmallVector<int64_t> change(count + 1, 0);
  for (const StoredValue &value : memory.history()) {
    if (!isArena(value.range))
      continue;
    // A donated input is live before the first operation.
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
  return PlannedVerifier(function, expected).run();
}
