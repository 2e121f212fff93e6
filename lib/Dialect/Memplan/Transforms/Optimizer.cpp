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
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::memplan;

namespace {

using Settings = OptimizerSettings;

/// A key of the attribute. One of `number` and `flag` is where it goes.
struct Setting {
  StringRef key;
  double Settings::*number = nullptr;
  bool Settings::*flag = nullptr;
};

/// An optimizer: its settings in the order of messages, those that differ from
/// the defaults of the struct, and what messages say beside its name.
struct Known {
  StringRef name;
  ArrayRef<Setting> settings;
  Settings defaults = {};
  StringRef remark = "";
};

} // namespace

static ArrayRef<Known> knownOptimizers() {
  static const Setting sgd[] = {{"lr", &Settings::rate},
                                {"max_norm", &Settings::maxNorm},
                                {"momentum", &Settings::momentum},
                                {"nesterov", nullptr, &Settings::nesterov},
                                {"weight_decay", &Settings::decay}};
  static const Setting adam[] = {
      {"lr", &Settings::rate},          {"beta1", &Settings::beta1},
      {"beta2", &Settings::beta2},      {"epsilon", &Settings::epsilon},
      {"max_norm", &Settings::maxNorm}, {"weight_decay", &Settings::decay}};
  static const Setting rmsprop[] = {
      {"lr", &Settings::rate},           {"alpha", &Settings::alpha},
      {"epsilon", &Settings::epsilon},   {"max_norm", &Settings::maxNorm},
      {"momentum", &Settings::momentum}, {"weight_decay", &Settings::decay}};
  static const Setting adagrad[] = {{"lr", &Settings::rate},
                                    {"epsilon", &Settings::epsilon},
                                    {"max_norm", &Settings::maxNorm},
                                    {"weight_decay", &Settings::decay}};
  static const Setting lion[] = {{"lr", &Settings::rate},
                                 {"beta1", &Settings::beta1},
                                 {"beta2", &Settings::beta2},
                                 {"max_norm", &Settings::maxNorm},
                                 {"weight_decay", &Settings::decay}};
  static const StringRef momentum = " (with or without momentum)";
  static const Known known[] = {{"sgd", sgd, {}, momentum},
                                {"adam", adam},
                                {"adamw", adam, {.decay = 0.01}},
                                {"rmsprop", rmsprop, {}, momentum},
                                {"adagrad", adagrad, {.epsilon = 1e-10}},
                                {"lion", lion, {.beta2 = 0.99}}};
  return known;
}

/// Reads one key besides the name.
static LogicalResult readSetting(func::FuncOp function, const Known &optimizer,
                                 NamedAttribute entry, Settings &settings) {
  StringRef key = entry.getName().getValue();
  auto keyOf = [](const Setting &setting) { return setting.key; };
  const Setting *setting =
      llvm::find_if(optimizer.settings,
                    [&](const Setting &setting) { return setting.key == key; });
  if (setting == optimizer.settings.end())
    return function.emitError()
           << kOptimizerAttrName << ": '" << optimizer.name
           << "' has no setting '" << key << "'; valid are "
           << llvm::join(llvm::map_range(optimizer.settings, keyOf), ", ");
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
  auto textOf = [](const Known &known) { return known.name + known.remark; };
  auto quoted = [](const Known &known) { return "\"" + known.name + "\""; };
  auto list = [](auto &&text, StringRef separator) {
    std::string all;
    llvm::raw_string_ostream os(all);
    llvm::interleave(
        knownOptimizers(), os, [&](const Known &known) { os << text(known); },
        separator);
    return all;
  };
  if (!name)
    return function.emitError()
           << "needs the attribute " << kOptimizerAttrName
           << " = {name = " << list(quoted, " | ")
           << ", lr = ...} to update its parameters; "
              "memplan-autodiff=gradients=true returns the gradients instead";
  const Known *known = llvm::find_if(knownOptimizers(), [&](const Known &each) {
    return each.name == name.getValue();
  });
  if (known == knownOptimizers().end())
    return function.emitError()
           << kOptimizerAttrName << ": unknown optimizer '" << name.getValue()
           << "'; valid are " << list(textOf, ", ");
  Settings settings = known->defaults;
  settings.name = known->name;
  for (NamedAttribute entry : optimizer)
    if (entry.getName() != "name" &&
        failed(readSetting(function, *known, entry, settings)))
      return failure();
  if (!optimizer.get("lr"))
    return function.emitError() << kOptimizerAttrName << ": '" << settings.name
                                << "' needs a float 'lr'";
  if (settings.nesterov && settings.momentum == 0)
    return function.emitError()
           << kOptimizerAttrName
           << ": 'nesterov' does nothing without a 'momentum'";
  if (optimizer.get("max_norm") &&
      !(settings.maxNorm > 0 && std::isfinite(settings.maxNorm)))
    return function.emitError()
           << kOptimizerAttrName << ": 'max_norm' is " << settings.maxNorm
           << ", but must be finite and above 0; leave it out to clip nothing";
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
/// `written` gets the states, in the order of the results.
Operation *
OptimizerUpdates::emitUncounted(OpBuilder &builder, BlockArgument parameter,
                                Value gradient, const Settings &settings,
                                SmallVectorImpl<BlockArgument> &written) {
  Location loc = gradient.getLoc();
  std::string name = nameOf(function, parameter);
  auto state = [&](StringRef suffix) {
    written.push_back(addState(parameter.getType(), name + "." + suffix));
    return written.back();
  };
  if (settings.name == "sgd" && settings.momentum == 0.0)
    return SGDUpdateOp::create(builder, loc, parameter, gradient, settings.rate,
                               settings.decay);
  if (settings.name == "sgd")
    return SGDMomentumUpdateOp::create(
        builder, loc, parameter, state("velocity"), gradient, settings.rate,
        settings.momentum, settings.decay, settings.nesterov);
  if (settings.name == "adagrad")
    return AdagradUpdateOp::create(builder, loc, parameter, state("sum"),
                                   gradient, settings.rate, settings.epsilon,
                                   settings.decay);
  if (settings.name == "lion")
    return LionUpdateOp::create(builder, loc, parameter, state("exp_avg"),
                                gradient, settings.rate, settings.beta1,
                                settings.beta2, settings.decay);
  BlockArgument square = state("square_avg");
  if (settings.momentum == 0.0)
    return RMSpropUpdateOp::create(builder, loc, parameter, square, gradient,
                                   settings.rate, settings.alpha,
                                   settings.epsilon, settings.decay);
  return RMSpropMomentumUpdateOp::create(
      builder, loc, parameter, square, state("momentum_buffer"), gradient,
      settings.rate, settings.momentum, settings.alpha, settings.epsilon,
      settings.decay);
}

FailureOr<Settings> OptimizerUpdates::getSettings() {
  if (settings)
    return *settings;
  FailureOr<Settings> read = readSettings(function);
  if (succeeded(read))
    settings = *read;
  return read;
}

LogicalResult OptimizerUpdates::add(OpBuilder &builder, BlockArgument parameter,
                                    Value gradient) {
  FailureOr<Settings> settings = getSettings();
  if (failed(settings))
    return failure();
  if (placement == UpdatePlacement::Eager && settings->maxNorm == 0)
    emit(builder, parameter, gradient, *settings);
  else
    postponed.emplace_back(parameter, gradient);
  return success();
}

void OptimizerUpdates::emit(OpBuilder &builder, BlockArgument parameter,
                            Value gradient, const Settings &settings) {
  SmallVector<BlockArgument> written{parameter};
  Operation *update;
  if (settings.name == "adam" || settings.name == "adamw") {
    Location loc = gradient.getLoc();
    std::string name = nameOf(function, parameter);
    for (StringRef suffix : {".exp_avg", ".exp_avg_sq"})
      written.push_back(addState(parameter.getType(), name + suffix));
    Value count = getStep(builder);
    auto create = [&](auto op) -> Operation * {
      return decltype(op)::create(builder, loc, parameter, written[1],
                                  written[2], count, gradient, settings.rate,
                                  settings.beta1, settings.beta2,
                                  settings.epsilon, settings.decay);
    };
    update = settings.name == "adam" ? create(AdamUpdateOp())
                                     : create(AdamWUpdateOp());
  } else {
    update = emitUncounted(builder, parameter, gradient, settings, written);
  }
  for (auto [argument, result] : llvm::zip_equal(written, update->getResults()))
    addUpdate(argument.getArgNumber(), result);
}

/// Each gradient times min(1, maxNorm / (norm + 1e-6)), as
/// torch.nn.utils.clip_grad_norm_ has it.
void OptimizerUpdates::clipGradients(OpBuilder &builder, double maxNorm) {
  Location loc = function.getLoc();
  Value norm =
      GlobalNormOp::create(builder, loc,
                           llvm::to_vector(llvm::make_second_range(postponed)))
          .getResult(0);
  auto map = [&](Location at, ValueRange inputs, StringRef expression) {
    return MapOp::create(builder, at, inputs, expression,
                         ops::realNameOf(inputs[0]), ArrayRef<int64_t>())
        .getResult(0);
  };
  std::string factorOf;
  llvm::raw_string_ostream(factorOf)
      << llvm::format("%.17g x0 1e-6 add div 1 min", maxNorm);
  Value factor = map(loc, norm, factorOf);
  for (auto &[parameter, gradient] : postponed)
    gradient = map(gradient.getLoc(), {gradient, factor}, "x0 x1 mul");
}

LogicalResult OptimizerUpdates::finish(OpBuilder &builder,
                                       func::ReturnOp terminator) {
  if (!postponed.empty() && settings->maxNorm != 0)
    clipGradients(builder, settings->maxNorm);
  for (auto [parameter, gradient] : postponed)
    emit(builder, parameter, gradient, *settings);
  for (const NewResult &result : results) {
    unsigned index = function.getNumResults();
    if (failed(function.insertResult(index, result.value.getType(),
                                     result.attributes)))
      return failure();
    terminator->insertOperands(index, result.value);
  }
  return success();
}
