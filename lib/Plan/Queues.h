//===- Queues.h - Streams and copy engines: order and time ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_QUEUES_H
#define MEMPLAN_LIB_PLAN_QUEUES_H

#include "memplan/Graph/Graph.h"
#include <map>
#include <memory>

namespace memplan {

/// A compute or a copy: the how-manieth of its queue, from 1. Place 0 stands
/// for what the caller did before the step, which everything happens after.
struct Mark {
  int32_t queue = 0;
  int32_t place = 0;
};

/// A point of a queue: what has happened by then, and when it is reached. This
/// is a vector clock; the part that concerns other queues is shared until a
/// wait or a copy changes it, so that one stream costs O(1) an action.
struct Moment {
  Mark mark; ///< The last of the queue itself.
  std::shared_ptr<const std::vector<int32_t>>
      others; ///< By queue: the last place there; null: none.
  double time = 0;

  bool includes(Mark other) const;
};

/// The queues of a plan: engine d2h, engine h2d, and the streams that it names.
class Queues {
public:
  /// More streams than any device has queues; a limit keeps clocks small
  /// whatever a file says.
  static constexpr size_t maxStreams = 256;
  enum Engine : int32_t { deviceToHost = 0, hostToDevice = 1 };

  explicit Queues(const std::optional<Bandwidth> &bandwidth);

  /// Makes the stream known; false where it is one too many. Every other
  /// function wants known streams.
  bool open(int32_t stream);
  /// Puts a run at the end of its stream; what has happened when it ends.
  Moment compute(int32_t stream, double cost);
  /// Puts a copy at the end of its engine, after all that was put on `stream`.
  Moment copy(Engine engine, int32_t stream, int64_t bytes);
  /// What is put on `stream` from now on starts after `event`.
  void wait(int32_t stream, const Moment &event);
  const Moment &now(int32_t stream) const { return ends[streams.at(stream)]; }
  /// When the last compute or copy ends.
  double makespan() const { return latest; }
  /// "stream 3", "engine d2h".
  std::string name(int32_t queue) const;

private:
  Moment append(int32_t queue, double duration);
  double copyTime(Engine engine, int64_t bytes) const;

  Bandwidth bandwidth;
  std::map<int32_t, int32_t> streams; ///< Queues of the streams.
  std::vector<Moment> ends;           ///< By queue: after all put there.
  double latest = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_QUEUES_H
