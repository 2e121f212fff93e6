//===- DtrOriginalTest.cpp - The evaluation of DTR, run for run -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Planner/Inputs/dtr_original.json has what the simulator of DTR's authors
// gives for graphs of their evaluation (benchmarks/data/graphs/dtr_*): a value
// is released after its last user, nothing has to stay at the end. Budgets
// are without the constant bytes.
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace memplan;

namespace {

std::unique_ptr<llvm::MemoryBuffer> read(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    ADD_FAILURE() << "cannot read " << path;
    return llvm::MemoryBuffer::getMemBuffer("");
  }
  return std::move(*file);
}

const Graph &graphNamed(const std::string &name) {
  static std::map<std::string, Graph> graphs;
  auto [place, isNew] = graphs.try_emplace(name);
  if (isNew) {
    const std::string path = std::string(MEMPLAN_TEST_DIR) +
                             "/../benchmarks/data/graphs/" + name +
                             ".graph.json";
    llvm::Expected<Graph> graph = parseGraph(read(path)->getBuffer());
    if (graph)
      place->second = std::move(*graph);
    else
      ADD_FAILURE() << path << ": " << takeMessage(graph);
  }
  return place->second;
}

void compare(const llvm::json::Object &row) {
  const Graph &graph = graphNamed(row.getString("graph")->str());
  const std::string text = row.getString("policy")->str();
  SCOPED_TRACE(graph.name + ", " + text + ", budget " +
               std::to_string(*row.getInteger("budget")));
  llvm::Expected<DtrPolicy> policy = DtrPolicy::parse(text + ",limit=1");
  ASSERT_TRUE(bool(policy)) << takeMessage(policy);
  GraphIndex index(graph);
  llvm::Expected<DtrRun> run =
      simulateDtr(index, *policy, *row.getInteger("budget") + graph.fixedBytes);
  ASSERT_TRUE(bool(run)) << takeMessage(run);
  const llvm::StringRef end = run->end == DtrEnd::Done          ? "ok"
                              : run->end == DtrEnd::OutOfMemory ? "oom"
                                                                : "thrash";
  EXPECT_EQ(end, *row.getString("end"));
  if (end != "ok")
    return;
  const double expected = double(*row.getInteger("recompute_cost"));
  if (const std::optional<double> within = row.getNumber("within")) {
    EXPECT_NEAR(run->recomputationCost, expected, *within * expected);
    return;
  }
  EXPECT_EQ(run->recomputationCost, expected);
  EXPECT_EQ(run->peakBytes - graph.fixedBytes, *row.getInteger("peak"));
}

// A curve of the evaluation would be another one.
TEST(DtrOriginal, costs_of_the_evaluation_are_identical) {
  auto file =
      read(std::string(MEMPLAN_TEST_DIR) + "/Planner/Inputs/dtr_original.json");
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(file->getBuffer());
  ASSERT_TRUE(bool(root)) << takeMessage(root);
  const llvm::json::Array *rows = root->getAsObject()->getArray("rows");
  ASSERT_GT(rows->size(), 100u);
  for (const llvm::json::Value &row : *rows)
    compare(*row.getAsObject());
}

} // namespace
