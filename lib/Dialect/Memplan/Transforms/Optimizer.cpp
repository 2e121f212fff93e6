//===- Optimizer.cpp - Update ops of an optimizer -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizer.h"

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::memplan;

/// What stands in `memplan.optimizer`, understood.
struct mlir::memplan::OptimizerSettings {
  StringRef name;
  double rate = 0, decay = 0, momentum = 0, beta1 = 0.9, beta2 = 0.999,
         alpha = 0.99, epsilon = 1e-8;
  bool nesterov = false;
};

namespace {

using Settings = OptimizerSettings;

/// A key of the attribute. One of `number` and `flag` is where it goes.
struct Setting {
  StringRef key;
  double Settings::*number = nullptr;
  bool Settings::*flag = nullptr;
};

} // namespace

static ArrayRef<Setting> settingsOf(StringRef optimizer) {
  static const Setting sgd[] = {{"lr", &Settings::rate},
                                {"momentum", &Settings::momentum},
                                {"nesterov", nullptr, &Settings::nesterov},
                                {"weight_decay", &Settings::decay}};
  static const Setting adam[] = {{"lr", &Settings::rate},
                                 {"beta1", &Settings::beta1},
                                 {"beta2", &Settings::beta2},
                                 {"epsilon", &Settings::epsilon},
                                 {"weight_decay", &Settings::decay}};
  static const Setting rmsprop[] = {{"lr", &Settings::rate},
                                    {"alpha", &Settings::alpha},
                                    {"epsilon", &Settings::epsilon},
                                    {"momentum", &Settings::momentum},
                                    {"weight_decay", &Settings::decay}};
  static const Setting adagrad[] = {{"lr", &Settings::rate},
                                    {"epsilon", &Settings::epsilon},
                                    {"weight_decay", &Settings::decay}};
  static const Setting lion[] = {{"lr", &Settings::rate},
                                 {"beta1", &Settings::beta1},
                                 {"beta2", &Settings::beta2},
                                 {"weight_decay", &Settings::decay}};
  return llvm::StringSwitch<ArrayRef<Setting>>(optimizer)
      .Case("sgd", sgd)
      .Case("rmsprop", rmsprop)
      .Case("adagrad", adagrad)
      .Case("lion", lion)
      .Default(adam);
}

/// Reads one key besides the name.
static LogicalResult readSetting(func::FuncOp function, NamedAttribute entry,
                                 Settings &settings) {
  StringRef key = entry.getName().getValue();
  ArrayRef<Setting> known = settingsOf(settings.name);
  const Setting *setting = llvm::find_if(
      known, [&](const Setting &setting) { return setting.key == key; });
  if (setting == known.end())
    return function.emitError()
           << kOptimizerAttrName << ": '" << settings.name
           << "' has no setting '" << key << "'; valid are "
           << llvm::join(llvm::map_range(known,
                                         [](const Setting &setting) {
                                           return setting.key;
                                         }),
                         ", ");
  if (setting->flag) {
    auto flag = dyn_cast<BoolAttr>(entry.getValue());
    if (!flag)
      return function.emitError()
             << kOptimizerAttrName << ": '" << key
             << "' must be true or false, not " << entry.getValue();
    settings.*setting->flag = flag.getValue();
    return success();
  }
  auto number = dyn_cast<FloatAttr>(entry.getValue());
  if (!number)
    return function.emitError()
           << kOptimizerAttrName << ": '" << key << "' must be a float, not "
           << entry.getValue();
  settings.*setting->number = number.getValueAsDouble();
  return success();
}

static FailureOr<Settings> readSettings(func::FuncOp function) {
  auto optimizer = function->getAttrOfType<DictionaryAttr>(kOptimizerAttrName);
  auto name = optimizer ? optimizer.getAs<StringAttr>("name") : StringAttr();
  if (!name)
    return function.emitError()
           << "needs the attribute " << kOptimizerAttrName
           << " = {name = \"sgd\" | \"adam\" | \"adamw\" | \"rmsprop\" | "
              "\"adagrad\" | \"lion\", lr = ...} to update its parameters; "
              "memplan-autodiff=gradients=true returns the gradients instead";
  Settings settings;
  settings.name = name.getValue();
  if (!llvm::is_contained(
          {"sgd", "adam", "adamw", "rmsprop", "adagrad", "lion"},
          settings.name))
    return function.emitError()
           << kOptimizerAttrName << ": unknown optimizer '" << settings.name
           << "'; valid are sgd (with or without momentum), adam, adamw, "
              "rmsprop (with or without momentum), adagrad, lion";
  if (settings.name == "adamw")
    settings.decay = 0.01;
  if (settings.name == "adagrad")
    settings.epsilon = 1e-10;
  if (settings.name == "lion")
    settings.beta2 = 0.99;
  for (NamedAttribute entry : optimizer)
    if (entry.getName() != "name" &&
        failed(readSetting(function, entry, settings)))
      return failure();
  if (!optimizer.get("lr"))
    return function.emitError() << kOptimizerAttrName << ": '" << settings.name
                                << "' needs a float 'lr'";
  if (settings.nesterov && settings.momentum == 0)
    return function.emitError()
           << kOptimizerAttrName
           << ": 'nesterov' does nothing without a 'momentum'";
  return settings;
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

/// Optimizers whose states have the parameter's type and that count no steps.
LogicalResult
OptimizerUpdates::emitUncounted(OpBuilder &builder, BlockArgument parameter,
                                Value gradient,
                                const OptimizerSettings &settings) {
  Location loc = gradient.getLoc();
  Type type = parameter.getType();
  std::string name = nameOf(function, parameter);
  SmallVector<BlockArgument> written{parameter};
  auto state = [&](StringRef suffix) {
    written.push_back(addState(type, name + "." + suffix));
    return written.back();
  };
  Operation *update;
  if (settings.name == "adagrad") {
    update = AdagradUpdateOp::create(builder, loc, parameter, state("sum"),
                                     gradient, settings.rate, settings.epsilon,
                                     settings.decay);
  } else if (settings.name == "lion") {
    update = LionUpdateOp::create(builder, loc, parameter, state("exp_avg"),
                                  gradient, settings.rate, settings.beta1,
                                  settings.beta2, settings.decay);
  } else if (settings.momentum == 0.0) {
    update = RMSpropUpdateOp::create(
        builder, loc, parameter, state("square_avg"), gradient, settings.rate,
        settings.alpha, settings.epsilon, settings.decay);
  } else {
    BlockArgument square = state("square_avg");
    BlockArgument velocity = state("momentum_buffer");
    update = RMSpropMomentumUpdateOp::create(
        builder, loc, parameter, square, velocity, gradient, settings.rate,
        settings.momentum, settings.alpha, settings.epsilon, settings.decay);
  }
  for (auto [argument, result] : llvm::zip_equal(written, update->getResults()))
    addUpdate(argument.getArgNumber(), result);
  return success();
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
  FailureOr<Settings> settings = readSettings(function);
  if (failed(settings))
    return failure();
  if (llvm::is_contained({"rmsprop", "adagrad", "lion"}, settings->name))
    return emitUncounted(builder, parameter, gradient, *settings);
  Location loc = gradient.getLoc();
  bool adaptive = settings->name != "sgd";
  Type type = parameter.getType();
  unsigned index = parameter.getArgNumber();
  if (!adaptive && settings->momentum == 0.0) {
    auto update = SGDUpdateOp::create(builder, loc, parameter, gradient,
                                      settings->rate, settings->decay);
    addUpdate(index, update->getResult(0));
    return success();
  }
  std::string parameterName = nameOf(function, parameter);
  if (!adaptive) {
    BlockArgument velocity = addState(type, parameterName + ".velocity");
    auto update = SGDMomentumUpdateOp::create(
        builder, loc, parameter, velocity, gradient, settings->rate,
        settings->momentum, settings->decay, settings->nesterov);
    addUpdate(index, update->getResult(0));
    addUpdate(velocity.getArgNumber(), update->getResult(1));
    return success();
  }
  BlockArgument mean = addState(type, parameterName + ".exp_avg");
  BlockArgument variance = addState(type, parameterName + ".exp_avg_sq");
  Value count = getStep(builder);
  Operation *update;
  if (settings->name == "adam")
    update = AdamUpdateOp::create(builder, loc, parameter, mean, variance,
                                  count, gradient, settings->rate,
                                  settings->beta1, settings->beta2,
                                  settings->epsilon, settings->decay);
  else
    update = AdamWUpdateOp::create(builder, loc, parameter, mean, variance,
                                   count, gradient, settings->rate,
                                   settings->beta1, settings->beta2,
                                   settings->epsilon, settings->decay);
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
