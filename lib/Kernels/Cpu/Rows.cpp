//===- Rows.cpp - Launches on operands with gaps between rows -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>

namespace memplan::runtime::cpu {

namespace {
/// The operands of one row, dense, with 1 for the dimensions that count rows.
struct RowOperands {
  static constexpr int most = 8;
  memplan_tensor_t tensors[most];
  int64_t shapes[most][maxRank];

  RowOperands(const memplan_launch_t *launch, int dims, uint64_t moves) {
    for (int i = 0; i < launch->input_count + launch->output_count; ++i) {
      tensors[i] = operandOf(launch, i);
      std::copy_n(tensors[i].shape, tensors[i].rank, shapes[i]);
      if (moves >> i & 1)
        std::fill_n(shapes[i], dims, 1);
      tensors[i].shape = shapes[i];
    }
  }
};
} // namespace

memplan_status_t launchRows(const memplan_launch_t *launch,
                            LaunchFunction dense, uint32_t inputs,
                            uint32_t outputs) {
  const int count = launch->input_count + launch->output_count;
  if (count > RowOperands::most)
    return MEMPLAN_INVALID_ARGUMENT;
  const uint64_t moves = (inputs & ((1u << launch->input_count) - 1)) |
                         uint64_t(outputs & ((1u << launch->output_count) - 1))
                             << launch->input_count;
  int dims = 0;
  for (int i = 0; i < count; ++i)
    dims = std::max(dims, gapDims(launch, i));
  const memplan_tensor_t &first = launch->outputs[0];
  RowOperands row(launch, dims, moves);
  memplan_launch_t mine = *launch;
  mine.inputs = row.tensors;
  mine.outputs = row.tensors + launch->input_count;
  mine.strides = nullptr;
  for (int64_t number = 0, rows = product(first, 0, dims); number < rows;
       ++number) {
    for (int i = 0; i < count; ++i) {
      if (!(moves >> i & 1))
        continue;
      const memplan_tensor_t &whole = operandOf(launch, i);
      int64_t element = 0, rest = number;
      for (int d = dims - 1; d >= 0; --d) {
        element += rest % first.shape[d] * strideOf(launch, i, d);
        rest /= first.shape[d];
      }
      row.tensors[i].data =
          static_cast<char *>(whole.data) + element * elementBytes(whole);
    }
    if (memplan_status_t status = dense(&mine))
      return status;
  }
  return MEMPLAN_OK;
}

} // namespace memplan::runtime::cpu
