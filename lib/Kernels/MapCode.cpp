//===- MapCode.cpp - The expression of a memplan.map ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapCode.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace memplan::runtime::kernels {

namespace {
struct FunctionInfo {
  std::string_view name;
  int operands;
};
} // namespace

static constexpr FunctionInfo functions[] = {
    {"add", 2},   {"sub", 2},   {"mul", 2},     {"div", 2},   {"mod", 2},
    {"pow", 2},   {"min", 2},   {"max", 2},     {"lt", 2},    {"le", 2},
    {"eq", 2},    {"ne", 2},    {"neg", 1},     {"abs", 1},   {"sign", 1},
    {"floor", 1}, {"ceil", 1},  {"round", 1},   {"exp", 1},   {"log", 1},
    {"log1p", 1}, {"expm1", 1}, {"sqrt", 1},    {"rsqrt", 1}, {"sin", 1},
    {"cos", 1},   {"tanh", 1},  {"sigmoid", 1}, {"erf", 1},   {"select", 3},
};

/// The rest of the text after its first word, which goes to `word`.
static std::string_view takeWord(std::string_view text,
                                 std::string_view &word) {
  size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) {
    word = {};
    return {};
  }
  size_t end = text.find(' ', begin);
  end = end == text.npos ? text.size() : end;
  word = text.substr(begin, end - begin);
  return text.substr(end);
}

template <typename Number>
static bool readWhole(std::string_view text, Number &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// An input, a step or a number.
static std::optional<MapOperand> readOperand(std::string_view word, int inputs,
                                             int steps) {
  int32_t index = 0;
  if (word.size() > 1 && (word[0] == 'x' || word[0] == 't') &&
      readWhole(word.substr(1), index)) {
    if (index < 0 || index >= (word[0] == 'x' ? inputs : steps))
      return std::nullopt;
    return MapOperand{word[0] == 'x' ? index : -1 - index, false, 0};
  }
  double number = 0;
  if (readWhole(word, number))
    return MapOperand{0, true, number};
  return std::nullopt;
}

/// One statement; its value goes to `code.result`.
static bool readStatement(std::string_view statement, int inputs, MapCode &code,
                          std::string &reason) {
  std::vector<MapOperand> stack;
  std::string_view word;
  for (std::string_view rest = takeWord(statement, word); !word.empty();
       rest = takeWord(rest, word)) {
    if (auto operand = readOperand(word, inputs, int(code.steps.size()))) {
      stack.push_back(*operand);
      continue;
    }
    int32_t number = 0;
    constexpr int32_t count = int32_t(std::size(functions));
    while (number < count && functions[number].name != word)
      ++number;
    if (number == count || stack.size() < size_t(functions[number].operands)) {
      reason = "'" + std::string(word) + "' is not valid at this place";
      return false;
    }
    MapStep step{MapFunction(number), {}};
    size_t first = stack.size() - size_t(functions[number].operands);
    for (size_t i = first; i < stack.size(); ++i)
      step.operands[i - first] = stack[i];
    stack.resize(first);
    code.steps.push_back(step);
    stack.push_back({-int32_t(code.steps.size()), false, 0});
  }
  if (stack.size() != 1) {
    reason = "a statement leaves " + std::to_string(stack.size()) + " values";
    return false;
  }
  code.result = stack.back();
  return true;
}

bool readMapCode(const memplan_launch_t *launch, MapCode &code,
                 std::string &reason) {
  const memplan_attribute_t *text = findAttribute(launch, "expression");
  if (!text || text->kind != MEMPLAN_ATTRIBUTE_STRING) {
    reason = "attribute 'expression' is missing";
    return false;
  }
  std::string_view rest = text->string;
  for (;;) {
    size_t end = rest.find(';');
    if (!readStatement(rest.substr(0, end), launch->input_count, code, reason))
      return false;
    if (end == rest.npos)
      break;
    rest.remove_prefix(end + 1);
  }
  if (code.steps.size() > size_t(mostMapSteps)) {
    reason = "there are " + std::to_string(code.steps.size()) + " steps";
    return false;
  }
  for (int i = 0; i < launch->input_count + launch->output_count; ++i)
    code.wide |= operandOf(launch, i).dtype == MEMPLAN_I64;
  return true;
}

MapLoops::MapLoops(const memplan_launch_t *launch) {
  const memplan_tensor_t &out = launch->outputs[0];
  int64_t steps[mostMapInputs];
  for (int i = 0; i < launch->input_count; ++i)
    steps[i] = 1;
  // From the last dimension on; merged where every operand goes on as it did.
  int64_t reversed[maxRank], places[mostMapInputs][maxRank];
  for (int d = out.rank - 1; d >= 0; --d) {
    if (out.shape[d] == 1)
      continue;
    int64_t here[mostMapInputs];
    bool joins = rank > 0;
    for (int i = 0; i < launch->input_count; ++i) {
      int64_t dim = alignedDim(launch->inputs[i], d, out.rank);
      here[i] = dim == 1 ? 0 : steps[i];
      steps[i] *= dim;
      if (rank > 0)
        joins &= here[i] == places[i][rank - 1] * reversed[rank - 1];
    }
    if (joins) {
      reversed[rank - 1] *= out.shape[d];
      continue;
    }
    reversed[rank] = out.shape[d];
    for (int i = 0; i < launch->input_count; ++i)
      places[i][rank] = here[i];
    ++rank;
  }
  for (int d = 0; d < rank; ++d) {
    shape[d] = reversed[rank - 1 - d];
    for (int i = 0; i < launch->input_count; ++i)
      strides[i][d] = places[i][rank - 1 - d];
  }
  if (rank == 0) {
    rank = 1;
    shape[0] = 1;
  }
}

} // namespace memplan::runtime::kernels
