//===- Replay.cpp - Decisions of steps that ran before --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

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

void Replay::beginStep(uint64_t state) {
  if (calls.size() > mostCalls)
    clear();
  at = find(starts, state);
  following = at >= 0;
  deviated = false;
  followedCalls = 0;
  if (following)
    return;
  calls.push_back({state, {}, false, {}});
  starts.push_back(int32_t(calls.size()) - 1);
  at = starts.back();
}

void Replay::beginCall(uint64_t signature) {
  if (at < 0)
    return;
  decision = 0;
  const int32_t known = find(calls[size_t(at)].behind, signature);
  isNew = known < 0;
  if (known >= 0) {
    at = known;
    followedCalls += following;
    return;
  }
  deviated |= following && !calls[size_t(at)].behind.empty();
  following = false;
  calls.push_back({signature, {}, false, {}});
  calls[size_t(at)].behind.push_back(int32_t(calls.size()) - 1);
  at = int32_t(calls.size()) - 1;
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
