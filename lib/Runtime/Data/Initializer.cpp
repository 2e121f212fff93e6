//===- Initializer.cpp - Values from a seed -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Philox.h"
#include "memplan/Runtime/Data/RealElement.h"
#include "memplan/Runtime/Data/TensorData.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace memplan::runtime {

/// FNV-1a: which stream of numbers belongs to a name.
static uint64_t hashOf(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

namespace {
/// Where an argument's values come from.
struct Rule {
  enum Kind { Zeros, Ones, Constant, Normal, Uniform } kind = Zeros;
  double scale = 0;
};
/// One stream of random words.
struct Stream {
  uint64_t seed, salt;

  uint32_t word(uint64_t index) const {
    return philoxAt(seed, salt, index / 4).word[index % 4];
  }
};
} // namespace

static Result<Rule> parseRule(const Argument &argument,
                              const std::string &text) {
  if (text == "zeros")
    return Rule{Rule::Zeros, 0};
  if (text == "ones")
    return Rule{Rule::Ones, 0};
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  double number = 0;
  bool parsed = false;
  if (colon != text.npos) {
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
    parsed = error == std::errc() && rest == end && std::isfinite(number);
    if (name != "constant")
      parsed &= number >= 0;
  }
  if (parsed && name == "constant")
    return Rule{Rule::Constant, number};
  if (parsed && name == "normal")
    return Rule{Rule::Normal, number};
  if (parsed && name == "uniform")
    return Rule{Rule::Uniform, number};
  if (parsed && name == "kaiming_uniform" && number > 0)
    return Rule{Rule::Uniform, std::sqrt(6 / number)};
  return invalid(
      "argument '" + argument.name + "' has the initializer '" + text +
      "'; known are zeros, ones, constant:VALUE, normal:STD, uniform:BOUND and "
      "kaiming_uniform:FANIN");
}

/// In [-1, 1), exactly.
static double signedUnit(uint32_t word) {
  return (double(word) - 2147483648.0) / 2147483648.0;
}

/// Twelve uniform numbers have variance 1. Their sum is exact, unlike any
/// formula with a logarithm.
static double nearlyNormal(const Stream &stream, uint64_t index) {
  uint64_t sum = 0;
  for (uint64_t block = 0; block < 3; ++block)
    for (uint32_t word :
         philoxAt(stream.seed, stream.salt, 3 * index + block).word)
      sum += word;
  return (double(sum) - 6 * 4294967296.0) / 4294967296.0;
}

static float valueAt(const Rule &rule, const Stream &stream, uint64_t index) {
  switch (rule.kind) {
  case Rule::Zeros:
    return 0;
  case Rule::Ones:
    return 1;
  case Rule::Constant:
    return float(rule.scale);
  case Rule::Normal:
    return float(rule.scale * nearlyNormal(stream, index));
  case Rule::Uniform:
    return float(rule.scale * signedUnit(stream.word(index)));
  }
  return 0;
}

static Result<HostTensor> filled(const Argument &argument, const Rule &rule,
                                 const Stream &stream) {
  std::optional<int64_t> bytes = tensorBytes(argument.dtype, argument.shape);
  if (!bytes)
    return invalid("argument '" + argument.name + "' has no size");
  HostTensor tensor{argument.dtype, argument.shape, {}};
  tensor.bytes.resize(size_t(*bytes));
  uint64_t count = uint64_t(*bytes / byteSize(argument.dtype));
  if (!isFloat(argument.dtype)) {
    if (rule.kind != Rule::Zeros && rule.kind != Rule::Ones)
      return invalid("argument '" + argument.name +
                     "' holds integers; its initializer can be zeros or ones");
    for (uint64_t i = 0; i < count; ++i)
      tensor.bytes[i * size_t(byteSize(argument.dtype))] =
          std::byte(rule.kind == Rule::Ones);
    return tensor;
  }
  const auto size = size_t(byteSize(argument.dtype));
  for (uint64_t i = 0; i < count; ++i)
    writeReal(argument.dtype, valueAt(rule, stream, i),
              tensor.bytes.data() + i * size);
  return tensor;
}

Result<HostTensor> initialValue(const Argument &argument, uint64_t seed) {
  bool parameter =
      argument.kind == ArgumentKind::Parameter && isFloat(argument.dtype);
  std::string text = !argument.init.empty() ? argument.init
                     : parameter            ? "uniform:0.1"
                                            : "zeros";
  Result<Rule> rule = parseRule(argument, text);
  if (!rule)
    return rule.error();
  return filled(argument, *rule, {seed, hashOf(argument.name)});
}

Result<HostTensor> syntheticData(const Argument &argument, uint64_t seed,
                                 int64_t step) {
  // Every step has its own stream: the step stirs the high bits of the hash.
  uint64_t salt =
      hashOf(argument.name) ^ (uint64_t(step) + 1) * 0x9E3779B97F4A7C15u;
  Stream stream{seed, salt};
  if (isFloat(argument.dtype) || !argument.init.empty()) {
    Result<Rule> rule = parseRule(
        argument, argument.init.empty() ? "uniform:1" : argument.init);
    if (!rule)
      return rule.error();
    return filled(argument, *rule, stream);
  }
  std::optional<int64_t> bytes = tensorBytes(argument.dtype, argument.shape);
  if (!bytes)
    return invalid("argument '" + argument.name + "' has no size");
  HostTensor tensor{argument.dtype, argument.shape, {}};
  tensor.bytes.resize(size_t(*bytes));
  int64_t widest = argument.dtype == DType::I8 ? 127 : int64_t(1) << 31;
  uint64_t high = uint64_t(argument.high > 0 ? argument.high : widest);
  auto size = size_t(byteSize(argument.dtype));
  for (size_t i = 0; i < tensor.bytes.size() / size; ++i) {
    // The high half of a product spreads 32 bits over [0, high).
    uint64_t value =
        high <= (uint64_t(1) << 32)
            ? uint64_t(stream.word(i)) * high >> 32
            : (uint64_t(stream.word(2 * i)) << 32 | stream.word(2 * i + 1)) %
                  high;
    std::memcpy(tensor.bytes.data() + i * size, &value, size);
  }
  return tensor;
}

} // namespace memplan::runtime
