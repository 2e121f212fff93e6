//===- PoolModel.h - A pool that gives and takes bytes ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_DYNAMIC_POOLMODEL_H
#define MEMPLAN_PLANNER_DYNAMIC_POOLMODEL_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace memplan {

/// What an allocator of a framework does with one piece of memory: best fit,
/// sizes rounded up, neighbouring holes joined. What static offsets are
/// compared with. O(log holes) each.
class PoolModel {
public:
  static constexpr int64_t granule = 512;
  /// Without a capacity the pool grows as it must.
  explicit PoolModel(std::optional<int64_t> capacityBytes = std::nullopt);

  static int64_t rounded(int64_t bytes) {
    return (bytes + granule - 1) / granule * granule;
  }
  /// The address; unset where no hole is large enough. Nothing takes no bytes
  /// and has address 0.
  std::optional<int64_t> allocate(int64_t bytes);
  /// Gives back what allocate() gave for as many bytes.
  void release(int64_t address, int64_t bytes);
  /// Free bytes that adjoin a block in use; those at the open end of a pool
  /// without capacity do not count.
  int64_t freeBeside(int64_t address, int64_t bytes) const;
  /// Moves every block to the bottom. By old address: the new one.
  std::map<int64_t, int64_t> compact();

  int64_t liveBytes() const { return live; }
  int64_t highWaterBytes() const { return highWater; }
  int64_t largestHole() const;

private:
  void addHole(int64_t address, int64_t bytes);
  void removeHole(std::map<int64_t, int64_t>::iterator hole);

  int64_t end; ///< End of the pool.
  bool isOpen; ///< The pool has no capacity.
  int64_t live = 0, highWater = 0;
  std::map<int64_t, int64_t> holes;                  ///< Bytes by address.
  std::set<std::pair<int64_t, int64_t>> holesBySize; ///< (bytes, address)
  std::map<int64_t, int64_t> blocks;                 ///< Bytes by address.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_DYNAMIC_POOLMODEL_H
