//===- ProgressLine.h - How far long work is --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_PROGRESSLINE_H
#define MEMPLAN_TOOLS_PROGRESSLINE_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace memplan {

/// One line of standard error for people who wait. It says what is done, how
/// much of it, the best so far and the time that has passed. Where it can be
/// known, it says the time left. Only on a terminal, only for work of more than
/// half a second, and not after beQuiet(). While the object lives, a thread
/// draws the line anew, so that time goes on where the work itself says
/// nothing. One at a time; calls may come from any thread.
class ProgressLine {
public:
  /// `what`: "planning", for instance. The work ends after `limitSeconds`.
  explicit ProgressLine(std::string what,
                        std::optional<double> limitSeconds = std::nullopt);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Another part of the work, whose details and counts are not known yet.
  void begin(std::string what);
  /// What is known besides: "best 120, bound 118".
  void say(std::string details);
  /// So many of `all` are done. Parts that take about as long as each other
  /// tell the time left.
  void count(int64_t done, int64_t all, bool areEven = true);

  /// No line from now on: --quiet.
  static void beQuiet();
  static bool isQuiet();

  /// While one lives the line is gone, so that other texts can be printed.
  class Pause {
  public:
    Pause();

  private:
    std::lock_guard<std::mutex> lock;
  };

private:
  using Clock = std::chrono::steady_clock;

  void drawUntilEnd();
  std::string text() const;

  mutable std::mutex mutex; ///< Guards what follows.
  std::string what, details;
  std::optional<double> limitSeconds;
  int64_t done = 0, all = 0;
  bool areEven = true, isEnded = false;
  Clock::time_point begun = Clock::now(), counted = begun;
  std::condition_variable ended;
  std::thread drawer;
};

} // namespace memplan

#endif // MEMPLAN_TOOLS_PROGRESSLINE_H
