//===- JsonTest.cpp - Graph and plan files --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "../GraphBuilder.h"
#include "../RandomGraph.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

namespace {

std::string print(const Graph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeGraph(graph, os);
  return text;
}

std::string print(const Graph &graph, const Plan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(graph, plan, os);
  return text;
}

constexpr const char *tiny =
    R"({"version": 1, "name": "tiny", "fixed_bytes": 0,
 "tensors": [{"id": 0, "bytes": 4096, "kind": "input"}, {"id": 1, "bytes": 4096}],
 "nodes": [{"id": 0, "name": "relu", "cost": 12.5, "inputs": [0], "outputs": [1], "in_place": [[1, 0]]}]})";

constexpr const char *tinyPlan =
    R"({"version": 1, "graph": "tiny", "status": "feasible", "cost": 12.5, "peak_bytes": 8192,
 "steps": [{"compute": 0}, {"free": [1]}]})";

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A graph and plan that use every key.
std::pair<Graph, Plan> makeFull() {
  Graph graph = makeRandomGraph(11, 14);
  graph.name = "quotes \" and\nlines, \xc3\xa9";
  graph.hostBudgetBytes = 1 << 20;
  graph.bandwidth = Bandwidth{12.25, 11.5, 0.5};
  graph.nodes[0].variants = {{2.5, 64}};
  graph.nodes[0].flops = 7;
  graph.nodes[0].bytesMoved = 9;
  graph.nodes[0].cost = 0.1;
  graph.nodes[0].backward = true;
  graph.nodes[0].locations = {"layer \"1\"/conv", "bias"};
  graph.tensors[0].name = "w";
  GraphIndex index(graph);
  Schedule schedule = makeRandomSchedule(index, 11);
  Plan plan;
  plan.graphName = graph.name;
  plan.graphHash = hashGraph(graph);
  plan.status = SolveStatus::Optimal;
  plan.time = plan.cost = 1.0 / 3;
  plan.bound = 1e-7;
  plan.boundSpace = "fixed-order";
  plan.proof = "exact";
  plan.timeBound = 0.3;
  plan.timeBoundSpace = "run-once";
  plan.peakBytes = 123;
  plan.solver = "s";
  plan.budgetBytes = int64_t(1) << 60;
  plan.steps =
      buildActions(index, schedule, makeRandomInPlace(index, schedule, 11));
  plan.steps[0].variant = 1;
  plan.steps[0].stream = 7;
  plan.steps[0].event = -1;
  PlanAction evict = PlanAction::evict(TensorId(0), 2),
             fetch = PlanAction::fetch(TensorId(0), 3),
             drop = PlanAction::dropHost(TensorId(0)),
             free = PlanAction::free({TensorId(1)});
  evict.stream = 1;
  fetch.stream = 2;
  drop.stream = 3;
  free.stream = 4;
  plan.steps.insert(plan.steps.end(),
                    {evict, PlanAction::wait(2, 5), fetch, drop, free});
  plan.arenas = {{"device",
                  1024,
                  960,
                  64,
                  {{PlacementKind::Tensor, TensorId(4), NodeId(), 0, 2, 64},
                   {PlacementKind::Workspace, TensorId(), NodeId(1), 1, 2, 0},
                   {PlacementKind::Discard, TensorId(5), NodeId(), 4, 5, 128}},
                  {TensorId(0)}},
                 {"host",
                  64,
                  std::nullopt,
                  1,
                  {{PlacementKind::Tensor, TensorId(0), NodeId(), 3, 5, 0}},
                  {}}};
  return {graph, plan};
}

// What is written and read again must be the same, to the last digit of a cost.
TEST(GraphJson, RoundTrip) {
  auto [graph, plan] = makeFull();
  std::string text = print(graph);
  std::vector<std::string> warnings;
  llvm::Expected<Graph> again = parseGraph(text, &warnings);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  EXPECT_EQ(print(*again), text);
  EXPECT_EQ(hashGraph(*again), hashGraph(graph));
  EXPECT_EQ(again->nodes[0].cost, 0.1);
  EXPECT_EQ(again->nodes[0].variants.size(), 1u);
  EXPECT_EQ(again->name, graph.name);
  // One tensor and one node a line, so that files can be compared by lines.
  EXPECT_EQ(static_cast<size_t>(llvm::StringRef(text).count('\n')),
            2 + 1 + graph.tensors.size() + graph.nodes.size());
}

static const char *const twoParts = R"json({"version": 1,
 "tensors": [{"id": 0, "bytes": 24, "kind": "input"}, {"id": 1, "bytes": 24},
  {"id": 2, "view_of": 1, "part_of": {"offset": 16, "bytes": 8}},
  {"id": 3, "view_of": 1, "part_of": {"offset": 0, "bytes": 4, "rows": 2, "stride": 8, "written": true}}],
 "nodes": [{"id": 0, "cost": 1, "inputs": [0], "outputs": [1, 2], "recompute": false},
  {"id": 1, "cost": 1, "inputs": [0], "outputs": [3], "recompute": false}]})json";

// A part that lost its place on the way would be looked for at the start of its
// whole.
TEST(GraphJson, PartsRoundTrip) {
  llvm::Expected<Graph> graph = parseGraph(twoParts);
  ASSERT_THAT(graph, Succeeds());
  EXPECT_EQ(graph->tensors[1].partOf, std::nullopt);
  EXPECT_EQ(graph->tensors[2].partOf, (PartOf{16, 8, 1, 0}));
  EXPECT_EQ(graph->tensors[3].partOf, (PartOf{0, 4, 2, 8, true}));
  llvm::Expected<Graph> again = parseGraph(print(*graph));
  ASSERT_THAT(again, Succeeds());
  EXPECT_EQ(again->tensors[2].partOf, graph->tensors[2].partOf);
  EXPECT_EQ(again->tensors[3].partOf, graph->tensors[3].partOf);
  EXPECT_EQ(hashGraph(*again), hashGraph(*graph));
  again->tensors[3].partOf->offset = 4;
  EXPECT_NE(hashGraph(*again), hashGraph(*graph));
  EXPECT_THAT(parseGraph(replaced(twoParts, "\"bytes\": 8}", "\"byte\": 8}")),
              FailsWith("tensors[2].part_of lacks the key 'bytes'"));
}

TEST(PlanJson, RoundTrip) {
  auto [graph, plan] = makeFull();
  std::string text = print(graph, plan);
  std::vector<std::string> warnings;
  llvm::Expected<Plan> again = parsePlan(graph, text, &warnings);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  EXPECT_EQ(print(graph, *again), text);
  EXPECT_EQ(again->cost, 1.0 / 3);
  EXPECT_EQ(again->steps.size(), plan.steps.size());
  EXPECT_EQ(again->arenas[0].placements.size(), 3u);
  EXPECT_EQ(again->arenas[1].space, "host");
  EXPECT_EQ(again->steps[0].event, -1);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    EXPECT_EQ(again->steps[i].stream, plan.steps[i].stream) << i;
    EXPECT_EQ(again->steps[i].event, plan.steps[i].event) << i;
  }
}

// A direction without a rate, or a plan without a time, is not a rate or a time
// of 0.
TEST(PlanJson, RoundTripOfWhatIsUnsaid) {
  Graph graph = makeFull().first;
  std::string hash = hashGraph(graph);
  graph.bandwidth = Bandwidth{std::nullopt, 2.5, 0};
  llvm::Expected<Graph> again = parseGraph(print(graph));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_FALSE(again->bandwidth->hostToDevice);
  EXPECT_EQ(again->bandwidth->deviceToHost, 2.5);
  EXPECT_EQ(again->bandwidth->latency, 0);
  EXPECT_EQ(hashGraph(*again), hashGraph(graph));
  EXPECT_NE(hashGraph(graph), hash);
  llvm::Expected<Graph> small = parseGraph(tiny);
  ASSERT_TRUE(bool(small));
  llvm::Expected<Plan> plan = parsePlan(*small, tinyPlan);
  ASSERT_TRUE(bool(plan));
  EXPECT_FALSE(plan->time);
  EXPECT_THAT(print(*small, *plan), testing::Not(testing::HasSubstr("time")));
}

TEST(PlanJson, RoundTripWithoutSteps) {
  llvm::Expected<Graph> graph = parseGraph(tiny);
  ASSERT_TRUE(bool(graph));
  Plan plan;
  plan.status = SolveStatus::Infeasible;
  plan.boundSpace = "free-order";
  plan.proof = "exact";
  plan.boundBytes = 8192;
  plan.minimumBudgetBytes = 9000;
  plan.budgetBytes = 100;
  plan.witnessNode = NodeId(0);
  plan.witnessTensors = {TensorId(0), TensorId(1)};
  std::string text = print(*graph, plan);
  llvm::Expected<Plan> again = parsePlan(*graph, text);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(print(*graph, *again), text);
  EXPECT_EQ(again->boundBytes, 8192);
  EXPECT_EQ(again->witnessTensors.size(), 2u);
  EXPECT_THAT(verifyPlan(GraphIndex(*graph), *again), Succeeds());
  EXPECT_THAT(verifyPlan(GraphIndex(*graph), *again, 8192),
              FailsWith("bound_bytes 8192 is within the budget 8192"));
}

TEST(GraphJson, ReadsWhatTheFormatSays) {
  llvm::Expected<Graph> graph = parseGraph(tiny);
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  EXPECT_EQ(graph->tensors[1].kind, TensorKind::Activation);
  EXPECT_EQ(graph->nodes[0].inPlace[0].output, TensorId(1));
  // The first variant stands for the node's own cost.
  std::string text =
      replaced(tiny, "\"in_place\"",
               "\"variants\": [{\"cost\": 12.5}, {\"cost\": 3}], \"in_place\"");
  graph = parseGraph(text);
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  ASSERT_EQ(graph->nodes[0].variants.size(), 1u);
  EXPECT_EQ(graph->nodes[0].variants[0].cost, 3);
}

TEST(GraphJson, NamesWhatIsWrong) {
  auto expectError = [](const char *from, const char *to, const char *message) {
    EXPECT_THAT(parseGraph(replaced(tiny, from, to)), FailsWith(message));
  };
  expectError("\"bytes\": 4096, ", "", "tensors[0] lacks the key 'bytes'");
  expectError("\"cost\": 12.5, ", "", "nodes[0] lacks the key 'cost'");
  expectError("\"inputs\": [0], ", "", "nodes[0] lacks the key 'inputs'");
  expectError("\"version\": 1", "\"version\": 7", "version 7 is not known");
  expectError("{\"version\": 1, ", "{", "the graph lacks the key 'version'");
  expectError("4096", "\"4096\"",
              "key 'bytes' of tensors[0] must be an integer");
  expectError("4096", "4096.5", "key 'bytes' of tensors[0] must be an integer");
  expectError("4096", "1e300", "key 'bytes' of tensors[0] must be an integer");
  expectError("4096", "9223372036854775808",
              "key 'bytes' of tensors[0] must be an integer");
  expectError("4096", "-4096", "tensor 0 has negative bytes: -4096");
  expectError("12.5", "-12.5", "negative");
  expectError("12.5", "1e999",
              "key 'cost' of nodes[0] must be a finite number");
  expectError("12.5", "NaN", "Invalid JSON value");
  expectError("12.5", "null", "nodes[0] lacks the key 'cost'");
  expectError("\"input\"", "\"inpt\"", "is 'inpt'; known are parameter");
  expectError("\"cost\": 12.5", "\"cost\": 12.5, \"stream\": \"copy\"",
              "key 'stream' of nodes[0] is 'copy'; known is comm");
  expectError("\"inputs\": [0]", "\"inputs\": [5]",
              "key 'inputs' of nodes[0] names tensor 5, which does not exist");
  expectError("\"inputs\": [0]", "\"inputs\": 0",
              "key 'inputs' of nodes[0] must be an array");
  expectError("\"inputs\": [0]", "\"inputs\": [[0]]",
              "key 'inputs' of nodes[0] must be an array of integers");
  expectError("[[1, 0]]", "[[1, 0, 0]]",
              "key 'in_place' of nodes[0] must be an array of pairs");
  expectError("\"id\": 1", "\"id\": 0", "duplicate tensor id 0");
  expectError("\"kind\": \"input\"", "\"id\": 3",
              "duplicate key 'id' in one object");
  expectError("[{\"id\": 0, \"bytes\"", "[3, {\"id\": 0, \"bytes\"",
              "tensors[0] must be an object");
  EXPECT_THAT(parseGraph(""), FailsWith("Unexpected EOF"));
  EXPECT_THAT(parseGraph("[]"), FailsWith("the graph must be an object"));
  EXPECT_THAT(parseGraph(std::string(100000, '[')),
              FailsWith("nests deeper than 64 levels"));
  EXPECT_THAT(parseGraph("{\"a\": \"\xff\"}"), FailsWith("UTF-8"));
}

TEST(PlanJson, NamesWhatIsWrong) {
  llvm::Expected<Graph> graph = parseGraph(tiny);
  ASSERT_TRUE(bool(graph));
  ASSERT_TRUE(bool(parsePlan(*graph, tinyPlan)));
  auto expectError = [&](const char *from, const char *to,
                         const char *message) {
    EXPECT_THAT(parsePlan(*graph, replaced(tinyPlan, from, to)),
                FailsWith(message));
  };
  expectError(
      "\"compute\": 0", "\"compute\": 4",
      "key 'compute' of steps[0] names node 4, which is not in the graph");
  expectError(
      "[1]", "[8]",
      "key 'free' of steps[1] names tensor 8, which is not in the graph");
  expectError("{\"free\"", "{\"compute\": 0, \"free\"",
              "steps[1] has two actions");
  expectError("\"compute\": 0", "\"evict\": 0",
              "steps[0] lacks the key 'event'");
  expectError("\"compute\": 0", "\"compute\": 0, \"stream\": 1e10",
              "outside 0 to 2147483647");
  expectError("feasible", "fine",
              "'fine'; known are optimal, feasible, infeasible and no_plan");
}

TEST(Json, WarnsAboutUnknownKeysOnce) {
  std::vector<std::string> warnings;
  std::string text = replaced(tiny, "\"id\": 0", "\"color\": 1, \"id\": 0");
  text = replaced(text, "\"id\": 1", "\"color\": 2, \"id\": 1");
  llvm::Expected<Graph> graph = parseGraph(text, &warnings);
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "unknown key 'color' of tensor is ignored, 2 times"});
  warnings.clear();
  ASSERT_TRUE(bool(parsePlan(
      *graph,
      replaced(tinyPlan, "\"graph\"", "\"graph_hash\": \"00\", \"graph\""),
      &warnings)));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              testing::HasSubstr("was made for a graph with hash 00"));
}

// If a change that matters kept the hash, a plan could be applied to another
// graph unnoticed.
TEST(Hash, DependsOnWhatPlansDependOn) {
  auto [graph, plan] = makeFull();
  std::string hash = hashGraph(graph);
  EXPECT_EQ(hash.size(), 32u);
  auto changes = [&](auto change) {
    Graph other = graph;
    change(other);
    return hashGraph(other) != hash;
  };
  EXPECT_TRUE(changes([](Graph &g) { g.tensors[0].bytes += 1; }));
  EXPECT_TRUE(changes([](Graph &g) { g.tensors[3].externalId = 99999; }));
  EXPECT_TRUE(
      changes([](Graph &g) { g.tensors[0].donated = !g.tensors[0].donated; }));
  EXPECT_TRUE(changes([](Graph &g) { g.nodes[1].cost += 0.5; }));
  EXPECT_TRUE(
      changes([](Graph &g) { g.nodes[1].recompute = !g.nodes[1].recompute; }));
  EXPECT_TRUE(changes([](Graph &g) { g.nodes[1].inputs.pop_back(); }));
  EXPECT_TRUE(changes([](Graph &g) { g.fixedBytes += 1; }));
  EXPECT_FALSE(changes([](Graph &g) { g.name = "other"; }));
  EXPECT_FALSE(changes([](Graph &g) { g.nodes[1].name = "other"; }));
  // The same on every machine and in every build; computed apart with Python's
  // hashlib.
  llvm::Expected<Graph> known = parseGraph(tiny);
  ASSERT_TRUE(bool(known));
  EXPECT_EQ(hashGraph(*known), "d2059a674d78ce0cc5952585904e6606");
}

/// Changes a few bytes as a careless editor or a broken disk would.
std::string mutate(std::string text, Dice &dice) {
  static const std::string pieces[] = {"{",      "}",
                                       "[",      "]",
                                       ",",      ":",
                                       "\"",     "-",
                                       "1e308",  "9223372036854775807",
                                       "null",   "true",
                                       "\"id\"", "\"view_of\": ",
                                       "[[",     "\\u0000",
                                       "0.5",    "-1"};
  for (int64_t edits = 1 + dice.roll(4); edits-- > 0 && !text.empty();) {
    auto at = static_cast<size_t>(dice.roll(static_cast<int64_t>(text.size())));
    switch (dice.roll(9)) {
    case 0:
      text[at] = static_cast<char>(dice.roll(256));
      break;
    case 1:
      text.erase(at, static_cast<size_t>(1 + dice.roll(30)));
      break;
    case 2:
      text.insert(at, pieces[dice.roll(std::size(pieces))]);
      break;
    case 3:
      text.insert(at, text.substr(static_cast<size_t>(dice.roll(
                                      static_cast<int64_t>(text.size()))),
                                  40));
      break;
    default: { // Another digit keeps the syntax and changes the meaning.
      size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos)
        text[digit] = static_cast<char>('0' + dice.roll(10));
      break;
    }
    }
  }
  return text;
}

// Files come from anywhere. Whatever they hold, reading, verifying and
// measuring must end in a value or an error; run under the sanitizers this
// finds what plain runs forgive.
TEST(JsonFuzz, MutatedFilesNeverCrash) {
  int graphs = 0, plans = 0, accepted = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Graph graph = makeRandomGraph(seed % 40, 6);
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed % 40);
    Plan plan;
    plan.status = SolveStatus::Feasible;
    plan.steps = buildActions(index, schedule,
                              makeRandomInPlace(index, schedule, seed % 40));
    ScheduleMetrics metrics = measureSchedule(
        index, schedule, makeRandomInPlace(index, schedule, seed % 40));
    plan.time = plan.cost = metrics.cost;
    plan.peakBytes = metrics.peakBytes;
    // A caller's tensor leaves and comes back.
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (index.staysToTheEnd(TensorId(i)) && !index.producer(TensorId(i)) &&
          !graph.tensors[i].viewOf) {
        plan.steps.insert(plan.steps.end(), {PlanAction::evict(TensorId(i), 1),
                                             PlanAction::wait(1),
                                             PlanAction::fetch(TensorId(i), 2),
                                             PlanAction::wait(2)});
        break;
      }
    std::string planText = print(graph, plan);

    llvm::Expected<Graph> otherGraph = parseGraph(mutate(print(graph), dice));
    if (otherGraph) {
      ++graphs;
      GraphIndex otherIndex(*otherGraph);
      llvm::consumeError(verifySchedule(otherIndex, schedule));
      llvm::Expected<Plan> samePlan = parsePlan(*otherGraph, planText);
      if (samePlan)
        llvm::consumeError(verifyPlan(otherIndex, *samePlan));
      else
        llvm::consumeError(samePlan.takeError());
    } else {
      EXPECT_FALSE(takeMessage(otherGraph).empty());
    }
    llvm::Expected<Plan> otherPlan = parsePlan(graph, mutate(planText, dice));
    if (!otherPlan) {
      EXPECT_FALSE(takeMessage(otherPlan).empty());
      continue;
    }
    ++plans;
    accepted += takeMessage(verifyPlan(index, *otherPlan)).empty();
  }
  // Enough mutants must get past the parser, or the rest saw none.
  EXPECT_GT(graphs, 300);
  EXPECT_GT(plans, 300);
  EXPECT_LT(accepted, plans);
}

TEST(Json, TwentyRunsGiveTheSameBytes) {
  auto [graph, plan] = makeFull();
  std::string graphText = print(graph), planText = print(graph, plan);
  for (int run = 0; run < 20; ++run) {
    auto [again, planAgain] = makeFull();
    EXPECT_EQ(print(again), graphText);
    EXPECT_EQ(print(again, planAgain), planText);
  }
}

} // namespace
