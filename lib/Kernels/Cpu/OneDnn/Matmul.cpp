//===- Matmul.cpp - Matrix products through oneDNN ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

using namespace memplan::runtime;
using namespace memplan::runtime::onednn;
using dnnl::memory;

/// The tensor as [batch, rows, columns], with the last two exchanged by their
/// strides when the product takes the transpose.
static memory::desc matrixDesc(const memplan_tensor_t &tensor, bool transpose) {
  int64_t rows = tensor.shape[tensor.rank - 2];
  int64_t columns = tensor.shape[tensor.rank - 1];
  int64_t batch = cpu::product(tensor, 0, tensor.rank - 2);
  if (transpose)
    return {
        {batch, columns, rows}, typeOf(tensor), {rows * columns, 1, columns}};
  return {{batch, rows, columns}, typeOf(tensor), {rows * columns, columns, 1}};
}

/// All leading dimensions as rows of one matrix.
static memory::desc flatDesc(const memplan_tensor_t &tensor) {
  int64_t columns = tensor.shape[tensor.rank - 1];
  return plainDesc({1, cpu::product(tensor, 0, tensor.rank - 1), columns},
                   typeOf(tensor));
}

static bool buildMatmul(const memplan_launch_t *launch, Recipe &recipe) {
  bool transposeLhs = cpu::intAttribute(launch, "transpose_lhs", 0);
  bool transposeRhs = cpu::intAttribute(launch, "transpose_rhs", 0);
  // One right-hand matrix for all left-hand ones: a single tall product.
  bool tall = launch->inputs[0].rank > 2 && launch->inputs[1].rank == 2 &&
              !transposeLhs;
  memory::desc lhs = tall ? flatDesc(launch->inputs[0])
                          : matrixDesc(launch->inputs[0], transposeLhs);
  memory::desc rhs = matrixDesc(launch->inputs[1], transposeRhs);
  memory::desc result = tall ? flatDesc(launch->outputs[0])
                             : matrixDesc(launch->outputs[0], false);
  std::vector<Recipe::Argument> arguments;
  memory::desc bias;
  if (launch->input_count > 2) {
    bias = plainDesc({1, 1, launch->inputs[2].shape[0]},
                     typeOf(launch->inputs[2]));
    arguments.push_back({DNNL_ARG_BIAS, recipe.input(2, bias)});
  }
  auto describe = [&]() -> dnnl::matmul::primitive_desc {
    if (launch->input_count > 2)
      return {cpuEngine(), lhs, rhs, bias, result, plannedScratch()};
    return {cpuEngine(), lhs, rhs, result, plannedScratch()};
  };
  dnnl::matmul::primitive_desc desc = describe();
  // On a machine without AVX-512 every fast product packs by itself; the plain
  // kernel would cost far more than its buffers.
  if (!keepToScratch(desc)) {
    if (launch->outputs[0].dtype != MEMPLAN_F32)
      return false;
    desc = describe();
  }
  arguments.push_back({DNNL_ARG_SRC, recipe.input(0, lhs)});
  arguments.push_back({DNNL_ARG_WEIGHTS, recipe.input(1, rhs)});
  arguments.push_back({DNNL_ARG_DST, recipe.output(0, result)});
  recipe.run(dnnl::matmul(desc), desc.scratchpad_desc(), arguments);
  return true;
}

KernelList onednn::matmulKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      recipeKernel<buildMatmul>("memplan.matmul")};
  return kernels;
}
