//===- JsonWriter.h - Pieces of JSON text, the same on every machine ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_JSONWRITER_H
#define MEMPLAN_SUPPORT_JSONWRITER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace memplan {

/// The shortest decimal text that reads back as the same double.
std::string printNumber(double value);
/// A quoted string; bytes that are no UTF-8 are replaced.
std::string printString(llvm::StringRef text);

/// Writes `[a, b]` with `print(element)` for each.
template <typename List, typename Print>
void printList(llvm::raw_ostream &os, const List &list, Print print) {
  const char *separator = "";
  os << '[';
  for (const auto &element : list) {
    os << separator;
    print(element);
    separator = ", ";
  }
  os << ']';
}

} // namespace memplan

#endif // MEMPLAN_SUPPORT_JSONWRITER_H
