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

#include <optional>

namespace mlir::memplan {

/// Where the update of a parameter stands: as soon as its gradient is complete
/// and its old value was read for the last time (so that the gradient dies
/// early), or after the whole backward pass (as eager frameworks do).
enum class UpdatePlacement { Eager, End };

/// What the options of memplan-autodiff say of updates.
struct UpdateOptions {
  UpdatePlacement placement = UpdatePlacement::Eager;
  /// For `loss_scale` of the attribute, where it is not 0.
  double lossScale = 0;
  /// Processes over which gradients are averaged.
  int64_t ranks = 1;
};

/// What stands in `memplan.optimizer`, understood.
struct OptimizerSettings {
  StringRef name = "";
  double rate = 0, decay = 0, momentum = 0, beta1 = 0.9, beta2 = 0.999,
         alpha = 0.99, epsilon = 1e-8;
  /// Adafactor's own. A first epsilon of 0 is that of the parameter's type.
  double beta2Decay = -0.8, epsilon1 = 0, epsilon2 = 1e-3, clipThreshold = 1;
  /// What the global norm of the gradients is clipped to; 0 leaves them.
  double maxNorm = 0;
  bool nesterov = false;
  /// The learning rate is multiplied by a state of the step.
  bool scheduled = false;
  /// What the loss is multiplied by at first; 0 leaves it. The rest is how the
  /// scale changes.
  double lossScale = 0, growth = 2, backoff = 0.5, growthInterval = 2000;

  /// Whether an update needs all gradients.
  bool needsAll() const { return maxNorm != 0 || lossScale != 0; }
};

/// Adds the update ops that the function attribute `memplan.optimizer` asks
/// for, the state arguments they need, and the results that hand the new
/// versions to the caller. Where gradients are clipped or scaled, every update
/// waits for all of them, whatever the placement.
class OptimizerUpdates {
public:
  OptimizerUpdates(func::FuncOp function, const UpdateOptions &options)
      : function(function), options(options) {}

  /// The gradient of `loss` with respect to itself: 1, or the scale of the
  /// loss, which is a state of the step.
  FailureOr<Value> createLossGradient(OpBuilder &builder, Value loss);
  /// Finds the scale among the arguments of a function that brings its own
  /// backward pass, where the settings ask for one.
  LogicalResult findLossScale();
  /// Updates `parameter` with its complete gradient.
  LogicalResult add(OpBuilder &builder, BlockArgument parameter,
                    Value gradient);
  /// Returns the gradient to the caller instead.
  void returnGradient(OpBuilder &builder, BlockArgument parameter,
                      Value gradient);
  /// Emits what was put off and extends the function's results.
  LogicalResult finish(OpBuilder &builder, func::ReturnOp terminator);

private:
  /// Reads the settings the first time.
  FailureOr<OptimizerSettings> getSettings();
  /// The mean of a gradient over all ranks.
  Value overRanks(OpBuilder &builder, Value gradient) const;
  void emit(OpBuilder &builder, BlockArgument parameter, Value gradient,
            const OptimizerSettings &settings);
  Operation *emitAdam(OpBuilder &builder, BlockArgument parameter,
                      Value gradient, const OptimizerSettings &settings,
                      SmallVectorImpl<BlockArgument> &written);
  void emitAdafactor(OpBuilder &builder, BlockArgument parameter,
                     Value gradient, const OptimizerSettings &settings);
  /// Subtracts `change` from an argument and returns its new version.
  Value subtract(OpBuilder &builder, BlockArgument argument, Value change);
  Operation *emitUncounted(OpBuilder &builder, BlockArgument parameter,
                           Value gradient, const OptimizerSettings &settings,
                           SmallVectorImpl<BlockArgument> &written);
  /// Multiplies what was put off by `factor`, a scalar.
  void scaleGradients(OpBuilder &builder, Value factor);
  /// Takes the scale of the loss out of what was put off, and has updates skip
  /// a step whose gradients are not all finite.
  LogicalResult unscaleGradients(OpBuilder &builder);
  /// Scales what was put off so that its global norm is at most `maxNorm`.
  void clipGradients(OpBuilder &builder, double maxNorm);
  /// Appends a state argument, of zeros if not said otherwise.
  BlockArgument addState(Type type, const Twine &name,
                         StringRef init = "zeros");
  void addUpdate(unsigned argument, Value newVersion);
  /// The step counter shared by all updates of one program, incremented once.
  Value getStep(OpBuilder &builder);
  /// The same number without a dimension.
  Value getStepScalar(OpBuilder &builder);
  /// What the learning rate is multiplied by: a state that the caller writes
  /// between steps; null where the settings ask for none.
  Value getRate(OpBuilder &builder, const OptimizerSettings &settings);

  struct NewResult {
    Value value;
    DictionaryAttr attributes;
  };
  func::FuncOp function;
  UpdateOptions options;
  std::optional<OptimizerSettings> settings;
  SmallVector<std::pair<BlockArgument, Value>> postponed;
  SmallVector<NewResult> results;
  Value step, stepScalar, rate;
  BlockArgument lossScale;
  /// Updates read it where there is a scale, and beside a rate.
  Value skip;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_TRANSFORMS_OPTIMIZER_H
