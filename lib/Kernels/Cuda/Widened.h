//===- Widened.h - Kernels of f32 on elements of 16 bits --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of 16 bits are copied to f32 in the workspace, any kernel of f32
// runs on the copies, and results are rounded once, where they are stored. Sums
// and products are in f32 or wider so, and equal bits stay equal. The copies
// take planned scratch and two passes over the operands more.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_WIDENED_H
#define MEMPLAN_LIB_KERNELS_CUDA_WIDENED_H

#include "Kernel.h"

#include <vector>

namespace memplan::runtime::cuda {

/// The first operand of 16 bits, or null.
const memplan_tensor_t *firstHalf(const memplan_launch_t *launch);

/// A launch as a kernel of f32 sees it.
class WideLaunch {
public:
  /// Takes shapes and attributes of a description; its places may be anywhere.
  explicit WideLaunch(const memplan_launch_t *description);

  /// Bytes of all copies, a multiple of 256.
  int64_t copyBytes() const { return bytes; }
  /// The description that the kernel is prepared with: less workspace, and no
  /// output over an input. Valid as long as this and the original are.
  const memplan_launch_t *description() const { return &wide; }

  /// Copies, the kernel on them, copies back. Allocates nothing.
  memplan_status_t launch(const Call &call, void *state,
                          memplan_status_t (*kernel)(const Call &call));

private:
  std::vector<memplan_tensor_t> tensors; ///< inputs, then outputs
  std::vector<int64_t> offsets;          ///< of copies; -1: the operand's own
  int64_t bytes = 0;
  memplan_launch_t wide;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_WIDENED_H
