//===- Place.cpp - Which rank a process is --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace memplan::runtime::ranks {

/// As many connections as one process may reasonably hold.
static constexpr int mostRanks = 4096;

bool Place::isGiven() { return std::getenv("MEMPLAN_RANKS") != nullptr; }

/// A whole number in [least, most], or the reason why the variable is none.
static bool readCount(const char *variable, int least, int most, int &value,
                      std::string &error) {
  const char *text = std::getenv(variable);
  const std::string range = "a whole number from " + std::to_string(least) +
                            " to " + std::to_string(most);
  if (!text) {
    error = std::string(variable) + " is not set; it must be " + range;
    return false;
  }
  const char *end = text + std::strlen(text);
  const auto [stop, code] = std::from_chars(text, end, value);
  if (code == std::errc() && stop == end && value >= least && value <= most)
    return true;
  error = std::string(variable) + " is '" + text + "', but must be " + range;
  return false;
}

bool Place::read(Place &place, std::string &error) {
  place.byMpi = std::strcmp(std::getenv("MEMPLAN_RANKS"), "mpi") == 0;
  if (place.byMpi)
    return true;
  if (!readCount("MEMPLAN_RANKS", 1, mostRanks, place.count, error))
    return false;
  if (place.count == 1)
    return true;
  if (!readCount("MEMPLAN_RANK", 0, place.count - 1, place.rank, error))
    return false;
  const char *meeting = std::getenv("MEMPLAN_RENDEZVOUS");
  const std::string where = meeting ? meeting : "";
  const size_t colon = where.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == where.size()) {
    error = "MEMPLAN_RENDEZVOUS is '" + where +
            "', but must be HOST:PORT, where rank 0 listens";
    return false;
  }
  place.host = where.substr(0, colon);
  place.port = where.substr(colon + 1);
  // [::1]:7000
  if (place.host.front() == '[' && place.host.back() == ']')
    place.host = place.host.substr(1, place.host.size() - 2);
  int seconds = int(place.timeoutSeconds);
  constexpr int mostSeconds = 1000000;
  if (std::getenv("MEMPLAN_RANKS_TIMEOUT") &&
      !readCount("MEMPLAN_RANKS_TIMEOUT", 1, mostSeconds, seconds, error))
    return false;
  place.timeoutSeconds = seconds;
  return true;
}

Ranks *ranksOfProcess(std::string &error) {
  static std::mutex once;
  static std::unique_ptr<Ranks> ranks;
  static std::string reason;
  std::lock_guard lock(once);
  if (!ranks && reason.empty()) {
    Place place;
    if (Place::read(place, reason))
      ranks = Ranks::connect(place, reason);
  }
  error = reason;
  return ranks.get();
}

} // namespace memplan::runtime::ranks
