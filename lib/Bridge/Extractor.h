//===- Extractor.h - The steps of extraction --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_EXTRACTOR_H
#define MEMPLAN_LIB_BRIDGE_EXTRACTOR_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Bridge/Parts.h"
#include "memplan/Dialect/Memplan/IR/Constants.h"

namespace mlir::memplan {

/// Builds a GraphView in steps; each reports what it refuses.
class Extractor {
public:
  explicit Extractor(func::FuncOp function,
                     const llvm::DenseSet<int64_t> &copiedSlices = {})
      : function(function), copiedSlices(copiedSlices) {
    view.function = function;
  }

  FailureOr<GraphView> run();

private:
  LogicalResult addArguments();
  LogicalResult collectRuns();
  LogicalResult addNodes();
  LogicalResult addNode(Operation *op);
  void addVariants(Operation *op, core::Node &node);
  void countCopies(Operation *op, core::Node &node) const;
  LogicalResult addOutputs(Operation *op, core::NodeId id);
  void addSlice(core::TensorId tensor, core::TensorId source, PiecePlace place);
  void addPart(core::NodeId id, core::TensorId tensor, const PlacedPart &part);
  LogicalResult addWrite(Operation *op, core::NodeId id, unsigned output,
                         unsigned operand);
  void addInPlace(Operation *op, core::NodeId id);
  LogicalResult addRecomputation(Operation *op, core::NodeId id);
  LogicalResult checkVersions();
  LogicalResult addResults();

  core::TensorId addTensor(Value value, core::TensorKind kind);
  core::TensorId baseOf(core::TensorId id) const {
    while (view.graph[id].viewOf)
      id = *view.graph[id].viewOf;
    return id;
  }

  func::FuncOp function;
  llvm::DenseSet<int64_t> copiedSlices;
  GraphView view;
  PartLayout layout;
  SmallVector<core::TensorId> wholes; ///< By whole; invalid: not there yet.
  ConstantBlob
      constants; ///< Constants of the nodes; on the device all the time.
  /// Operations that results depend on, with their node, in program order.
  SmallVector<std::pair<int64_t, Operation *>> live;
  /// Last operation so far that wrote the argument, and the value that holds
  /// its last version.
  llvm::DenseMap<core::TensorId, Operation *> writerOf;
  llvm::DenseMap<core::TensorId, Value> lastVersion;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_EXTRACTOR_H
