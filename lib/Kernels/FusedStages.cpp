//===- FusedStages.cpp - What a fused operation stands for ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedStages.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace memplan::runtime::kernels {

/// The formula with tanh, which is the one that libraries fuse.
static constexpr memplan_attribute_t withTanh = {
    "approximate", MEMPLAN_ATTRIBUTE_STRING, 0, 0, 0, "tanh", nullptr, nullptr};

memplan_launch_t &FusedStages::add(const memplan_launch_t *launch,
                                   const char *kernel,
                                   std::initializer_list<memplan_tensor_t> ins,
                                   const memplan_tensor_t &out) {
  std::copy(ins.begin(), ins.end(), inputs[count]);
  outputs[count] = out;
  memplan_launch_t &stage = stages[count];
  stage = *launch;
  stage.kernel = kernel;
  stage.inputs = inputs[count];
  stage.outputs = &outputs[count];
  stage.attributes = nullptr;
  stage.aliases = nullptr;
  stage.input_count = int32_t(ins.size());
  stage.output_count = 1;
  stage.attribute_count = 0;
  stage.alias_count = 0;
  stage.state = nullptr;
  stage.variant = nullptr;
  ++count;
  return stage;
}

void FusedStages::addSum(const memplan_launch_t *launch,
                         const memplan_tensor_t &in,
                         const memplan_tensor_t &out, bool keepsFirst) {
  for (int d = 0; d < in.rank - 1; ++d)
    dims[d] = keepsFirst ? d + 1 : d;
  sumDims = {"dims", MEMPLAN_ATTRIBUTE_INTS, in.rank - 1, 0, 0, nullptr, dims,
             nullptr};
  memplan_launch_t &sum = add(launch, "memplan.reduce_sum", {in}, out);
  sum.attributes = &sumDims;
  sum.attribute_count = 1;
}

FusedStages::FusedStages(const memplan_launch_t *launch) {
  const memplan_tensor_t *in = launch->inputs, *out = launch->outputs;
  const bool isGelu = std::strcmp(launch->kernel, "memplan.matmul_gelu") == 0;
  memplan_launch_t &product =
      isGelu ? add(launch, "memplan.matmul", {in[0], in[1], in[2]}, out[0])
             : add(launch, "memplan.matmul", {in[0], in[1]}, out[0]);
  product.attributes = launch->attributes;
  product.attribute_count = launch->attribute_count;
  if (std::strcmp(launch->kernel, "memplan.matmul_bias_grad") == 0) {
    const bool ofRhs = intAttribute(launch, "sum_rhs", 0);
    addSum(launch, in[ofRhs ? 1 : 0], out[1],
           /*keepsFirst=*/
           ofRhs ? intAttribute(launch, "transpose_rhs", 0)
                 : !intAttribute(launch, "transpose_lhs", 0));
    return;
  }
  memplan_launch_t &gelu =
      isGelu ? add(launch, "memplan.gelu", {out[0]}, out[1])
             : add(launch, "memplan.gelu_grad", {in[2], out[0]}, out[0]);
  gelu.attributes = &withTanh;
  gelu.attribute_count = 1;
  static constexpr memplan_in_place_t overGradient = {0, 1};
  if (isGelu)
    return;
  gelu.aliases = &overGradient;
  gelu.alias_count = 1;
  addSum(launch, out[0], out[1], /*keepsFirst=*/false);
}

} // namespace memplan::runtime::kernels
