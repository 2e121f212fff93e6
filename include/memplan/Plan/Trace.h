//===- Trace.h - What a step did while it ran -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace is the sequence of a plan, with the time and the place of everything.
// A dynamic run writes it, and a plan is made from it. It names tensors by
// numbers of its own, so that it can be read without a graph:
//
//   Expected<Trace> trace = parseTrace(text);
//   Expected<std::vector<PlanAction>> actions = toActions(index, *trace);
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_TRACE_H
#define MEMPLAN_PLAN_TRACE_H

#include "memplan/Plan/Plan.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

struct TraceTensor {
  int64_t id = 0; ///< Unique in the trace.
  int64_t bytes = 0;
  /// The node of the graph that makes it, by external id; -1: an argument.
  int64_t node = -1;
  int64_t output = 0; ///< Output of the node, or number of the argument.
  friend bool operator==(const TraceTensor &, const TraceTensor &) = default;
};

/// As PlanAction, with numbers of the trace's tensors and nodes.
struct TraceStep {
  ActionKind action = ActionKind::Compute;
  int64_t node = 0;                                 ///< Compute
  std::vector<std::pair<int64_t, int64_t>> inPlace; ///< Compute
  std::vector<int64_t> discard;                     ///< Compute
  std::vector<int64_t> tensors; ///< Free: any number; copies, DropHost: one
  std::optional<int64_t> event;
  int32_t variant = 0;
  int32_t stream = 0;
  std::optional<double> at; ///< Clock when it began.
  /// Compute: of the tensors of the trace that this node makes, by output.
  /// Fetch: of the tensor. Empty: not said; -1: nowhere.
  std::vector<int64_t> addresses;
  friend bool operator==(const TraceStep &, const TraceStep &) = default;
};

struct Trace {
  std::string program;
  std::optional<int64_t> poolBytes;      ///< Size of the pool, if it had one.
  std::optional<int64_t> highWaterBytes; ///< Highest end of a block in it.
  std::vector<TraceTensor> tensors;
  std::vector<TraceStep> steps;
  friend bool operator==(const Trace &, const Trace &) = default;
};

/// Reads a trace. Every tensor that a step names is listed, and each output of
/// a node once. Bytes and addresses are not negative. Each compute has as many
/// addresses as it makes tensors. Errors name the key and its place.
llvm::Expected<Trace> parseTrace(llvm::StringRef text,
                                 std::vector<std::string> *warnings = nullptr);
void writeTrace(const Trace &trace, llvm::raw_ostream &os);

/// The steps as actions on the graph. Runs of nodes that only make views are
/// put in where the trace has none. Copies of what the caller owns, which stays
/// in its place, are left out. What a compute makes and the trace does not list
/// is a view, or a tensor that is never freed. Whether they are a plan is for
/// verifyPlan() to say. Errors: nodes, outputs, arguments that the graph does
/// not have, and other bytes than it has.
llvm::Expected<std::vector<PlanAction>> toActions(const GraphIndex &index,
                                                  const Trace &trace);

/// Time and bytes of one thing that a trace had in memory.
struct TraceStay {
  int64_t tensor = -1; ///< Tensor of the trace; -1: a discarded output.
  int64_t bytes = 0;
  int32_t begin = 0; ///< Step that takes the bytes.
  int32_t end = 0;   ///< Step that gives them back; the last one is never one.
  std::optional<int64_t> address;
};
/// In the order in which they begin. Arguments that the trace lists are live
/// from the first step on. Workspaces are not in a trace. Errors: a tensor is
/// freed that is not live, or made that is live.
llvm::Expected<std::vector<TraceStay>> findStays(const Trace &trace);

} // namespace memplan

#endif // MEMPLAN_PLAN_TRACE_H
