//===- Status.h - Errors of the runtime as values ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_STATUS_H
#define MEMPLAN_RUNTIME_SUPPORT_STATUS_H

#include "memplan-c/Status.h"

#include <string>
#include <utility>
#include <variant>

namespace memplan::runtime {

/// A status code with its text: one lower-case clause with names and numbers.
struct [[nodiscard]] Status {
  memplan_status_t code = MEMPLAN_OK;
  std::string message;

  bool ok() const { return code == MEMPLAN_OK; }
  static Status success() { return {}; }
};

inline Status invalid(std::string message) {
  return {MEMPLAN_INVALID_ARGUMENT, std::move(message)};
}

/// Either a value or the status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Status error) : state(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(state); }
  explicit operator bool() const { return ok(); }
  T &operator*() { return std::get<T>(state); }
  const T &operator*() const { return std::get<T>(state); }
  T *operator->() { return &std::get<T>(state); }
  const T *operator->() const { return &std::get<T>(state); }
  /// Only when !ok().
  const Status &error() const { return std::get<Status>(state); }

private:
  std::variant<T, Status> state;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_STATUS_H
