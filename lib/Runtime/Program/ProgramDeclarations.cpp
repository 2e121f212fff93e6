//===- ProgramDeclarations.cpp - Arenas and arguments of a program --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"

#include <set>

namespace memplan::runtime {

static constexpr size_t maxRank = 8;

Status checkType(DType dtype, const std::vector<int64_t> &shape,
                 const std::string &what) {
  if (dtype > lastDType)
    return invalid(what + " has the unknown element type " +
                   std::to_string(int(dtype)));
  if (shape.size() > maxRank)
    return invalid(what + " has rank " + std::to_string(shape.size()) +
                   "; the largest is " + std::to_string(maxRank));
  if (!tensorBytes(dtype, shape))
    return invalid(what + " of type " + typeText(dtype, shape) +
                   " has a negative dimension or more bytes than 2^63");
  return Status::success();
}

/// An argument inside an arena, where kernels and copies find it aligned.
static Status checkHome(const Program &program, const Argument &argument,
                        const std::string &what) {
  if (argument.arena < 0)
    return argument.arena == -1 && argument.arenaOffset == 0
               ? Status::success()
               : invalid(what + " names arena " +
                         std::to_string(argument.arena) + " and byte " +
                         std::to_string(argument.arenaOffset));
  std::string place = what + " lies at byte " +
                      std::to_string(argument.arenaOffset) + " of arena " +
                      std::to_string(argument.arena);
  if (size_t(argument.arena) >= program.arenas.size())
    return invalid(place + ", which the program does not have");
  const ArenaInfo &arena = program.arenas[size_t(argument.arena)];
  if (!arena.isHost() &&
      (argument.kind != ArgumentKind::Input || !argument.donated))
    return invalid(place +
                   "; only donated inputs may lie in an arena of the device");
  if (argument.arenaOffset < 0 || argument.bytes() > arena.bytes ||
      argument.arenaOffset > arena.bytes - argument.bytes())
    return invalid(place + " and takes " + std::to_string(argument.bytes()) +
                   " bytes; there are " + std::to_string(arena.bytes));
  if (argument.arenaOffset % arena.alignment != 0)
    return invalid(place + ", which is not a multiple of its alignment " +
                   std::to_string(arena.alignment));
  for (const Argument &other : program.arguments) {
    if (&other == &argument)
      break; // Those that follow are held against this one.
    if (other.arena == argument.arena &&
        other.arenaOffset < argument.arenaOffset + argument.bytes() &&
        argument.arenaOffset < other.arenaOffset + other.bytes())
      return invalid(place + ", on bytes of argument '" + other.name + "'");
  }
  return Status::success();
}

/// No sum of sizes overflows.
static Status checkTotal(const Program &program) {
  constexpr int64_t most = int64_t(1) << 62;
  int64_t total = 0;
  auto add = [&](int64_t bytes) {
    return bytes >= 0 && bytes <= most && (total += bytes) <= most;
  };
  bool fits = add(program.fixedBytes);
  for (const ArenaInfo &arena : program.arenas)
    fits = fits && add(arena.bytes);
  for (const Argument &argument : program.arguments)
    fits = fits && add(argument.bytes());
  if (!fits)
    return invalid("the program's arenas, arguments and fixed bytes are "
                   "negative or take more than 2^62 bytes");
  return Status::success();
}

Status checkDeclarations(const Program &program) {
  for (size_t a = 0; a < program.arenas.size(); ++a) {
    const ArenaInfo &arena = program.arenas[a];
    if (arena.space != "device" && arena.space != "host")
      return invalid("arena " + std::to_string(a) + " is in the space '" +
                     arena.space + "'; device and host are known");
    bool powerOfTwo =
        arena.alignment > 0 && (arena.alignment & (arena.alignment - 1)) == 0;
    if (arena.bytes < 0 || !powerOfTwo || arena.alignment > 4096)
      return invalid("arena " + std::to_string(a) + " has " +
                     std::to_string(arena.bytes) + " bytes and alignment " +
                     std::to_string(arena.alignment) +
                     "; the alignment must be a power of two up to 4096");
  }
  std::set<std::string_view> names;
  for (size_t a = 0; a < program.arguments.size(); ++a) {
    const Argument &argument = program.arguments[a];
    std::string what =
        "argument " + std::to_string(a) + " '" + argument.name + "'";
    if (Status s = checkType(argument.dtype, argument.shape, what); !s.ok())
      return s;
    if (!names.insert(argument.name).second)
      return invalid(what + " has the name of an earlier argument");
    if (argument.batchDim < -1 ||
        argument.batchDim >= int32_t(argument.shape.size()))
      return invalid(what + " has no dimension " +
                     std::to_string(argument.batchDim) + " for the batch");
    if (argument.high < 0)
      return invalid(what + " has the negative bound " +
                     std::to_string(argument.high));
  }
  if (program.budgetBytes < -1)
    return invalid("the program has the negative budget " +
                   std::to_string(program.budgetBytes));
  if (Status s = checkTotal(program); !s.ok())
    return s;
  for (size_t a = 0; a < program.arguments.size(); ++a)
    if (Status s = checkHome(program, program.arguments[a],
                             "argument " + std::to_string(a) + " '" +
                                 program.arguments[a].name + "'");
        !s.ok())
      return s;
  return Status::success();
}

} // namespace memplan::runtime
