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

/// An optimizer: its own settings in the order of messages, those that differ
/// from the defaults of the struct, and what messages say beside its name.
struct Known {
  StringRef name;
  ArrayRef<Setting> settings;
  Settings defaults = {};
  StringRef remark = "";
};

} // namespace

static ArrayRef<Known> knownOptimizers() {
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
  static const Setting adafactor[] = {
      {"lr", &Settings::rate},
      {"beta2_decay", &Settings::beta2Decay},
      {"epsilon1", &Settings::epsilon1},
      {"epsilon2", &Settings::epsilon2},
      {"clip_threshold", &Settings::clipThreshold},
      {"weight_decay", &Settings::decay}};
  static const StringRef momentum = " (with or without momentum)";
  static const Known known[] = {{"sgd", sgd, {}, momentum},
                                {"adam", adam},
                                {"adamw", adam, {.decay = 0.01}},
                                {"rmsprop", rmsprop, {}, momentum},
                                {"adagrad", adagrad, {.epsilon = 1e-10}},
                                {"lion", lion, {.beta2 = 0.99}},
                                {"adafactor", adafactor}};
  return known;
}

/// What any optimizer takes besides: clipping, and the scale of the loss.
static ArrayRef<Setting> commonSettings() {
  static const Setting common[] = {
      {"max_norm", &Settings::maxNorm},
      {"scheduled", nullptr, &Settings::scheduled},
      {"loss_scale", &Settings::lossScale},
      {"growth_factor", &Settings::growth},
      {"backoff_factor", &Settings::backoff},
      {"growth_interval", &Settings::growthInterval}};
  return common;
}

/// Reads one key besides the name.
static LogicalResult readSetting(func::FuncOp function, const Known &optimizer,
                                 NamedAttribute entry, Settings &settings) {
  StringRef key = entry.getName().getValue();
  SmallVector<Setting> valid(optimizer.settings);
  llvm::append_range(valid, commonSettings());
  auto keyOf = [](const Setting &setting) { return setting.key; };
  const Setting *setting = llvm::find_if(
      valid, [&](const Setting &setting) { return setting.key == key; });
  if (setting == valid.end())
    return function.emitError()
           << kOptimizerAttrName << ": '" << optimizer.name
           << "' has no setting '" << key << "'; valid are "
           << llvm::join(llvm::map_range(valid, keyOf), ", ");
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

/// The dialect checks the factors where the scale is updated.
static LogicalResult checkLossScale(func::FuncOp function,
                                    DictionaryAttr optimizer,
                                    const Settings &settings) {
  if (!optimizer.get("loss_scale") && settings.lossScale == 0) {
    for (const Setting &setting : commonSettings())
      if (setting.key != "max_norm" && setting.key != "scheduled" &&
          optimizer.get(setting.key))
        return function.emitError()
               << kOptimizerAttrName << ": '" << setting.key
               << "' does nothing without a 'loss_scale'";
    return success();
  }
  const auto single = static_cast<float>(settings.lossScale);
  auto fail = [&](StringRef key, double value, StringRef wanted) {
    return function.emitError() << kOptimizerAttrName << ": '" << key << "' is "
                                << value << ", but must be " << wanted;
  };
  if (!(single > 0 && std::isfinite(single)))
    return fail("loss_scale", settings.lossScale,
                "finite and above 0 as f32; leave it out to scale nothing");
  if (!(settings.growth > 1 && std::isfinite(settings.growth)))
    return fail("growth_factor", settings.growth, "finite and above 1");
  if (!(settings.backoff > 0 && settings.backoff < 1))
    return fail("backoff_factor", settings.backoff, "in (0, 1)");
  if (!(settings.growthInterval >= 1 && settings.growthInterval <= 1e15 &&
        settings.growthInterval == std::floor(settings.growthInterval)))
    return fail("growth_interval", settings.growthInterval,
                "a whole number of at least 1");
  return success();
}

/// The dialect has no operation of Adafactor that would check its own settings.
static LogicalResult checkAdafactor(func::FuncOp function,
                                    DictionaryAttr optimizer,
                                    const Settings &settings) {
  auto check = [&](StringRef key, double value, bool valid, StringRef wanted) {
    if (!optimizer.get(key) || (valid && std::isfinite(value)))
      return success();
    return LogicalResult(function.emitError()
                         << kOptimizerAttrName << ": '" << key << "' is "
                         << value << ", but must be " << wanted);
  };
  return failure(
      failed(check("beta2_decay", settings.beta2Decay, settings.beta2Decay <= 0,
                   "finite and not positive")) ||
      failed(check("epsilon1", settings.epsilon1, settings.epsilon1 > 0,
                   "finite and above 0; leave it out for that of the type")) ||
      failed(check("epsilon2", settings.epsilon2, settings.epsilon2 >= 0,
                   "finite and not negative")) ||
      failed(check("clip_threshold", settings.clipThreshold,
                   settings.clipThreshold > 0, "finite and above 0")) ||
      failed(check("lr", settings.rate, settings.rate >= 0,
                   "finite and not negative")) ||
      failed(check("weight_decay", settings.decay, settings.decay >= 0,
                   "finite and not negative")));
}

/// The attribute, with `lossScale` in the place of its own where that is not 0.
static FailureOr<Settings> readSettings(func::FuncOp function,
                                        double lossScale) {
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
  if (settings.name == "adafactor" && settings.scheduled)
    return function.emitError()
           << kOptimizerAttrName
           << ": 'scheduled' is for optimizers that are one operation, and "
              "'adafactor' is several";
  if (settings.name == "adafactor" &&
      failed(checkAdafactor(function, optimizer, settings)))
    return failure();
  if (optimizer.get("max_norm") &&
      !(settings.maxNorm > 0 && std::isfinite(settings.maxNorm)))
    return function.emitError()
           << kOptimizerAttrName << ": 'max_norm' is " << settings.maxNorm
           << ", but must be finite and above 0; leave it out to clip nothing";
  if (lossScale != 0)
    settings.lossScale = lossScale;
  if (failed(checkLossScale(function, optimizer, settings)))
    return failure();
  return settings;
}

static std::string nameOf(func::FuncOp function, BlockArgument argument) {
  if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kNameAttrName))
    return name.getValue().str();
  return ("arg" + Twine(argument.getArgNumber())).str();
}

BlockArgument OptimizerUpdates::addState(Type type, const Twine &name,
                                         StringRef init) {
  Builder builder(function.getContext());
  NamedAttribute attributes[] = {
      builder.getNamedAttr(kKindAttrName, builder.getStringAttr("state")),
      builder.getNamedAttr(kNameAttrName, builder.getStringAttr(name)),
      builder.getNamedAttr(kInitAttrName, builder.getStringAttr(init))};
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

Value OptimizerUpdates::overRanks(OpBuilder &builder, Value gradient) const {
  if (options.ranks == 1)
    return gradient;
  return AllReduceOp::create(builder, gradient.getLoc(), gradient,
                             options.ranks, "mean")
      .getResult(0);
}

void OptimizerUpdates::returnGradient(OpBuilder &builder,
                                      BlockArgument parameter, Value gradient) {
  NamedAttribute attributes[] = {
      builder.getNamedAttr(kKindAttrName, builder.getStringAttr("output")),
      builder.getNamedAttr(
          kNameAttrName,
          builder.getStringAttr(nameOf(function, parameter) + ".grad"))};
  results.push_back(
      {overRanks(builder, gradient), builder.getDictionaryAttr(attributes)});
}

Value OptimizerUpdates::getStep(OpBuilder &builder) {
  if (!step) {
    BlockArgument counter = addState(
        RankedTensorType::get({1}, builder.getI64Type()), "optimizer.step");
    step = IncrementOp::create(builder, function.getLoc(), counter, skip)
               .getResult(0);
    addUpdate(counter.getArgNumber(), step);
  }
  return step;
}

Value OptimizerUpdates::getRate(OpBuilder &builder, const Settings &settings) {
  if (!settings.scheduled)
    return Value();
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  if (!rate)
    rate = addState(scalar, "optimizer.rate", "constant:1");
  // The operand before it says that nothing is skipped.
  if (!skip)
    skip = ConstantOp::create(
               builder, function.getLoc(),
               DenseElementsAttr::get(
                   scalar, builder.getFloatAttr(builder.getF32Type(), 0.0)))
               .getResult(0);
  return rate;
}

Value OptimizerUpdates::getStepScalar(OpBuilder &builder) {
  if (!stepScalar)
    stepScalar = ReshapeOp::create(builder, function.getLoc(), getStep(builder),
                                   ArrayRef<int64_t>())
                     .getResult(0);
  return stepScalar;
}

/// Optimizers whose states have the parameter's type and that count no steps.
/// `written` gets the states, in the order of the results.
Operation *
OptimizerUpdates::emitUncounted(OpBuilder &builder, BlockArgument parameter,
                                Value gradient, const Settings &settings,
                                SmallVectorImpl<BlockArgument> &written) {
  Location loc = gradient.getLoc();
  const Value rate = getRate(builder, settings);
  std::string name = nameOf(function, parameter);
  auto state = [&](StringRef suffix) {
    written.push_back(addState(parameter.getType(), name + "." + suffix));
    return written.back();
  };
  if (settings.name == "sgd" && settings.momentum == 0.0)
    return SGDUpdateOp::create(builder, loc, parameter, gradient, skip, rate,
                               settings.rate, settings.decay);
  if (settings.name == "sgd")
    return SGDMomentumUpdateOp::create(
        builder, loc, parameter, state("velocity"), gradient, skip, rate,
        settings.rate, settings.momentum, settings.decay, settings.nesterov);
  if (settings.name == "adagrad")
    return AdagradUpdateOp::create(builder, loc, parameter, state("sum"),
                                   gradient, skip, rate, settings.rate,
                                   settings.epsilon, settings.decay);
  if (settings.name == "lion")
    return LionUpdateOp::create(builder, loc, parameter, state("exp_avg"),
                                gradient, skip, rate, settings.rate,
                                settings.beta1, settings.beta2, settings.decay);
  BlockArgument square = state("square_avg");
  if (settings.momentum == 0.0)
    return RMSpropUpdateOp::create(builder, loc, parameter, square, gradient,
                                   skip, rate, settings.rate, settings.alpha,
                                   settings.epsilon, settings.decay);
  return RMSpropMomentumUpdateOp::create(
      builder, loc, parameter, square, state("momentum_buffer"), gradient, skip,
      rate, settings.rate, settings.momentum, settings.alpha, settings.epsilon,
      settings.decay);
}

Operation *OptimizerUpdates::emitAdam(OpBuilder &builder,
                                      BlockArgument parameter, Value gradient,
                                      const Settings &settings,
                                      SmallVectorImpl<BlockArgument> &written) {
  const Value rate = getRate(builder, settings);
  std::string name = nameOf(function, parameter);
  for (StringRef suffix : {".exp_avg", ".exp_avg_sq"})
    written.push_back(addState(parameter.getType(), name + suffix));
  Value count = getStep(builder);
  auto create = [&](auto op) -> Operation * {
    return decltype(op)::create(
        builder, gradient.getLoc(), parameter, written[1], written[2], count,
        gradient, skip, rate, settings.rate, settings.beta1, settings.beta2,
        settings.epsilon, settings.decay);
  };
  return settings.name == "adam" ? create(AdamUpdateOp())
                                 : create(AdamWUpdateOp());
}

FailureOr<Settings> OptimizerUpdates::getSettings() {
  if (settings)
    return *settings;
  FailureOr<Settings> read = readSettings(function, options.lossScale);
  if (succeeded(read))
    settings = *read;
  return read;
}

LogicalResult OptimizerUpdates::add(OpBuilder &builder, BlockArgument parameter,
                                    Value gradient) {
  FailureOr<Settings> settings = getSettings();
  if (failed(settings))
    return failure();
  gradient = overRanks(builder, gradient);
  if (options.placement == UpdatePlacement::Eager && !settings->needsAll())
    emit(builder, parameter, gradient, *settings);
  else
    postponed.emplace_back(parameter, gradient);
  return success();
}

void OptimizerUpdates::emit(OpBuilder &builder, BlockArgument parameter,
                            Value gradient, const Settings &settings) {
  if (settings.name == "adafactor")
    return emitAdafactor(builder, parameter, gradient, settings);
  SmallVector<BlockArgument> written{parameter};
  Operation *update =
      settings.name == "adam" || settings.name == "adamw"
          ? emitAdam(builder, parameter, gradient, settings, written)
          : emitUncounted(builder, parameter, gradient, settings, written);
  for (auto [argument, result] : llvm::zip_equal(written, update->getResults()))
    addUpdate(argument.getArgNumber(), result);
}

static Value createMap(OpBuilder &builder, Location loc, ValueRange inputs,
                       StringRef expression) {
  return MapOp::create(builder, loc, inputs, expression,
                       ops::realNameOf(inputs[0]), ArrayRef<int64_t>())
      .getResult(0);
}

/// `format` with its numbers as expressions have them.
template <typename... Numbers>
static std::string expressionOf(const char *format, Numbers... numbers) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, numbers...);
  return text;
}

/// The distance from 1 to the next number of a type.
static double epsilonOf(Type type) {
  const auto &semantics = cast<FloatType>(type).getFloatSemantics();
  return std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics)));
}

Value OptimizerUpdates::subtract(OpBuilder &builder, BlockArgument argument,
                                 Value change) {
  Value version = SGDUpdateOp::create(builder, change.getLoc(), argument,
                                      change, skip, /*rate=*/Value(),
                                      /*lr=*/1.0,
                                      /*weight_decay=*/0.0)
                      .getResult(0);
  addUpdate(argument.getArgNumber(), version);
  return version;
}

/// As torch.optim.Adafactor has it (Shazeer and Stern, "Adafactor: Adaptive
/// Learning Rates with Sublinear Memory Cost", 2018), of operations that there
/// are. The states of a matrix are the mean squares of its rows and columns,
/// those of a vector the squares of its elements.
void OptimizerUpdates::emitAdafactor(OpBuilder &builder,
                                     BlockArgument parameter, Value gradient,
                                     const Settings &settings) {
  Location loc = gradient.getLoc();
  std::string name = nameOf(function, parameter);
  RankedTensorType type = ops::tensorOf(parameter);
  const int64_t rank = type.getRank();
  const double root = std::sqrt(double(type.getNumElements()));
  const double epsilon1 = settings.epsilon1 != 0
                              ? settings.epsilon1
                              : epsilonOf(type.getElementType());
  Value count = getStepScalar(builder);
  auto meanOver = [&](Value value, int64_t dim) {
    return ReduceMeanOp::create(builder, loc, value, ArrayRef<int64_t>{dim},
                                /*keepdims=*/true)
        .getResult(0);
  };
  // A mean takes t^decay of the newest square.
  auto moveToward = [&](StringRef suffix, Value square) {
    BlockArgument mean = addState(square.getType(), name + "." + suffix);
    return subtract(builder, mean,
                    createMap(builder, loc, {mean, square, count},
                              expressionOf("x0 x1 sub x2 %.17g pow mul",
                                           settings.beta2Decay)));
  };
  Value squares = createMap(builder, loc, gradient, "x0 x0 mul");
  Value update;
  if (rank < 2) {
    update = createMap(
        builder, loc, {gradient, moveToward("variance", squares)},
        expressionOf("x1 %.17g max rsqrt x0 mul", epsilon1 * epsilon1));
  } else {
    Value row = moveToward("row_var", meanOver(squares, rank - 1));
    Value column = moveToward("col_var", meanOver(squares, rank - 2));
    update = createMap(
        builder, loc, {gradient, row, column, meanOver(row, rank - 2)},
        expressionOf("x1 x2 mul x3 %.17g max div %.17g max rsqrt x0 mul",
                     epsilon1, epsilon1 * epsilon1));
  }
  auto normOf = [&](Value value) {
    return GlobalNormOp::create(builder, loc, value).getResult(0);
  };
  Value factor =
      createMap(builder, loc, {normOf(parameter), normOf(update), count},
                expressionOf("x2 rsqrt %.17g min x0 %.17g div %.17g max mul "
                             "x1 %.17g div 1 max div",
                             settings.rate, root, settings.epsilon2,
                             root * settings.clipThreshold));
  Value change = settings.decay == 0
                     ? createMap(builder, loc, {update, factor}, "x0 x1 mul")
                     : createMap(builder, loc, {update, factor, parameter},
                                 expressionOf("x0 x1 mul x2 %.17g mul add",
                                              settings.rate * settings.decay));
  subtract(builder, parameter, change);
}

void OptimizerUpdates::scaleGradients(OpBuilder &builder, Value factor) {
  for (auto &[parameter, gradient] : postponed)
    gradient =
        createMap(builder, gradient.getLoc(), {gradient, factor}, "x0 x1 mul");
}

/// Each gradient times min(1, maxNorm / (norm + 1e-6)), as
/// torch.nn.utils.clip_grad_norm_ has it.
void OptimizerUpdates::clipGradients(OpBuilder &builder, double maxNorm) {
  Location loc = function.getLoc();
  Value norm =
      GlobalNormOp::create(builder, loc,
                           llvm::to_vector(llvm::make_second_range(postponed)))
          .getResult(0);
  std::string factorOf;
  llvm::raw_string_ostream(factorOf)
      << llvm::format("%.17g x0 1e-6 add div 1 min", maxNorm);
  scaleGradients(builder, createMap(builder, loc, norm, factorOf));
}

static constexpr StringLiteral lossScaleName = "optimizer.loss_scale";

FailureOr<Value> OptimizerUpdates::createLossGradient(OpBuilder &builder,
                                                      Value loss) {
  FailureOr<Settings> settings = getSettings();
  if (failed(settings))
    return failure();
  auto type = cast<RankedTensorType>(loss.getType());
  if (settings->lossScale == 0)
    return ConstantOp::create(
               builder, loss.getLoc(),
               DenseElementsAttr::get(
                   type, builder.getFloatAttr(type.getElementType(), 1.0)))
        .getResult(0);
  std::string init;
  llvm::raw_string_ostream(init)
      << llvm::format("constant:%.17g", settings->lossScale);
  lossScale = addState(RankedTensorType::get({}, builder.getF32Type()),
                       lossScaleName, init);
  if (type == lossScale.getType())
    return Value(lossScale);
  return CastOp::create(builder, loss.getLoc(), lossScale,
                        ops::realNameOf(loss))
      .getResult(0);
}

LogicalResult OptimizerUpdates::findLossScale() {
  FailureOr<Settings> settings = getSettings();
  if (failed(settings))
    return failure();
  if (settings->lossScale == 0)
    return success();
  for (BlockArgument argument : function.getArguments())
    if (nameOf(function, argument) == lossScaleName)
      lossScale = argument;
  if (!lossScale)
    return function.emitError()
           << kOptimizerAttrName << ": 'loss_scale' is " << settings->lossScale
           << ", but the function brings its own backward pass and has no "
              "argument '"
           << lossScaleName
           << "' that this pass begins with; export the step with the "
              "setting, or without a backward pass";
  if (lossScale.getType() !=
      RankedTensorType::get({}, Float32Type::get(function.getContext())))
    return function.emitError()
           << "argument '" << lossScaleName << "' is " << lossScale.getType()
           << ", but must be tensor<f32>";
  return success();
}

/// As torch.amp.GradScaler has it: gradients are looked at before they are
/// divided, and a step that is skipped counts for nothing but the scale.
LogicalResult OptimizerUpdates::unscaleGradients(OpBuilder &builder) {
  Location loc = function.getLoc();
  for (auto [parameter, gradient] : postponed)
    if (ops::tensorOf(gradient).getElementType().isF16())
      return function.emitError()
             << kOptimizerAttrName << ": the gradient of '"
             << nameOf(function, parameter)
             << "' is f16 and would vanish where the scale is taken out; keep "
                "parameters f32 and compute in f16 by memplan-autocast";
  skip = NonFiniteOp::create(
             builder, loc, llvm::to_vector(llvm::make_second_range(postponed)))
             .getResult(0);
  scaleGradients(builder, createMap(builder, loc, lossScale, "1 x0 div"));
  BlockArgument count = addState(
      RankedTensorType::get({1}, builder.getI64Type()), "optimizer.good_steps");
  auto update = LossScaleUpdateOp::create(
      builder, loc, lossScale, count, skip, settings->growth, settings->backoff,
      static_cast<int64_t>(settings->growthInterval));
  addUpdate(lossScale.getArgNumber(), update->getResult(0));
  addUpdate(count.getArgNumber(), update->getResult(1));
  return success();
}

LogicalResult OptimizerUpdates::finish(OpBuilder &builder,
                                       func::ReturnOp terminator) {
  if (!postponed.empty() && settings->lossScale != 0 &&
      failed(unscaleGradients(builder)))
    return failure();
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
