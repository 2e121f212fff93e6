//===- Pool.cpp - Addresses of a block of memory, given out online --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/Pool.h"

#include <algorithm>

namespace memplan::runtime {

Pool::Pool(int64_t bytes) : size(std::max<int64_t>(bytes, 0) / unit * unit) {
  makeRoom();
  if (size == 0)
    return;
  first = newNode();
  nodes[size_t(first)] = {0, size, none, none, true};
  addHole(first);
}

/// For one allocation, which adds two nodes at most, so that nothing behind it
/// can fail. There are no more holes than nodes.
void Pool::makeRoom() {
  if (spare.size() >= 2)
    return;
  const size_t count = nodes.size();
  const size_t more = std::max<size_t>(16, count);
  spare.reserve(count + more);
  holes.reserve(count + more);
  nodes.resize(count + more);
  for (size_t i = count + more; i-- > count;)
    spare.push_back(Block(i));
}

Pool::Block Pool::newNode() noexcept {
  const Block node = spare.back();
  spare.pop_back();
  return node;
}

void Pool::addHole(Block node) noexcept {
  const Hole hole{bytes(node), address(node), node};
  holes.insert(std::upper_bound(holes.begin(), holes.end(), hole,
                                [](const Hole &a, const Hole &b) {
                                  return a.key() < b.key();
                                }),
               hole);
}

void Pool::takeHole(Block node) noexcept {
  const Hole hole{bytes(node), address(node), node};
  holes.erase(std::lower_bound(
      holes.begin(), holes.end(), hole,
      [](const Hole &a, const Hole &b) { return a.key() < b.key(); }));
}

Pool::Block Pool::cut(Block node, int64_t low) noexcept {
  const Block part = newNode();
  Node &rest = nodes[size_t(node)];
  nodes[size_t(part)] = {rest.address, low, rest.before, node, rest.isFree};
  if (rest.before == none)
    first = part;
  else
    nodes[size_t(rest.before)].behind = part;
  rest.before = part;
  rest.address += low;
  rest.bytes -= low;
  return part;
}

void Pool::unlink(Block node) noexcept {
  const Node &gone = nodes[size_t(node)];
  if (gone.before == none)
    first = gone.behind;
  else
    nodes[size_t(gone.before)].behind = gone.behind;
  if (gone.behind != none)
    nodes[size_t(gone.behind)].before = gone.before;
  spare.push_back(node);
}

void Pool::give(Block node) noexcept {
  Node &given = nodes[size_t(node)];
  given.isFree = false;
  live += given.bytes;
  mostLive = std::max(mostLive, live);
  highWater = std::max(highWater, given.address + given.bytes);
}

Pool::Block Pool::allocate(int64_t wanted) {
  if (wanted > size)
    return none;
  const int64_t bytes = rounded(wanted);
  auto hole = std::lower_bound(
      holes.begin(), holes.end(), bytes,
      [](const Hole &hole, int64_t least) { return hole.bytes < least; });
  if (hole == holes.end())
    return none;
  const Block node = hole->node;
  makeRoom();
  takeHole(node);
  Block given = node;
  if (nodes[size_t(node)].bytes > bytes) {
    given = cut(node, bytes);
    addHole(node);
  }
  give(given);
  return given;
}

Pool::Block Pool::allocateAt(int64_t address, int64_t wanted, int64_t granule) {
  if (wanted > size || address < 0)
    return none;
  const int64_t bytes =
      (std::max<int64_t>(wanted, 1) + granule - 1) / granule * granule;
  auto covers = [&](const Hole &hole) {
    return hole.address <= address && hole.bytes >= bytes &&
           address - hole.address <= hole.bytes - bytes;
  };
  auto hole = std::find_if(holes.begin(), holes.end(), covers);
  if (hole == holes.end())
    return none;
  Block node = hole->node;
  makeRoom();
  takeHole(node);
  if (int64_t below = address - this->address(node); below > 0)
    addHole(cut(node, below));
  Block given = node;
  if (nodes[size_t(node)].bytes > bytes) {
    given = cut(node, bytes);
    addHole(node);
  }
  give(given);
  return given;
}

void Pool::release(Block block) noexcept {
  live -= bytes(block);
  nodes[size_t(block)].isFree = true;
  const Block before = nodes[size_t(block)].before;
  if (before != none && nodes[size_t(before)].isFree) {
    takeHole(before);
    nodes[size_t(block)].address = address(before);
    nodes[size_t(block)].bytes += bytes(before);
    unlink(before);
  }
  const Block behind = nodes[size_t(block)].behind;
  if (behind != none && nodes[size_t(behind)].isFree) {
    takeHole(behind);
    nodes[size_t(block)].bytes += bytes(behind);
    unlink(behind);
  }
  addHole(block);
}

int64_t Pool::freeBeside(Block block) const {
  const Node &node = nodes[size_t(block)];
  int64_t sum = 0;
  for (Block other : {node.before, node.behind})
    if (other != none && nodes[size_t(other)].isFree)
      sum += bytes(other);
  return sum;
}

/// Two ends that go up: the upper one until enough is free, then the lower one
/// as long as enough stays free. O(blocks).
Pool::Window Pool::bestWindow(int64_t wanted) const {
  const int64_t bytes = rounded(wanted);
  Window best;
  Block low = first;
  int64_t freeSum = 0, moved = 0;
  for (Block high = first; high != none; high = nodes[size_t(high)].behind) {
    const Node &node = nodes[size_t(high)];
    (node.isFree ? freeSum : moved) += node.bytes;
    if (!node.isFree)
      continue;
    while (!nodes[size_t(low)].isFree ||
           freeSum - nodes[size_t(low)].bytes >= bytes) {
      const Node &left = nodes[size_t(low)];
      (left.isFree ? freeSum : moved) -= left.bytes;
      low = left.behind;
    }
    if (freeSum >= bytes && (best.first == none || moved < best.movedBytes))
      best = {low, moved};
  }
  return best;
}

int64_t Pool::bytesToMove(int64_t wanted) const {
  return bestWindow(wanted).movedBytes;
}

/// A hole and the block behind it change places.
void Pool::swapWithNext(Block number) noexcept {
  Node &hole = nodes[size_t(number)];
  const Block next = hole.behind;
  Node &moved = nodes[size_t(next)];
  const Block last = moved.behind;
  takeHole(number);
  moved.before = hole.before;
  if (moved.before == none)
    first = next;
  else
    nodes[size_t(moved.before)].behind = next;
  moved.behind = number;
  hole.before = next;
  hole.behind = last;
  if (last != none)
    nodes[size_t(last)].before = number;
  moved.address = hole.address;
  hole.address += moved.bytes;
  if (last != none && nodes[size_t(last)].isFree) {
    takeHole(last);
    hole.bytes += bytes(last);
    unlink(last);
  }
  addHole(number);
}

Status Pool::compact(int64_t wanted, const Move &move) {
  const Block hole = bestWindow(wanted).first;
  while (hole != none && bytes(hole) < rounded(wanted)) {
    const Node &next = nodes[size_t(nodes[size_t(hole)].behind)];
    if (Status s = move(next.address, address(hole), next.bytes); !s.ok())
      return s;
    swapWithNext(hole);
  }
  return Status::success();
}

void Pool::resetMarks() {
  mostLive = live;
  highWater = 0;
  for (Block block = first; block != none; block = nodes[size_t(block)].behind)
    if (const Node &node = nodes[size_t(block)]; !node.isFree)
      highWater = node.address + node.bytes;
}

} // namespace memplan::runtime
