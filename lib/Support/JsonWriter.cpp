//===- JsonWriter.cpp - Pieces of JSON text, the same on every machine ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/JsonWriter.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <charconv>

using namespace llvm;

namespace memplan {

std::string printNumber(double value) {
  std::array<char, 40> text;
  auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end);
}

std::string printString(StringRef text) {
  std::string printed;
  raw_string_ostream os(printed);
  os << json::Value(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
  return printed;
}

} // namespace memplan
