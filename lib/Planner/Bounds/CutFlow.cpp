//===- CutFlow.cpp - What is kept across an op, and recomputed ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

CutFlow::CutFlow(const OrderRows &rows, int32_t op, Units keep, Units recompute,
                 llvm::function_ref<bool(int32_t)> isKnown)
    : rows(rows), op(op), vertexOf(size_t(rows.step().numValues()), -1),
      producerVertex(size_t(rows.numRows()), -1) {
  const ContractedStep &step = rows.step();
  for (int32_t value = 0; value < step.numValues(); ++value) {
    if (step.values()[value].producer >= op)
      break;
    if (rows.lastUser(value) > op)
      need(value, keep, recompute, isKnown);
  }
}

std::vector<int32_t> CutFlow::kept() const {
  std::vector<int32_t> values;
  for (int32_t value = 0; value < rows.step().numValues(); ++value)
    if (const int32_t vertex = vertexOf[value];
        vertex >= 0 && flow.isReached(vertex) && !flow.isReached(vertex + 1))
      values.push_back(value);
  return values;
}

/// Walks to what a value is made of, without recursion: chains are long.
void CutFlow::need(int32_t first, Units keep, Units recompute,
                   llvm::function_ref<bool(int32_t)> isKnown) {
  struct Needed {
    int32_t from, op, value; ///< Vertex and op that need the value; or -1.
  };
  std::vector<Needed> open{{MaxFlow::source, -1, first}};
  while (!open.empty()) {
    const auto [from, user, value] = open.back();
    open.pop_back();
    // What the op itself touches is there anyway.
    if (llvm::is_contained(rows.inputs(op), value))
      continue;
    int32_t &vertex = vertexOf[value];
    const bool isNew = vertex < 0;
    if (isNew) {
      vertex = flow.addVertex();
      flow.addVertex();
    }
    const int32_t arc = flow.connect(from, vertex, MaxFlow::unlimited);
    if (user >= 0)
      all.push_back({user, value, /*isInput=*/true, arc});
    if (!isNew)
      continue;
    const int32_t behind = vertex + 1;
    const int32_t producer = rows.step().values()[value].producer;
    flow.connect(vertex, behind, keep(value));
    // After a write a run of the producer brings nothing back.
    const int32_t writer = rows.firstWriter(value);
    if (rows.runsOnce(producer) || (writer >= 0 && writer <= op)) {
      flow.connect(behind, MaxFlow::sink, MaxFlow::unlimited);
      continue;
    }
    // One run serves all outputs.
    int32_t &again = producerVertex[producer];
    const bool isFirst = again < 0;
    if (isFirst) {
      again = flow.addVertex();
      if (const int64_t units = recompute(producer); units > 0)
        flow.connect(again, MaxFlow::sink, units);
    }
    all.push_back({producer, value, /*isInput=*/false,
                   flow.connect(behind, again, MaxFlow::unlimited)});
    if (isFirst)
      for (int32_t input : rows.inputs(producer))
        if (!isKnown || isKnown(input))
          open.push_back({again, producer, input});
  }
}
