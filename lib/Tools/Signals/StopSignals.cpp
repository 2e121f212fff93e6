//===- StopSignals.cpp - Ctrl-C and SIGTERM -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/StopSignals.h"

#include <csignal>

namespace memplan {

static std::atomic<int> stopSignal{0};
static std::atomic<bool> stopAsked{false};
static_assert(std::atomic<int>::is_always_lock_free &&
                  std::atomic<bool>::is_always_lock_free,
              "set by a signal handler");

static void setHandlers(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // Reads and writes under way go on.
  action.sa_flags = SA_RESTART;
  for (int number : {SIGINT, SIGTERM})
    ::sigaction(number, &action, nullptr);
}

static void onSignal(int number) {
  stopSignal = number;
  stopAsked = true;
  setHandlers(SIG_DFL);
}

StopSignals::StopSignals() {
  stopSignal = 0;
  stopAsked = false;
  setHandlers(onSignal);
}

StopSignals::~StopSignals() { setHandlers(SIG_DFL); }

int StopSignals::received() { return stopSignal; }

const char *StopSignals::name() {
  const int number = stopSignal;
  return number == SIGINT ? "SIGINT" : number ? "SIGTERM" : nullptr;
}

const std::atomic<bool> &StopSignals::asked() { return stopAsked; }

void StopSignals::forgetInterrupt() {
  int interrupt = SIGINT;
  if (!stopSignal.compare_exchange_strong(interrupt, 0))
    return;
  stopAsked = false;
  setHandlers(onSignal);
}

} // namespace memplan
