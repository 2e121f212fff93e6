//===- Recipe.cpp - A kernel as a list of oneDNN calls --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

#include "OpenMp.h"

#include <memory>
#include <string_view>

using namespace memplan::runtime;
using namespace memplan::runtime::onednn;
using dnnl::memory;

const dnnl::engine &onednn::cpuEngine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::primitive_attr onednn::plannedScratch() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

memory::dims onednn::dimsOf(const memplan_tensor_t &tensor) {
  return {tensor.shape, tensor.shape + tensor.rank};
}

memory::data_type onednn::typeOf(const memplan_tensor_t &tensor) {
  switch (tensor.dtype) {
  case MEMPLAN_BF16:
    return memory::data_type::bf16;
  case MEMPLAN_F16:
    return memory::data_type::f16;
  default:
    return memory::data_type::f32;
  }
}

memory::desc onednn::plainDesc(const memory::dims &dims,
                               memory::data_type type) {
  memory::dims strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return {dims, type, strides};
}

memory::desc onednn::descOf(const memplan_launch_t *launch, int operand) {
  const memplan_tensor_t &tensor = cpu::operandOf(launch, operand);
  const int64_t *strides = cpu::stridesOf(launch, operand);
  memory::dims dims = dimsOf(tensor);
  if (!strides)
    return plainDesc(dims, typeOf(tensor));
  return {dims, typeOf(tensor), memory::dims(strides, strides + tensor.rank)};
}

memory::desc onednn::anyDesc(const memory::dims &dims, memory::data_type type) {
  return {dims, type, memory::format_tag::any};
}

bool onednn::packsByItself(const char *implementation) {
  // "gemm:jit", "x64:gemm:jit" and "conv:any+gemm:jit", but not
  // "brgemm:avx512_core".
  std::string_view name = implementation;
  for (size_t at = name.find("gemm"); at != name.npos;
       at = name.find("gemm", at + 1))
    if (at < 2 || name.substr(at - 2, 2) != "br")
      return true;
  return false;
}

bool onednn::isForComparison(const char *implementation) {
  return std::string_view(implementation).starts_with("ref");
}

Recipe::Slot Recipe::add(Origin origin, int64_t where, const memory::desc &desc,
                         int64_t offset) {
  places.push_back({origin, where, offset, memory(desc, cpuEngine(), nullptr)});
  return Slot(places.size()) - 1;
}

Recipe::Slot Recipe::input(int number, const memory::desc &desc) {
  return add(Origin::Input, number, desc);
}

Recipe::Slot Recipe::output(int number, const memory::desc &desc) {
  return add(Origin::Output, number, desc);
}

Recipe::Slot Recipe::scratch(const memory::desc &desc) {
  // A cache line apart; oneDNN's blocked layouts want 64 bytes.
  constexpr int64_t alignment = 64;
  Slot slot = add(Origin::Workspace, scratchBytes, desc);
  int64_t bytes = int64_t(desc.get_size());
  scratchBytes += (bytes + alignment - 1) / alignment * alignment;
  return slot;
}

Recipe::Slot Recipe::described(Slot slot, const memory::desc &desc,
                               int64_t offset) {
  const Place &place = places[slot];
  return add(place.origin, place.where, desc, place.offset + offset);
}

void Recipe::copy(Slot from, Slot to) {
  memory::desc source = places[from].memory.get_desc();
  memory::desc target = places[to].memory.get_desc();
  dnnl::reorder::primitive_desc desc(cpuEngine(), source, cpuEngine(), target,
                                     plannedScratch());
  run(dnnl::reorder(desc), desc.scratchpad_desc(),
      {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

Recipe::Slot Recipe::inLayout(Slot slot, const memory::desc &wanted) {
  if (places[slot].memory.get_desc() == wanted)
    return slot;
  Slot temporary = scratch(wanted);
  copy(slot, temporary);
  return temporary;
}

Recipe::Slot Recipe::forLayout(Slot slot, const memory::desc &wanted) {
  if (places[slot].memory.get_desc() == wanted)
    return slot;
  Slot temporary = scratch(wanted);
  copiesBack.emplace_back(temporary, slot);
  return temporary;
}

void Recipe::run(const dnnl::primitive &primitive,
                 const memory::desc &scratchpad,
                 const std::vector<Argument> &arguments) {
  Step step{primitive, arguments, {}};
  if (scratchpad.get_size() > 0)
    step.arguments.push_back({DNNL_ARG_SCRATCHPAD, scratch(scratchpad)});
  for (const Argument &argument : step.arguments)
    step.bound.push_back({argument.id, places[argument.slot].memory.get()});
  steps.push_back(std::move(step));
}

void Recipe::finish() {
  for (auto [from, to] : copiesBack)
    copy(from, to);
  copiesBack.clear();
}

memplan_status_t onednn::prepareRecipe(const memplan_launch_t *description,
                                       memplan_prepared_t *prepared,
                                       RecipeBuilder build) {
  if (memplan_status_t status = cpu::checkLaunch(description, prepared))
    return status;
  setOpenMpThreads(description->threads);
  // oneDNN throws for what it does not cover; the plain kernel takes that.
  try {
    auto recipe = std::make_unique<Recipe>();
    if (!build(description, *recipe))
      return MEMPLAN_UNAVAILABLE;
    recipe->finish();
    prepared->workspace_bytes = recipe->workspaceBytes();
    prepared->state = recipe.release();
    return MEMPLAN_OK;
  } catch (const dnnl::error &) {
    return MEMPLAN_UNAVAILABLE;
  }
}

memplan_status_t Recipe::launch(const memplan_launch_t *launch) {
  for (Place &place : places) {
    void *data =
        place.origin == Origin::Input ? launch->inputs[place.where].data
        : place.origin == Origin::Output
            ? launch->outputs[place.where].data
            : static_cast<std::byte *>(launch->workspace) + place.where;
    dnnl_memory_set_data_handle(place.memory.get(),
                                static_cast<std::byte *>(data) + place.offset);
  }
  setOpenMpThreads(launch->threads);
  for (const Step &step : steps)
    if (dnnl_status_t status =
            dnnl_primitive_execute(step.primitive.get(), stream.get(),
                                   int(step.bound.size()), step.bound.data()))
      return cpu::fail(launch, MEMPLAN_FAILED, "oneDNN returned status %d",
                       int(status));
  dnnl_stream_wait(stream.get());
  return MEMPLAN_OK;
}

memplan_status_t onednn::launchRecipe(const memplan_launch_t *launch) {
  return static_cast<Recipe *>(launch->state)->launch(launch);
}

void onednn::destroyRecipe(void *state) { delete static_cast<Recipe *>(state); }
