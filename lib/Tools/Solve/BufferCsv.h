//===- BufferCsv.h - Tables of buffers --------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_BUFFERCSV_H
#define MEMPLAN_LIB_TOOLS_SOLVE_BUFFERCSV_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// A `*.csv` of buffers: columns id, lower, upper, size, perhaps alignment,
/// fixed_offset, gaps, space, conflicts (ids of other rows, separated by `;`)
/// and offset, in any order. Other columns are kept as they are.
struct BufferTable {
  std::vector<std::string> header;
  /// Row after row, as many as the header for each; most point into the text.
  std::vector<llvm::StringRef> cells;
  std::vector<ArenaBuffer> buffers; ///< One for each row.
  /// Pairs of the column `conflicts`, as in ArenaProblem.
  std::vector<std::pair<int32_t, int32_t>> conflicts;
  std::optional<std::vector<int64_t>>
      offsets; ///< Offsets of the column `offset`, if there is one.
  /// Cells that stood in quotes.
  std::unique_ptr<llvm::BumpPtrAllocator> quoted =
      std::make_unique<llvm::BumpPtrAllocator>();
};

/// Reads a table. Errors name the line and the column. `text` must live as long
/// as the table.
llvm::Expected<BufferTable> parseBuffers(llvm::StringRef text);

/// The rows with a last column `offset`, in place of any that was there.
void writeBuffers(const BufferTable &table, llvm::ArrayRef<int64_t> offsets,
                  llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_BUFFERCSV_H
