//===- Stats.h - Wall-clock figures, kept apart from plans ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_STATS_H
#define MEMPLAN_LIB_TOOLS_SOLVE_STATS_H

#include "Files.h"
#include "llvm/Support/Format.h"
#include <chrono>

namespace memplan {

/// Measures from its making on.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  }

private:
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};

/// Writes `--stats=FILE`, if it was asked for. `more`: further members, each
/// with a comma before it.
inline llvm::Error writeStats(llvm::StringRef path, llvm::StringRef solver,
                              double seconds, llvm::StringRef more = "") {
  if (path.empty())
    return llvm::Error::success();
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << "{\"version\": 1, \"solver\": \"" << solver
       << "\", \"seconds\": " << llvm::format("%.6f", seconds) << more << "}\n";
  });
}

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_STATS_H
