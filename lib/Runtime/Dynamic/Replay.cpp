//===- Replay.cpp - Decisions of steps that ran before --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include <algorithm>
#include <utility>

namespace memplan::runtime {

int32_t Replay::find(std::span<const int32_t> among, uint64_t signature) const {
  for (int32_t call : among)
    if (calls[size_t(call)].signature == signature)
      return call;
  return -1;
}

void Replay::clear() {
  calls.clear();
  starts.clear();
  leave();
}

bool Replay::knows(const StartState &start) const {
  return std::any_of(starts.begin(), starts.end(), [&](const Start &known) {
    return known.state.state == start.state;
  });
}

const StartState *Replay::similar(const StartState &start) const {
  const Start *best = nullptr;
  for (const Start &known : starts)
    if (known.state.shape == start.shape &&
        (!best || calls[size_t(known.call)].lastStep >
                      calls[size_t(best->call)].lastStep))
      best = &known;
  return best ? &best->state : nullptr;
}

int32_t Replay::add(uint64_t signature) {
  Call &made = calls.emplace_back();
  made.signature = signature;
  made.lastStep = step;
  return int32_t(calls.size()) - 1;
}

/// What stays keeps what leads to it: that was made no less lately.
void Replay::forgetOldest() {
  std::vector<int64_t> steps;
  for (const Call &call : calls)
    steps.push_back(call.lastStep);
  const auto middle = steps.begin() + ptrdiff_t(steps.size() - mostCalls / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  std::vector<int32_t> renamed;
  std::vector<Call> kept;
  for (Call &call : calls) {
    renamed.push_back(call.lastStep > *middle ? int32_t(kept.size()) : -1);
    if (renamed.back() >= 0)
      kept.push_back(std::move(call));
  }
  for (Call &call : kept) {
    for (int32_t &next : call.behind)
      next = renamed[size_t(next)];
    std::erase(call.behind, -1);
  }
  for (Start &start : starts)
    start.call = renamed[size_t(start.call)];
  std::erase_if(starts, [](const Start &start) { return start.call < 0; });
  calls = std::move(kept);
}

void Replay::beginStep(const StartState &start) {
  leave();
  ++step;
  if (calls.size() > mostCalls)
    forgetOldest();
  deviated = false;
  followedCalls = 0;
  for (const Start &known : starts)
    if (known.state.state == start.state)
      at = known.call;
  following = at >= 0;
  if (!following) {
    at = add(start.state);
    starts.push_back({start, at});
  }
  calls[size_t(at)].lastStep = step;
}

void Replay::beginCall(uint64_t signature) {
  if (at < 0)
    return;
  decision = 0;
  const int32_t known = find(calls[size_t(at)].behind, signature);
  isNew = known < 0;
  if (known >= 0) {
    at = known;
    calls[size_t(at)].lastStep = step;
    followedCalls += following;
    return;
  }
  if (calls.size() > 2 * mostCalls)
    return clear();
  deviated |= following && !calls[size_t(at)].behind.empty();
  following = false;
  const int32_t next = add(signature);
  calls[size_t(at)].behind.push_back(next);
  at = next;
}

bool Replay::mayBePlanned() const {
  return isNew || calls[size_t(at)].isPlanned;
}

void Replay::followPlan() {
  followedCalls += isNew;
  calls[size_t(at)].isPlanned = following = true;
}

void Replay::leavePlan() {
  if (at < 0 || !calls[size_t(at)].isPlanned)
    return;
  calls[size_t(at)].isPlanned = false;
  decision = 0;
  reject();
}

const Decision *Replay::next() {
  if (at < 0 || !following || decision >= calls[size_t(at)].decisions.size())
    return nullptr;
  return &calls[size_t(at)].decisions[decision];
}

void Replay::reject() {
  // What came behind it began in another state.
  calls[size_t(at)].decisions.resize(decision);
  calls[size_t(at)].behind.clear();
  following = false;
}

void Replay::remember(Decision made) {
  if (at < 0)
    return;
  std::vector<Decision> &decisions = calls[size_t(at)].decisions;
  const bool isNew = decision == decisions.size();
  if (isNew && following)
    reject(); // It decided less before.
  if (isNew)
    decisions.push_back(std::move(made));
  else if (!following)
    decisions[decision] = std::move(made);
  ++decision;
}

} // namespace memplan::runtime
