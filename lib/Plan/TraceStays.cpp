//===- TraceStays.cpp - What a trace had in memory, and when --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include <unordered_map>

using namespace memplan;
using llvm::createStringError;
using llvm::Twine;

namespace {
class StayFinder {
public:
  explicit StayFinder(const Trace &trace) : trace(trace) {
    for (size_t i = 0; i < trace.tensors.size(); ++i) {
      placeOf.emplace(trace.tensors[i].id, i);
      made[trace.tensors[i].node].push_back(i);
    }
    for (auto &[node, places] : made)
      llvm::sort(places, [&](size_t a, size_t b) {
        return trace.tensors[a].output < trace.tensors[b].output;
      });
    open.assign(trace.tensors.size(), -1);
  }
  llvm::Expected<std::vector<TraceStay>> find();

private:
  llvm::Error compute(const TraceStep &step);
  llvm::Error take(size_t place, std::optional<int64_t> address);
  llvm::Error give(int64_t tensor);

  const Trace &trace;
  std::unordered_map<int64_t, size_t> placeOf;
  std::unordered_map<int64_t, std::vector<size_t>> made; ///< By node.
  std::vector<int32_t> open; ///< Stay of each tensor, or -1.
  std::unordered_map<int64_t, int64_t> evictedAt; ///< Tensor by event.
  std::vector<TraceStay> stays;
  int32_t now = 0;
};
} // namespace

llvm::Error StayFinder::take(size_t place, std::optional<int64_t> address) {
  const TraceTensor &tensor = trace.tensors[place];
  if (tensor.bytes == 0) // A view goes with what it looks into.
    return llvm::Error::success();
  if (open[place] >= 0)
    return createStringError("step " + Twine(now) + " makes tensor " +
                             Twine(tensor.id) + ", which is there");
  open[place] = int32_t(stays.size());
  stays.push_back({tensor.id, tensor.bytes, now, int32_t(trace.steps.size()),
                   address && *address >= 0 ? address : std::nullopt});
  return llvm::Error::success();
}

llvm::Error StayFinder::give(int64_t tensor) {
  const size_t place = placeOf.at(tensor);
  if (trace.tensors[place].bytes == 0)
    return llvm::Error::success();
  if (open[place] < 0)
    return createStringError("step " + Twine(now) + " gives back tensor " +
                             Twine(tensor) + ", which is not there");
  stays[size_t(open[place])].end = now;
  open[place] = -1;
  return llvm::Error::success();
}

llvm::Error StayFinder::compute(const TraceStep &step) {
  const std::vector<size_t> &outputs = made[step.node];
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int64_t id = trace.tensors[outputs[i]].id;
    std::optional<int64_t> address;
    if (i < step.addresses.size())
      address = step.addresses[i];
    if (llvm::is_contained(step.discard, id)) {
      stays.push_back(
          {-1, trace.tensors[outputs[i]].bytes, now, now + 1, std::nullopt});
      continue;
    }
    // In place the bytes go over: the input's stay ends as this one begins.
    for (auto [output, input] : step.inPlace)
      if (output == id)
        if (llvm::Error error = give(input))
          return error;
    if (llvm::Error error = take(outputs[i], address))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<TraceStay>> StayFinder::find() {
  // Arguments that are listed lie in the pool from the start.
  for (size_t place : made[-1])
    if (llvm::Error error = take(place, std::nullopt))
      return std::move(error);
  for (const TraceStep &step : trace.steps) {
    llvm::Error error = llvm::Error::success();
    switch (step.action) {
    case ActionKind::Compute:
      error = llvm::joinErrors(std::move(error), compute(step));
      break;
    case ActionKind::Free:
      for (int64_t tensor : step.tensors)
        error = llvm::joinErrors(std::move(error), give(tensor));
      break;
    case ActionKind::Evict:
      evictedAt[*step.event] = step.tensors.front();
      break;
    case ActionKind::Wait:
      if (auto found = evictedAt.find(*step.event); found != evictedAt.end()) {
        error = llvm::joinErrors(std::move(error), give(found->second));
        evictedAt.erase(found);
      }
      break;
    case ActionKind::Fetch:
      error = llvm::joinErrors(
          std::move(error),
          take(placeOf.at(step.tensors.front()), step.addresses.empty()
                                                     ? std::optional<int64_t>()
                                                     : step.addresses.front()));
      break;
    case ActionKind::DropHost:
      break;
    }
    if (error)
      return std::move(error);
    ++now;
  }
  return std::move(stays);
}

llvm::Expected<std::vector<TraceStay>> memplan::findStays(const Trace &trace) {
  return StayFinder(trace).find();
}
