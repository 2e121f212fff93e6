//===- BufferUse.cpp - What operations do with buffers --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/MemRef/LivenessAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memplan;

bool mlir::memplan::isControlFlow(Operation *op) {
  if (!isa<RegionBranchOpInterface>(op))
    return false;
  // A branch of a foreign dialect may run later or elsewhere, as async.execute
  // does; its loops run where they stand.
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "scf" || dialect == "affine" || dialect == "memref" ||
         isa<LoopLikeOpInterface>(op);
}

bool mlir::memplan::isLoop(Operation *op) {
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.hasLoop();
}

/// Whether a value of this type can hold nothing of a buffer.
static bool isPlain(Type type) {
  return isa<IntegerType, FloatType, IndexType, ComplexType, VectorType>(type);
}

/// The values of terminators that end a region of followed control flow, or a
/// block, reach arguments and results, which are aliases.
static bool isForwarded(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<BranchOpInterface>(op) || isControlFlow(op))
    return true;
  return isa<RegionBranchTerminatorOpInterface>(op) &&
         op->getNumRegions() == 0 && isControlFlow(op->getParentOp());
}

static BufferUse classifyEffects(OpOperand &use) {
  Operation *op = use.getOwner();
  // What it starts goes on after it.
  if (isa<memref::DmaStartOp, affine::AffineDmaStartOp>(op) ||
      !llvm::all_of(op->getResultTypes(), isPlain))
    return BufferUse::Capture;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return BufferUse::Capture;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(use.get(), effects);
  // An effect on another value, such as storing this one there, is none here.
  auto accesses = [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect());
  };
  return !effects.empty() && llvm::all_of(effects, accesses)
             ? BufferUse::Access
             : BufferUse::Capture;
}

BufferUse
mlir::memplan::classifyUse(OpOperand &use,
                           LivenessAnalysis::SafeOperand isSafeForCall) {
  Operation *op = use.getOwner();
  if (isForwarded(use))
    return BufferUse::Forward;
  if (!isa<BaseMemRefType>(use.get().getType()))
    return BufferUse::Access; // Tensors are values: nothing keeps their bytes.
  if (isa<memref::DeallocOp>(op))
    return BufferUse::Free;
  if (isa<memref::DimOp, memref::RankOp>(op))
    return BufferUse::Shape;
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    if (view.getViewSource() == use.get() &&
        isa<BaseMemRefType>(view.getViewDest().getType()) &&
        llvm::all_of(op->getResults(), [&](Value result) {
          return result == view.getViewDest() || isPlain(result.getType());
        }))
      return BufferUse::Forward;
  // What is not registered as such is unknown to BufferViewFlowAnalysis too.
  if (isa<arith::SelectOp>(op))
    return isa<bufferization::BufferViewFlowOpInterface>(op)
               ? BufferUse::Forward
               : BufferUse::Capture;
  if (isa<CallOpInterface>(op))
    return isSafeForCall && isSafeForCall(use) ? BufferUse::Access
                                               : BufferUse::Capture;
  return classifyEffects(use);
}

/// As LLVM's conversion lays elements out in an array: an i1 takes a byte, a
/// vector<3xf32> sixteen.
static std::optional<int64_t> elementBytes(const DataLayout &layout,
                                           Type type) {
  Type scalar = type;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    scalar = vector.getElementType();
  }
  if (auto complex = dyn_cast<ComplexType>(scalar))
    scalar = complex.getElementType();
  if (!scalar.isIntOrIndexOrFloat())
    return std::nullopt;
  llvm::TypeSize bytes = layout.getTypeSize(type);
  return int64_t(
      llvm::alignTo(bytes.getFixedValue(), layout.getTypeABIAlignment(type)));
}

std::optional<int64_t> mlir::memplan::denseBytes(Operation *near, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return std::nullopt;
  std::optional<int64_t> bytes =
      elementBytes(DataLayout::closest(near), shaped.getElementType());
  for (int64_t size : shaped.getShape()) {
    int64_t product = 0;
    if (!bytes || llvm::MulOverflow(*bytes, size, product) ||
        product >= int64_t(1) << 61)
      return std::nullopt;
    bytes = product;
  }
  return bytes;
}
