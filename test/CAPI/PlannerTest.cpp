//===- PlannerTest.cpp - What C callers cannot see of failures ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Planner.h"
#include "FailingAllocator.h"
#include "gtest/gtest.h"
#include <atomic>
#include <string>
#include <thread>

namespace {

/// A chain whose backward nodes read what forward nodes made, as text.
std::string chainText(int n) {
  std::string tensors, nodes;
  for (int i = 0; i <= 2 * n; ++i) {
    const std::string number = std::to_string(i);
    tensors += (i ? "," : "") + ("{\"id\":" + number) + ",\"bytes\":1024}";
    std::string inputs = i > 0 ? std::to_string(i - 1) : "";
    if (i > n + 1)
      inputs += "," + std::to_string(2 * n - i);
    nodes += (i ? "," : "") + ("{\"id\":" + number) +
             ",\"cost\":1,\"inputs\":[" + inputs + "],\"outputs\":[" + number +
             "]}";
  }
  return "{\"version\":1,\"name\":\"chain\",\"fixed_bytes\":0,\"tensors\":[" +
         tensors + "],\"nodes\":[" + nodes + "]}";
}

struct Outcome {
  memplan_status_t status;
  std::string plan;
};

/// Reads, plans and writes by way of C, and stops at the first call that fails.
Outcome planText(const std::string &graphText, const char *remat,
                 const memplan_options_t *given = nullptr,
                 const char *threads = "2") {
  memplan_graph_t *graph = nullptr;
  memplan_options_t *options = nullptr;
  memplan_plan_t *plan = nullptr;
  char *text = nullptr;
  memplan_status_t status = memplan_graph_read_json(
      graphText.data(), int64_t(graphText.size()), &graph);
  if (status == MEMPLAN_OK)
    status = memplan_options_create(&options);
  if (status == MEMPLAN_OK)
    status = memplan_options_set(options, "budget", "6K");
  if (status == MEMPLAN_OK)
    status = memplan_options_set(options, "effort", "300");
  if (status == MEMPLAN_OK)
    status = memplan_options_set(options, "remat", remat);
  if (status == MEMPLAN_OK)
    status = memplan_options_set(options, "plan-threads", threads);
  if (status == MEMPLAN_OK)
    status = memplan_plan_step(graph, given ? given : options, &plan);
  if (status == MEMPLAN_OK)
    status = memplan_plan_json(graph, plan, &text, nullptr);
  Outcome outcome = {status, ""};
  if (text) {
    FailingAllocator::Pause pause;
    outcome.plan = text;
  }
  memplan_text_destroy(text);
  memplan_plan_destroy(plan);
  memplan_options_destroy(options);
  memplan_graph_destroy(graph);
  return outcome;
}

} // namespace

// A host short of memory gets an error for the one call, wherever the
// allocation that failed was, and goes on. Only those of this thread fail, so
// that the whole planning is on it.
TEST(PlannerInC, survives_every_allocation_that_fails) {
  const std::string graph = chainText(4);
  const char *threads = "1";
  for (const char *solver : {"auto", "greedy", "milp"}) {
    const std::string expected = planText(graph, solver).plan;
    if (expected.empty() && std::string(solver) == "milp")
      continue; // Not built.
    ASSERT_FALSE(expected.empty()) << memplan_last_error();
    int64_t failures = 0;
    // The first two hundred one by one, then ever more apart.
    for (int64_t nth = 0;; nth += 1 + nth / 200) {
      Outcome outcome;
      bool failed = false;
      {
        FailingAllocator allocator(nth);
        outcome = planText(graph, solver, nullptr, threads);
        failed = allocator.hasFailed();
      }
      if (!failed)
        break;
      ++failures;
      // Some allocations are only for speed, and are done without.
      if (outcome.status == MEMPLAN_OK) {
        EXPECT_EQ(outcome.plan, expected) << solver << " without " << nth;
        continue;
      }
      ASSERT_EQ(outcome.status, MEMPLAN_OUT_OF_MEMORY)
          << solver << " without " << nth << ": " << memplan_last_error();
      ASSERT_STREQ(memplan_last_error(), "out of memory");
    }
    EXPECT_GT(failures, 100);
    EXPECT_EQ(planText(graph, solver).plan, expected);
  }
}

// Two threads of a host plan at once; what one cancels and what it is told is
// its own.
TEST(PlannerInC, plans_on_two_threads) {
  const std::string graph = chainText(8);
  const std::string expected = planText(graph, "auto").plan;
  memplan_options_t *cancelled = nullptr;
  ASSERT_EQ(memplan_options_create(&cancelled), MEMPLAN_OK);
  memplan_options_cancel(cancelled, 1);
  std::string errors[2];
  std::atomic<int> equal = 0;
  auto plan = [&](int number) {
    for (int i = 0; i < 3; ++i) {
      if (number == 0)
        EXPECT_EQ(planText(graph, "auto", cancelled).status, MEMPLAN_OK);
      else
        equal += planText(graph, "auto").plan == expected;
      planText(number == 0 ? "first {" : "{\"second\": [", "auto");
      errors[number] = memplan_last_error();
    }
  };
  std::thread other(plan, 1);
  plan(0);
  other.join();
  EXPECT_EQ(equal, 3);
  EXPECT_NE(errors[0], errors[1]);
  memplan_options_destroy(cancelled);
}

// A host that was built against another minor version has other structs.
TEST(PlannerInC, takes_structs_of_other_sizes) {
  memplan_graph_t *graph = nullptr;
  ASSERT_EQ(memplan_graph_create("g", &graph), MEMPLAN_OK);
  struct {
    memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
    int64_t later = 1;
  } newer;
  newer.tensor.struct_bytes = int32_t(sizeof(newer));
  newer.tensor.bytes = 5;
  ASSERT_EQ(memplan_graph_add_tensor(graph, &newer.tensor, nullptr),
            MEMPLAN_OK);
  memplan_graph_tensor_t older = MEMPLAN_GRAPH_TENSOR_INIT;
  older.struct_bytes = 16;
  older.bytes = 6;
  older.view_of = 0; // Beyond what the caller knows.
  ASSERT_EQ(memplan_graph_add_tensor(graph, &older, nullptr), MEMPLAN_OK);
  ASSERT_EQ(memplan_graph_get_tensor(graph, 0, &newer.tensor), MEMPLAN_OK);
  EXPECT_EQ(newer.tensor.bytes, 5);
  EXPECT_EQ(newer.later, 1);
  memplan_graph_tensor_t full = MEMPLAN_GRAPH_TENSOR_INIT;
  ASSERT_EQ(memplan_graph_get_tensor(graph, 1, &full), MEMPLAN_OK);
  EXPECT_EQ(full.bytes, 6);
  EXPECT_EQ(full.view_of, -1);
  memplan_graph_destroy(graph);
}

// A caller that destroys what a failing call gave, destroys nothing: whatever
// stood in the pointer before, and whichever parameter was null.
TEST(PlannerInC, sets_what_it_would_have_made_to_null) {
  auto *plan = reinterpret_cast<memplan_plan_t *>(1);
  EXPECT_EQ(memplan_plan_step(nullptr, nullptr, &plan),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  auto *graph = reinterpret_cast<memplan_graph_t *>(1);
  EXPECT_EQ(memplan_graph_read_json("{}", -1, &graph),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
  ASSERT_EQ(memplan_graph_create("empty", &graph), MEMPLAN_OK);
  plan = reinterpret_cast<memplan_plan_t *>(1);
  EXPECT_EQ(memplan_plan_read_json(graph, nullptr, 0, &plan),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  memplan_graph_destroy(graph);
  char stale[] = "stale", *text = stale;
  int64_t bytes = 5;
  EXPECT_EQ(memplan_graph_json(nullptr, &text, &bytes),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(bytes, 0);
  text = stale;
  EXPECT_EQ(memplan_plan_json(nullptr, nullptr, &text, nullptr),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  text = stale;
  EXPECT_EQ(memplan_plan_report_json(nullptr, nullptr, nullptr, &text, nullptr),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  text = stale;
  EXPECT_EQ(memplan_curve_json(nullptr, nullptr, &text, nullptr),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  text = stale;
  EXPECT_EQ(memplan_options_get(nullptr, "remat", &text),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  auto *curve = reinterpret_cast<memplan_curve_t *>(1);
  EXPECT_EQ(memplan_plan_curve(nullptr, nullptr, &curve),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(curve, nullptr);
  memplan_action_t action;
  const memplan_action_t *actions = &action;
  int64_t count = 3;
  EXPECT_EQ(memplan_plan_actions(nullptr, &actions, &count),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(actions, nullptr);
  EXPECT_EQ(count, 0);
}
