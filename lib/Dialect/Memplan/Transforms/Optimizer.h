//===- Optimizer.h - Update ops of an optimizer -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_OPTIMIZER_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_OPTIMIZER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::memplan {

/// Where the update of a parameter stands: as soon as its gradient is complete
/// and its old value was read for the last time (so that the gradient dies
/// early), or after the whole backward pass (as eager frameworks do).
enum class UpdatePlacement { Eager, End };

struct OptimizerSettings;

/// Adds the update ops that the function attribute `memplan.optimizer` asks
/// for, the state arguments they need, and the results that hand the new
/// versions to the caller.
class OptimizerUpdates {
public:
  OptimizerUpdates(func::FuncOp function, UpdatePlacement placement)
      : function(function), placement(placement) {}

  /// Updates `parameter` with its complete gradient.
  LogicalResult add(OpBuilder &builder, BlockArgument parameter,
                    Value gradient);
  /// Returns the gradient to the caller instead.
  void returnGradient(BlockArgument parameter, Value gradient);
  /// Emits what was put off and extends the function's results.
  LogicalResult finish(OpBuilder &builder, func::ReturnOp terminator);

private:
  LogicalResult emit(OpBuilder &builder, BlockArgument parameter,
                     Value gradient);
  LogicalResult emitUncounted(OpBuilder &builder, BlockArgument parameter,
                              Value gradient,
                              const OptimizerSettings &settings);
  /// Appends a state argument: `{parameter's name}.{suffix}`, zeros.
  BlockArgument addState(Type type, const Twine &name);
  void addUpdate(unsigned argument, Value newVersion);
  /// The step counter shared by all updates of one program, incremented once.
  Value getStep(OpBuilder &builder);

  struct NewResult {
    Value value;
    DictionaryAttr attributes;
  };
  func::FuncOp function;
  UpdatePlacement placement;
  SmallVector<std::pair<BlockArgument, Value>> postponed;
  SmallVector<NewResult> results;
  Value step;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_OPTIMIZER_H
