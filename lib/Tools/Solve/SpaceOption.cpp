//===- SpaceOption.cpp - Spaces of an arena problem, as text --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceOption.h"
#include "memplan/Support/ByteSize.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

Expected<ArenaSpace> parseArenaSpace(StringRef text) {
  ArenaSpace space;
  SmallVector<StringRef> words;
  text.split(words, ',');
  space.name = words.front().trim().str();
  for (StringRef word : ArrayRef(words).drop_front()) {
    auto [key, value] = word.split('=');
    std::optional<int64_t> *field = key.trim() == "budget" ? &space.budgetBytes
                                    : key.trim() == "allocation"
                                        ? &space.allocationBytes
                                        : nullptr;
    if (!field || *field)
      return createStringError("'" + word + "' is " +
                               (field ? "given twice" : "not known") +
                               "; write NAME[,budget=SIZE][,allocation=SIZE]");
    Expected<int64_t> bytes = parseByteSize(value);
    if (!bytes)
      return createStringError("'" + key.trim() +
                               "': " + toString(bytes.takeError()));
    *field = *bytes;
  }
  return space;
}

Expected<ArenaProblem> makeArenaProblem(const BufferTable &table,
                                        std::vector<ArenaSpace> spaces,
                                        int64_t alignmentBytes,
                                        std::optional<int64_t> capacityBytes) {
  ArenaProblem problem;
  problem.buffers = table.buffers;
  problem.conflicts = table.conflicts;
  problem.alignmentBytes = alignmentBytes;
  problem.budgetBytes = capacityBytes;
  problem.spaces = std::move(spaces);
  for (const ArenaSpace &space : problem.spaces)
    if (none_of(problem.buffers, [&](const ArenaBuffer &buffer) {
          return buffer.space == space.name;
        }))
      return createStringError("no buffer is in the space '" + space.name +
                               "' that --space names");
  return problem;
}

std::map<std::string, int64_t> heightsBySpace(const ArenaProblem &problem,
                                              ArrayRef<int64_t> offsets) {
  std::map<std::string, int64_t> heights;
  for (auto [buffer, offset] : zip_equal(problem.buffers, offsets)) {
    int64_t &height = heights[buffer.space], end = 0;
    if (buffer.bytes > 0 && !__builtin_add_overflow(offset, buffer.bytes, &end))
      height = std::max(height, end);
  }
  return heights;
}

} // namespace memplan
