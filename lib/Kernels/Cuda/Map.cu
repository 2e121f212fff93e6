//===- Map.cu - Expressions of elements -----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread interprets the expression for an element. What its steps leave lies
// in shared memory, a column a thread, for registers cannot be indexed; a step
// whose value is not read any more gives its place to a later one. An element
// is written when all of it is read, so that the output may be an input.
//
//===----------------------------------------------------------------------===//

#include "../MapCode.h"
#include "Launch.h"

#include <memory>
#include <type_traits>

namespace memplan::runtime::cuda {

using kernels::MapCode;
using kernels::MapFunction;
using kernels::MapLoops;
using kernels::MapOperand;
using kernels::mostMapInputs;
using kernels::mostMapSteps;

/// Operands of steps and their result, all different.
static constexpr int mostNumbers = 3 * mostMapSteps + 1;

namespace {
/// A place of an earlier step, an input or a number, each counted from 0.
struct Source {
  enum Kind : int16_t { Step, Input, Number };
  Kind kind = Number;
  int16_t index = 0;
};
struct Command {
  MapFunction function;
  int16_t place; ///< of its value
  Source operands[3];
};

/// An expression as threads read it.
struct Expression {
  Command commands[mostMapSteps];
  double numbers[mostNumbers];
  Source result;
  int count = 0, places = 0, numberCount = 0;
  bool wide = false;

  explicit Expression(const MapCode &code);
  Source sourceOf(const MapOperand &operand, const int16_t *placeOf);
};
} // namespace

Source Expression::sourceOf(const MapOperand &operand, const int16_t *placeOf) {
  if (!operand.isNumber)
    return operand.place >= 0
               ? Source{Source::Input, int16_t(operand.place)}
               : Source{Source::Step, placeOf[-1 - operand.place]};
  numbers[numberCount] = operand.number;
  return {Source::Number, int16_t(numberCount++)};
}

Expression::Expression(const MapCode &code)
    : count(int(code.steps.size())), wide(code.wide) {
  int lastUse[mostMapSteps];
  for (int s = 0; s < count; ++s) {
    lastUse[s] = s;
    for (const MapOperand &operand : code.steps[size_t(s)].operands)
      if (!operand.isNumber && operand.place < 0)
        lastUse[-1 - operand.place] = s;
  }
  if (!code.result.isNumber && code.result.place < 0)
    lastUse[-1 - code.result.place] = count;
  int16_t placeOf[mostMapSteps] = {};
  bool isTaken[mostMapSteps] = {};
  for (int s = 0; s < count; ++s) {
    Command &command = commands[s];
    command.function = code.steps[size_t(s)].function;
    for (int o = 0; o < 3; ++o)
      command.operands[o] =
          sourceOf(code.steps[size_t(s)].operands[o], placeOf);
    // A step reads its operands before it leaves its value.
    for (int earlier = 0; earlier < s; ++earlier)
      if (lastUse[earlier] == s)
        isTaken[placeOf[earlier]] = false;
    int16_t place = 0;
    while (isTaken[place])
      ++place;
    isTaken[place] = lastUse[s] > s;
    placeOf[s] = command.place = place;
    places = std::max(places, int(place) + 1);
  }
  result = sourceOf(code.result, placeOf);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The library's sine of a device goes through memory for large angles.
template <typename T> MEMPLAN_DEVICE static T sine(T x, double quarter) {
#ifdef __CUDACC__
  return T(::sinpi(double(x) * 0.31830988618379067154 + quarter));
#else
  return quarter == 0 ? std::sin(x) : std::cos(x);
#endif
}

template <typename T>
MEMPLAN_DEVICE static T apply(MapFunction function, T a, T b, T c) {
  using F = MapFunction;
  switch (function) {
  case F::Add:
    return a + b;
  case F::Sub:
    return a - b;
  case F::Mul:
    return a * b;
  case F::Div:
    return a / b;
  case F::Mod:
    return a - b * std::floor(a / b);
  case F::Pow:
    return std::pow(a, b);
  // Comparisons that a NaN fails give the NaN.
  case F::Min:
    return b < a || b != b ? b : a;
  case F::Max:
    return a < b || b != b ? b : a;
  case F::Lt:
    return a < b ? T(1) : T(0);
  case F::Le:
    return a <= b ? T(1) : T(0);
  case F::Eq:
    return a == b ? T(1) : T(0);
  case F::Ne:
    return a != b ? T(1) : T(0);
  case F::Neg:
    return -a;
  case F::Abs:
    return std::fabs(a);
  case F::Sign:
    return a > 0 ? T(1) : a < 0 ? T(-1) : a;
  case F::Floor:
    return std::floor(a);
  case F::Ceil:
    return std::ceil(a);
  case F::Round:
    return std::nearbyint(a);
  case F::Exp:
    return std::exp(a);
  case F::Log:
    return std::log(a);
  case F::Log1p:
    return std::log1p(a);
  case F::Expm1:
    return std::expm1(a);
  case F::Sqrt:
    return std::sqrt(a);
  case F::Rsqrt:
    return T(1) / std::sqrt(a);
  case F::Sin:
    return sine(a, 0);
  case F::Cos:
    return sine(a, 0.5);
  case F::Tanh:
    return std::tanh(a);
  case F::Sigmoid:
    return T(1) / (T(1) + std::exp(-a));
  case F::Erf:
    return std::erf(a);
  case F::Select:
    return a != 0 ? b : c;
  }
  return a;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// The expression, and where its operands lie.
struct Map {
  Expression expression;
  MapLoops loops;
  const void *in[mostMapInputs];
  void *out;
  int32_t inTypes[mostMapInputs], outType;

  explicit Map(const Call &call)
      : expression(*static_cast<const Expression *>(call.launch->state)),
        loops(call.launch), out(call.output(0).data),
        outType(call.output(0).dtype) {
    for (int i = 0; i < call.launch->input_count; ++i) {
      in[i] = call.input(i).data;
      inTypes[i] = call.input(i).dtype;
    }
  }

  /// Element number `element` of the output is element offset(..) of an input.
  MEMPLAN_DEVICE int64_t offset(int input, int64_t element) const {
    int64_t at = 0;
    for (int d = loops.rank - 1; d >= 0; --d) {
      at += element % loops.shape[d] * loops.strides[input][d];
      element /= loops.shape[d];
    }
    return at;
  }
  template <typename T>
  MEMPLAN_DEVICE T read(int input, int64_t element) const {
    const int64_t at = offset(input, element);
    switch (inTypes[input]) {
    case MEMPLAN_F32:
      return T(static_cast<const float *>(in[input])[at]);
    case MEMPLAN_I64:
      return T(static_cast<const int64_t *>(in[input])[at]);
    default:
      return T(static_cast<const int8_t *>(in[input])[at]);
    }
  }
  template <typename T>
  MEMPLAN_DEVICE void write(int64_t element, T value) const {
    switch (outType) {
    case MEMPLAN_F32:
      static_cast<float *>(out)[element] = float(value);
      break;
    case MEMPLAN_I64:
      static_cast<int64_t *>(out)[element] = int64_t(value);
      break;
    default:
      static_cast<int8_t *>(out)[element] = int8_t(value);
    }
  }
  template <typename T>
  MEMPLAN_DEVICE T find(const Source &source, int64_t element, const T *values,
                        int pitch) const {
    switch (source.kind) {
    case Source::Step:
      return values[source.index * pitch];
    case Source::Input:
      return read<T>(source.index, element);
    default:
      return T(expression.numbers[source.index]);
    }
  }
  /// Steps leave their values `pitch` apart.
  template <typename T>
  MEMPLAN_DEVICE void compute(int64_t element, T *values, int pitch) const {
    for (int s = 0; s < expression.count; ++s) {
      const Command &command = expression.commands[s];
      T operands[3];
      for (int o = 0; o < 3; ++o)
        operands[o] = find(command.operands[o], element, values, pitch);
      values[command.place * pitch] =
          apply(command.function, operands[0], operands[1], operands[2]);
    }
    write(element, find(expression.result, element, values, pitch));
  }
};
} // namespace

/// Blocks of `threads` with room for `places` values each.
template <typename T, int places, int threads>
static void launchMap(const Call &call, const Map &map) {
  constexpr int64_t work = threads * 8;
  static_assert(sizeof(T) * places * threads <= 48 << 10);
  const int64_t count = elements(call.output(0));
  forEachBlock(
      call, (count + work - 1) / work, work,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
        MEMPLAN_SHARED T values[places * threads];
        const int64_t first = group * work;
        const int64_t here = count - first < work ? count - first : work;
        block.each(here, [&](int64_t i) {
          map.template compute<T>(first + i, values + block.thread(), threads);
        });
      });
}

/// Expressions with few values alive leave shared memory to more blocks.
static constexpr int fewPlaces = 16;

static memplan_status_t map(const Call &call) {
  const Map all(call);
  const bool isSmall = all.expression.places <= fewPlaces;
  if (all.expression.wide && isSmall)
    launchMap<double, fewPlaces, 128>(call, all);
  else if (all.expression.wide)
    launchMap<double, mostMapSteps, 64>(call, all);
  else if (isSmall)
    launchMap<float, fewPlaces, 256>(call, all);
  else
    launchMap<float, mostMapSteps, 128>(call, all);
  return MEMPLAN_OK;
}

static memplan_status_t prepare(Device &device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  MapCode code;
  std::string reason;
  if (!readMapCode(description, code, reason))
    return device.fail(MEMPLAN_INVALID_ARGUMENT, "%s", reason.c_str());
  prepared->state = new Expression(code);
  return MEMPLAN_OK;
}

static void destroy(void *state) { delete static_cast<Expression *>(state); }

KernelTable mapKernels() {
  static constexpr Kernel kernels[] = {{"memplan.map", map, prepare, destroy}};
  return kernels;
}

} // namespace memplan::runtime::cuda
