//===- ExtractResults.cpp - Versions of arguments, and results ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"
#include "ForeignValues.h"
#include "Refusals.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::memplan;

/// In program order, nothing reads an argument (or a view of it) of before its
/// update after the update: the bytes hold the new version by then.
LogicalResult Extractor::checkVersions() {
  llvm::DenseMap<Value, Operation *>
      writerSeen; // value -> writer of the version that it shows
  auto check = [&](Operation *user, Value value) -> LogicalResult {
    core::TensorId base = baseOf(view.tensorOf[value]);
    Operation *writer = writerOf.lookup(base);
    if (writer == writerSeen.lookup(value))
      return success();
    InFlightDiagnostic diag =
        user->emitError("'")
        << user->getName() << "' reads a version of argument "
        << cast<BlockArgument>(view.values[base.index]).getArgNumber()
        << " that '" << writer->getName()
        << "' has overwritten; the update must come after every user of the "
           "old version";
    diag.attachNote(writer->getLoc()) << "overwritten here";
    return diag;
  };
  for (auto [position, op] : llvm::enumerate(view.runs)) {
    for (unsigned operand : operandsRead(op))
      if (Value value = op->getOperand(operand);
          view.tensorOf.contains(value) && failed(check(op, value)))
        return failure();
    const core::Node &node = view.graph[view.schedule.runs[position]];
    for (core::TensorId written : node.writes)
      writerOf[written] = op;
    for (Value result : op->getResults()) {
      core::TensorId tensor = view.tensorOf[result], base = baseOf(tensor);
      writerSeen[result] = writerOf.lookup(base);
      if (llvm::is_contained(node.writes, tensor))
        lastVersion[tensor] = result;
    }
  }
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!view.tensorOf.contains(operand.get()))
      return terminator->emitError("returns operand ")
             << operand.getOperandNumber()
             << ", which is no tensor with contents";
    if (failed(check(terminator, operand.get())))
      return failure();
  }
  return success();
}

LogicalResult Extractor::addResults() {
  llvm::DenseSet<core::TensorId> returned;
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    core::TensorId tensor = view.tensorOf[operand.get()];
    auto updates =
        function.getResultAttrOfType<IntegerAttr>(number, kUpdatesAttrName);
    bool isVersion =
        operand.get() != view.values[tensor.index] && writerOf.contains(tensor);
    if (updates) {
      if (updates.getInt() < 0 ||
          updates.getInt() >= function.getNumArguments())
        return emitError(function.getLoc(), "result ")
               << number << " updates argument " << updates.getInt()
               << " of a function that has " << function.getNumArguments();
      auto target = core::TensorId(int32_t(updates.getInt()));
      if (!isVersion || tensor != target ||
          lastVersion[target] != operand.get()) {
        InFlightDiagnostic diag =
            emitError(function.getLoc(), "result ")
            << number << " updates argument " << target.index
            << " but is not a new version of it made by an update operation";
        diag.attachNote(operand.get().getLoc()) << "it is made here";
        return diag;
      }
      returned.insert(target);
      // What the caller reads afterwards must survive the step, donated or not.
      core::Tensor &updated = view.graph.tensors[target.index];
      if (updated.kind == core::TensorKind::Input)
        updated.kind = core::TensorKind::State;
      updated.donated = false;
      continue;
    }
    if (isVersion)
      return emitError(function.getLoc(), "result ")
             << number << " is a new version of argument " << tensor.index
             << "; mark it `" << kUpdatesAttrName << " = " << tensor.index
             << " : i64`";
    if (auto name =
            function.getResultAttrOfType<StringAttr>(number, kNameAttrName))
      view.graph.tensors[tensor.index].name = name.str();
    for (core::TensorId kept : {tensor, baseOf(tensor)})
      if (core::isCallerOwned(view.graph[kept].kind))
        view.graph.tensors[kept.index].donated = false;
      else
        view.graph.tensors[kept.index].kind = core::TensorKind::Output;
  }
  for (BlockArgument argument : function.getArguments()) {
    core::TensorId tensor = view.tensorOf[argument];
    if (Operation *writer = writerOf.lookup(tensor);
        writer && !returned.contains(tensor))
      return writer->emitError("makes a new version of argument ")
             << tensor.index
             << " that the function does not return; return it marked `"
             << kUpdatesAttrName << " = " << tensor.index << " : i64`";
  }
  return success();
}
