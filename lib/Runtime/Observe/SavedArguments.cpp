//===- SavedArguments.cpp - What a step may change ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SavedArguments.h"

namespace memplan::runtime {

Result<SavedArguments> SavedArguments::of(const Executable &executable) {
  SavedArguments saved;
  const std::vector<Argument> &arguments = executable.program().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::vector<std::byte> &bytes =
        saved.bytes.emplace_back(size_t(arguments[i].bytes()));
    if (Status s = executable.readArgument(int32_t(i), bytes.data(),
                                           int64_t(bytes.size()));
        !s.ok())
      return s;
  }
  return saved;
}

Status SavedArguments::restore(Executable &executable) const {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (Status s = executable.writeArgument(int32_t(i), bytes[i].data(),
                                            int64_t(bytes[i].size()));
        !s.ok())
      return s;
  return Status::success();
}

} // namespace memplan::runtime
