//===- PoolModel.cpp - A pool that gives and takes bytes ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Dynamic/PoolModel.h"
#include <algorithm>
#include <cassert>
#include <iterator>

using namespace memplan;

static constexpr int64_t openEnd = int64_t(1) << 62;

PoolModel::PoolModel(std::optional<int64_t> capacityBytes)
    : end(capacityBytes ? *capacityBytes / granule * granule : openEnd),
      isOpen(!capacityBytes) {
  if (end > 0)
    addHole(0, end);
}

void PoolModel::addHole(int64_t address, int64_t bytes) {
  holes.emplace(address, bytes);
  holesBySize.insert({bytes, address});
}

void PoolModel::removeHole(std::map<int64_t, int64_t>::iterator hole) {
  holesBySize.erase({hole->second, hole->first});
  holes.erase(hole);
}

std::optional<int64_t> PoolModel::allocate(int64_t bytes) {
  if (bytes == 0)
    return 0;
  const int64_t taken = rounded(bytes);
  auto best = holesBySize.lower_bound({taken, 0});
  if (best == holesBySize.end())
    return std::nullopt;
  const auto [holeBytes, address] = *best;
  removeHole(holes.find(address));
  if (holeBytes > taken)
    addHole(address + taken, holeBytes - taken);
  blocks.emplace(address, taken);
  live += taken;
  highWater = std::max(highWater, address + taken);
  return address;
}

void PoolModel::release(int64_t address, int64_t bytes) {
  if (bytes == 0)
    return;
  int64_t begin = address, size = rounded(bytes);
  auto block = blocks.find(address);
  assert(block != blocks.end() && block->second == size && "not allocated");
  blocks.erase(block);
  live -= size;
  auto after = holes.lower_bound(begin);
  if (after != holes.end() && after->first == begin + size) {
    size += after->second;
    removeHole(after);
  }
  auto before = holes.lower_bound(begin);
  if (before != holes.begin()) {
    --before;
    if (before->first + before->second == begin) {
      begin = before->first;
      size += before->second;
      removeHole(before);
    }
  }
  addHole(begin, size);
}

int64_t PoolModel::freeBeside(int64_t address, int64_t bytes) const {
  int64_t found = 0;
  auto after = holes.find(address + rounded(bytes));
  if (after != holes.end() &&
      !(isOpen && after->first + after->second == openEnd))
    found += after->second;
  auto before = holes.lower_bound(address);
  if (before != holes.begin() &&
      std::prev(before)->first + std::prev(before)->second == address)
    found += std::prev(before)->second;
  return found;
}

std::map<int64_t, int64_t> PoolModel::compact() {
  std::map<int64_t, int64_t> moved, packed;
  int64_t top = 0;
  for (const auto &[address, bytes] : blocks) {
    moved.emplace(address, top);
    packed.emplace(top, bytes);
    top += bytes;
  }
  blocks = std::move(packed);
  holes.clear();
  holesBySize.clear();
  if (top < end)
    addHole(top, end - top);
  return moved;
}

int64_t PoolModel::largestHole() const {
  return holesBySize.empty() ? 0 : holesBySize.rbegin()->first;
}
