//===- ArenaFill.cpp - Filling arenas before a step -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaFill.h"

#include <map>

namespace memplan::runtime {

Status fillArenas(Executable &executable, int32_t pattern) {
  const Program &program = executable.program();
  for (size_t a = 0; a < program.arenas.size(); ++a) {
    std::map<int64_t, int64_t> kept; ///< end by begin
    for (const Argument &argument : program.arguments)
      if (argument.arena == int32_t(a))
        kept[argument.arenaOffset] = argument.arenaOffset + argument.bytes();
    kept[program.arenas[a].bytes] = program.arenas[a].bytes;
    int64_t at = 0;
    for (auto [begin, end] : kept) {
      if (Status s = executable.fillArena(a, at, begin - at, pattern); !s.ok())
        return s;
      at = end;
    }
  }
  return Status::success();
}

} // namespace memplan::runtime
