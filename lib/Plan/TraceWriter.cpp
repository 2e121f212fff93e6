//===- TraceWriter.cpp - Writes *.trace.json ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/Trace.h"
#include "memplan/Support/JsonWriter.h"

using namespace llvm;

namespace memplan {

static void writeIds(ArrayRef<int64_t> ids, raw_ostream &os) {
  printList(os, ids, [&](int64_t id) { os << id; });
}

static void writeAction(const TraceStep &step, raw_ostream &os) {
  switch (step.action) {
  case ActionKind::Compute:
    os << "\"compute\": " << step.node;
    break;
  case ActionKind::Free:
    os << "\"free\": ";
    writeIds(step.tensors, os);
    break;
  case ActionKind::Evict:
    os << "\"evict\": " << step.tensors.front();
    break;
  case ActionKind::Fetch:
    os << "\"fetch\": " << step.tensors.front();
    break;
  case ActionKind::Wait:
    os << "\"wait\": " << step.event.value_or(0);
    break;
  case ActionKind::DropHost:
    os << "\"drop_host\": " << step.tensors.front();
    break;
  }
}

static void writeStep(const TraceStep &step, raw_ostream &os) {
  os << '{';
  writeAction(step, os);
  if (!step.inPlace.empty()) {
    os << ", \"in_place\": ";
    printList(os, step.inPlace, [&](const std::pair<int64_t, int64_t> &pair) {
      os << '[' << pair.first << ", " << pair.second << ']';
    });
  }
  if (!step.discard.empty()) {
    os << ", \"discard\": ";
    writeIds(step.discard, os);
  }
  if (step.variant != 0)
    os << ", \"variant\": " << step.variant;
  if (step.stream != 0)
    os << ", \"stream\": " << step.stream;
  if (step.event && step.action != ActionKind::Wait)
    os << ", \"event\": " << *step.event;
  if (step.at)
    os << ", \"at\": " << printNumber(*step.at);
  if (!step.addresses.empty()) {
    os << ", \"address\": ";
    writeIds(step.addresses, os);
  }
  os << '}';
}

void writeTrace(const Trace &trace, raw_ostream &os) {
  os << "{\"version\": 1, \"program\": " << printString(trace.program);
  if (trace.poolBytes)
    os << ", \"pool_bytes\": " << *trace.poolBytes;
  if (trace.highWaterBytes)
    os << ", \"high_water_bytes\": " << *trace.highWaterBytes;
  os << ",\n \"tensors\": [";
  const char *separator = "\n  ";
  for (const TraceTensor &tensor : trace.tensors) {
    os << separator << "{\"id\": " << tensor.id
       << ", \"bytes\": " << tensor.bytes << ", \"node\": " << tensor.node
       << ", \"output\": " << tensor.output << '}';
    separator = ",\n  ";
  }
  os << "],\n \"steps\": [";
  separator = "\n  ";
  for (const TraceStep &step : trace.steps) {
    os << separator;
    writeStep(step, os);
    separator = ",\n  ";
  }
  os << "]}\n";
}

} // namespace memplan
