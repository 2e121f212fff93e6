//===- ErrorMatchers.h - GoogleMock matchers for llvm::Error ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   EXPECT_THAT(problem.verify(plan), Succeeds());
//   EXPECT_THAT(parse("x"), FailsWith("not a number"));       // Error or
//   Expected<T>
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_ERRORMATCHERS_H
#define MEMPLAN_TEST_UNIT_ERRORMATCHERS_H

#include "llvm/Support/Error.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace memplan {

/// The text of an error, which this takes and so marks as handled; empty for
/// success.
inline std::string takeMessage(const llvm::Error &error) {
  // GoogleMock hands every value on as const, while only a mutable error can be
  // handled.
  return llvm::toString(std::move(const_cast<llvm::Error &>(error)));
}

template <typename T> std::string takeMessage(const llvm::Expected<T> &value) {
  return takeMessage(const_cast<llvm::Expected<T> &>(value).takeError());
}

MATCHER(Succeeds, negation ? "fails" : "succeeds") {
  std::string message = takeMessage(arg);
  *result_listener << "whose error is \"" << message << '"';
  return message.empty();
}

MATCHER_P(FailsWith, part,
          std::string(negation ? "does not fail" : "fails") + " with \"" +
              std::string(part) + '"') {
  std::string message = takeMessage(arg);
  *result_listener << "whose error is \"" << message << '"';
  return !message.empty() && message.find(part) != std::string::npos;
}

/// The constraint that the message names first: "arena_c2: ...", and a part of
/// what follows.
MATCHER_P2(ViolatesWith, id, part,
           std::string(negation ? "does not violate " : "violates ") + id) {
  std::string message = takeMessage(arg);
  *result_listener << "whose error is \"" << message << '"';
  std::string prefix = std::string(id) + ": ";
  return message.compare(0, prefix.size(), prefix) == 0 &&
         message.find(part, prefix.size()) != std::string::npos;
}
inline auto Violates(const char *id, const char *part = "") {
  return ViolatesWith(std::string(id), std::string(part));
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_ERRORMATCHERS_H
