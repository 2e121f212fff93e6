//===- SharedBytes.cpp - Who may take bytes after whom --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBytes.h"
#include "memplan/Support/Violation.h"

using namespace llvm;

namespace memplan {

std::string describe(const Graph &graph, const Storage &storage) {
  switch (storage.kind) {
  case PlacementKind::Tensor:
    return describe(graph, storage.tensor);
  case PlacementKind::Workspace:
    return "the workspace of " + describe(graph, storage.node);
  case PlacementKind::Discard:
    return "discarded " + describe(graph, storage.tensor);
  }
  return "";
}

std::optional<std::string> findClash(const Queues &queues, const Storage &from,
                                     const Storage &to) {
  // What the caller brings is live before step 0, even if that gives it back.
  if (std::max(from.end, from.begin + 1) > to.begin)
    return "where the second is not given back yet";
  if (std::optional<Mark> user = from.findUser(to.taken))
    return "but " + queues.name(user->queue) +
           ", which uses the second, is not waited for by the first";
  return std::nullopt;
}

Error SharedBytes::checkReuse(const Storage &from, const Storage &to) const {
  std::string pair = describe(graph, to) + " and " + describe(graph, from) +
                     " share bytes at step " + std::to_string(to.begin);
  if (std::optional<std::string> reason = findClash(queues, from, to))
    return violation("plan_c15", "{0}, {1}", pair, *reason);
  return Error::success();
}

Error SharedBytes::take(int64_t offset, const Storage &storage) {
  if (storage.bytes == 0)
    return Error::success();
  const int64_t end = offset + storage.bytes;
  // Cuts the pieces that reach over one of the two ends.
  for (int64_t at : {offset, end}) {
    auto piece = pieces.lower_bound(at);
    if (piece == pieces.begin())
      continue;
    --piece;
    if (piece->second.end <= at)
      continue;
    pieces.emplace(at, piece->second);
    piece->second.end = at;
  }
  auto first = pieces.lower_bound(offset), last = pieces.lower_bound(end);
  for (auto piece = first; piece != last; ++piece)
    if (Error error = checkReuse(*piece->second.owner, storage))
      return error;
  pieces.erase(first, last);
  pieces.emplace(offset, Piece{end, &storage});
  return Error::success();
}

} // namespace memplan
