//===- QueueOrder.h - What has happened when, on several queues -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the replay of plans, which asks the same of actions.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_QUEUEORDER_H
#define MEMPLAN_LIB_BRIDGE_QUEUEORDER_H

#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"

namespace mlir::memplan {

/// An operation or copy: the how-manieth of its queue, from 1.
struct QueueMark {
  unsigned queue = 0;
  int64_t number = 0;
  Operation *op = nullptr;
};

/// What has ended, and when: for each queue how many of its operations.
struct QueueMoment {
  SmallVector<int64_t, 4> ended;
  double micros = 0;

  void join(const QueueMoment &other);
  bool includes(const QueueMark &mark) const {
    return mark.queue < ended.size() && mark.number <= ended[mark.queue];
  }
};

/// The streams of a function and its two copy engines, each of which runs what
/// it is given one after the other.
class QueueOrder {
public:
  enum Engine : unsigned { ToHost = 0, ToDevice = 1 };

  /// Gives the stream one more operation.
  QueueMark run(int64_t stream, double micros, Operation *op);
  /// Gives the engine one more copy, which starts after all that the stream has
  /// been given.
  QueueMark copy(Engine engine, int64_t stream, double micros, Operation *op);
  /// The stream goes on after `event`.
  void wait(int64_t stream, const QueueMoment &event);
  /// When all that the stream has been given has ended.
  const QueueMoment &ofStream(int64_t stream) {
    return queues[queueOf(stream)];
  }
  /// When the last that its queue was given has ended.
  const QueueMoment &endOf(const QueueMark &mark) const {
    return queues[mark.queue];
  }
  /// When everything has ended.
  double makespan() const { return latest; }

private:
  unsigned queueOf(int64_t stream);
  QueueMark append(unsigned queue, double micros, Operation *op);

  std::map<int64_t, unsigned> streams;
  SmallVector<QueueMoment> queues = SmallVector<QueueMoment>(2);
  double latest = 0;
};

/// Operations that have touched each byte since it was written. What writes it
/// must happen after all of them, so that nothing before matters.
class ByteUsers {
public:
  /// The operation reads the bytes; who wrote some of them and has not ended by
  /// the time of `now`, if any.
  std::optional<QueueMark> read(const ByteRange &range, const QueueMark &reader,
                                const QueueMoment &now);
  /// The operation writes the bytes; who has touched some of them and has not
  /// ended by the time of `now`, if any.
  std::optional<QueueMark> write(const ByteRange &range,
                                 const QueueMark &writer,
                                 const QueueMoment &now);

private:
  struct Run {
    int64_t end = 0;
    std::optional<QueueMark> writer;
    SmallVector<QueueMark, 2> readers; ///< The last of each queue.
  };
  using Runs = std::map<std::pair<unsigned, int64_t>, Run>;

  void cut(unsigned argument, int64_t byte);
  std::optional<QueueMark> readRow(const ByteRange &row,
                                   const QueueMark &reader,
                                   const QueueMoment &now);

  Runs runs; ///< By (argument, begin); disjoint.
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_QUEUEORDER_H
