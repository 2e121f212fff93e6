//===- SharedBytes.h - Who may take bytes after whom ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_SHAREDBYTES_H
#define MEMPLAN_LIB_PLAN_SHAREDBYTES_H

#include "Storage.h"
#include "llvm/Support/Error.h"

namespace memplan {

/// The bytes of one arena while storages take them one after the other. Every
/// byte knows the last storage that took it. Only that one must be given back
/// and done with when the next takes the byte: both orders are transitive, and
/// what touches a storage happens after the run that took it. O(log n) a
/// storage, and once for each piece that it covers.
class SharedBytes {
public:
  SharedBytes(const Graph &graph, const Queues &queues)
      : graph(graph), queues(queues) {}

  /// The storage takes its bytes at `offset`. Storages come in the order in
  /// which they are taken.
  llvm::Error take(int64_t offset, const Storage &storage);

private:
  struct Piece {
    int64_t end;
    const Storage *owner;
  };
  llvm::Error checkReuse(const Storage &from, const Storage &to) const;

  const Graph &graph;
  const Queues &queues;
  std::map<int64_t, Piece> pieces; ///< By first byte; disjoint.
};

/// "tensor 3", "the workspace of node 2", "discarded tensor 1".
std::string describe(const Graph &graph, const Storage &storage);

/// Why `to` may not have bytes of `from`, which was taken before it; nothing
/// where it may.
std::optional<std::string> findClash(const Queues &queues, const Storage &from,
                                     const Storage &to);

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_SHAREDBYTES_H
