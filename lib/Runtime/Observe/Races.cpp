//===- Races.cpp - Runs a step in the orders that queues allow ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If nothing orders two instructions, the one that stands later in the table
// comes first where the queue of the other one is late: it waits for nothing
// that comes after it. So one order for each queue shows every pair both ways.
//
//===----------------------------------------------------------------------===//

#include "SavedArguments.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/QueueClocks.h"

namespace memplan::runtime {

namespace {
/// The queues of a program, and how far each has come.
class Replay {
public:
  explicit Replay(const Program &program);

  size_t queues() const { return lists.size(); }
  /// Any instruction of a queue.
  int32_t firstOf(size_t queue) const {
    return lists[queue].empty() ? -1 : lists[queue][0];
  }
  /// All instructions, those of `late` only when nothing else can run.
  std::vector<int32_t> order(size_t late);

private:
  bool canRun(size_t queue) const;
  void run(size_t queue, std::vector<int32_t> &order);

  std::vector<std::vector<int32_t>> lists; ///< by queue
  /// By instruction: how many of each queue end before it.
  std::vector<std::vector<int32_t>> ended;
  std::vector<int32_t> done; ///< by queue
};
} // namespace

Replay::Replay(const Program &program) {
  QueueClocks clocks(program);
  lists.resize(clocks.queues());
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    clocks.advance();
    lists[size_t(clocks.turn().queue)].push_back(int32_t(i));
    ended.push_back(clocks.ended());
  }
}

bool Replay::canRun(size_t queue) const {
  const auto turn = size_t(done[queue]);
  if (turn >= lists[queue].size())
    return false;
  const std::vector<int32_t> &needs = ended[size_t(lists[queue][turn])];
  for (size_t q = 0; q < needs.size(); ++q)
    if (done[q] < needs[q])
      return false;
  return true;
}

void Replay::run(size_t queue, std::vector<int32_t> &order) {
  order.push_back(lists[queue][size_t(done[queue]++)]);
}

std::vector<int32_t> Replay::order(size_t late) {
  done.assign(lists.size(), 0);
  std::vector<int32_t> order;
  while (order.size() < ended.size()) {
    bool ran = false;
    for (size_t queue = 0; queue < lists.size(); ++queue)
      while (queue != late && canRun(queue)) {
        run(queue, order);
        ran = true;
      }
    if (!ran)
      run(late, order);
  }
  return order;
}

static std::string nameOfQueue(const Instruction &instruction) {
  return instruction.isCopy() ? std::string(toString(instruction.queue))
                              : "stream " + std::to_string(instruction.stream);
}

Result<int64_t> runWithDelays(Executable &executable) {
  const Program &program = executable.program();
  Result<SavedArguments> saved = SavedArguments::of(executable);
  if (!saved)
    return saved.error();
  PoisonObserver poison;
  StepObserver *observers[] = {&poison};
  Replay replay(program);
  int64_t orders = 0;
  for (size_t queue = 0; queue < replay.queues(); ++queue) {
    const int32_t first = replay.firstOf(queue);
    if (first < 0)
      continue;
    Status status = executable.runInOrder(replay.order(queue), observers);
    if (Status s = saved->restore(executable); status.ok())
      status = s;
    if (!status.ok())
      return Status{status.code,
                    "with " + nameOfQueue(program.instructions[size_t(first)]) +
                        " late: " + status.message};
    ++orders;
  }
  return orders;
}

} // namespace memplan::runtime
