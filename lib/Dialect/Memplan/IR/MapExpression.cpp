//===- MapExpression.cpp - What a memplan.map computes --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapExpression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::memplan;

namespace {
struct FunctionInfo {
  StringLiteral name;
  unsigned operands;
};
} // namespace

/// The kernels have the same names in lib/Kernels/MapCode.cpp.
static constexpr FunctionInfo functions[] = {
    {"add", 2},   {"sub", 2},   {"mul", 2},     {"div", 2},   {"mod", 2},
    {"pow", 2},   {"min", 2},   {"max", 2},     {"lt", 2},    {"le", 2},
    {"eq", 2},    {"ne", 2},    {"neg", 1},     {"abs", 1},   {"sign", 1},
    {"floor", 1}, {"ceil", 1},  {"round", 1},   {"exp", 1},   {"log", 1},
    {"log1p", 1}, {"expm1", 1}, {"sqrt", 1},    {"rsqrt", 1}, {"sin", 1},
    {"cos", 1},   {"tanh", 1},  {"sigmoid", 1}, {"erf", 1},   {"select", 3},
};
static const FunctionInfo &infoOf(MapFunction function) {
  return functions[static_cast<unsigned>(function)];
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `x3` or `t3`.
static std::optional<MapValue> readPlace(StringRef word) {
  unsigned index;
  if (word.size() < 2 || word.drop_front().getAsInteger(10, index))
    return std::nullopt;
  if (word.front() == 'x')
    return MapValue{MapValue::Input, index};
  if (word.front() == 't')
    return MapValue{MapValue::Step, index};
  return std::nullopt;
}

FailureOr<MapExpression> MapExpression::parse(StringRef text, unsigned inputs,
                                              std::string &reason) {
  llvm::raw_string_ostream out(reason);
  MapExpression expression;
  SmallVector<StringRef> statements;
  text.split(statements, ';');
  for (StringRef statement : statements) {
    SmallVector<MapValue> stack;
    SmallVector<StringRef> words;
    statement.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words) {
      double number;
      if (std::optional<MapValue> place = readPlace(word)) {
        bool isInput = place->kind == MapValue::Input;
        size_t there = isInput ? inputs : expression.steps.size();
        if (place->index >= there) {
          out << "'" << word << "' is not there: there are " << there
              << (isInput ? " inputs" : " steps before it");
          return failure();
        }
        stack.push_back(*place);
        continue;
      }
      if (!word.getAsDouble(number)) {
        stack.push_back({MapValue::Number, 0, number});
        continue;
      }
      const FunctionInfo *function =
          llvm::find_if(functions, [&](const FunctionInfo &function) {
            return function.name == word;
          });
      if (function == std::end(functions)) {
        out << "'" << word << "' is no input, step, number or function";
        return failure();
      }
      if (stack.size() < function->operands) {
        out << "'" << word << "' takes " << function->operands
            << " values, but " << stack.size() << " are on the stack";
        return failure();
      }
      ArrayRef<MapValue> operands =
          ArrayRef(stack).take_back(function->operands);
      expression.steps.push_back(
          {static_cast<MapFunction>(function - functions),
           SmallVector<MapValue, 3>(operands)});
      stack.pop_back_n(function->operands);
      stack.push_back({MapValue::Step, unsigned(expression.steps.size() - 1)});
    }
    if (stack.size() != 1) {
      out << "'" << statement.trim() << "' leaves " << stack.size()
          << " values, but must leave 1";
      return failure();
    }
    expression.result = stack.back();
  }
  return expression;
}

static void printValue(llvm::raw_ostream &out, const MapValue &value) {
  if (value.kind == MapValue::Input)
    out << 'x' << value.index;
  else if (value.kind == MapValue::Step)
    out << 't' << value.index;
  else if (std::isinf(value.number))
    out << (value.number < 0 ? "-inf" : "inf");
  else
    out << llvm::format("%.17g", value.number);
}

std::string MapExpression::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto [index, step] : llvm::enumerate(steps)) {
    out << (index ? "; " : "");
    for (const MapValue &operand : step.operands) {
      printValue(out, operand);
      out << ' ';
    }
    out << infoOf(step.function).name;
  }
  bool isLast =
      result.kind == MapValue::Step && result.index + 1 == steps.size();
  if (!isLast) {
    out << (steps.empty() ? "" : "; ");
    printValue(out, result);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static MapValue number(double value) { return {MapValue::Number, 0, value}; }
static bool isNumber(const MapValue &value, double wanted) {
  return value.kind == MapValue::Number && value.number == wanted;
}

MapValue MapExpression::add(MapFunction function, ArrayRef<MapValue> operands) {
  if (function == MapFunction::Mul)
    for (unsigned i = 0; i < 2; ++i) {
      if (isNumber(operands[i], 1))
        return operands[1 - i];
      // A derivative that is 0 by its rule is no product of values.
      if (isNumber(operands[i], 0))
        return operands[i];
    }
  if (function == MapFunction::Add)
    for (unsigned i = 0; i < 2; ++i)
      if (isNumber(operands[i], 0))
        return operands[1 - i];
  steps.push_back({function, SmallVector<MapValue, 3>(operands)});
  return {MapValue::Step, unsigned(steps.size() - 1)};
}

void MapExpression::dropUnusedSteps() {
  llvm::SmallVector<bool> used(steps.size());
  auto use = [&](const MapValue &value) {
    if (value.kind == MapValue::Step)
      used[value.index] = true;
  };
  use(result);
  for (size_t i = steps.size(); i-- > 0;)
    if (used[i])
      llvm::for_each(steps[i].operands, use);
  SmallVector<unsigned> place(steps.size());
  SmallVector<MapStep> kept;
  auto move = [&](MapValue &value) {
    if (value.kind == MapValue::Step)
      value.index = place[value.index];
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!used[i])
      continue;
    llvm::for_each(steps[i].operands, move);
    place[i] = kept.size();
    kept.push_back(std::move(steps[i]));
  }
  move(result);
  steps = std::move(kept);
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// The derivatives of one step by its operands, each times `g`; 0 for an
/// operand on which the step depends in jumps only.
static SmallVector<MapValue, 3> partials(MapExpression &e, const MapStep &step,
                                         MapValue v, MapValue g) {
  using F = MapFunction;
  auto at = [&](unsigned i) { return step.operands[i]; };
  auto f = [&](F function, MapValue a) { return e.add(function, {a}); };
  auto f2 = [&](F function, MapValue a, MapValue b) {
    return e.add(function, {a, b});
  };
  auto times = [&](MapValue a, MapValue b) { return f2(F::Mul, a, b); };
  const MapValue zero = number(0), one = number(1);
  switch (step.function) {
  case F::Add:
    return {g, g};
  case F::Sub:
    return {g, f(F::Neg, g)};
  case F::Mul:
    return {times(g, at(1)), times(g, at(0))};
  case F::Div: {
    MapValue quotient = f2(F::Div, g, at(1));
    return {quotient, f(F::Neg, times(quotient, v))};
  }
  case F::Mod:
    return {g, f(F::Neg, times(g, f(F::Floor, f2(F::Div, at(0), at(1)))))};
  case F::Pow: {
    MapValue power = f2(F::Pow, at(0), f2(F::Sub, at(1), one));
    MapValue base = times(g, times(at(1), power));
    if (at(1).kind == MapValue::Number)
      return {base, zero};
    return {base, times(g, times(v, f(F::Log, at(0))))};
  }
  case F::Min:
  case F::Max: {
    // At a bound that is a number the gradient passes, as that of clamp does;
    // equal values share it.
    auto share = [&](unsigned i) {
      MapValue a = at(i), b = at(1 - i);
      if (step.function == F::Max)
        std::swap(a, b);
      if (at(1 - i).kind == MapValue::Number)
        return times(g, f2(F::Le, a, b));
      MapValue half = times(number(0.5), f2(F::Eq, a, b));
      return times(g, f2(F::Add, f2(F::Lt, a, b), half));
    };
    return {share(0), share(1)};
  }
  case F::Neg:
    return {f(F::Neg, g)};
  case F::Abs:
    return {times(g, f(F::Sign, at(0)))};
  case F::Exp:
    return {times(g, v)};
  case F::Log:
    return {f2(F::Div, g, at(0))};
  case F::Log1p:
    return {f2(F::Div, g, f2(F::Add, at(0), one))};
  case F::Expm1:
    return {times(g, f2(F::Add, v, one))};
  case F::Sqrt:
    return {f2(F::Div, times(g, number(0.5)), v)};
  case F::Rsqrt:
    return {times(times(g, number(-0.5)), times(v, times(v, v)))};
  case F::Sin:
    return {times(g, f(F::Cos, at(0)))};
  case F::Cos:
    return {f(F::Neg, times(g, f(F::Sin, at(0))))};
  case F::Tanh:
    return {times(g, f2(F::Sub, one, times(v, v)))};
  case F::Sigmoid:
    return {times(g, times(v, f2(F::Sub, one, v)))};
  case F::Erf: {
    constexpr double twoOverRootPi = 1.1283791670955126;
    MapValue bell = f(F::Exp, f(F::Neg, times(at(0), at(0))));
    return {times(times(g, number(twoOverRootPi)), bell)};
  }
  case F::Select:
    return {zero, e.add(F::Select, {at(0), g, zero}),
            e.add(F::Select, {at(0), zero, g})};
  case F::Lt:
  case F::Le:
  case F::Eq:
  case F::Ne:
  case F::Sign:
  case F::Floor:
  case F::Ceil:
  case F::Round:
    break;
  }
  return SmallVector<MapValue, 3>(step.operands.size(), zero);
}

std::optional<MapExpression>
mlir::memplan::derivative(const MapExpression &expression, unsigned input,
                          unsigned gradient) {
  MapExpression result = expression;
  size_t count = expression.steps.size();
  SmallVector<MapValue> ofStep(count, number(0));
  MapValue ofInput = number(0);
  auto receive = [&](const MapValue &value, MapValue amount) {
    if (value.kind == MapValue::Step)
      ofStep[value.index] =
          result.add(MapFunction::Add, {ofStep[value.index], amount});
    else if (value.kind == MapValue::Input && value.index == input)
      ofInput = result.add(MapFunction::Add, {ofInput, amount});
  };
  receive(expression.result, {MapValue::Input, gradient});
  for (size_t i = count; i-- > 0;) {
    if (isNumber(ofStep[i], 0))
      continue;
    const MapStep &step = expression.steps[i];
    SmallVector<MapValue, 3> parts =
        partials(result, step, {MapValue::Step, unsigned(i)}, ofStep[i]);
    for (auto [operand, part] : llvm::zip_equal(step.operands, parts))
      if (!isNumber(part, 0))
        receive(operand, part);
  }
  if (isNumber(ofInput, 0))
    return std::nullopt;
  result.result = ofInput;
  result.dropUnusedSteps();
  return result;
}
