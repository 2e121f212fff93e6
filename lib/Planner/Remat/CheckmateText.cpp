//===- CheckmateText.cpp - Stages as names and matrices -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/CheckmateText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace memplan;

static std::string nameOf(const StageGraph &graph, int32_t op) {
  const NodeId node = graph.ops()[op].node;
  return node.isValid() ? std::to_string(graph.index().graph()[node].externalId)
                        : "end";
}

static int64_t idOf(const StageGraph &graph, int32_t value) {
  return graph.index().graph()[graph.values()[value].tensor].externalId;
}

std::vector<std::string> memplan::columnNames(const StageGraph &graph,
                                              const Checkmate &checkmate) {
  std::vector<std::string> names;
  for (const CheckmateColumn &column : checkmate.columns()) {
    std::string name = column.letter;
    name += "_" + std::to_string(column.stage);
    if (column.value >= 0)
      name += "_" + std::to_string(idOf(graph, column.value));
    if (column.op >= 0)
      name += "_" + nameOf(graph, column.op);
    if (column.number >= 0)
      name += "_" + std::to_string(column.number);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<CheckmateColumn> Checkmate::columns() const {
  std::vector<CheckmateColumn> list(size_t(milp.numColumns()));
  auto set = [&](int32_t column, CheckmateColumn what) {
    if (column >= 0)
      list[size_t(column)] = what;
  };
  for (int32_t stage = 0; stage < graph.numStages(); ++stage) {
    for (int32_t op = 0; op <= stage; ++op) {
      set(run(stage, op), {"R", stage, -1, op, -1});
      set(bytesColumn[at(stage, op)], {"U", stage, -1, op, -1});
      int32_t number = 0;
      for (const RunSavings::Pair &pair : savings[at(stage, op)].pairs)
        set(pair.column, {"I", stage, pair.overlap->output, op, number++});
      number = 0;
      for (const RunSavings::Variant &variant : savings[at(stage, op)].variants)
        set(variant.column, {"V", stage, -1, op, ++number});
    }
    for (int32_t value = 0; value < graph.numValues(); ++value) {
      set(keep(stage, value), {"S", stage, value, -1, -1});
      const StepValue &entry = graph.values()[value];
      for (size_t i = 0; i < freeColumn[stage][value].size(); ++i)
        set(freeColumn[stage][value][i],
            {"FREE", stage, value, i == 0 ? entry.producer : entry.users[i - 1],
             -1});
    }
  }
  return list;
}

void memplan::writeStageMatrices(const StageGraph &graph, const StageRows &rows,
                                 llvm::raw_ostream &os) {
  const Retention retention = retentionOf(graph, rows);
  const std::vector<std::vector<int64_t>> bytes =
      stageBytes(graph, rows, retention);
  llvm::json::OStream json(os);
  auto list = [&](const char *key, auto write) {
    json.attributeArray(key, [&] { write(); });
  };
  json.object([&] {
    json.attribute("stages", graph.numStages());
    list("nodes", [&] {
      for (int32_t op = 0; op < graph.numStages(); ++op)
        json.value(nameOf(graph, op));
    });
    list("values", [&] {
      for (int32_t value = 0; value < graph.numValues(); ++value)
        json.value(idOf(graph, value));
    });
    list("R", [&] {
      for (const std::vector<int32_t> &row : rows)
        json.array([&] {
          for (int32_t op : row)
            json.value(op);
        });
    });
    list("S", [&] {
      for (int32_t stage = 0; stage < graph.numStages(); ++stage)
        json.array([&] {
          for (int32_t value = 0; value < graph.numValues(); ++value)
            if (retention.kept(value, stage))
              json.value(value);
        });
    });
    list("U", [&] {
      for (const std::vector<int64_t> &row : bytes)
        json.array([&] {
          for (int64_t each : row)
            json.value(each);
        });
    });
    list("FREE", [&] {
      for (int32_t stage = 0; stage < graph.numStages(); ++stage)
        for (int32_t value = 0; value < graph.numValues(); ++value)
          for (int32_t op : rows[size_t(stage)])
            if ((op == graph.values()[value].producer ||
                 llvm::is_contained(graph.values()[value].users, op)) &&
                isFreed(graph, rows, retention, stage, value, op))
              json.value(llvm::json::Array{stage, value, op});
    });
  });
  os << '\n';
}
