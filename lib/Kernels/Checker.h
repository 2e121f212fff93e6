//===- Checker.h - What a launch must be like -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CHECKER_H
#define MEMPLAN_LIB_KERNELS_CHECKER_H

#include "Operands.h"

#include <cstddef>
#include <initializer_list>

namespace memplan::runtime::kernels {

/// Writes the text where the launch wants it and returns `status`.
[[gnu::format(printf, 3, 4)]] memplan_status_t
fail(const memplan_launch_t *launch, memplan_status_t status,
     const char *format, ...);

/// Collects the first violation; steps are chained with &&.
class Checker {
public:
  explicit Checker(const memplan_launch_t *launch) : launch(launch) {}

  memplan_status_t status = MEMPLAN_OK;

  [[gnu::format(printf, 3, 4)]] bool require(bool condition, const char *format,
                                             ...);
  bool counts(int inputs, int outputs) {
    return counts(inputs, inputs, outputs);
  }
  bool counts(int fewestInputs, int mostInputs, int outputs);
  /// Element types of the first operands; further ones must be f32.
  bool types(std::initializer_list<memplan_dtype> inputs,
             std::initializer_list<memplan_dtype> outputs);
  bool allF32() { return types({}, {}); }
  /// The same by one letter for each input, ':' and one for each output; the
  /// last letter of a side is that of all further operands:
  ///   T  the type that the kernel is launched for: f32, bf16 or f16, one for
  ///      all of them
  ///   P  T or f32, one for all of them: parameters beside values of 16 bits
  ///   f  f32, l  i64, b  i8
  ///   r  f32, bf16 or f16; a  any, one for all of them
  bool types(const char *letters);
  bool rank(const memplan_tensor_t &tensor, const char *what, int rank);
  bool shape(const memplan_tensor_t &tensor, const char *what,
             std::initializer_list<int64_t> shape) {
    return shapeIs(tensor, what, {shape.begin(), shape.size()});
  }
  bool shapeIs(const memplan_tensor_t &tensor, const char *what,
               std::span<const int64_t> shape);
  bool same(const memplan_tensor_t &a, const memplan_tensor_t &b,
            const char *what) {
    return shapeIs(a, what, {b.shape, size_t(b.rank)});
  }
  /// All inputs and outputs have the shape of the first input.
  bool allSame();
  /// The attribute is a list of `count` integers, each at least `least`; may be
  /// absent when `optional`.
  bool ints(const char *name, size_t count, int64_t least, bool optional);
  /// The attribute is a dimension of a tensor of `rank`; negative counts from
  /// the end. Gives the dimension.
  bool dimension(const char *name, int rank, int &dimension);

  const memplan_tensor_t &input(int i) const { return launch->inputs[i]; }
  const memplan_tensor_t &output(int i) const { return launch->outputs[i]; }

private:
  const memplan_launch_t *launch;
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_CHECKER_H
