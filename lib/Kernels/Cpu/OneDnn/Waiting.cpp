//===- Waiting.cpp - How idle threads of the CPU kernels wait -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// GNU's OpenMP library lets a thread that waits spin 300000 times, some ten
// milliseconds, before it sleeps. Alone on the machine that costs nothing. With
// one more busy process the spinning thread holds the core that the thread it
// waits for needs, and a step takes many times as long. A thread that sleeps at
// once makes a small step of hundreds of kernels take up to ten times as long
// on a machine that is idle. With 1000 turns that step is as fast as with 5000.
//
// The library reads its settings once, when it is loaded. So this is a shared
// library of its own, which programs name behind it: the loader runs the
// constructor of what is named last first. Where OpenMP was loaded before, as
// in a Python with other packages, its waiting stays as it is.
//
//===----------------------------------------------------------------------===//

#include "Waiting.h"

#include <cstdlib>

/// A user who sets one of these has chosen.
static constexpr const char *choices[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};

[[gnu::constructor]] static void chooseWaiting() {
  for (const char *choice : choices)
    if (std::getenv(choice))
      return;
  ::setenv("GOMP_SPINCOUNT", memplan_spins(), /*overwrite=*/0);
}

const char *memplan_spins() { return "1000"; }
