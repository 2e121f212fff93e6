//===- PublishedBaselinesTest.cpp - Baselines against their papers --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each heuristic of Checkmate's Table 1, written down once more from section
// 5.1 of the paper on plain matrices, apart from the library: checkpoints,
// S[t][i], the least R for it, and the bytes of the runs. A plan of memplan's
// costs no more at any budget, and has no fewer budgets that work.
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/RematGraphs.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <cmath>
#include <set>

using namespace memplan;

namespace {

/// Node i makes value i; forward [0, loss], backward after it.
struct Net {
  std::vector<std::vector<int>> inputs;
  std::vector<double> costs;
  std::vector<int64_t> bytes;
  int loss = 0;

  int size() const { return int(inputs.size()); }
  Graph graph() const { return makeGraph(inputs, costs, bytes, loss + 1); }
};

/// Layers in a row, or with skips of up to `reach` layers; each gradient reads
/// the gradient after it, and at random the layer's output and inputs.
Net makeNet(uint64_t seed, int layers, int reach) {
  std::mt19937_64 engine(seed);
  auto roll = [&](int sides) { return int(engine() % uint64_t(sides)); };
  Net net;
  net.loss = layers;
  net.inputs.resize(size_t(2 * layers + 1));
  for (int i = 1; i <= layers; ++i) {
    net.inputs[size_t(i)] = {i - 1};
    if (reach > 1 && i > 2 && roll(3) == 0)
      net.inputs[size_t(i)].push_back(std::max(0, i - 2 - roll(reach)));
  }
  for (int i = layers - 1; i >= 0; --i) {
    std::set<int> reads{2 * layers - i - 1};
    if (roll(2))
      reads.insert(i);
    for (int input : net.inputs[size_t(i)])
      if (roll(3))
        reads.insert(input);
    // Of every later layer that reads this one comes a part of its gradient.
    for (int later = i + 1; later < layers; ++later)
      for (int input : net.inputs[size_t(later)])
        if (input == i)
          reads.insert(2 * layers - later);
    net.inputs[size_t(2 * layers - i)].assign(reads.begin(), reads.end());
  }
  for (int i = 0; i < net.size(); ++i) {
    net.costs.push_back(1 + roll(6));
    net.bytes.push_back(1 + roll(8));
  }
  return net;
}

using Matrix = std::vector<std::vector<bool>>;

/// Checkpoints stay. What lies between two of them goes after its last user
/// in the forward pass, and is there again from the first stage of the backward
/// pass that reads any of it. What follows the last one stays.
Matrix keepOnly(const Net &net, const std::vector<int> &checkpoints) {
  const int n = net.size();
  Matrix s(size_t(n), std::vector<bool>(size_t(n), false));
  auto users = [&](int value) {
    std::vector<int> list;
    for (int i = 0; i < n; ++i)
      for (int input : net.inputs[size_t(i)])
        if (input == value)
          list.push_back(i);
    return list;
  };
  auto keep = [&](int value, int from, int to) {
    for (int t = from; t <= to; ++t)
      s[size_t(t)][size_t(value)] = true;
  };
  std::vector<int> segment(size_t(n), -1);
  int number = 0;
  for (int i = 0, next = 0; i <= net.loss; ++i) {
    if (next < int(checkpoints.size()) && checkpoints[size_t(next)] == i) {
      ++next;
      ++number;
    } else if (next < int(checkpoints.size())) {
      segment[size_t(i)] = number;
    }
  }
  for (int i = 0; i < n; ++i) {
    const std::vector<int> list = users(i);
    const int last = list.empty() ? i : list.back();
    if (segment[size_t(i)] < 0) {
      const bool isCheckpoint =
          std::find(checkpoints.begin(), checkpoints.end(), i) !=
          checkpoints.end();
      keep(i, i + 1, isCheckpoint ? n - 1 : last);
      continue;
    }
    int back = n, forward = i;
    for (int other = 0; other < n; ++other)
      if (segment[size_t(other)] == segment[size_t(i)])
        for (int user : users(other))
          if (user > net.loss)
            back = std::min(back, user);
    for (int user : list)
      if (user <= net.loss)
        forward = std::max(forward, user);
    keep(i, i + 1, std::min(forward, last));
    keep(i, back + 1, last);
  }
  return s;
}

/// Section 5.1.1: each row of R filled in where a value that is needed is not
/// in memory, from its end on.
Matrix leastRuns(const Net &net, const Matrix &s) {
  const size_t n = size_t(net.size());
  Matrix r(n, std::vector<bool>(n, false));
  for (size_t t = 0; t < n; ++t) {
    r[t][t] = true;
    for (size_t i = 0; t + 1 < n && i < t; ++i)
      if (s[t + 1][i] && !s[t][i])
        r[t][i] = true;
    for (size_t i = t + 1; i-- > 0;)
      if (r[t][i])
        for (int input : net.inputs[i])
          if (!s[t][size_t(input)])
            r[t][size_t(input)] = true;
  }
  return r;
}

struct Run {
  double cost = 0;
  int64_t peak = 0;
};

/// Algorithm 1 with frees as early as possible: each value lies in memory from
/// a run of it to the last user of that run.
Run execute(const Net &net, const Matrix &r) {
  std::vector<int> sequence;
  for (size_t t = 0; t < r.size(); ++t)
    for (size_t i = 0; i <= t; ++i)
      if (r[t][i])
        sequence.push_back(int(i));
  std::vector<int> made(r.size(), -1), until(sequence.size());
  for (size_t p = 0; p < sequence.size(); ++p) {
    const int node = sequence[p];
    for (int input : net.inputs[size_t(node)])
      until[size_t(made[size_t(input)])] = int(p);
    made[size_t(node)] = int(p);
    until[p] = int(p);
  }
  Run run;
  for (size_t p = 0; p < sequence.size(); ++p) {
    run.cost += net.costs[size_t(sequence[p])];
    int64_t live = 0;
    for (size_t q = 0; q <= p; ++q)
      if (until[q] >= int(p))
        live += net.bytes[size_t(sequence[q])];
    run.peak = std::max(run.peak, live);
  }
  return run;
}

/// Nodes without which the undirected forward graph, with the data before its
/// first layer, falls apart: by trying each.
std::vector<int> articulationPoints(const Net &net) {
  std::vector<int> points;
  for (int removed = 0; removed < net.loss; ++removed) {
    std::vector<int> component(size_t(net.loss + 2));
    for (size_t i = 0; i < component.size(); ++i)
      component[i] = int(i);
    auto join = [&](int a, int b) {
      if (a == removed || b == removed)
        return;
      const int from = component[size_t(a)], to = component[size_t(b)];
      for (int &each : component)
        each = each == from ? to : each;
    };
    join(0, net.loss + 1); // The data.
    for (int i = 0; i <= net.loss; ++i)
      for (int input : net.inputs[size_t(i)])
        join(i, input);
    std::set<int> left;
    for (int i = 0; i <= net.loss + 1; ++i)
      if (i != removed)
        left.insert(component[size_t(i)]);
    if (left.size() > 1)
      points.push_back(removed);
  }
  return points;
}

/// Every k-th candidate, k the root of their number.
std::vector<int> everyRoot(const std::vector<int> &candidates) {
  const size_t k = size_t(std::sqrt(double(candidates.size())));
  std::vector<int> chosen;
  for (size_t i = k; k > 0 && i <= candidates.size(); i += k)
    chosen.push_back(candidates[i - 1]);
  return chosen;
}

/// Chen's Algorithm 3: a checkpoint where more than b bytes came together.
std::vector<int> bySize(const Net &net, const std::vector<int> &candidates,
                        int64_t b) {
  std::vector<int> chosen;
  int64_t sum = 0;
  for (int i = 0; i < net.loss; ++i) {
    sum += net.bytes[size_t(i)];
    if (sum > b && std::find(candidates.begin(), candidates.end(), i) !=
                       candidates.end()) {
      chosen.push_back(i);
      sum = 0;
    }
  }
  return chosen;
}

/// By the paper, over all values of its knob.
std::vector<Run> published(const Net &net, llvm::StringRef solver) {
  std::vector<int> candidates;
  if (solver.starts_with("ap"))
    candidates = articulationPoints(net);
  else
    for (int i = 0; i < net.loss; ++i)
      candidates.push_back(i);
  std::vector<Run> runs;
  auto consider = [&](const std::vector<int> &checkpoints) {
    runs.push_back(execute(net, leastRuns(net, keepOnly(net, checkpoints))));
  };
  if (solver.ends_with("sqrt")) {
    consider(everyRoot(candidates));
    return runs;
  }
  int64_t total = 0;
  for (int i = 0; i < net.loss; ++i)
    total += net.bytes[size_t(i)];
  for (int64_t b = 0; b <= total; ++b)
    consider(bySize(net, candidates, b));
  return runs;
}

std::optional<double> cost(const Graph &graph, llvm::StringRef solver,
                           int64_t budget) {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  problem.budgetBytes = budget;
  llvm::Expected<RematPlan> plan =
      solve(problem, solverNamed(rematSolvers(), solver), {});
  if (!plan) {
    ADD_FAILURE() << solver.str() << ": " << takeMessage(plan);
    return std::nullopt;
  }
  if (plan->schedule.runs.empty())
    return std::nullopt;
  return plan->cost;
}

int64_t peakOf(const Graph &graph) {
  GraphIndex index(graph);
  RematProblem problem;
  problem.index = &index;
  return llvm::cantFail(
             solve(problem, solverNamed(rematSolvers(), "checkpoint-all"), {}))
      .peakBytes;
}

void compare(const Net &net, llvm::StringRef solver) {
  const Graph graph = net.graph();
  const int64_t peak = peakOf(graph);
  const std::vector<Run> runs = published(net, solver);
  for (int percent = 50; percent <= 100; percent += 5) {
    const int64_t budget = peak * percent / 100;
    std::optional<double> least;
    for (const Run &run : runs)
      if (run.peak <= budget && (!least || run.cost < *least))
        least = run.cost;
    if (!least)
      continue;
    const std::optional<double> ours = cost(graph, solver, budget);
    ASSERT_TRUE(ours) << solver.str() << " at " << percent << " %";
    EXPECT_LE(*ours, *least) << solver.str() << " at " << percent << " %";
  }
}

// A comparison with a baseline would flatter: its plans would cost more than
// those of the paper, or there would be none where the paper has one.
TEST(PublishedBaselines, linear_networks) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Net net = makeNet(seed, 8 + int(seed), 1);
    for (const char *solver :
         {"chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt",
          "linearized-greedy"})
      compare(net, solver);
  }
}

TEST(PublishedBaselines, networks_with_skips) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Net net = makeNet(seed, 8 + int(seed), 4);
    for (const char *solver :
         {"ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy"})
      compare(net, solver);
  }
}

/// A linear network of batch norms: with `statistics`, what each one finds of
/// its batch is written to the caller's tensors, right behind it or, `late`, at
/// the end of the step. Neither takes time, so that plans cost the same.
Graph makeNormNet(int layers, bool statistics, bool late) {
  Graph graph;
  graph.name = "norms";
  auto tensor = [&](int64_t bytes, TensorKind kind) {
    Tensor made;
    made.externalId = int64_t(graph.tensors.size());
    made.bytes = bytes;
    made.kind = kind;
    graph.tensors.push_back(made);
    return TensorId(graph.tensors.size() - 1);
  };
  auto node = [&](double nodeCost, std::vector<TensorId> inputs,
                  std::vector<TensorId> outputs, bool backward) -> Node & {
    Node made;
    made.externalId = int64_t(graph.nodes.size());
    made.name = "op";
    made.cost = nodeCost;
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    made.backward = backward;
    graph.nodes.push_back(made);
    return graph.nodes.back();
  };
  std::vector<TensorId> running, outputs, means;
  for (int i = 0; i < layers; ++i)
    running.push_back(tensor(4, TensorKind::State));
  TensorId at = tensor(100, TensorKind::Input);
  auto write = [&](int i) {
    node(0, {running[size_t(i)], means[size_t(i)]}, {}, false).writes = {
        running[size_t(i)]};
  };
  for (int i = 0; i < layers; ++i) {
    outputs.push_back(tensor(100, TensorKind::Activation));
    means.push_back(tensor(1, TensorKind::Activation));
    node(2, {at}, {outputs.back(), means.back()}, false);
    at = outputs.back();
    if (statistics && !late)
      write(i);
  }
  TensorId gradient = tensor(4, TensorKind::Activation);
  node(1, {at}, {gradient}, false);
  for (int i = layers; i-- > 0;) {
    const TensorId made = tensor(100, TensorKind::Gradient);
    std::vector<TensorId> reads{gradient, means[size_t(i)]};
    if (i > 0)
      reads.push_back(outputs[size_t(i - 1)]);
    node(4, reads, {made}, true);
    gradient = made;
  }
  graph.tensors[gradient.index].kind = TensorKind::Output;
  for (int i = 0; statistics && late && i < layers; ++i)
    write(i);
  return graph;
}

// What a batch norm writes beside the forward pass would be taken for the
// backward pass, and bring each segment back at once: no baseline would find a
// plan on any step with batch norm.
TEST(PublishedBaselines, statistics_of_batch_norm_change_no_plan) {
  const Graph without = makeNormNet(16, false, false);
  const int64_t peak = peakOf(without);
  for (bool late : {false, true}) {
    const Graph with = makeNormNet(16, true, late);
    // The running statistics themselves, and means that stay to the end.
    const int64_t more = peakOf(with) - peak + (late ? 16 : 0);
    for (const char *solver :
         {"chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt",
          "linearized-greedy", "revolve", "rotor"})
      for (int64_t percent : {60, 75, 90}) {
        const std::optional<double> plain =
            cost(without, solver, peak * percent / 100);
        ASSERT_TRUE(plain) << solver;
        const std::optional<double> found =
            cost(with, solver, peak * percent / 100 + more);
        ASSERT_TRUE(found) << solver << " at " << percent << ", late " << late;
        // Means that stay leave more room than they take.
        if (late)
          EXPECT_LE(*found, *plain) << solver << " at " << percent;
        else
          EXPECT_EQ(*found, *plain) << solver << " at " << percent;
      }
  }
}

// A metric beside the loss, or a network whose loss the backward pass does not
// read, would make a chain no chain.
TEST(PublishedBaselines, metrics_beside_the_loss_leave_a_chain_a_chain) {
  Net net = makeNet(3, 12, 1);
  Graph graph = net.graph();
  Tensor metric;
  metric.externalId = 1000;
  metric.bytes = 1;
  metric.kind = TensorKind::Output;
  graph.tensors.push_back(metric);
  Node node;
  node.externalId = 1000;
  node.name = "accuracy";
  node.inputs = {TensorId(5)};
  node.outputs = {TensorId(graph.tensors.size() - 1)};
  graph.nodes.insert(graph.nodes.begin() + net.loss, node);
  const int64_t budget = peakOf(graph) * 4 / 5;
  EXPECT_EQ(cost(graph, "chen-greedy", budget),
            cost(net.graph(), "chen-greedy", budget - 1));
}

} // namespace
