//===- SwapTflmsTest.cpp - TFLMS on steps whose swaps are known -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is expected was worked out by hand from the text of the paper.
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "TflmsGraphs.h"
#include "memplan/Planner/Swap/SwapProblem.h"

using namespace memplan;

static const SwapSolver &tflms() { return solverNamed(swapSolvers(), "tflms"); }

static std::vector<int32_t> levelsOf(const NamedGraph &step) {
  TflmsCase its(step);
  return RunGraph(its.problem).levels;
}

// TL-1
TEST(Tflms, levels_are_longest_paths_from_variables) {
  EXPECT_EQ(levelsOf(makeMirror(4)),
            (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // An update of what the first op reads changes no level and makes no cycle.
  NamedGraph updated = makeMirror(4);
  updated.update("x");
  updated.g.graph.tensors[0].kind = TensorKind::Parameter;
  EXPECT_EQ(levelsOf(updated), levelsOf(makeMirror(4)));
  // Ops of one level stand beside each other, whatever the order.
  NamedGraph wide;
  wide.caller("x");
  wide.op("a", {"x"});
  wide.op("b", {"x"});
  wide.op("c", {"b"});
  wide.op("d", {"a", "c"});
  EXPECT_EQ(levelsOf(wide), (std::vector<int32_t>{1, 1, 2, 3}));
}

// What reads the old version comes before the update, and what reads the new
// one after it: control edges, in the words of the paper.
TEST(Tflms, an_update_separates_the_users_of_two_versions) {
  NamedGraph step;
  step.caller("w", 1, TensorKind::Parameter);
  step.caller("x");
  step.op("a", {"x"});
  step.op("b", {"a", "w"});
  step.op("update", {"x", "w"});
  step.update("w");
  step.op("c", {"w"});
  EXPECT_EQ(levelsOf(step), (std::vector<int32_t>{1, 2, 3, 4}));
}

// TL-2
TEST(Tflms, edges_into_the_backward_pass_are_rewritten) {
  NamedGraph four = makeMirror(4), eight = makeMirror(8);
  Rewriting small = TflmsCase(four).rewrite();
  EXPECT_EQ(small.swapped.size(), 3u);
  EXPECT_EQ(small.numSwapIns(), 3u);
  Rewriting large = TflmsCase(eight).rewrite();
  EXPECT_EQ(large.swapped.size(), 7u);
  EXPECT_EQ(large.numSwapIns(), 7u);
}

/// The control ops that an algorithm finds for f1, f2, ... of a mirror.
static std::string controlsOf(int n, int64_t lb, bool byChainRule) {
  NamedGraph step = makeMirror(n);
  TflmsCase its(step);
  RunGraph graph(its.problem);
  ControlOps controls(graph);
  std::string text;
  for (int i = 1; i < n; ++i) {
    const int32_t source = *step.run("f" + std::to_string(i));
    const int32_t target = *step.run("b" + std::to_string(i + 1));
    text += (i > 1 ? " " : "") +
            step.nameOf(
                byChainRule
                    ? controls.findByChainRule(source, target, lb, 10000)
                    : controls.findByDirectOrder(source, target, lb, 10000));
  }
  return text;
}

// TL-3
TEST(Tflms, direct_order_counts_back_from_the_target) {
  EXPECT_EQ(controlsOf(4, 1, false), "b3 b4 L");
  EXPECT_EQ(controlsOf(4, 2, false), "b4 L f4");
  EXPECT_EQ(controlsOf(4, 3, false), "L f4 -");
  EXPECT_EQ(controlsOf(4, 5, false), "f3 - -");
}

// TL-4
TEST(Tflms, chain_rule_counts_down_from_the_source) {
  EXPECT_EQ(controlsOf(4, 1, true), "b3 b4 -");
  EXPECT_EQ(controlsOf(4, 2, true), "b4 b4 -");
  EXPECT_EQ(controlsOf(4, 5, true), "- - -");
  EXPECT_EQ(controlsOf(8, 3, true), "b5 b6 b7 b8 b8 b8 -");
}

// An upper bound ends the search: of levels before the target, of levels below
// the source.
TEST(Tflms, the_upper_bound_ends_the_search) {
  NamedGraph step = makeMirror(8);
  TflmsCase its(step);
  RunGraph graph(its.problem);
  ControlOps controls(graph);
  const int32_t source = *step.run("f1"), target = *step.run("b2");
  EXPECT_EQ(step.nameOf(controls.findByChainRule(source, target, 3, 4)), "b5");
  EXPECT_EQ(step.nameOf(controls.findByChainRule(source, target, 3, 3)), "-");
  EXPECT_EQ(step.nameOf(controls.findByChainRule(source, target, 1, 0)), "-");
  EXPECT_EQ(step.nameOf(controls.findByDirectOrder(source, target, 3, 3)),
            "b5");
  EXPECT_EQ(step.nameOf(controls.findByDirectOrder(source, target, 3, 2)), "-");
}

// TL-4: what is read right after the loss has no user across to be triggered
// by, and takes its control op from the order.
TEST(Tflms, near_the_loss_the_order_chooses) {
  NamedGraph step = makeMirror(4);
  TflmsCase its(step);
  EXPECT_EQ(its.describe(its.rewrite()), "f1: b3>b2; f2: b4>b3; f3: L>b4");
  TflmsCase direct(step, "ctrld_strategy=direct_order");
  EXPECT_EQ(direct.describe(direct.rewrite(1, 2)),
            "f1: b4>b2; f2: L>b3; f3: f4>b4");
}

// TL-5 and TL-6
TEST(Tflms, figure_4) {
  NamedGraph step = makeFigure4();
  TflmsCase its(step, "optimizer_scopes=none,ctrld_strategy=direct_order");
  EXPECT_EQ(its.describe(its.rewrite(5, 3)), "v10: v15>v18 v22>v25");
  EXPECT_EQ(its.describe(its.rewrite(7, 3)), "v10: v15>v18 v22>v25");
  EXPECT_EQ(its.describe(its.rewrite(8, 3)), "v10: v22>v25");
  EXPECT_EQ(its.describe(its.rewrite(15, 3)), "");
}

// TL-7
TEST(Tflms, near_consumers_share_a_swap_in) {
  NamedGraph step = makeFigure4();
  const std::string common =
      "optimizer_scopes=none,ctrld_strategy=direct_order,fuse_swapins=true";
  TflmsCase near(step, (common + ",closeness=10").c_str());
  EXPECT_EQ(near.describe(near.rewrite(5, 3)), "v10: v15>v18,v25");
  TflmsCase far(step, (common + ",closeness=6").c_str());
  EXPECT_EQ(far.describe(far.rewrite(5, 3)), "v10: v15>v18 v22>v25");
}

// TL-8
TEST(Tflms, skips_of_a_unet) {
  NamedGraph step = makeSkips();
  auto count = [&](const char *parameters, int64_t threshold) {
    Rewriting rewriting = TflmsCase(step, parameters).rewrite(threshold);
    return std::pair(rewriting.swapped.size(), rewriting.numSwapIns());
  };
  using Counts = std::pair<size_t, size_t>;
  EXPECT_EQ(count("", 1), Counts(4, 6));
  EXPECT_EQ(count("optimizer_scopes=none", 1), Counts(6, 10));
  EXPECT_EQ(count("optimizer_scopes=none", 2).second, 8u);
  EXPECT_EQ(count("swap_branches=true,branch_threshold=1", 1), Counts(4, 8));
  EXPECT_EQ(count("swap_branches=true,branch_threshold=2", 1), Counts(4, 7));
  // Adjacent ops are never worth it.
  EXPECT_EQ(count("swap_branches=true,branch_threshold=0", 1), Counts(4, 8));
}

// TL-13
TEST(Tflms, live_ranges_are_distances) {
  NamedGraph step = makeMirror(4);
  TflmsCase its(step);
  RunGraph graph(its.problem);
  auto levelsLived = [&](const RunValue &value) {
    return graph.levels[value.uses.back()] - graph.levels[value.producer];
  };
  EXPECT_EQ(levelsLived(graph.values[0]), 7);
  EXPECT_EQ(levelsLived(graph.values[3]), 1);
  EXPECT_EQ(Rewriter(graph).distances(), (std::vector<int64_t>{3, 5, 7}));
}

// TL-14
TEST(Tflms, scopes_types_and_counts_choose_tensors) {
  NamedGraph step = makeMirror(8);
  for (Node &node : step.g.graph.nodes)
    if (!node.backward)
      node.name = (node.name < "f5" ? "top/" : "bottom/") + node.name;
  auto swapped = [&](const char *parameters) {
    TflmsCase its(step, parameters);
    RunGraph graph(its.problem);
    std::string names;
    for (const SwappedValue &each : Rewriter(graph).rewrite({}).swapped)
      names += graph.nodeOf(graph.values[each.value].producer).name + " ";
    return names;
  };
  EXPECT_EQ(swapped("n_tensors=0"), "");
  EXPECT_EQ(swapped("n_tensors=2"), "top/f1 top/f2 ");
  EXPECT_EQ(swapped("incl_scopes=bottom"), "bottom/f5 bottom/f6 bottom/f7 ");
  EXPECT_EQ(swapped("incl_scopes=bottom,excl_types=bottom/f6"),
            "bottom/f5 bottom/f7 ");
  EXPECT_EQ(swapped("excl_scopes=bottom,incl_types=top/f2+bottom/f6"),
            "top/f2 ");
  EXPECT_EQ(swapped("starting_op_names=bottom/f6"), "bottom/f6 bottom/f7 ");
  EXPECT_EQ(swapped("starting_scope=bottom,n_tensors=1"), "bottom/f5 ");
  EXPECT_EQ(swapped("starting_scope=bot"), "");
}

// The op is named by its kernel, its result by its place in the program.
TEST(Tflms, scopes_are_of_results_that_have_names) {
  NamedGraph step = makeMirror(4);
  step.g.graph.tensors[step.tensors.at("f2").index].name = "encoder/f2";
  for (Node &node : step.g.graph.nodes)
    node.name = node.backward ? "grad" : "layer";
  auto count = [&](const char *parameters) {
    return TflmsCase(step, parameters).rewrite().swapped.size();
  };
  EXPECT_EQ(count("incl_scopes=encoder"), 1u);
  EXPECT_EQ(count("incl_types=encoder"), 0u);
  EXPECT_EQ(count("incl_types=layer,excl_scopes=encoder"), 2u);
  EXPECT_EQ(count("starting_op_names=encoder/f2"), 2u);
  EXPECT_EQ(count("optimizer_scopes=grad"), 3u);
}

// A graph of a program says where its nodes come from; each of these places
// counts, and the name of the kernel is no place then.
TEST(Tflms, scopes_are_of_the_locations_of_nodes) {
  NamedGraph step = makeMirror(4);
  for (Node &node : step.g.graph.nodes) {
    if (!node.backward)
      node.locations = {"encoder/" + node.name, "model"};
    node.name = "kernel";
  }
  auto count = [&](const char *parameters) {
    return TflmsCase(step, parameters).rewrite().swapped.size();
  };
  EXPECT_EQ(count("incl_scopes=encoder"), 3u);
  EXPECT_EQ(count("incl_scopes=model"), 3u);
  EXPECT_EQ(count("incl_scopes=encoder/f2"), 1u);
  EXPECT_EQ(count("excl_scopes=encoder/f2+encoder/f3"), 1u);
  EXPECT_EQ(count("incl_scopes=kernel"), 0u);
  EXPECT_EQ(count("incl_types=kernel"), 3u);
  EXPECT_EQ(count("starting_op_names=encoder/f2"), 2u);
}

/// makeMirror(4) in which what is read across is encoded and decoded.
static NamedGraph makeEncodedMirror() {
  NamedGraph step;
  step.caller("x", 0);
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "f" + std::to_string(i);
    step.op(name, {i == 1 ? "x" : "f" + std::to_string(i - 1)});
    if (i == 4)
      break;
    step.op("e" + name, {name});
    step.g.lastNode().name = encoderName;
  }
  step.op("L", {"f4"});
  for (int i = 4; i >= 2; --i) {
    const std::string across = "f" + std::to_string(i - 1);
    step.op("d" + across, {"e" + across}, true);
    step.g.lastNode().name = decoderName;
    step.op("b" + std::to_string(i),
            {i == 4 ? "L" : "b" + std::to_string(i + 1), "d" + across}, true);
  }
  step.op("b1", {"b2", "x"}, true);
  step.g.keep(step.tensors.at("b1"));
  return step;
}

// Equation 5: the pair of a codec stands where the copies were identities, so
// that levels and control ops are those of the step without it.
TEST(Tflms, a_codec_changes_no_level_and_no_control_op) {
  NamedGraph step = makeEncodedMirror(), plain = makeMirror(4);
  TflmsCase its(step, "codec=bf16");
  RunGraph graph(its.problem);
  const std::vector<int32_t> levels = levelsOf(plain);
  for (const auto &[name, run] : plain.runs)
    EXPECT_EQ(graph.levels[*step.run(name)], levels[run]) << name;
  EXPECT_EQ(graph.levels[*step.run("ef1")], levels[*plain.run("f1")]);
  EXPECT_EQ(graph.levels[*step.run("df1")], levels[*plain.run("b2")]);
  EXPECT_EQ(its.describe(its.rewrite()),
            "memplan.encode_bf16: b3>memplan.decode_bf16; memplan.encode_bf16: "
            "b4>memplan.decode_bf16; memplan.encode_bf16: "
            "L>memplan.decode_bf16");
  // What is encoded is copied whatever the distance; nothing else is.
  EXPECT_EQ(its.rewrite(100).swapped.size(), 3u);
  EXPECT_TRUE(
      TflmsCase(step, "codec=bf16,incl_types=b1").rewrite().swapped.empty());
  EXPECT_EQ(
      TflmsCase(step, "codec=bf16,excl_types=f2").rewrite().swapped.size(), 2u);
}

// Without a backward pass nothing is rewritten, unless branches are asked for:
// inference is as it was.
TEST(Tflms, inference_is_left_alone) {
  NamedGraph step = makeFigure4();
  EXPECT_TRUE(TflmsCase(step).rewrite().swapped.empty());
  TflmsCase named(step, "optimizer_scopes=v18+v25");
  EXPECT_EQ(named.describe(named.rewrite()), "v10: v17>v18 v18>v25");
}

/// The plan that tflms makes, which has passed verify().
static SwapPlan plan(const SwapProblem &problem) {
  llvm::Expected<SwapPlan> found = solve(problem, tflms(), {});
  EXPECT_TRUE(bool(found)) << llvm::toString(found.takeError());
  return found ? std::move(*found) : SwapPlan();
}

// TL-11: copies that take no time.
TEST(Tflms, lb_costs_bytes) {
  for (auto [n, lb, bytes] :
       {std::tuple(8, 1, 3), {8, 2, 4}, {8, 3, 5}, {8, 5, 7}, {4, 1, 3}}) {
    NamedGraph step = makeMirror(n);
    TflmsCase its(
        step, ("ctrld_strategy=direct_order,lb=" + std::to_string(lb)).c_str());
    EXPECT_EQ(plan(its.problem).peakBytes, bytes) << n << " " << lb;
  }
  for (int n : {4, 8}) {
    NamedGraph step = makeMirror(n);
    TflmsCase its(step, "n_tensors=0");
    EXPECT_EQ(plan(its.problem).peakBytes, n + 1);
  }
}

// More tensors than the budget asks for would be copied.
TEST(Tflms, the_fewest_tensors_that_fit) {
  NamedGraph step = makeMirror(8);
  auto within = [&](int64_t bytes, const std::string &parameters) {
    TflmsCase its(step, ("threshold=1," + parameters).c_str());
    its.problem.budgetBytes = bytes;
    return plan(its.problem);
  };
  auto copies = [](const SwapPlan &plan) {
    return llvm::count_if(plan.actions, [](const PlanAction &action) {
      return action.action == ActionKind::Evict;
    });
  };
  for (int64_t bytes = 3; bytes <= 9; ++bytes) {
    const SwapPlan fewest = within(bytes, "n_tensors=auto");
    ASSERT_FALSE(fewest.actions.empty()) << bytes;
    EXPECT_LE(fewest.peakBytes, bytes);
    EXPECT_LE(fewest.time, within(bytes, "n_tensors=-1").time);
    if (const int64_t count = copies(fewest); count > 0) {
      EXPECT_TRUE(within(bytes, "n_tensors=" + std::to_string(count - 1))
                      .actions.empty())
          << bytes << " and " << count;
    }
  }
  EXPECT_EQ(copies(within(9, "n_tensors=auto")), 0);
}

// TL-15: the text has such a swap-in run right after its swap-out, where it
// saves nothing.
TEST(Tflms, without_a_control_op_a_tensor_comes_back_for_its_consumer) {
  NamedGraph step = makeMirror(8);
  TflmsCase its(step, "lb=100");
  SwapPlan found = plan(its.problem);
  EXPECT_EQ(found.peakBytes, 3);
  EXPECT_NE(found.report.note.find("7 of them without a control op"),
            std::string::npos)
      << found.report.note;
}

// TL-16: a copy of 8 ms after a control op of 5 ms stalls its consumer by 3.
TEST(Tflms, a_swap_in_that_is_triggered_late_stalls_its_consumer) {
  for (auto [lb, stall] : {std::pair(1, 8.0), {2, 3.0}, {3, 0.0}}) {
    NamedGraph step = makeMirror(3);
    for (TensorId each : {step.tensors.at("f1")})
      step.g.graph.tensors[each.index].bytes = 100;
    for (Node &node : step.g.graph.nodes)
      node.cost = 5;
    step.g.graph.bandwidth = Bandwidth{12.5, 1000, 0};
    // f1 goes out while f2 runs. It comes back when b3 is done, while b3 runs,
    // or while L and b3 do.
    TflmsCase its(step, ("n_tensors=1,ctrld_strategy=direct_order,lb=" +
                         std::to_string(lb))
                            .c_str());
    EXPECT_EQ(plan(its.problem).time, 7 * 5 + stall);
  }
}

// TL-10: a swap-in that its own consumer triggers comes too late.
TEST(Tflms, a_copy_after_its_consumer_is_refused) {
  NamedGraph step = makeMirror(4);
  TflmsCase its(step, "n_tensors=1");
  SwapPlan found = plan(its.problem);
  auto isFetch = [](const PlanAction &action) {
    return action.action == ActionKind::Fetch;
  };
  auto fetch = llvm::find_if(found.actions, isFetch);
  ASSERT_NE(fetch, found.actions.end());
  auto user = llvm::find_if(found.actions, [&](const PlanAction &action) {
    return action.action == ActionKind::Compute &&
           action.node == NodeId(*step.run("b2"));
  });
  std::rotate(fetch, fetch + 1, user + 1);
  EXPECT_THAT(its.problem.verify(found), ViolatesWith("swap_c1", "step"));
}

// The largest threshold that fits, by trying all.
TEST(Tflms, tuning_finds_the_largest_threshold_that_fits) {
  NamedGraph step = makeMirror(8);
  for (int64_t budget = 3; budget <= 9; ++budget) {
    int64_t largest = 0;
    for (int64_t threshold = 1; threshold <= 20; ++threshold) {
      TflmsCase its(step, ("threshold=" + std::to_string(threshold)).c_str());
      its.problem.budgetBytes = budget;
      if (!plan(its.problem).actions.empty())
        largest = threshold;
    }
    TflmsCase its(step);
    its.problem.budgetBytes = budget;
    SwapPlan found = plan(its.problem);
    const std::string wanted =
        budget == 9 ? "no tensor" : "threshold " + std::to_string(largest);
    // Several thresholds swap the same: the largest of them may be beyond all
    // distances.
    EXPECT_EQ(found.report.note.substr(0, wanted.size()), wanted)
        << budget << ": " << found.report.note;
  }
}

TEST(Tflms, tuning_says_what_cannot_be_reached) {
  NamedGraph step = makeMirror(8);
  TflmsCase its(step);
  its.problem.budgetBytes = 2;
  SwapPlan found = plan(its.problem);
  EXPECT_EQ(found.report.status, SolveStatus::NoPlan);
  EXPECT_EQ(found.report.note.find("swapping leaves 3 live bytes"), 0u)
      << found.report.note;
}

// lb=auto: the fastest that the bytes allow, by trying all.
TEST(Tflms, tuning_finds_the_fastest_lb_that_fits) {
  NamedGraph step = makeMirror(8);
  step.g.graph.bandwidth = Bandwidth{0.4, 100, 0}; // 2.5 times a node.
  const std::string common = "threshold=1,ctrld_strategy=direct_order,lb=";
  double slowest = 0, fastest = 1e9;
  for (int64_t budget = 3; budget <= 8; ++budget) {
    double least = 1e9;
    for (int lb = 1; lb <= 16; ++lb) {
      TflmsCase its(step, (common + std::to_string(lb)).c_str());
      its.problem.budgetBytes = budget;
      if (SwapPlan found = plan(its.problem); !found.actions.empty())
        least = std::min(least, found.time);
    }
    TflmsCase its(step, (common + "auto").c_str());
    its.problem.budgetBytes = budget;
    EXPECT_EQ(plan(its.problem).time, least) << budget;
    slowest = std::max(slowest, least);
    fastest = std::min(fastest, least);
  }
  EXPECT_LT(fastest, slowest);
}
