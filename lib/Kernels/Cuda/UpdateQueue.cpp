//===- UpdateQueue.cpp - Updates that share a launch ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpdateQueue.h"

#include <cstring>

namespace memplan::runtime::cuda {

static bool meet(const float *a, int64_t countA, const float *b,
                 int64_t countB) {
  return a && b && a < b + countB && b < a + countA;
}

bool UpdateRow::disturbs(const UpdateRow &other) const {
  for (const float *written : out) {
    for (const float *read : other.in)
      if (meet(written, count, read, other.count))
        return true;
    for (const float *also : other.out)
      if (meet(written, count, also, other.count))
        return true;
  }
  for (const float *written : other.out)
    for (const float *read : in)
      if (meet(written, other.count, read, count))
        return true;
  return false;
}

bool UpdateQueue::takes(Start wanted, const void *wantedStep, size_t bytes,
                        const UpdateRow &added) const {
  if (rows == 0)
    return true;
  if (rows == most || start != wanted || stepBytes != bytes ||
      std::memcmp(step, wantedStep, bytes) != 0)
    return false;
  for (int i = 0; i < rows; ++i)
    if (row[i].disturbs(added))
      return false;
  return true;
}

void UpdateQueue::add(Start wanted, const void *wantedStep, size_t bytes,
                      const UpdateRow &added) {
  start = wanted;
  stepBytes = bytes;
  std::memcpy(step, wantedStep, bytes);
  row[rows++] = added;
}

} // namespace memplan::runtime::cuda
