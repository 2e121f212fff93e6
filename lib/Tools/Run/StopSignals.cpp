//===- StopSignals.cpp - Ctrl-C and SIGTERM -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/StopSignals.h"

#include <atomic>
#include <csignal>

namespace memplan {

static std::atomic<int> stopSignal{0};
static std::atomic<void (*)()> alsoCalled{nullptr};
static_assert(std::atomic<void (*)()>::is_always_lock_free);

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
  if (auto function = alsoCalled.load())
    function();
  setHandlers(SIG_DFL);
}

StopSignals::StopSignals() {
  stopSignal = 0;
  setHandlers(onSignal);
}

StopSignals::~StopSignals() {
  setHandlers(SIG_DFL);
  alsoCalled = nullptr;
}

int StopSignals::received() { return stopSignal; }

void StopSignals::alsoCall(void (*function)()) { alsoCalled = function; }

void StopSignals::forgetInterrupt() {
  int interrupt = SIGINT;
  if (stopSignal.compare_exchange_strong(interrupt, 0))
    setHandlers(onSignal);
}

} // namespace memplan
