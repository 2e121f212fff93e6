//===- TinyStep.h - A training step small enough to plan by hand ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_RUNTIME_TINYSTEP_H
#define MEMPLAN_TEST_UNIT_RUNTIME_TINYSTEP_H

#include "memplan/Runtime/Program/Program.h"

namespace memplan::runtime::test {

/// y = relu(x w), loss = mean (y - t)^2, w -= 0.1 dw; with a counter as state.
/// Instructions: 0 matmul, 1 relu, 2 loss, 3 constant 1, 4 loss gradient, 5
/// relu gradient, 6 weight gradient, 7 update, 8 increment.
///
/// `planned`: relu and its gradient in place, bytes shared between h and dw.
/// Otherwise every value has its own bytes.
Program tinyStep(bool planned);

/// The same step on two streams and both engines. y goes to the host after 1
/// and comes back to other bytes; the counter lies on the host between steps.
/// Instructions: 0 matmul, 1 relu, 2 y out, 3 counter in (stream 1), 4 loss, 5
/// constant 1 (over y), 6 y in, 7 increment (stream 1), 8 counter out (stream
/// 1), 9 loss gradient, 10 relu gradient, 11 weight gradient, 12 update.
Program swappedStep();

} // namespace memplan::runtime::test

#endif // MEMPLAN_TEST_UNIT_RUNTIME_TINYSTEP_H
