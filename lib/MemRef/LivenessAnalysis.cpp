//===- LivenessAnalysis.cpp - When buffers are live -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/MemRef/LivenessAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::memplan;

void PointRange::include(PointRange other) {
  if (other.isEmpty())
    return;
  if (isEmpty())
    *this = other;
  begin = std::min(begin, other.begin);
  end = std::max(end, other.end);
}

bool LiveBuffer::isCallers() const {
  return isa<BlockArgument>(origin) ||
         origin.getDefiningOp<memref::GetGlobalOp>();
}

static bool hasBytes(Value value) {
  return isa<BaseMemRefType, TensorType>(value.getType());
}

/// Whether the operations of its regions get points of their own.
static bool isFollowed(Operation *op) {
  return isControlFlow(op) || isa<FunctionOpInterface>(op) ||
         op->hasTrait<OpTrait::SymbolTable>();
}

LivenessAnalysis::LivenessAnalysis(Operation *root)
    : LivenessAnalysis(root, nullptr) {}

LivenessAnalysis::LivenessAnalysis(Operation *root, SafeOperand isSafeForCall)
    : root(root), flow(root) {
  number(root);
  collect(root);
  for (auto [place, buffer] : llvm::enumerate(found)) {
    measure(buffer, isSafeForCall);
    for (Value alias : buffer.aliases)
      byAlias[alias].push_back(unsigned(place));
  }
}

void LivenessAnalysis::number(Operation *op) {
  PointRange &range = points[op];
  range.begin = pointCount();
  starts.push_back(op);
  if (op == root || isFollowed(op)) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    starts.push_back(op);
  }
  points[op] = {points[op].begin, pointCount()};
}

/// Values that flow from no other are origins.
void LivenessAnalysis::collect(Operation *root) {
  llvm::SmallPtrSet<Value, 32> derived;
  for (const auto &[source, targets] : flow)
    for (Value target : targets)
      if (target != source)
        derived.insert(target);
  auto add = [&](Value value) {
    if (!hasBytes(value) || derived.contains(value))
      return;
    LiveBuffer &buffer = found.emplace_back();
    buffer.origin = value;
    buffer.aliases.push_back(value);
    BufferViewFlowAnalysis::ValueSetT aliases = flow.resolve(value);
    for (Value alias : aliases)
      if (alias != value && hasBytes(alias))
        buffer.aliases.push_back(alias);
  };
  for (size_t point = 0; point < starts.size(); ++point) {
    Operation *op = starts[point];
    if (points.lookup(op).begin != int64_t(point))
      continue; // Where it ends.
    if (op != root)
      llvm::for_each(op->getResults(), add);
    if (op == root || isFollowed(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), add);
  }
}

PointRange LivenessAnalysis::pointsOf(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto range = points.find(op); range != points.end())
      return range->second;
  return {0, pointCount()};
}

/// Whether `block` may run again after itself without leaving its region.
static bool isInCycle(Block *block) {
  SmallVector<Block *> next(block->getSuccessors());
  llvm::SmallPtrSet<Block *, 8> seen;
  while (!next.empty()) {
    Block *at = next.pop_back_val();
    if (at == block)
      return true;
    if (seen.insert(at).second)
      llvm::append_range(next, at->getSuccessors());
  }
  return false;
}

/// The block of `region` in which `block` lies.
static Block *blockIn(Region *region, Block *block) {
  return region->findAncestorBlockInRegion(*block);
}

/// Whether the order of the text is that of time: no block branches back.
static bool runsForward(Region *region) {
  llvm::SmallPtrSet<Block *, 8> before;
  for (Block &block : *region) {
    before.insert(&block);
    if (llvm::any_of(block.getSuccessors(),
                     [&](Block *next) { return before.contains(next); }))
      return false;
  }
  return true;
}

PointRange LivenessAnalysis::pointsFor(Value origin, Operation *op) const {
  PointRange range = pointsOf(op);
  Block *home = origin.getParentBlock();
  Region *region = op->getParentRegion();
  // Up to the first region that holds both.
  while (region && !region->isAncestor(home->getParent())) {
    Operation *parent = region->getParentOp();
    if (isLoop(parent) || !runsForward(region))
      range.include(pointsOf(parent));
    op = parent;
    region = op->getParentRegion();
  }
  if (!region)
    return {0, pointCount()};
  if (blockIn(region, home) != op->getBlock() && !runsForward(region))
    range.include(pointsOf(region->getParentOp()));
  // What is accessed outside of the loop that makes it.
  for (Region *around = home->getParent(); around != region;
       around = around->getParentRegion())
    if (isLoop(around->getParentOp()))
      range.include(pointsOf(around->getParentOp()));
  return range;
}

/// A loop or a cycle of blocks around the origin whose value the alias is.
void LivenessAnalysis::lookAtAlias(LiveBuffer &buffer, Value alias) const {
  if (alias == buffer.origin)
    return;
  Block *home = buffer.origin.getParentBlock();
  auto argument = dyn_cast<BlockArgument>(alias);
  Operation *around =
      argument ? argument.getOwner()->getParentOp() : alias.getDefiningOp();
  if (!around->isAncestor(home->getParentOp()))
    return; // It flows to where it is not made.
  bool carries = isLoop(around);
  if (argument && !argument.getOwner()->isEntryBlock()) {
    Block *block = blockIn(argument.getOwner()->getParent(), home);
    carries = !block || isInCycle(block);
  }
  if (!carries)
    return;
  buffer.carriedBy = around;
  buffer.live.include(pointsOf(around));
}

/// The outermost operation around `op` whose region may run later or elsewhere,
/// or null. The bodies of linalg's operations run with them.
Operation *LivenessAnalysis::regionOfUnknown(Operation *op) const {
  Operation *found = nullptr;
  for (Operation *around = op->getParentOp(); around && around != root;
       around = around->getParentOp())
    if (!isFollowed(around) &&
        around->getName().getDialectNamespace() != "linalg")
      found = around;
  return found;
}

void LivenessAnalysis::measure(LiveBuffer &buffer,
                               SafeOperand isSafeForCall) const {
  Value origin = buffer.origin;
  Operation *home = origin.getParentBlock()->getParentOp();
  buffer.bytes = denseBytes(home, origin.getType());
  for (Operation *around = home; around && around != root->getParentOp();
       around = around->getParentOp())
    if (around->hasTrait<OpTrait::HasParallelRegion>() ||
        isa<affine::AffineParallelOp>(around) ||
        (around != root && !isFollowed(around)))
      buffer.concurrentIn = around;
  if (isa<TensorType>(origin.getType()) && !isa<BlockArgument>(origin))
    buffer.live.include(pointsOf(origin.getDefiningOp()));
  for (Value alias : buffer.aliases) {
    lookAtAlias(buffer, alias);
    for (OpOperand &use : alias.getUses()) {
      Operation *op = use.getOwner();
      BufferUse kind = classifyUse(use, isSafeForCall);
      if (Operation *around = regionOfUnknown(op);
          around && isa<BaseMemRefType>(alias.getType()) &&
          kind != BufferUse::Shape) {
        kind = BufferUse::Capture;
        op = around;
      }
      if (kind == BufferUse::Free)
        buffer.frees.push_back(op);
      if (kind == BufferUse::Access || kind == BufferUse::Capture)
        buffer.live.include(pointsFor(origin, op));
      if (kind == BufferUse::Capture &&
          (!buffer.capture ||
           pointsOf(op).begin < pointsOf(buffer.capture).begin))
        buffer.capture = op;
    }
  }
  if (buffer.capture)
    buffer.live.include({pointsOf(buffer.capture).begin, pointCount()});
  if (buffer.isCallers())
    buffer.live = pointsOf(home);
  if (!buffer.live.isEmpty())
    return;
  int64_t made = origin.getDefiningOp() ? pointsOf(origin.getDefiningOp()).begin
                                        : pointsOf(home).begin;
  buffer.live = {made, made + 1};
}

SmallVector<const LiveBuffer *> LivenessAnalysis::buffersOf(Value value) const {
  SmallVector<const LiveBuffer *> result;
  if (auto places = byAlias.find(value); places != byAlias.end())
    for (unsigned place : places->second)
      result.push_back(&found[place]);
  return result;
}

const LiveBuffer *LivenessAnalysis::bufferAt(Value origin) const {
  for (const LiveBuffer *buffer : buffersOf(origin))
    if (buffer->origin == origin)
      return buffer;
  return nullptr;
}

PointRange LivenessAnalysis::liveRange(Value value) const {
  PointRange range;
  for (const LiveBuffer *buffer : buffersOf(value))
    range.include(buffer->live);
  return range;
}

PointRange LivenessAnalysis::rangeThrough(Value value,
                                          SafeOperand isSafeForCall) const {
  LiveBuffer buffer;
  buffer.origin = value;
  buffer.aliases.push_back(value);
  BufferViewFlowAnalysis::ValueSetT aliases = flow.resolve(value);
  for (Value alias : aliases)
    if (alias != value && hasBytes(alias))
      buffer.aliases.push_back(alias);
  measure(buffer, isSafeForCall);
  return buffer.live;
}

bool LivenessAnalysis::isLiveAt(Value value, Operation *op) const {
  PointRange at = pointsOf(op);
  return llvm::any_of(buffersOf(value), [&](const LiveBuffer *buffer) {
    return buffer->live.meets(at);
  });
}

std::vector<int64_t> LivenessAnalysis::liveBytes() const {
  std::vector<int64_t> bytes(starts.size() + 1);
  for (const LiveBuffer &buffer : found) {
    if (buffer.isCallers() || !buffer.bytes)
      continue;
    bytes[size_t(buffer.live.begin)] += *buffer.bytes;
    bytes[size_t(buffer.live.end)] -= *buffer.bytes;
  }
  for (size_t point = 1; point < bytes.size(); ++point)
    bytes[point] += bytes[point - 1];
  bytes.pop_back();
  return bytes;
}
