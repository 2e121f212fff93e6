//===- ProgressLine.cpp - How far long work is ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/ProgressLine.h"

#include <atomic>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace memplan {

static std::atomic<bool> quiet{false};
/// Guards the terminal.
static std::mutex terminal;
static bool isDrawn = false;

/// The cursor stays at the line's begin, where a message that knows nothing of
/// it, such as a diagnostic, then starts.
static void draw(std::string text) {
  winsize window = {};
  const size_t columns =
      ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1
          ? window.ws_col
          : 80;
  if (text.size() >= columns)
    text.resize(columns - 1);
  std::lock_guard<std::mutex> lock(terminal);
  std::fprintf(stderr, "\r\x1b[K%s\r", text.c_str());
  std::fflush(stderr);
  isDrawn = !text.empty();
}

ProgressLine::ProgressLine(std::string what, std::optional<double> limitSeconds)
    : what(std::move(what)), limitSeconds(limitSeconds) {
  if (!quiet && ::isatty(STDERR_FILENO))
    drawer = std::thread([this] { drawUntilEnd(); });
}

ProgressLine::~ProgressLine() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnded = true;
  }
  ended.notify_all();
  if (drawer.joinable())
    drawer.join();
  Pause clear;
}

void ProgressLine::begin(std::string next) {
  std::lock_guard<std::mutex> lock(mutex);
  what = std::move(next);
  details.clear();
  done = all = 0;
  counted = Clock::now();
}

void ProgressLine::say(std::string known) {
  std::lock_guard<std::mutex> lock(mutex);
  details = std::move(known);
}

void ProgressLine::count(int64_t now, int64_t ofAll, bool even) {
  std::lock_guard<std::mutex> lock(mutex);
  if (all == 0)
    counted = Clock::now();
  done = now;
  all = ofAll;
  areEven = even;
}

void ProgressLine::beQuiet() { quiet = true; }
bool ProgressLine::isQuiet() { return quiet; }

ProgressLine::Pause::Pause() : lock(terminal) {
  if (!isDrawn)
    return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  isDrawn = false;
}

static std::string inUnits(double seconds) {
  char text[32];
  if (seconds < 10)
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  else if (seconds < 600)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  return text;
}

/// The caller holds the mutex.
std::string ProgressLine::text() const {
  const Clock::time_point now = Clock::now();
  auto since = [&](Clock::time_point time) {
    return std::chrono::duration<double>(now - time).count();
  };
  std::string line = what;
  if (all > 0)
    line += " " + std::to_string(done) + " of " + std::to_string(all) + " (" +
            std::to_string(100 * done / all) + " %)";
  if (!details.empty())
    line += ": " + details;
  line += ", " + inUnits(since(begun));
  std::optional<double> left;
  if (all > 0 && done > 0 && areEven)
    left = since(counted) / double(done) * double(all - done);
  if (limitSeconds)
    left = std::max(0.0, *limitSeconds - since(begun));
  if (left)
    line += ", " + inUnits(*left) + " left";
  return line;
}

void ProgressLine::drawUntilEnd() {
  constexpr std::chrono::milliseconds first(500), next(200);
  std::unique_lock<std::mutex> lock(mutex);
  for (auto wait = first;
       !ended.wait_for(lock, wait, [this] { return isEnded; }); wait = next) {
    const std::string line = text();
    lock.unlock();
    draw(line);
    lock.lock();
  }
}

} // namespace memplan
