//===- PlannerHandles.h - What the handles of Planner.h hold ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_PLANNERHANDLES_H
#define MEMPLAN_LIB_CAPI_PLANNERHANDLES_H

#include "LastError.h"
#include "memplan-c/Planner.h"
#include "memplan/Graph/Graph.h"
#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Options.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

struct memplan_graph {
  memplan::Graph graph;
};

struct memplan_options {
  memplan::PlanOptions options;
  memplan_progress_callback_t progress = nullptr;
  void *user = nullptr;
  /// Also set by those who have the options for reading.
  mutable std::atomic<bool> cancelled = false;

  /// For one planning, which must end before these options do.
  memplan::PlanOptions forPlanning() const;
};

/// A plan and the arrays that show it.
struct memplan_plan {
  explicit memplan_plan(memplan::Plan made);

  memplan::Plan plan;
  std::vector<memplan_action_t> actions;
  std::vector<memplan_arena_t> arenas;
  const int32_t *witnessTensors = nullptr;

private:
  void addAction(const memplan::PlanAction &action);
  void addArena(const memplan::PlanArena &arena);
  const int32_t *keep(const std::vector<memplan::TensorId> &ids);

  // One vector for each list, so that none moves when another is added.
  std::vector<std::vector<int32_t>> numbers;
  std::vector<std::vector<memplan_graph_in_place_t>> pairs;
  std::vector<std::vector<memplan_placement_t>> placements;
};

namespace memplan::capi {

/// The graph with the costs and the copies that the options give it.
llvm::Expected<Graph> prepareGraph(const Graph &graph,
                                   const PlanOptions &options);

/// guard() for what uses LLVM, whose failing allocations it makes throw too.
void throwOnBadAlloc() noexcept;
template <typename Body> memplan_status_t guardLlvm(Body body) noexcept {
  throwOnBadAlloc();
  return guard(std::move(body));
}

inline memplan_status_t refuse(const char *text) {
  return memplan_set_last_error(MEMPLAN_INVALID_ARGUMENT, text);
}
inline memplan_status_t fail(memplan_status_t code, llvm::Error error) {
  return memplan_set_last_error(code, llvm::toString(std::move(error)).c_str());
}

/// Copies `text` for the caller, who destroys it by memplan_text_destroy().
inline memplan_status_t giveText(llvm::StringRef text, char **to,
                                 int64_t *byteCount) {
  char *copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  *to = copy;
  if (byteCount)
    *byteCount = int64_t(text.size());
  return MEMPLAN_OK;
}

/// True if every number of the plan names something in the graph, which plans
/// that come from elsewhere need not.
bool fits(const Graph &graph, const Plan &plan);

/// What `write` writes to a stream.
template <typename Write> std::string textOf(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return text;
}

/// Copies as much of `from` as the caller's struct has room for.
template <typename Struct> void fill(Struct *to, Struct from) {
  from.struct_bytes = to->struct_bytes;
  std::memcpy(to, &from, std::min(size_t(to->struct_bytes), sizeof(Struct)));
}
/// A struct that an older or a newer caller may have made, with the fields that
/// it lacks as `from` has them.
template <typename Struct> Struct read(const Struct *given, Struct from) {
  std::memcpy(&from, given,
              std::min(size_t(given->struct_bytes), sizeof(Struct)));
  return from;
}
/// Structs begin with struct_bytes, which no caller may forget.
template <typename Struct> bool hasSize(const Struct *given) {
  return given && given->struct_bytes >= 8;
}

} // namespace memplan::capi

#endif // MEMPLAN_LIB_CAPI_PLANNERHANDLES_H
