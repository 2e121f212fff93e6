//===- ByteSize.cpp - Byte sizes as people write them ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/ByteSize.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

using namespace llvm;

namespace memplan {

static constexpr int64_t maxBytes = std::numeric_limits<int64_t>::max();

static Error badSize(StringRef text, const Twine &reason) {
  return createStringError("size '" + text + "' " + reason);
}

/// Bytes of a unit, or 0 for an unknown one.
static int64_t unitBytes(StringRef unit) {
  return StringSwitch<int64_t>(unit)
      .CasesLower({"", "b"}, 1)
      .CasesLower({"k", "kib"}, int64_t(1) << 10)
      .CasesLower({"m", "mib"}, int64_t(1) << 20)
      .CasesLower({"g", "gib"}, int64_t(1) << 30)
      .CasesLower({"t", "tib"}, int64_t(1) << 40)
      .CaseLower("kb", 1000)
      .CaseLower("mb", 1000 * int64_t(1000))
      .CaseLower("gb", int64_t(1000) * 1000 * 1000)
      .CaseLower("tb", int64_t(1000) * 1000 * 1000 * 1000)
      .Default(0);
}

namespace {
/// A decimal number split at its point; both parts hold digits only.
struct Decimal {
  StringRef whole, fraction;
};
} // namespace

static bool isDigits(StringRef text) {
  return text.find_first_not_of("0123456789") == StringRef::npos;
}

static std::optional<Decimal> splitDecimal(StringRef number) {
  auto [whole, fraction] = number.split('.');
  bool hasPoint = number.contains('.');
  if (whole.empty() || !isDigits(whole) || !isDigits(fraction) ||
      (hasPoint && fraction.empty()))
    return std::nullopt;
  return Decimal{whole, fraction};
}

/// Exact in integers: doubles hold only 53 bits, and 16G must be 16G on every
/// machine.
static std::optional<int64_t> scale(const Decimal &number, int64_t unit) {
  int64_t total = 0;
  for (char digit : number.whole)
    if (__builtin_mul_overflow(total, int64_t(10), &total) ||
        __builtin_add_overflow(total, int64_t(digit - '0'), &total))
      return std::nullopt;
  if (__builtin_mul_overflow(total, unit, &total))
    return std::nullopt;

  // Digits beyond the fifteenth change less than a byte of any unit up to T.
  int64_t numerator = 0, denominator = 1;
  for (char digit : number.fraction.take_front(15)) {
    numerator = numerator * 10 + (digit - '0');
    denominator *= 10;
  }
  auto part = static_cast<int64_t>(static_cast<__int128>(numerator) * unit /
                                   denominator);
  if (__builtin_add_overflow(total, part, &total))
    return std::nullopt;
  return total;
}

Expected<int64_t> parseByteSize(StringRef text) {
  StringRef trimmed = text.trim();
  if (trimmed.empty())
    return badSize(text, "is empty; write bytes or a size such as 16G");
  if (trimmed.starts_with("-"))
    return badSize(text, "is negative");
  size_t unitBegin = trimmed.find_first_not_of("0123456789.");
  StringRef number = trimmed.substr(0, unitBegin);
  StringRef unit =
      unitBegin == StringRef::npos ? "" : trimmed.substr(unitBegin).ltrim();
  std::optional<Decimal> decimal = splitDecimal(number);
  if (!decimal)
    return badSize(text,
                   "is not a number of bytes such as 1048576, 512M or 1.5G");
  int64_t scaleBytes = unitBytes(unit);
  if (scaleBytes == 0)
    return badSize(text, "has the unknown unit '" + unit +
                             "'; known are K M G T (powers of 1024) and KB MB "
                             "GB TB (powers of 1000)");
  if (scaleBytes == 1 && !decimal->fraction.empty())
    return badSize(text, "is a fraction of a byte; add a unit such as G");
  std::optional<int64_t> bytes = scale(*decimal, scaleBytes);
  if (!bytes)
    return badSize(text,
                   "exceeds the largest size of " + Twine(maxBytes) + " bytes");
  return *bytes;
}

int64_t Percentage::ofBytes(int64_t totalBytes) const {
  // Percentages are kept to a millionth, so that 80% of 10 bytes is 8 and
  // not 7.999....
  auto millionths = static_cast<__int128>(std::llround(percent * 1e6));
  return static_cast<int64_t>(millionths * totalBytes / 100'000'000);
}

Expected<ByteSizeOrPercentage> parseByteSizeOrPercentage(StringRef text) {
  StringRef number = text.trim();
  if (!number.consume_back("%")) {
    Expected<int64_t> bytes = parseByteSize(text);
    if (!bytes)
      return bytes.takeError();
    return ByteSizeOrPercentage(*bytes);
  }
  double percent = 0;
  number = number.rtrim();
  if (!splitDecimal(number) || number.getAsDouble(percent))
    return badSize(text, "is not a percentage such as 80%");
  if (!(percent > 0 && percent <= 100))
    return badSize(text, "must be above 0% and at most 100%");
  return ByteSizeOrPercentage(Percentage{percent});
}

static constexpr std::array<char, 4> unitLetters = {'K', 'M', 'G', 'T'};

std::string printByteSize(int64_t bytes) {
  size_t power = 0;
  int64_t value = bytes;
  while (power < unitLetters.size() && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++power;
  }
  std::string text = std::to_string(value);
  if (power > 0)
    text += unitLetters[power - 1];
  return text;
}

std::string describeByteSize(int64_t bytes) {
  size_t power = 0;
  auto value = static_cast<double>(bytes);
  // 999.5 would print as 1.00e3, so the next unit begins there.
  while (power < unitLetters.size() && (value >= 999.5 || value <= -999.5)) {
    value /= 1024;
    ++power;
  }
  if (power == 0)
    return std::to_string(bytes) + " B";
  double magnitude = value < 0 ? -value : value;
  int digits = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f %ciB", digits, value,
                unitLetters[power - 1]);
  return text.data();
}

} // namespace memplan
