//===- SpaceOption.h - Spaces of an arena problem, as text ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_SPACEOPTION_H
#define MEMPLAN_LIB_TOOLS_SOLVE_SPACEOPTION_H

#include "BufferCsv.h"
#include <map>

namespace memplan {

/// Reads `NAME[,budget=SIZE][,allocation=SIZE]`; the name of buffers without a
/// space is empty.
llvm::Expected<ArenaSpace> parseArenaSpace(llvm::StringRef text);

/// The problem of a table, and of what the command line says. An error where a
/// space that is named there has no buffer.
llvm::Expected<ArenaProblem>
makeArenaProblem(const BufferTable &table, std::vector<ArenaSpace> spaces,
                 int64_t alignmentBytes, std::optional<int64_t> capacityBytes);

/// The highest end of each space, by name. Ends that do not fit in 64 bits are
/// left to ArenaProblem::verify().
std::map<std::string, int64_t> heightsBySpace(const ArenaProblem &problem,
                                              llvm::ArrayRef<int64_t> offsets);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_SPACEOPTION_H
