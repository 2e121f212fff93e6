//===- PartChecks.cpp - Do parts lie apart in their wholes? ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartChecks.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace memplan {

/// graph_i9. Sizes may be anything, so that sums may overflow.
static Error checkInside(const Graph &graph, const GraphIndex &index,
                         TensorId id) {
  const PartOf &part = *graph[id].partOf;
  if (!graph[id].viewOf)
    return violation("graph_i9", "{0} has a part_of, but no view_of",
                     describe(graph, id));
  if (part.offset < 0 || part.rowBytes < 1 || part.rows < 1)
    return violation("graph_i9",
                     "{0} takes {1} rows of {2} bytes from byte {3} on; there "
                     "must be a row, of at least a byte, from byte 0 on",
                     describe(graph, id), part.rows, part.rowBytes,
                     part.offset);
  if (part.rows == 1 ? part.stride != 0 : part.stride < part.rowBytes)
    return violation("graph_i9",
                     "{0} has rows of {1} bytes with a stride of {2}; it must "
                     "be at least as much, or 0 for a single row",
                     describe(graph, id), part.rowBytes, part.stride);
  const int64_t whole = graph[index.base(id)].bytes;
  int64_t end = 0;
  if (MulOverflow(part.rows - 1, part.stride, end) ||
      AddOverflow(end, part.rowBytes, end) ||
      AddOverflow(end, part.offset, end) || end > whole)
    return violation("graph_i9",
                     "{0} ({1} rows of {2} bytes, stride {3}, from byte {4} "
                     "on) ends beyond the {5} bytes of {6}",
                     describe(graph, id), part.rows, part.rowBytes, part.stride,
                     part.offset, whole, describe(graph, index.base(id)));
  return Error::success();
}

/// True if a row of `a` and a row of `b` share a byte. Both lie in one base.
static bool shareBytes(const PartOf &a, const PartOf &b) {
  const int64_t stride = std::max(a.stride, b.stride);
  if (stride == 0)
    return a.offset < b.end() && b.offset < a.end();
  // Row i of a and row j of b share one if their distance is in reach; it
  // depends on i - j alone.
  const int64_t distance = b.offset - a.offset;
  const int64_t least = std::max(
      divideFloorSigned(distance - a.rowBytes, stride) + 1, -(b.rows - 1));
  const int64_t most =
      std::min(divideCeilSigned(distance + b.rowBytes, stride) - 1, a.rows - 1);
  return least <= most;
}

/// graph_i10, of two parts of one base.
static Error checkApart(const Graph &graph, TensorId one, TensorId other) {
  const PartOf &a = *graph[one].partOf, &b = *graph[other].partOf;
  if (a.rows > 1 && b.rows > 1 && a.stride != b.stride)
    return violation("graph_i10",
                     "{0} and {1} are written with strides of {2} and {3} "
                     "bytes; parts of one whole have one stride",
                     describe(graph, one), describe(graph, other), a.stride,
                     b.stride);
  if (shareBytes(a, b))
    return violation("graph_i10", "{0} and {1} are written over each other",
                     describe(graph, one), describe(graph, other));
  return Error::success();
}

Error checkParts(const Graph &graph) {
  if (none_of(graph.tensors, [](const Tensor &t) { return t.partOf; }))
    return Error::success();
  GraphIndex index(graph);
  std::vector<std::vector<TensorId>> written(graph.tensors.size());
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (!graph[id].partOf)
      continue;
    if (Error error = checkInside(graph, index, id))
      return error;
    if (!graph[id].partOf->written)
      continue;
    if (!index.producer(id))
      return violation("graph_i10", "nothing writes {0}, a part of {1}",
                       describe(graph, id), describe(graph, index.base(id)));
    if (!graph[*index.producer(id)].runsOnce())
      return violation("graph_i10",
                       "{0} writes {1}, a part of {2}, but may be recomputed",
                       describe(graph, *index.producer(id)),
                       describe(graph, id), describe(graph, index.base(id)));
    std::vector<TensorId> &others = written[index.base(id).index];
    for (TensorId other : others)
      if (Error error = checkApart(graph, other, id))
        return error;
    others.push_back(id);
  }
  return Error::success();
}

} // namespace memplan
