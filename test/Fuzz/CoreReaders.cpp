//===- CoreReaders.cpp - Graphs, plans, tables and profiles ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Tools/Solve/BufferCsv.h"
#include "Tools/Solve/SpaceOption.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Profile/DeviceProfile.h"
#include "memplan/Profile/DeviceSpec.h"

using namespace memplan;
using namespace memplan::fuzz;

/// The value, or nothing where there is an error.
template <typename T> static std::optional<T> valueOf(llvm::Expected<T> made) {
  if (made)
    return std::move(*made);
  require(!llvm::toString(made.takeError()).empty(), "an error without a text");
  return std::nullopt;
}

template <typename Write> static std::string textOf(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return text;
}

void fuzz::readGraph(std::string_view bytes) {
  std::vector<std::string> warnings;
  std::optional<Graph> graph = valueOf(parseGraph(bytes, &warnings));
  if (!graph)
    return;
  GraphIndex index(*graph);
  for (size_t n = 0; n < graph->nodes.size(); ++n)
    (void)index.usedBases(NodeId(n));
  std::optional<Graph> again = valueOf(parseGraph(
      textOf([&](llvm::raw_ostream &os) { writeGraph(*graph, os); })));
  require(again.has_value(), "a graph that was written is not read");
  require(hashGraph(*again) == hashGraph(*graph), "writing changes the graph");
}

/// A graph, a line of three dashes, a plan for it.
void fuzz::readPlan(std::string_view bytes) {
  auto [graphText, planText] = llvm::StringRef(bytes).split("\n---\n");
  std::optional<Graph> graph = valueOf(parseGraph(graphText));
  if (!graph)
    return;
  std::optional<Plan> plan = valueOf(parsePlan(*graph, planText));
  if (!plan)
    return;
  GraphIndex index(*graph);
  const bool isRight = !llvm::errorToBool(verifyPlan(index, *plan));
  std::optional<Plan> again =
      valueOf(parsePlan(*graph, textOf([&](llvm::raw_ostream &os) {
        writePlan(*graph, *plan, os);
      })));
  if (!isRight)
    return;
  require(again.has_value(), "a plan that was written is not read");
  require(!llvm::errorToBool(verifyPlan(index, *again)),
          "writing makes a plan wrong");
}

void fuzz::readBuffers(std::string_view bytes) {
  std::optional<BufferTable> table = valueOf(parseBuffers(bytes));
  // The header is no space as a rule, and becomes one by a mutation or two.
  std::vector<ArenaSpace> spaces;
  if (std::optional<ArenaSpace> space =
          valueOf(parseArenaSpace(llvm::StringRef(bytes).split('\n').first)))
    spaces.push_back(std::move(*space));
  if (!table || table->buffers.size() > 50)
    return;
  std::optional<ArenaProblem> made =
      valueOf(makeArenaProblem(*table, std::move(spaces), 1, std::nullopt));
  const ArenaProblem problem =
      made ? *made : *valueOf(makeArenaProblem(*table, {}, 1, std::nullopt));
  if (llvm::errorToBool(problem.check()))
    return;
  const ArenaSolver &solver = solverNamed(arenaSolvers(), "greedy-by-size");
  std::optional<ArenaPlan> plan = valueOf(solve(problem, solver, {}));
  require(plan.has_value(), "a problem that is right is not solved");
  std::optional<BufferTable> again =
      valueOf(parseBuffers(textOf([&](llvm::raw_ostream &os) {
        writeBuffers(*table, plan->offsets, os);
      })));
  require(again && again->offsets && *again->offsets == plan->offsets,
          "offsets that were written are not read");
}

void fuzz::readProfile(std::string_view bytes) {
  if (std::optional<DeviceProfile> profile = valueOf(parseDeviceProfile(bytes)))
    for (const auto &entry : profile->entries)
      for (size_t i = 1; i < entry.second.size(); ++i)
        require(entry.second[i - 1].workspaceBytes >
                    entry.second[i].workspaceBytes,
                "a slower variant takes no less scratch");
  (void)valueOf(parseDeviceSpec(bytes));
}
