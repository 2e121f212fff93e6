//===- Storage.h - Bytes from taking to giving back -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_STORAGE_H
#define MEMPLAN_LIB_PLAN_STORAGE_H

#include "Queues.h"
#include "memplan/Plan/Plan.h"
#include "llvm/ADT/SmallVector.h"

namespace memplan {

/// Bytes from the step that takes them to the step that gives them back, as
/// found by replaying: of a base tensor and its views on the device, of a copy
/// on the host, or scratch of one run.
struct Storage {
  PlacementKind kind = PlacementKind::Tensor;
  TensorId tensor; ///< Tensor: what took it. Discard: what is not wanted.
  NodeId node;     ///< Workspace
  int32_t begin = 0;
  int32_t end = -1; ///< Step that gives it back, exclusive; -1: not yet.
  int64_t bytes = 0;
  Moment taken;                       ///< What had happened by then.
  Mark made;                          ///< What made the bytes that it holds.
  llvm::SmallVector<Mark, 2> touched; ///< By queue: its last user there.
  int32_t version = 0;                ///< Writes that its bytes have seen.
  llvm::SmallVector<TensorId, 1> members; ///< Tensors to be read there.
  int32_t copies = 0;   ///< From or to it, not waited for yet.
  bool leaving = false; ///< One of them takes the bytes away.

  void touch(Mark mark) {
    for (Mark &last : touched)
      if (last.queue == mark.queue) {
        last = mark;
        return;
      }
    touched.push_back(mark);
  }
  /// A user of the bytes that `now` does not happen after, if any.
  std::optional<Mark> findUser(const Moment &now) const {
    for (Mark mark : touched)
      if (!now.includes(mark))
        return mark;
    return std::nullopt;
  }
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_STORAGE_H
