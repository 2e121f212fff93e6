//===- JsonReader.h - A small JSON reader -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_JSONREADER_H
#define MEMPLAN_RUNTIME_SUPPORT_JSONREADER_H

#include "memplan/Runtime/Support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::runtime {

/// A JSON value, as far as file headers need them: numbers are integers.
struct JsonValue {
  enum Kind { Null, Boolean, Integer, String, Array, Object } kind = Null;
  int64_t integer = 0; ///< also a boolean
  std::string string;
  std::vector<std::string> names; ///< of an object's items
  std::vector<JsonValue> items;
};

/// Reads the whole text. Nesting is limited; the error gives the byte.
Result<JsonValue> parseJson(std::string_view text);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_JSONREADER_H
