//===- DtrPolicy.cpp - How DTR chooses what to evict ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Dynamic/DtrPolicy.h"
#include "memplan/Support/ByteSize.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace memplan;
using llvm::createStringError;
using llvm::StringRef;

static llvm::Error readNumber(StringRef key, StringRef text, double &value) {
  double number = 0;
  // Also refuses what is not a number.
  if (text.getAsDouble(number) || !(number >= 0) || std::isinf(number))
    return createStringError(
        "'" + key + "' must be a number that is not negative, but is '" + text +
        "'");
  value = number;
  return llvm::Error::success();
}

template <typename Value, size_t count>
static llvm::Error readName(StringRef key, StringRef text,
                            const std::pair<StringRef, Value> (&table)[count],
                            Value &value) {
  std::string known;
  for (const auto &[name, meaning] : table) {
    if (text == name) {
      value = meaning;
      return llvm::Error::success();
    }
    known += (known.empty() ? "" : ", ") + name.str();
  }
  return createStringError("'" + key + "' is '" + text + "', none of " + known);
}

static llvm::Error setKey(DtrPolicy &policy, StringRef key, StringRef text) {
  static constexpr std::pair<StringRef, DtrDeletion> deletions[] = {
      {"eager", DtrDeletion::Eager},
      {"banish", DtrDeletion::Banish},
      {"ignore", DtrDeletion::Ignore}};
  static constexpr std::pair<StringRef, DtrMemory> memories[] = {
      {"bytes", DtrMemory::Bytes}, {"pool", DtrMemory::Pool}};
  static constexpr std::pair<StringRef, bool> samplings[] = {{"all", false},
                                                             {"sqrt", true}};
  static constexpr std::pair<StringRef, double eviction::Exponents::*>
      exponents[] = {{"cost", &eviction::Exponents::cost},
                     {"bytes", &eviction::Exponents::bytes},
                     {"stale", &eviction::Exponents::staleness},
                     {"penalty", &eviction::Exponents::penalty}};
  for (const auto &[name, member] : exponents)
    if (key == name) {
      if (policy.heuristic->name != "megengine")
        return createStringError("'" + key + "' is of megengine only");
      return readNumber(key, text, policy.exponents.*member);
    }
  if (key == "small")
    return readNumber(key, text, policy.smallShare);
  if (key == "limit")
    return readNumber(key, text, policy.recomputationLimit);
  if (key == "delete")
    return readName(key, text, deletions, policy.deletion);
  if (key == "memory")
    return readName(key, text, memories, policy.memory);
  if (key == "sample")
    return readName(key, text, samplings, policy.samples);
  if (key == "seed") {
    if (text.getAsInteger(10, policy.seed))
      return createStringError("'seed' is '" + text + "', no integer");
    return llvm::Error::success();
  }
  if (key == "least") {
    llvm::Expected<int64_t> bytes = parseByteSize(text);
    if (!bytes)
      return createStringError("'least': " + toString(bytes.takeError()));
    policy.leastBytes = *bytes;
    return llvm::Error::success();
  }
  return createStringError("'" + key +
                           "' is none of cost, bytes, stale, penalty, small, "
                           "limit, delete, memory, sample, seed, least");
}

llvm::Expected<DtrPolicy> DtrPolicy::parse(StringRef text) {
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  DtrPolicy policy;
  policy.heuristic = eviction::findHeuristic(parts.front());
  if (!policy.heuristic)
    return createStringError("'" + parts.front() + "' is none of " +
                             eviction::heuristicNames());
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    auto [key, value] = part.split('=');
    if (llvm::Error error = setKey(policy, key, value))
      return error;
  }
  return policy;
}
