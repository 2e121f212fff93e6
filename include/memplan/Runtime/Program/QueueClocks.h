//===- QueueClocks.h - What has ended before what starts --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Happens-before of a program (see Instruction). What has ended when an
// instruction starts is, on each queue, a beginning of what runs there: one
// number for each queue says it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_PROGRAM_QUEUECLOCKS_H
#define MEMPLAN_RUNTIME_PROGRAM_QUEUECLOCKS_H

#include "memplan/Runtime/Program/Program.h"

namespace memplan::runtime {

/// Walks the instructions of a program, whose table is checked, in order.
class QueueClocks {
public:
  /// When an instruction runs: as number `at` (from 1) of its queue.
  struct Turn {
    int32_t queue = 0;
    int32_t at = 0;
  };

  explicit QueueClocks(const Program &program);

  /// Streams that have instructions, in ascending order, then the two engines.
  size_t queues() const { return last.size(); }
  static int32_t engine(size_t queues, Queue queue) {
    return int32_t(queues) - (queue == Queue::DeviceToHost ? 2 : 1);
  }

  /// Goes to the next instruction, the first one at first.
  void advance();

  Turn turn() const { return current; }
  /// Has the end of `turn` come when the current instruction starts?
  bool hasEnded(Turn turn) const {
    return start[size_t(turn.queue)] >= turn.at;
  }
  /// How many of each queue have ended then.
  const std::vector<int32_t> &ended() const { return start; }
  /// Waits of the instruction that are not implied by others or by what its
  /// stream waited for before.
  const std::vector<int32_t> &neededWaits() const { return needed; }
  /// A copy that must wait for more of its stream than its engine has already
  /// waited for.
  bool joinsStream() const { return joins; }

private:
  /// For each queue, how many of its instructions have ended.
  using Clock = std::vector<int32_t>;

  void wait(const Instruction &instruction, Clock &stream);

  const Program &program;
  std::vector<int32_t> queueOf; ///< by stream
  std::vector<Clock> last;      ///< by queue: what precedes what comes next
  std::vector<int32_t> count;   ///< by queue: turns so far
  std::vector<int32_t> kept;    ///< by instruction: its entry of `ends`, or -1
  std::vector<Clock> ends;      ///< of the instructions that others wait for
  std::vector<Turn> turns;      ///< by instruction
  size_t next = 0;
  Turn current;
  Clock start;
  std::vector<int32_t> needed;
  bool joins = false;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_PROGRAM_QUEUECLOCKS_H
