//===- SavedArguments.h - What a step may change ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_OBSERVE_SAVEDARGUMENTS_H
#define MEMPLAN_LIB_RUNTIME_OBSERVE_SAVEDARGUMENTS_H

#include "memplan/Runtime/Execute/Executor.h"

namespace memplan::runtime {

/// The arguments of a step that is about to run, to run it more than once.
class SavedArguments {
public:
  static Result<SavedArguments> of(const Executable &executable);
  Status restore(Executable &executable) const;

private:
  std::vector<std::vector<std::byte>> bytes;
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_OBSERVE_SAVEDARGUMENTS_H
