//===- Arenas.cpp - Buffers as views of arenas ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arenas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::memplan;

static std::string nameOfSpace(Attribute space) {
  std::string name;
  if (space) {
    llvm::raw_string_ostream stream(name);
    space.print(stream, /*elideType=*/true);
  }
  return name;
}

MemRefType MemRefArena::type(MLIRContext *context) const {
  return MemRefType::get({bytes}, IntegerType::get(context, 8),
                         MemRefLayoutAttrInterface(), space);
}

std::string MemRefArena::spaceName() const { return nameOfSpace(space); }

std::vector<MemRefArena>
mlir::memplan::groupBySpace(const Candidates &candidates) {
  std::map<std::string, MemRefArena> bySpace;
  for (auto [place, candidate] : llvm::enumerate(candidates.planned)) {
    Attribute space = candidate.type.getMemorySpace();
    auto [at, isNew] = bySpace.try_emplace(nameOfSpace(space));
    MemRefArena &arena = at->second;
    arena.space = space;
    arena.onStack =
        (isNew || arena.onStack) && isa<memref::AllocaOp>(candidate.alloc);
    arena.alignmentBytes =
        std::lcm(arena.alignmentBytes, candidate.alignmentBytes);
    arena.held.push_back(place);
  }
  std::vector<MemRefArena> arenas;
  for (auto &[name, arena] : bySpace)
    arenas.push_back(std::move(arena));
  return arenas;
}

core::ArenaProblem mlir::memplan::makeProblem(const Candidates &candidates) {
  core::ArenaProblem problem;
  for (auto [place, candidate] : llvm::enumerate(candidates.planned)) {
    core::ArenaBuffer &buffer = problem.buffers.emplace_back();
    buffer.id = "buffer " + std::to_string(place);
    buffer.bytes = candidate.bytes;
    buffer.begin = candidate.live.begin;
    buffer.end = candidate.live.end;
    buffer.alignmentBytes = candidate.alignmentBytes;
    buffer.space = nameOfSpace(candidate.type.getMemorySpace());
  }
  return problem;
}

static void allocate(FunctionOpInterface function, MemRefArena &arena) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  MemRefType type = arena.type(function->getContext());
  IntegerAttr alignment = builder.getI64IntegerAttr(arena.alignmentBytes);
  Location loc = function->getLoc();
  if (arena.onStack) {
    arena.value = memref::AllocaOp::create(builder, loc, type, alignment);
    return;
  }
  arena.value =
      memref::AllocOp::create(builder, loc, type, ValueRange(), alignment);
  for (Block &block : function.getFunctionBody())
    if (block.getTerminator()->hasTrait<OpTrait::ReturnLike>()) {
      builder.setInsertionPoint(block.getTerminator());
      memref::DeallocOp::create(builder, loc, arena.value);
    }
}

void mlir::memplan::writeArenas(FunctionOpInterface function,
                                const Candidates &candidates,
                                ArrayRef<int64_t> offsets, ArenaSource source,
                                std::vector<MemRefArena> &arenas) {
  Block &entry = function.front();
  MLIRContext *context = function->getContext();
  for (auto [place, arena] : llvm::enumerate(arenas)) {
    if (source == ArenaSource::Allocated) {
      allocate(function, arena);
      continue;
    }
    [[maybe_unused]] LogicalResult inserted =
        function.insertArgument(unsigned(place), arena.type(context),
                                DictionaryAttr(), function->getLoc());
    assert(succeeded(inserted) && "the caller has checked");
    arena.value = function.getArgument(unsigned(place));
  }
  OpBuilder builder(context);
  // After the arenas, for every view that begins there.
  std::map<int64_t, Value> constants;
  auto constant = [&](int64_t offset) {
    Value &value = constants[offset];
    if (value)
      return value;
    builder.setInsertionPointToStart(&entry);
    for (MemRefArena &arena : arenas)
      if (Operation *alloc = arena.value.getDefiningOp())
        if (!builder.getInsertionPoint()->isBeforeInBlock(alloc))
          builder.setInsertionPointAfter(alloc);
    return value = arith::ConstantIndexOp::create(builder, function->getLoc(),
                                                  offset);
  };
  for (Operation *free : candidates.frees)
    free->erase();
  for (MemRefArena &arena : arenas)
    for (size_t place : arena.held) {
      Operation *alloc = candidates.planned[place].alloc;
      Value offset = constant(offsets[place]);
      builder.setInsertionPoint(alloc);
      Value view = memref::ViewOp::create(builder, alloc->getLoc(),
                                          candidates.planned[place].type,
                                          arena.value, offset, ValueRange());
      alloc->replaceAllUsesWith(ValueRange(view));
      alloc->erase();
    }
}

llvm::Error
mlir::memplan::checkArenas(FunctionOpInterface function,
                           ArrayRef<MemRefArena> arenas,
                           LivenessAnalysis::SafeOperand isSafeForCall) {
  LivenessAnalysis liveness(function, isSafeForCall);
  core::ArenaProblem problem;
  for (const MemRefArena &arena : arenas) {
    size_t seen = 0;
    for (Operation *user : arena.value.getUsers()) {
      auto view = dyn_cast<memref::ViewOp>(user);
      if (!view)
        continue; // What frees it.
      IntegerAttr offset;
      std::optional<int64_t> bytes = denseBytes(view, view.getType());
      if (!matchPattern(view.getByteShift(), m_Constant(&offset)) || !bytes)
        return llvm::createStringError("a view of the arena has no fixed "
                                       "bytes");
      if (offset.getInt() < 0 || offset.getInt() + *bytes > arena.bytes)
        return llvm::createStringError("a view ends above the arena");
      PointRange live = liveness.rangeThrough(view, isSafeForCall);
      core::ArenaBuffer &buffer = problem.buffers.emplace_back();
      buffer.id = "view " + std::to_string(problem.buffers.size());
      buffer.bytes = *bytes;
      buffer.begin = live.begin;
      buffer.end = live.end;
      buffer.fixedOffset = offset.getInt();
      buffer.space = arena.spaceName();
      ++seen;
    }
    if (seen != arena.held.size())
      return llvm::createStringError("buffers of the plan have no view");
  }
  return problem.check();
}
