//===- PerfettoWriter.cpp - A plan as a trace that Perfetto opens ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON form of Chrome's trace events, which Perfetto reads: complete events
// ("X"), counters ("C") and names of tracks ("M"). Times are microseconds there
// and cost units here.
//
//===----------------------------------------------------------------------===//

#include "memplan/Report/ReportWriters.h"
#include "memplan/Support/JsonWriter.h"
#include <map>

using namespace memplan;

namespace {
class TraceWriter {
public:
  TraceWriter(const GraphIndex &index, const Plan &plan, const ReportData &data,
              llvm::raw_ostream &os)
      : index(index), graph(index.graph()), plan(plan), data(data), os(os) {}
  void write();

private:
  /// Tracks 0 and 1 are the copy engines, the streams follow.
  static int32_t trackOf(const PlanAction &action) {
    if (action.action == ActionKind::Evict)
      return 0;
    return action.action == ActionKind::Fetch ? 1 : action.stream + 2;
  }
  void begin(const char *phase, llvm::StringRef name) {
    os << separator << "{\"ph\": \"" << phase
       << "\", \"pid\": 1, \"name\": " << printString(name);
    separator = ",\n ";
  }
  void nameTracks();
  void writeSlice(size_t step);
  void writeCounter(llvm::StringRef name, double time, int64_t bytes) {
    begin("C", name);
    os << ", \"ts\": " << printNumber(time)
       << ", \"args\": {\"bytes\": " << bytes << "}}";
  }
  void countHost();

  const GraphIndex &index;
  const Graph &graph;
  const Plan &plan;
  const ReportData &data;
  llvm::raw_ostream &os;
  const char *separator = "\n ";
};
} // namespace

void TraceWriter::nameTracks() {
  std::map<int32_t, std::string> names;
  for (const PlanAction &action : plan.steps) {
    if (action.action == ActionKind::Evict)
      names[0] = "copies to the host";
    else if (action.action == ActionKind::Fetch)
      names[1] = "copies to the device";
    else if (action.action == ActionKind::Compute)
      names[trackOf(action)] = "stream " + std::to_string(action.stream);
  }
  begin("M", "process_name");
  os << ", \"args\": {\"name\": "
     << printString("memplan: " + (graph.name.empty() ? "step" : graph.name))
     << "}}";
  for (const auto &[track, name] : names) {
    begin("M", "thread_name");
    os << ", \"tid\": " << track
       << ", \"args\": {\"name\": " << printString(name) << "}}";
  }
}

void TraceWriter::writeSlice(size_t step) {
  const PlanAction &action = plan.steps[step];
  const ReportStep &found = data.steps[step];
  const bool isRun = action.action == ActionKind::Compute;
  std::string name =
      isRun ? graph[action.node].name : titleOf(index, action.tensors.front());
  if (isRun && name.empty())
    name = "node " + std::to_string(graph[action.node].externalId);
  begin("X", name);
  os << ", \"tid\": " << trackOf(action)
     << ", \"ts\": " << printNumber(found.start)
     << ", \"dur\": " << printNumber(std::max(0.0, found.end - found.start))
     << ", \"cat\": \""
     << (!isRun                        ? "copy"
         : found.isRecomputation       ? "recomputation"
         : graph[action.node].backward ? "backward"
                                       : "forward")
     << "\", \"args\": {\"step\": " << step
     << ", \"live bytes\": " << found.bytes;
  if (isRun)
    os << ", \"node\": " << graph[action.node].externalId
       << ", \"module\": " << printString(moduleOf(graph, action.node));
  else
    os << ", \"tensor\": " << graph[action.tensors.front()].externalId
       << ", \"bytes\": " << graph[action.tensors.front()].bytes;
  os << "}}";
}

/// Bytes on the host change where a range there begins or ends.
void TraceWriter::countHost() {
  std::map<int32_t, int64_t> changes;
  for (const ReportRange &range : data.ranges)
    if (range.space == MemorySpace::Host) {
      changes[range.begin] += range.bytes;
      changes[range.end] -= range.bytes;
    }
  int64_t bytes = 0;
  for (const auto &[step, change] : changes)
    if (static_cast<size_t>(step) < data.steps.size())
      writeCounter("host bytes", data.steps[step].start, bytes += change);
}

void TraceWriter::write() {
  os << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
  nameTracks();
  for (size_t step = 0; step < plan.steps.size(); ++step) {
    const ActionKind action = plan.steps[step].action;
    const bool takesTime = action == ActionKind::Compute ||
                           action == ActionKind::Evict ||
                           action == ActionKind::Fetch;
    if (takesTime)
      writeSlice(step);
    if (step == 0 || data.steps[step].bytes != data.steps[step - 1].bytes)
      writeCounter("device bytes", data.steps[step].start,
                   data.steps[step].bytes);
  }
  countHost();
  os << "\n]}\n";
}

void memplan::writePerfetto(const GraphIndex &index, const Plan &plan,
                            const ReportData &data, llvm::raw_ostream &os) {
  TraceWriter(index, plan, data, os).write();
}
