//===- Violation.h - A numbered constraint that is broken -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_VIOLATION_H
#define MEMPLAN_SUPPORT_VIOLATION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace memplan {

/// A constraint that does not hold, and why: entities and numbers.
struct Violation {
  std::string id; ///< As in the header that promises it: "arena_c2".
  std::string text;
};

/// "arena_c2: buffers 'a' and 'b' ..."; every message about a constraint has
/// this form.
llvm::Error toError(const Violation &violation);

/// The violation of `id` with a text made by llvm::formatv().
template <typename... Values>
llvm::Error violation(llvm::StringRef id, const char *format,
                      Values &&...values) {
  return toError(
      {id.str(), llvm::formatv(format, std::forward<Values>(values)...).str()});
}

/// The same with another error's text.
llvm::Error violation(llvm::StringRef id, llvm::Error reason);

} // namespace memplan

#endif // MEMPLAN_SUPPORT_VIOLATION_H
