//===- OptionsTest.cpp - The one table of planning options ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Options.h"
#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Schedule/Liveness.h"
#include <fstream>
#include <set>
#include <sstream>

using namespace memplan;

// Who does not choose gets `auto`, so it has to be in every table, first.
TEST(Options, auto_is_the_first_solver_and_the_default_of_every_problem) {
  EXPECT_EQ(rematSolvers().front().name, "auto");
  EXPECT_EQ(orderSolvers().front().name, "auto");
  EXPECT_EQ(sharingSolvers().front().name, "auto");
  EXPECT_EQ(arenaSolvers().front().name, "auto");
  for (const char *name : {"remat", "order", "sharing", "arena"})
    EXPECT_EQ(findOption(name)->defaultText(), "auto");
  // Copies are asked for.
  EXPECT_EQ(swapSolvers().front().name, "none");
  EXPECT_EQ(findOption("swap")->defaultText(), "none");
}

// Scripts that ask for swap=cost would stop, or plan otherwise than before.
TEST(Options, a_former_name_of_a_solver_means_the_solver) {
  PlanOptions options;
  EXPECT_THAT(setOption(options, "swap", "cost"), Succeeds());
  EXPECT_EQ(findOption("swap")->get(options), "search");
  EXPECT_EQ(solverNamed(swapSolvers(), "cost").name, "search");
  // No name is not the former name of those that have none.
  EXPECT_FALSE(errorToBool(setOption(options, "remat", "search")));
  EXPECT_TRUE(errorToBool(setOption(options, "remat", "")));
}

// A pass prints its options, and a pipeline made from that text must plan the
// same.
TEST(Options, what_get_prints_set_reads) {
  const std::pair<const char *, std::vector<const char *>> cases[] = {
      {"remat", {"milp"}},
      {"sharing", {"none", "color"}},
      {"budget", {"", "16G", "12345", "80%", "12.5%", "0.1%"}},
      {"alignment", {"1", "64"}},
      {"in-place", {"false", "true"}},
      {"effort", {"0", "9223372036854775807", "20s", "0.5s"}},
      {"time-limit", {"0", "0.1", "2.5", "1e+20"}},
      {"batch", {"", "8"}},
      {"precision", {"f32", "tf32", "bf16", "f16"}},
      {"layout", {"channels-first", "channels-last"}},
      {"fuse", {"false", "true"}},
      {"loss-chunks", {"1", "4096"}},
      {"ranks", {"1", "4096"}},
      {"loss-scale", {"0", "65536", "0.5"}},
      {"bandwidth", {"", "12.25,11.5", "1,2,0.5"}},
      {"host-budget", {"", "0", "3G"}},
      {"host-state", {"none", "states", "all"}},
  };
  for (const auto &[name, texts] : cases)
    for (const char *text : texts) {
      PlanOptions options;
      EXPECT_THAT(setOption(options, name, text), Succeeds()) << name;
      EXPECT_EQ(findOption(name)->get(options), text) << name;
    }
  for (const PlanningOption &option : planningOptions()) {
    PlanOptions options;
    EXPECT_THAT(option.set(options, option.defaultText()), Succeeds())
        << option.name.str();
    EXPECT_EQ(option.get(options), option.defaultText());
  }
}

// A text that means nothing must not plan something else.
TEST(Options, errors_name_the_option_and_the_text) {
  const std::tuple<const char *, const char *, const char *> cases[] = {
      {"remat", "magic", "unknown remat solver 'magic'; there are 'auto'"},
      {"order", "random", "unknown order solver 'random'"},
      {"swap", "magic",
       "unknown swap solver 'magic'; there are 'none', 'tflms'"},
      {"tflms", "bounds=3", "'bounds' is no parameter of TFLMS; there are"},
      {"tflms", "lb=0", "tflms: lb: '0' is no integer from 1 on"},
      {"tflms", "n_tensors=-2", "n_tensors: '-2' is no integer from -1 on"},
      {"tflms", "fuse_swapins=1", "'1' is neither true nor false"},
      {"tflms", "ctrld_strategy=best", "neither chain_rule nor direct_order"},
      {"tflms", "excl_types=a++b", "'a++b' has an empty name"},
      {"tflms", "codec=fp8", "'fp8' is neither none nor bf16"},
      {"in-place", "yes", "in-place: 'yes' is neither true nor false"},
      {"budget", "lots", "budget: size 'lots'"},
      {"budget", "0", "budget: must be above 0 bytes"},
      {"budget", "120%", "budget: size '120%'"},
      {"alignment", "48", "alignment: 48 is not a power of two"},
      {"effort", "-1", "effort: must not be negative, but is -1"},
      {"effort", "many", "effort: 'many' is not an integer"},
      {"effort", "9223372036854775808", "is not an integer below 2^63"},
      {"time-limit", "nan", "time-limit: must be a number of seconds"},
      {"time-limit", "-1", "not negative, but is '-1'"},
      {"precision", "fp8",
       "precision: must be f32, tf32, bf16 or f16, not 'fp8'"},
      {"layout", "nhwc",
       "layout: must be channels-first or channels-last, not 'nhwc'"},
      {"loss-chunks", "0",
       "loss-chunks: must be a whole number from 1 to 4096"},
      {"ranks", "0", "ranks: must be a whole number from 1 to 4096"},
      {"ranks", "two", "from 1 to 4096, but is 'two'"},
      {"loss-scale", "-1", "loss-scale: must be a number that f32 holds"},
      {"loss-scale", "1e39", "not negative, but is '1e39'"},
      {"batch", "-2", "batch: must not be negative"},
      {"batch", "0", "batch: must be at least 1"},
      {"threads", "0", "threads: must be from 1 to 1024, but is 0"},
      {"bandwidth", "1", "bandwidth: '1' has 1 numbers; write H2D,D2H"},
      {"bandwidth", "0,1", "bandwidth: '0' is not a positive rate"},
      {"bandwidth", "1,1,-2", "bandwidth: '-2' is not a latency"},
      {"host-budget", "-1", "host-budget: size '-1'"},
      {"host-budget", "50%", "host-budget: size '50%'"},
      {"host-state", "moments", "host-state: "},
      {"thread", "2", "unknown planning option 'thread'"},
  };
  for (auto [name, text, said] : cases) {
    PlanOptions options;
    EXPECT_THAT(setOption(options, name, text), FailsWith(said));
  }
}

// A share of the peak means bytes only with a graph, and the same ones for
// every tool.
TEST(Options, a_share_becomes_bytes_of_the_unplanned_peak) {
  SmallGraph g;
  g.keep(g.op({g.op({g.caller(40)}, 30)}, 30));
  GraphIndex index(g.graph);
  EXPECT_EQ(measureUnplanned(index).peakBytes, 100);
  PlanOptions options;
  ASSERT_THAT(setOption(options, "budget", "85%"), Succeeds());
  EXPECT_FALSE(options.budgetBytes);
  resolveBudget(index, options);
  EXPECT_EQ(options.budgetBytes, 85);
}

// What the options leave open stays as the graph has it.
TEST(Options, bandwidth_and_host_budget_become_the_graphs) {
  SmallGraph g;
  g.keep(g.op({g.caller(40)}, 30));
  g.graph.bandwidth = Bandwidth{7, 8, 9};
  g.graph.hostBudgetBytes = 100;
  PlanOptions options;
  ASSERT_THAT(setOption(options, "bandwidth", "2,3,0.5"), Succeeds());
  applyCopyOptions(options, g.graph);
  EXPECT_EQ(g.graph.bandwidth->hostToDevice, 2);
  EXPECT_EQ(g.graph.bandwidth->deviceToHost, 3);
  EXPECT_EQ(g.graph.bandwidth->latency, 0.5);
  EXPECT_EQ(g.graph.hostBudgetBytes, 100);
  ASSERT_THAT(setOption(options, "host-budget", "1K"), Succeeds());
  ASSERT_THAT(setOption(options, "bandwidth", ""), Succeeds());
  applyCopyOptions(options, g.graph);
  EXPECT_EQ(g.graph.bandwidth->hostToDevice, 2);
  EXPECT_EQ(g.graph.hostBudgetBytes, 1024);
}

static std::string usersOf(const PlanningOption &option) {
  const std::pair<OptionUser, const char *> names[] = {
      {OptionUser::SolveRemat, "solve remat"},
      {OptionUser::SolveArena, "solve arena"},
      {OptionUser::Check, "solve check"},
      {OptionUser::CheckOffsets, "solve check-offsets"},
      {OptionUser::Pass, "pass"},
      {OptionUser::Opt, "opt"},
      {OptionUser::Run, "run"}};
  std::string text;
  for (auto [user, name] : names)
    if (option.isFor(user))
      text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

// The manual must have what the tools have. To correct the page, paste the rows
// that this prints.
TEST(Options, the_page_has_the_rows_of_the_table) {
  std::ifstream file(std::string(MEMPLAN_TEST_DIR) + "/../docs/Options.md");
  std::stringstream page;
  page << file.rdbuf();
  std::string rows;
  for (const PlanningOption &option : planningOptions()) {
    const std::string value = option.value.empty() ? "" : option.value.str();
    std::string syntax = value;
    for (size_t at = 0; (at = syntax.find('|', at)) != std::string::npos;
         at += 2)
      syntax.insert(at, "\\");
    rows += "| `" + option.name.str() + "` | " + syntax + " | " +
            option.defaultText() + " | " + usersOf(option) + " | " +
            option.help.str() + " |\n";
  }
  const std::string head = "|---|---|---|---|---|\n";
  const size_t begin = page.str().find(head) + head.size();
  const size_t end = page.str().find("\n\n", begin);
  EXPECT_EQ(page.str().substr(begin, end == std::string::npos
                                         ? std::string::npos
                                         : end + 1 - begin),
            rows);
}
