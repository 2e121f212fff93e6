//===- Optimizer.cpp - Update ops of an optimizer -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizer.h"

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

/// Reads the float `key` of the optimizer, or `otherwise` where it is absent.
static FailureOr<double> readNumber(func::FuncOp function,
                                    DictionaryAttr optimizer, StringRef key,
                                    double otherwise) {
  Attribute attribute = optimizer.get(key);
  if (!attribute)
    return otherwise;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return function.emitError() << kOptimizerAttrName << ": '" << key
                              << "' must be a float, not " << attribute;
}

static std::string nameOf(func::FuncOp function, BlockArgument argument) {
  if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kNameAttrName))
    return name.getValue().str();
  return ("arg" + Twine(argument.getArgNumber())).str();
}

BlockArgument OptimizerUpdates::addState(Type type, const Twine &name) {
  Builder builder(function.getContext());
  NamedAttribute attributes[] = {
      builder.getNamedAttr(kKindAttrName, builder.getStringAttr("state")),
      builder.getNamedAttr(kNameAttrName, builder.getStringAttr(name)),
      builder.getNamedAttr(kInitAttrName, builder.getStringAttr("zeros"))};
  unsigned index = function.getNumArguments();
  LogicalResult inserted = function.insertArgument(
      index, type, builder.getDictionaryAttr(attributes), function.getLoc());
  assert(succeeded(inserted) &&
         "appending an argument to a func.func cannot fail");
  (void)inserted;
  return function.getArgument(index);
}

void OptimizerUpdates::addUpdate(unsigned argument, Value newVersion) {
  Builder builder(function.getContext());
  NamedAttribute attribute = builder.getNamedAttr(
      kUpdatesAttrName, builder.getI64IntegerAttr(argument));
  results.push_back({newVersion, builder.getDictionaryAttr(attribute)});
}

void OptimizerUpdates::returnGradient(BlockArgument parameter, Value gradient) {
  Builder builder(function.getContext());
  NamedAttribute attributes[] = {
      builder.getNamedAttr(kKindAttrName, builder.getStringAttr("output")),
      builder.getNamedAttr(
          kNameAttrName,
          builder.getStringAttr(nameOf(function, parameter) + ".grad"))};
  results.push_back({gradient, builder.getDictionaryAttr(attributes)});
}

Value OptimizerUpdates::getStep(OpBuilder &builder) {
  if (!step) {
    BlockArgument counter = addState(
        RankedTensorType::get({1}, builder.getI64Type()), "optimizer.step");
    step =
        IncrementOp::create(builder, function.getLoc(), counter).getResult(0);
    addUpdate(counter.getArgNumber(), step);
  }
  return step;
}

LogicalResult OptimizerUpdates::add(OpBuilder &builder, BlockArgument parameter,
                                    Value gradient) {
  if (placement == UpdatePlacement::Eager)
    return emit(builder, parameter, gradient);
  postponed.emplace_back(parameter, gradient);
  return success();
}

LogicalResult OptimizerUpdates::emit(OpBuilder &builder,
                                     BlockArgument parameter, Value gradient) {
  auto optimizer = function->getAttrOfType<DictionaryAttr>(kOptimizerAttrName);
  auto optimizerName =
      optimizer ? optimizer.getAs<StringAttr>("name") : StringAttr();
  if (!optimizerName)
    return function.emitError()
           << "needs the attribute " << kOptimizerAttrName
           << " = {name = \"sgd\" | \"adam\" | \"adamw\", lr = ...} to update "
              "its parameters; "
              "memplan-autodiff=gradients=true returns the gradients instead";
  StringRef name = optimizerName.getValue();
  if (name != "sgd" && name != "adam" && name != "adamw")
    return function.emitError()
           << kOptimizerAttrName << ": unknown optimizer '" << name
           << "'; valid are sgd (with or without momentum), adam, adamw";
  if (!optimizer.getAs<FloatAttr>("lr"))
    return function.emitError()
           << kOptimizerAttrName << ": '" << name << "' needs a float 'lr'";

  bool adaptive = name != "sgd";
  FailureOr<double> rate = readNumber(function, optimizer, "lr", 0);
  FailureOr<double> decay = readNumber(function, optimizer, "weight_decay",
                                       name == "adamw" ? 0.01 : 0.0);
  FailureOr<double> momentum = readNumber(function, optimizer, "momentum", 0);
  FailureOr<double> beta1 = readNumber(function, optimizer, "beta1", 0.9);
  FailureOr<double> beta2 = readNumber(function, optimizer, "beta2", 0.999);
  FailureOr<double> epsilon = readNumber(function, optimizer, "epsilon", 1e-8);
  if (failed(rate) || failed(decay) || failed(momentum) || failed(beta1) ||
      failed(beta2) || failed(epsilon))
    return failure();

  Location loc = gradient.getLoc();
  Type type = parameter.getType();
  unsigned index = parameter.getArgNumber();
  if (!adaptive && *momentum == 0.0) {
    auto update =
        SGDUpdateOp::create(builder, loc, parameter, gradient, *rate, *decay);
    addUpdate(index, update->getResult(0));
    return success();
  }
  std::string parameterName = nameOf(function, parameter);
  if (!adaptive) {
    auto nesterov = optimizer.getAs<BoolAttr>("nesterov");
    BlockArgument velocity = addState(type, parameterName + ".velocity");
    auto update = SGDMomentumUpdateOp::create(
        builder, loc, parameter, velocity, gradient, *rate, *momentum, *decay,
        nesterov && nesterov.getValue());
    addUpdate(index, update->getResult(0));
    addUpdate(velocity.getArgNumber(), update->getResult(1));
    return success();
  }
  BlockArgument mean = addState(type, parameterName + ".exp_avg");
  BlockArgument variance = addState(type, parameterName + ".exp_avg_sq");
  Value count = getStep(builder);
  Operation *update;
  if (name == "adam")
    update =
        AdamUpdateOp::create(builder, loc, parameter, mean, variance, count,
                             gradient, *rate, *beta1, *beta2, *epsilon, *decay);
  else
    update = AdamWUpdateOp::create(builder, loc, parameter, mean, variance,
                                   count, gradient, *rate, *beta1, *beta2,
                                   *epsilon, *decay);
  addUpdate(index, update->getResult(0));
  addUpdate(mean.getArgNumber(), update->getResult(1));
  addUpdate(variance.getArgNumber(), update->getResult(2));
  return success();
}

LogicalResult OptimizerUpdates::finish(OpBuilder &builder,
                                       func::ReturnOp terminator) {
  for (auto [parameter, gradient] : postponed)
    if (failed(emit(builder, parameter, gradient)))
      return failure();
  for (const NewResult &result : results) {
    unsigned index = function.getNumResults();
    if (failed(function.insertResult(index, result.value.getType(),
                                     result.attributes)))
      return failure();
    terminator->insertOperands(index, result.value);
  }
  return success();
}
