//===- Violation.cpp - A numbered constraint that is broken ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/Violation.h"

using namespace memplan;

llvm::Error memplan::toError(const Violation &violation) {
  return llvm::createStringError(violation.id + ": " + violation.text);
}

llvm::Error memplan::violation(llvm::StringRef id, llvm::Error reason) {
  return toError({id.str(), llvm::toString(std::move(reason))});
}
