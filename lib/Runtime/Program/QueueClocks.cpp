//===- QueueClocks.cpp - What has ended before what starts ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Program/QueueClocks.h"

#include <algorithm>

namespace memplan::runtime {

QueueClocks::QueueClocks(const Program &program)
    : program(program), kept(program.instructions.size(), -1) {
  std::vector<bool> used;
  int32_t waited = 0;
  for (const Instruction &instruction : program.instructions) {
    used.resize(std::max(used.size(), size_t(instruction.stream) + 1));
    used[size_t(instruction.stream)] = true;
    for (int32_t wait : instruction.waits)
      if (kept[size_t(wait)] < 0)
        kept[size_t(wait)] = waited++;
  }
  int32_t streams = 0;
  for (bool isUsed : used)
    queueOf.push_back(isUsed ? streams++ : -1);
  const auto queues = size_t(streams) + 2;
  last.assign(queues, Clock(queues));
  count.assign(queues, 0);
  ends.resize(size_t(waited));
  start.assign(queues, 0);
}

static bool covers(const std::vector<int32_t> &clock,
                   const std::vector<int32_t> &other) {
  for (size_t q = 0; q < clock.size(); ++q)
    if (clock[q] < other[q])
      return false;
  return true;
}

static void join(std::vector<int32_t> &clock,
                 const std::vector<int32_t> &other) {
  for (size_t q = 0; q < clock.size(); ++q)
    clock[q] = std::max(clock[q], other[q]);
}

/// Latest first: what ends late has waited for much of the rest.
void QueueClocks::wait(const Instruction &instruction, Clock &stream) {
  needed = instruction.waits;
  std::sort(needed.begin(), needed.end(), std::greater<>());
  std::erase_if(needed, [&](int32_t earlier) {
    const Turn turn = turns[size_t(earlier)];
    if (stream[size_t(turn.queue)] >= turn.at)
      return true;
    join(stream, ends[size_t(kept[size_t(earlier)])]);
    return false;
  });
}

void QueueClocks::advance() {
  const size_t number = next++;
  const Instruction &instruction = program.instructions[number];
  const int32_t onStream = queueOf[size_t(instruction.stream)];
  Clock &stream = last[size_t(onStream)];
  wait(instruction, stream);
  current.queue =
      instruction.isCopy() ? engine(queues(), instruction.queue) : onStream;
  current.at = ++count[size_t(current.queue)];
  Clock &queue = last[size_t(current.queue)];
  joins = !covers(queue, stream);
  join(queue, stream);
  start = queue;
  queue[size_t(current.queue)] = current.at;
  turns.push_back(current);
  if (kept[number] >= 0)
    ends[size_t(kept[number])] = queue;
}

} // namespace memplan::runtime
