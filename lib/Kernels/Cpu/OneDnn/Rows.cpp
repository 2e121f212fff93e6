//===- Rows.cpp - Softmax and gelu through oneDNN -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

#include <string_view>

using namespace memplan::runtime;
using namespace memplan::runtime::onednn;
using dnnl::memory;
using dnnl::prop_kind;

static bool buildSoftmax(const memplan_launch_t *launch, Recipe &recipe) {
  memory::desc plain = descOf(launch, 0);
  int axis = cpu::dimensionAttribute(launch, "axis", launch->inputs[0].rank);
  dnnl::softmax_forward::primitive_desc desc(
      cpuEngine(), prop_kind::forward_training,
      dnnl::algorithm::softmax_accurate, plain, plain, axis, plannedScratch());
  recipe.run(dnnl::softmax_forward(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_SRC, recipe.input(0, plain)},
              {DNNL_ARG_DST, recipe.output(0, plain)}});
  return true;
}

static bool buildSoftmaxGrad(const memplan_launch_t *launch, Recipe &recipe) {
  memory::desc plain = descOf(launch, 0);
  int axis = cpu::dimensionAttribute(launch, "axis", launch->inputs[0].rank);
  dnnl::softmax_forward::primitive_desc forward(
      cpuEngine(), prop_kind::forward_training,
      dnnl::algorithm::softmax_accurate, plain, plain, axis, plannedScratch());
  dnnl::softmax_backward::primitive_desc desc(
      cpuEngine(), dnnl::algorithm::softmax_accurate, plain, plain, plain, axis,
      forward, plannedScratch());
  recipe.run(dnnl::softmax_backward(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_DST, recipe.input(0, plain)},
              {DNNL_ARG_DIFF_DST, recipe.input(1, plain)},
              {DNNL_ARG_DIFF_SRC, recipe.output(0, plain)}});
  return true;
}

/// oneDNN's elementwise primitives see one long row.
static memory::desc rowDesc(const memplan_tensor_t &tensor) {
  return plainDesc({cpu::elements(tensor)}, typeOf(tensor));
}

static dnnl::algorithm geluAlgorithm(const memplan_launch_t *launch) {
  const memplan_attribute_t *form = cpu::findAttribute(launch, "approximate");
  bool tanh = form && form->kind == MEMPLAN_ATTRIBUTE_STRING &&
              std::string_view(form->string) == "tanh";
  return tanh ? dnnl::algorithm::eltwise_gelu_tanh
              : dnnl::algorithm::eltwise_gelu_erf;
}

static bool buildGelu(const memplan_launch_t *launch, Recipe &recipe) {
  memory::desc row = rowDesc(launch->inputs[0]);
  dnnl::eltwise_forward::primitive_desc desc(
      cpuEngine(), prop_kind::forward_training, geluAlgorithm(launch), row, row,
      plannedScratch());
  recipe.run(dnnl::eltwise_forward(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_SRC, recipe.input(0, row)},
              {DNNL_ARG_DST, recipe.output(0, row)}});
  return true;
}

static bool buildGeluGrad(const memplan_launch_t *launch, Recipe &recipe) {
  memory::desc row = rowDesc(launch->inputs[0]);
  dnnl::eltwise_forward::primitive_desc forward(
      cpuEngine(), prop_kind::forward_training, geluAlgorithm(launch), row, row,
      plannedScratch());
  dnnl::eltwise_backward::primitive_desc desc(cpuEngine(),
                                              geluAlgorithm(launch), row, row,
                                              row, forward, plannedScratch());
  recipe.run(dnnl::eltwise_backward(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_SRC, recipe.input(0, row)},
              {DNNL_ARG_DIFF_DST, recipe.input(1, row)},
              {DNNL_ARG_DIFF_SRC, recipe.output(0, row)}});
  return true;
}

KernelList onednn::rowKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      recipeKernel<buildGelu>("memplan.gelu", cpu::overFirst),
      recipeKernel<buildGeluGrad>("memplan.gelu_grad", cpu::overEither),
      recipeKernel<buildSoftmax>("memplan.softmax", cpu::overFirst),
      recipeKernel<buildSoftmaxGrad>("memplan.softmax_grad", cpu::overEither)};
  return kernels;
}
