//===- UpdateCopies.cpp - Updates that happen at once ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpdateCopies.h"

#include <algorithm>

namespace memplan::runtime {

UpdateCopies::UpdateCopies(const Program &program) {
  std::vector<Copy> waiting;
  for (const Update &update : program.updates) {
    const Operand &value = update.value;
    // The step wrote the argument itself, also one that lies in a host arena.
    if (program.arguments[size_t(update.argument)].arena >= 0)
      continue;
    if (value.space != Space::Argument || value.index != update.argument)
      waiting.push_back({&value, update.argument, value.bytes()});
  }
  auto isRead = [&](int32_t argument) {
    return std::any_of(waiting.begin(), waiting.end(), [&](const Copy &copy) {
      return copy.source && copy.source->space == Space::Argument &&
             copy.source->index == argument;
    });
  };
  while (!waiting.empty()) {
    auto next =
        std::find_if(waiting.begin(), waiting.end(),
                     [&](const Copy &copy) { return !isRead(copy.argument); });
    if (next != waiting.end()) {
      copies.push_back(*next);
      waiting.erase(next);
      continue;
    }
    // Only circles are left, apart from each other: each argument has one
    // update. With its value saved, the first one's source may be overwritten.
    // The circle is done before another one needs the temporary.
    Copy &first = waiting.front();
    copies.push_back({first.source, -1, first.bytes});
    temporaryBytes = std::max(temporaryBytes, first.bytes);
    first.source = nullptr;
  }
}

} // namespace memplan::runtime
