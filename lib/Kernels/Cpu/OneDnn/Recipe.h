//===- Recipe.h - A kernel as a list of oneDNN calls ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// oneDNN computes fastest on layouts of its own. A recipe copies operands into
// such layouts, runs a primitive and copies results back. Every byte of those
// copies, and oneDNN's own scratch, lies in the planned workspace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_ONEDNN_RECIPE_H
#define MEMPLAN_LIB_KERNELS_CPU_ONEDNN_RECIPE_H

#include "../Kernel.h"

#include <dnnl.hpp>
#include <vector>

namespace memplan::runtime::onednn {

/// The one CPU engine of the process.
const dnnl::engine &cpuEngine();

/// Attributes of every primitive: scratch comes from the caller.
dnnl::primitive_attr plannedScratch();

class Recipe {
public:
  /// A tensor that steps read or write.
  using Slot = int;

  Slot input(int number, const dnnl::memory::desc &desc);
  Slot output(int number, const dnnl::memory::desc &desc);
  /// A temporary in the workspace.
  Slot scratch(const dnnl::memory::desc &desc);
  /// The bytes of `slot` under another description, from byte `offset` on.
  Slot described(Slot slot, const dnnl::memory::desc &desc, int64_t offset = 0);

  /// `slot` itself if it has the wanted layout, otherwise a temporary that
  /// gets a copy of it.
  Slot inLayout(Slot slot, const dnnl::memory::desc &wanted);
  /// Where a primitive shall write a result of layout `wanted` that belongs
  /// into `slot`. finish() adds the copy.
  Slot forLayout(Slot slot, const dnnl::memory::desc &wanted);
  void copy(Slot from, Slot to);

  struct Argument {
    int id; ///< DNNL_ARG_*
    Slot slot;
  };
  /// Runs `primitive` with the arguments and a scratchpad if it wants one.
  void run(const dnnl::primitive &primitive,
           const dnnl::memory::desc &scratchpad,
           const std::vector<Argument> &arguments);
  /// Adds the copies that forLayout() promised.
  void finish();

  int64_t workspaceBytes() const { return scratchBytes; }
  memplan_status_t launch(const memplan_launch_t *launch);

private:
  enum class Origin { Input, Output, Workspace };
  struct Place {
    Origin origin;
    int64_t where;  ///< operand number or byte offset
    int64_t offset; ///< bytes from there
    dnnl::memory memory;
  };
  struct Step {
    dnnl::primitive primitive;
    std::vector<Argument> arguments;
    std::vector<dnnl_exec_arg_t> bound; ///< same order
  };
  Slot add(Origin origin, int64_t where, const dnnl::memory::desc &desc,
           int64_t offset = 0);

  std::vector<Place> places;
  std::vector<Step> steps;
  std::vector<std::pair<Slot, Slot>> copiesBack;
  int64_t scratchBytes = 0;
  dnnl::stream stream{cpuEngine()};
};

/// Builds a kernel's recipe when it is prepared. Returns false for a case that
/// the plain kernel shall take.
using RecipeBuilder = bool (*)(const memplan_launch_t *description,
                               Recipe &recipe);

memplan_status_t prepareRecipe(const memplan_launch_t *description,
                               memplan_prepared_t *prepared,
                               RecipeBuilder build);
memplan_status_t launchRecipe(const memplan_launch_t *launch);
void destroyRecipe(void *state);

/// Dense row-major dims of a tensor.
dnnl::memory::dims dimsOf(const memplan_tensor_t &tensor);
/// The element type of an operand, real ones only.
dnnl::memory::data_type typeOf(const memplan_tensor_t &tensor);
/// Row-major layout of an operand (inputs, then outputs), with its gaps. A
/// primitive is described without them and gets a copy, so that it computes the
/// same bits.
dnnl::memory::desc descOf(const memplan_launch_t *launch, int operand);
/// Row-major layout of `dims`.
dnnl::memory::desc plainDesc(const dnnl::memory::dims &dims,
                             dnnl::memory::data_type type);
/// The layout that oneDNN likes best for `dims`.
dnnl::memory::desc anyDesc(const dnnl::memory::dims &dims,
                           dnnl::memory::data_type type);

template <RecipeBuilder build>
constexpr memplan_kernel_t
recipeKernel(const char *name,
             std::span<const memplan_in_place_t> inPlace = {}) {
  auto prepare = [](const memplan_launch_t *description,
                    memplan_prepared_t *prepared) {
    return prepareRecipe(description, prepared, build);
  };
  return {name,          prepare,        launchRecipe,
          destroyRecipe, inPlace.data(), int32_t(inPlace.size())};
}

/// Whether an implementation of oneDNN multiplies matrices through its own
/// product, which takes packing buffers from malloc at every launch, where no
/// plan sees them; or is the one that is there to compare with, far too slow.
bool packsByItself(const char *implementation);
bool isForComparison(const char *implementation);

/// Moves on to the first implementation that takes all its scratch from the
/// caller. False, with the description at its end, where there is none.
template <typename PrimitiveDesc> bool keepToScratch(PrimitiveDesc &desc) {
  while (packsByItself(desc.impl_info_str()) ||
         isForComparison(desc.impl_info_str()))
    if (!desc.next_impl())
      return false;
  return true;
}

using KernelList = std::span<const memplan_kernel_t>;
KernelList convolutionKernels();
KernelList matmulKernels();
KernelList rowKernels();

} // namespace memplan::runtime::onednn

#endif // MEMPLAN_LIB_KERNELS_CPU_ONEDNN_RECIPE_H
