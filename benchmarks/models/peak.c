//===- peak.c - Multiply-adds that a processor can do ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Prints the most floating-point operations a processor second that one thread
// reached in f32: chains of multiply-adds in registers, which read no memory.
// The clock is that of the processor, so that other work beside counts little.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <time.h>

#ifdef __AVX512F__
#define LANES 16
#else
#define LANES 8
#endif
// More than latency times units of today's processors, and fewer than their
// registers.
#define CHAINS 12

typedef float Vector __attribute__((vector_size(4 * LANES)));

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
  const long turns = 2000000;
  double best = 0;
  float kept = 0;
  for (int round = 0; round < 30; ++round) {
    const Vector factor = (Vector){0} + 0.999f, term = (Vector){0} + 1e-3f;
    Vector chain[CHAINS];
    for (int i = 0; i < CHAINS; ++i) // all of them different
      chain[i] = (Vector){0} + (float)(round + i);
    const double begin = seconds();
    for (long turn = 0; turn < turns; ++turn)
      for (int i = 0; i < CHAINS; ++i)
        chain[i] = chain[i] * factor + term;
    const double rate =
        2.0 * LANES * CHAINS * (double)turns / (seconds() - begin);
    best = rate > best ? rate : best;
    for (int i = 0; i < CHAINS; ++i)
      kept += chain[i][0];
  }
  // What was computed is used, so that no compiler leaves it out.
  printf("%.4g %g\n", best, (double)kept);
  return 0;
}
