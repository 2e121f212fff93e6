//===- GraphView.h - A function seen as a graph of bytes --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_GRAPHVIEW_H
#define MEMPLAN_BRIDGE_GRAPHVIEW_H

#include "memplan/Dialect/Memplan/IR/Markers.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "memplan/Plan/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::memplan {

/// The core knows no IR and lives in the top-level namespace of the same name.
namespace core = ::memplan;

/// Attributes by which one pass tells the next what it decided. All are
/// discardable. Those that mark inputs of planning are in Markers.h.
namespace names {
// On operations of either form.
inline constexpr llvm::StringLiteral cost =
    MemplanDialect::CostAttrHelper::getNameStr(); ///< f64: microseconds of one
                                                  ///< run; absent: roofline
/// [{cost = f64, workspace_bytes = i64}, ...]: implementations of the operation
/// beside its own cost and workspace
inline constexpr llvm::StringLiteral variants =
    MemplanDialect::VariantsAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral inPlace =
    MemplanDialect::InPlaceAttrHelper::getNameStr(); ///< [[output, operand],
                                                     ///< ...]
inline constexpr llvm::StringLiteral storages =
    MemplanDialect::StorageAttrHelper::getNameStr(); ///< storage number of each
                                                     ///< output, -1: none
inline constexpr llvm::StringLiteral offsets =
    MemplanDialect::OffsetAttrHelper::getNameStr(); ///< arena offset of each
                                                    ///< output, -1: none
inline constexpr llvm::StringLiteral scratch = MemplanDialect::
    WorkspaceOffsetAttrHelper::getNameStr(); ///< arena offset of the workspace
inline constexpr llvm::StringLiteral parts =
    MemplanDialect::PartsAttrHelper::getNameStr(); ///< unit: all inputs are
                                                   ///< written in place
inline constexpr llvm::StringLiteral partOffset = MemplanDialect::
    PartOffsetAttrHelper::getNameStr(); ///< byte of its whole at which each
                                        ///< output begins, 0: of none
// On functions in the planned form.
inline constexpr llvm::StringLiteral planned =
    MemplanDialect::PlannedAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral peakBytes =
    MemplanDialect::PeakBytesAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral planCost =
    MemplanDialect::CostAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral planTime =
    MemplanDialect::TimeAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral budget =
    MemplanDialect::BudgetAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral arenaBytes =
    MemplanDialect::ArenaBytesAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral fixedBytes =
    MemplanDialect::FixedBytesAttrHelper::getNameStr(); ///< i64, on functions
                                                        ///< of either form
inline constexpr llvm::StringLiteral valueHash =
    MemplanDialect::ValueHashAttrHelper::getNameStr();
} // namespace names

/// A function in tensor form as a graph, and the way back from ids to IR. Valid
/// until the function changes.
///
/// Nodes are the operations that the results depend on, in order of their
/// `memplan.node` attribute, or in program order where there is none.
/// Operations with the same node are runs of it: the graph holds the node once
/// and `schedule` each run. So extracting a function that recomputes gives the
/// graph of the function that does not.
struct GraphView {
  func::FuncOp function;
  core::Graph graph;
  core::Schedule schedule;        ///< Runs as they stand in the function.
  std::vector<Operation *> runs;  ///< Operation of each run of `schedule`.
  std::vector<Operation *> nodes; ///< First run, by NodeId.
  std::vector<Value>
      values; ///< Argument, or result of the first run, by TensorId.
  std::vector<int64_t> viewOffsets; ///< Bytes from the start of `viewOf`, by
                                    ///< TensorId; 0 for others.
  llvm::DenseMap<Value, core::TensorId>
      tensorOf; ///< A new version of an argument is the argument's tensor.

  /// Where to report on a node or tensor.
  Location location(core::NodeId node) const {
    return nodes[node.index]->getLoc();
  }
  Location location(core::TensorId tensor) const {
    return values[tensor.index].getLoc();
  }
  /// Byte offset of a tensor from the start of its base.
  int64_t offsetInBase(core::TensorId tensor) const;
};

/// Microseconds of one run: `memplan.cost`, or what the operation declares as
/// `cost`, or the roofline of the reference device.
double costMicros(Operation *op);

/// Sees a function in tensor form as a graph. What it cannot see is refused
/// with a diagnostic at the place: types without static shape, control flow,
/// calls, operations with unknown effects. So are a read of an old version of
/// an argument after its update, and results that do not agree with their
/// markers.
FailureOr<GraphView> extractGraph(func::FuncOp function);

/// The same with tensors of these ids made by copying. Each is a slice that is
/// a view only because the batch is 1, and no view in the step of other
/// batches.
FailureOr<GraphView>
extractGraphWithCopies(func::FuncOp function,
                       const llvm::DenseSet<int64_t> &copiedSlices);

/// By node of the function's graph: the file and line that its location names,
/// "model.py:17", or "". Empty where `graph` has other nodes.
std::vector<std::string> sourcesOf(func::FuncOp function,
                                   const core::Graph &graph);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_GRAPHVIEW_H
