//===- TflmsGraphs.h - Small steps whose swaps are known --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_TFLMSGRAPHS_H
#define MEMPLAN_TEST_UNIT_PLANNER_TFLMSGRAPHS_H

#include "Planner/SmallGraph.h"
#include "Rewriting.h"
#include <map>

namespace memplan {

/// Ops by name, each with one output of a byte.
class NamedGraph {
public:
  SmallGraph g;

  void caller(const std::string &name, int64_t bytes = 1,
              TensorKind kind = TensorKind::Input) {
    tensors[name] = g.caller(bytes, kind);
  }
  void op(const std::string &name, const std::vector<std::string> &reads,
          bool backward = false, int64_t bytes = 1) {
    std::vector<TensorId> inputs;
    for (const std::string &read : reads)
      inputs.push_back(tensors.at(read));
    runs[name] = static_cast<int32_t>(g.graph.nodes.size());
    tensors[name] = g.op(inputs, bytes);
    g.lastNode().name = name;
    g.lastNode().backward = backward;
  }
  /// The last op updates what the caller owns.
  void update(const std::string &name) {
    g.lastNode().writes = {tensors.at(name)};
  }
  /// Unset for "-": no op.
  std::optional<int32_t> run(const std::string &name) const {
    return name == "-" ? std::nullopt : std::optional(runs.at(name));
  }
  std::string nameOf(std::optional<int32_t> run) const {
    return run ? g.graph.nodes[*run].name : "-";
  }

  std::map<std::string, TensorId> tensors;
  std::map<std::string, int32_t> runs;
};

/// x -> f1 .. fn -> L -> bn .. b1, where b_i also reads f_{i-1}, and x is f0.
inline NamedGraph makeMirror(int n) {
  NamedGraph step;
  step.caller("x", 0);
  std::string last = "x";
  auto forward = [](int i) { return i == 0 ? "x" : "f" + std::to_string(i); };
  for (int i = 1; i <= n; ++i) {
    step.op(forward(i), {last});
    last = forward(i);
  }
  step.op("L", {last});
  last = "L";
  for (int i = n; i >= 1; --i) {
    step.op("b" + std::to_string(i), {last, forward(i - 1)}, true);
    last = "b" + std::to_string(i);
  }
  step.g.keep(step.tensors.at("b1"));
  return step;
}

/// A U-Net of two steps down: skips e1 -> d1 and e2 -> d2.
inline NamedGraph makeSkips() {
  NamedGraph step;
  step.caller("x", 0);
  step.op("e1", {"x"});
  step.op("e2", {"e1"});
  step.op("m", {"e2"});
  step.op("d2", {"m", "e2"});
  step.op("d1", {"d2", "e1"});
  step.op("L", {"d1"});
  step.op("gd1", {"L", "d2", "e1"}, true);
  step.op("gd2", {"gd1", "m", "e2"}, true);
  step.op("gm", {"gd2", "e2"}, true);
  step.op("ge2", {"gm", "gd2", "e1"}, true);
  step.op("ge1", {"ge2", "gd1", "x"}, true);
  step.g.keep(step.tensors.at("ge1"));
  return step;
}

/// v0 .. v25 one after the other; v18 and v25 read v10 too. Has no phases.
inline NamedGraph makeFigure4() {
  NamedGraph step;
  step.caller("v0");
  for (int i = 1; i <= 25; ++i) {
    std::vector<std::string> reads = {"v" + std::to_string(i - 1)};
    if (i == 18 || i == 25)
      reads.push_back("v10");
    step.op("v" + std::to_string(i), reads);
  }
  step.g.keep(step.tensors.at("v25"));
  return step;
}

/// A step with what its swapping starts from.
struct TflmsCase {
  explicit TflmsCase(const NamedGraph &named, const char *parameters = "")
      : named(named), planned(named.g, false) {
    problem.index = &planned.index;
    problem.schedule = &planned.schedule;
    problem.tflms = llvm::cantFail(TflmsParameters::parse(parameters));
  }

  Rewriting rewrite(int64_t threshold = 1, int64_t lb = 1) {
    RunGraph graph(problem);
    return Rewriter(graph).rewrite({threshold, lb});
  }
  /// "f1: b3>b2; f2: b4>b3": tensors, and the control op and the consumers of
  /// each swap-in.
  std::string describe(const Rewriting &rewriting) {
    RunGraph graph(problem);
    std::string text;
    for (const SwappedValue &swapped : rewriting.swapped) {
      text += (text.empty() ? "" : "; ") +
              named.nameOf(graph.values[swapped.value].producer) + ":";
      for (const SwapIn &in : swapped.ins) {
        text += " " + named.nameOf(in.control) + ">";
        for (size_t i = 0; i < in.consumers.size(); ++i)
          text += (i ? "," : "") + named.nameOf(in.consumers[i]);
      }
    }
    return text;
  }

  const NamedGraph &named;
  Planned planned;
  SwapProblem problem;
};

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_TFLMSGRAPHS_H
