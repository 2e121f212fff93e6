//===- Candidates.cpp - Which allocations an arena can hold ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memplan;

namespace {
struct Reason {
  std::string text; ///< Empty: it may move.
  Operation *because = nullptr;
};

constexpr int64_t largestAlignment = int64_t(1) << 31; // arena_i2
} // namespace

static std::string quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

/// What the attribute, and the elements of each type by which the bytes are
/// looked at, ask for. The preferred alignment: without a layout in the IR, an
/// i64 has an ABI alignment of 4, which few targets share.
static int64_t alignmentOf(Operation *alloc, const LiveBuffer &buffer,
                           int64_t least) {
  auto attribute = alloc->getAttrOfType<IntegerAttr>("alignment");
  int64_t bytes = attribute ? std::max<int64_t>(1, attribute.getInt()) : 1;
  if (bytes > largestAlignment)
    return bytes;
  bytes = std::lcm(bytes, least);
  const DataLayout &layout = DataLayout::closest(alloc);
  for (Value alias : buffer.aliases) {
    Type element = cast<ShapedType>(alias.getType()).getElementType();
    if (element.isIntOrIndexOrFloat() || isa<VectorType, ComplexType>(element))
      bytes =
          std::lcm(bytes, int64_t(layout.getTypePreferredAlignment(element)));
  }
  return bytes;
}

static Reason whyTypeStays(Operation *alloc, MemRefType type,
                           const LiveBuffer &buffer,
                           const CandidateRules &rules) {
  if (!type.hasStaticShape() || alloc->getNumOperands() > 0)
    return {"its size is known only when it runs"};
  if (!type.getLayout().isIdentity())
    return {"memref.view cannot express its layout"};
  if (!buffer.bytes)
    return {"the bytes of its type are not known"};
  if (*buffer.bytes < rules.minBytes)
    return {"it takes fewer than " + std::to_string(rules.minBytes) +
            " bytes, 'min-bytes'"};
  if (alignmentOf(alloc, buffer, rules.alignmentBytes) > largestAlignment)
    return {"its alignment is above 2^31 bytes"};
  return {};
}

static Reason whyInside(Operation *around) {
  return {"it is allocated in " + quote(around) +
              (isControlFlow(around)
                   ? ", whose iterations may run at once"
                   : ", of which it is not known when it runs"),
          around};
}

static Reason whyUseStays(const LiveBuffer &buffer) {
  if (buffer.concurrentIn)
    return whyInside(buffer.concurrentIn);
  if (Operation *loop = buffer.carriedBy)
    return {quote(loop) + " carries it to another iteration", loop};
  if (Operation *op = buffer.capture) {
    if (op->hasTrait<OpTrait::ReturnLike>() &&
        isa<FunctionOpInterface>(op->getParentOp()))
      return {"it is returned", op};
    if (isa<CallOpInterface>(op))
      return {"it is passed to a function that may keep or free it", op};
    return {quote(op) + " may keep it", op};
  }
  return {};
}

/// From the allocation to the last operation that may free it; without one, to
/// the end of its region.
static PointRange rangeOfAllocation(const LiveBuffer &buffer,
                                    const LivenessAnalysis &liveness) {
  Operation *alloc = buffer.origin.getDefiningOp();
  PointRange range = buffer.live;
  range.include(liveness.pointsOf(alloc));
  for (Operation *free : buffer.frees)
    range.include(liveness.pointsFor(buffer.origin, free));
  if (buffer.frees.empty())
    range.end =
        std::max(range.end, liveness.pointsOf(alloc->getParentOp()).end);
  return range;
}

namespace {
/// Why each allocation of a function stays, and what may free it.
class Sorter {
public:
  Sorter(FunctionOpInterface function, const LivenessAnalysis &liveness,
         const CandidateRules &rules)
      : liveness(liveness), rules(rules) {
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto free = dyn_cast<memref::DeallocOp>(op))
        frees.push_back(free);
      if (isa<memref::AllocOp, memref::AllocaOp>(op))
        reasons[op->getResult(0)] = whyStays(op);
    });
  }

  /// Where one of those that an operation may free stays, so do the others: it
  /// cannot tell them apart.
  void keepWhatIsFreedTogether() {
    for (bool again = true; again;) {
      again = false;
      for (memref::DeallocOp free : frees) {
        if (freesOnlyPlanned(free))
          continue;
        for (const LiveBuffer *buffer : liveness.buffersOf(free.getMemref()))
          if (isPlanned(buffer->origin)) {
            reasons[buffer->origin] = {
                "what frees it may also free a buffer that stays", free};
            again = true;
          }
      }
    }
  }

  Candidates take() const {
    Candidates result;
    for (const auto &[value, reason] : reasons) {
      Operation *alloc = value.getDefiningOp();
      if (!reason.text.empty()) {
        result.kept.push_back({alloc, reason.text, reason.because});
        continue;
      }
      const LiveBuffer &buffer = *liveness.bufferAt(value);
      result.planned.push_back(
          {alloc, cast<MemRefType>(value.getType()),
           rules.byAllocation ? rangeOfAllocation(buffer, liveness)
                              : buffer.live,
           *buffer.bytes, alignmentOf(alloc, buffer, rules.alignmentBytes)});
    }
    for (memref::DeallocOp free : frees)
      if (!liveness.buffersOf(free.getMemref()).empty() &&
          freesOnlyPlanned(free))
        result.frees.push_back(free);
    return result;
  }

private:
  Reason whyStays(Operation *alloc) const {
    const LiveBuffer *buffer = liveness.bufferAt(alloc->getResult(0));
    if (!buffer) // In a region that LivenessAnalysis does not follow.
      return whyInside(alloc->getParentOp());
    auto type = cast<MemRefType>(buffer->origin.getType());
    Reason reason = whyTypeStays(alloc, type, *buffer, rules);
    if (reason.text.empty())
      reason = whyUseStays(*buffer);
    if (reason.text.empty() && isa<memref::AllocaOp>(alloc) &&
        !rules.withAllocas)
      reason = {"it is on the stack, and 'allocas' is off"};
    return reason;
  }

  bool isPlanned(Value origin) const {
    auto found = reasons.find(origin);
    return found != reasons.end() && found->second.text.empty();
  }

  bool freesOnlyPlanned(memref::DeallocOp free) const {
    return llvm::all_of(
        liveness.buffersOf(free.getMemref()),
        [&](const LiveBuffer *buffer) { return isPlanned(buffer->origin); });
  }

  const LivenessAnalysis &liveness;
  const CandidateRules &rules;
  llvm::MapVector<Value, Reason> reasons;
  SmallVector<memref::DeallocOp> frees;
};
} // namespace

Candidates mlir::memplan::chooseAllocations(FunctionOpInterface function,
                                            const LivenessAnalysis &liveness,
                                            const CandidateRules &rules) {
  Sorter sorter(function, liveness, rules);
  sorter.keepWhatIsFreedTogether();
  return sorter.take();
}
