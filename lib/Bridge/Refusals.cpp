//===- Refusals.cpp - What the bridge cannot see --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refusals.h"
#include "ForeignValues.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memplan;

LogicalResult mlir::memplan::checkIsPlannable(func::FuncOp function) {
  if (function.isExternal())
    return emitError(function.getLoc(), "has no body to plan");
  if (function->hasAttr(names::planned))
    return emitError(function.getLoc(), "is in the planned form already");
  if (!function.getBody().hasOneBlock()) {
    Operation *branch = function.front().getTerminator();
    return branch->emitError("control flow cannot be planned: '")
           << branch->getName() << "' ends a block of a function with "
           << function.getBody().getBlocks().size()
           << " blocks; unroll or inline it first";
  }
  Operation *terminator = function.front().getTerminator();
  if (!isa<func::ReturnOp>(terminator))
    return terminator->emitError("control flow cannot be planned: '")
           << terminator->getName()
           << "' ends the function instead of 'func.return'";
  return success();
}

LogicalResult mlir::memplan::checkType(func::FuncOp function, Value value,
                                       const Twine &what) {
  if (byteSizeOf(value.getType()) >= 0 &&
      isa<RankedTensorType>(value.getType()))
    return success();
  InFlightDiagnostic diag = value.getDefiningOp()
                                ? value.getDefiningOp()->emitError()
                                : emitError(function.getLoc());
  auto shaped = dyn_cast<RankedTensorType>(value.getType());
  diag << what << " has type " << value.getType() << "; ";
  if (shaped && !shaped.hasStaticShape())
    return diag << "its dynamic dimensions must be made static before planning "
                   "(see memplan-set-batch)";
  if (shaped && shaped.getElementType().isIntOrFloat())
    return diag << "it takes more bytes than can be counted";
  return diag << "only ranked tensors of integers or floats can be planned";
}

LogicalResult mlir::memplan::refuseUnknown(Operation *op,
                                           const Twine &consequence) {
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef ready = llvm::StringSwitch<StringRef>(dialect)
                        .Case("linalg", "registerLinalgModels()")
                        .Case("tensor", "registerTensorModels()")
                        .Case("tosa", "registerTosaModels()")
                        .Cases({"arith", "math"}, "registerArithModels()")
                        .Default("");
  InFlightDiagnostic diag = op->emitError("'")
                            << op->getName()
                            << "' does not implement memplan's planning "
                               "interface, so that "
                            << consequence;
  diag << "; register an external model of PlannableOpInterface for it (see "
          "docs/Embedding.md)";
  if (!ready.empty())
    diag << "; those that come with memplan for '" << dialect
         << "' are registered by mlir::memplan::" << ready;
  return diag;
}

/// A region that belongs to what the operation computes, such as the body of
/// linalg.generic, is no control flow: it has no effects and takes nothing from
/// outside but constants.
static LogicalResult checkRegions(Operation *op) {
  if (op->getNumRegions() == 0)
    return success();
  if (!isa<PlannableOpInterface>(op))
    return op->emitError("control flow cannot be planned: '")
           << op->getName() << "' holds a region; unroll or inline it first";
  for (Value value : capturedValues(op))
    if (!isFreeConstant(value.getDefiningOp())) {
      InFlightDiagnostic diag = op->emitError("'")
                                << op->getName() << "' uses a value of type "
                                << value.getType()
                                << " inside its region that is no operand; "
                                   "make it one";
      diag.attachNote(value.getLoc()) << "it is made here";
      return diag;
    }
  return success();
}

/// Each operand that is read holds something.
static LogicalResult checkContents(Operation *op) {
  for (unsigned number : operandsRead(op))
    if (Operation *producer = op->getOperand(number).getDefiningOp();
        producer && isShapeOnly(producer))
      return op->emitError("'")
             << op->getName() << "' reads operand " << number << ", but '"
             << producer->getName() << "' gives it no contents; fill it first";
  return success();
}

LogicalResult mlir::memplan::checkOperation(func::FuncOp function,
                                            Operation *op) {
  if (failed(checkRegions(op)))
    return failure();
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    InFlightDiagnostic diag = op->emitError("calls ");
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      diag << symbol;
    else
      diag << "an unknown function";
    return diag << ", which was not inlined; a recursive or external function "
                   "cannot be planned";
  }
  if (op->hasAttr(names::variants) && !isa<MemplanDialect>(op->getDialect()))
    return op->emitError("has `")
           << names::variants
           << "`, which only operations of the memplan dialect can choose from";
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (plannable && plannable.isMemrefForm())
    return op->emitError("is in memref form in a function that is not planned");
  // A plannable operation with effects says so itself and keeps its place. Of
  // any other, effects could be on anything.
  if (!plannable && !isMemoryEffectFree(op))
    return op->emitError("'")
           << op->getName()
           << "' has effects that planning cannot order; only operations on "
              "tensors without effects, and those that implement memplan's "
              "planning interface, can be planned";
  if (failed(checkContents(op)))
    return failure();
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (!isFreeConstant(operand.getDefiningOp()) &&
        failed(checkType(function, operand,
                         "operand " + Twine(number) + " of '" +
                             op->getName().getStringRef() + "'")))
      return failure();
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    if (failed(checkType(function, result,
                         "result " + Twine(number) + " of '" +
                             op->getName().getStringRef() + "'")))
      return failure();
  return success();
}

DictionaryAttr mlir::memplan::computedAttributes(Operation *op) {
  NamedAttrList list;
  auto add = [&](NamedAttribute attribute) {
    StringRef name = attribute.getName();
    if (name == "run" || name == "workspace_bytes" ||
        name.starts_with("memplan."))
      return;
    auto segments = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (name == "operandSegmentSizes" && segments &&
        isa<PlannableOpInterface>(op))
      // Which optional inputs are there; outputs and workspace follow from the
      // form.
      list.set(name, DenseI32ArrayAttr::get(
                         op->getContext(), segments.asArrayRef().drop_back(2)));
    else
      list.set(name, attribute.getValue());
  };
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    llvm::for_each(properties, add);
  llvm::for_each(op->getDiscardableAttrs(), add);
  return list.getDictionary(op->getContext());
}
