//===- Dynamic.cpp - The C interface of dynamic runs ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Dynamic.h"
#include "DynamicHandles.h"
#include "LastError.h"
#include "RuntimeHandles.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include <cstring>

using namespace memplan;
using namespace memplan::runtime;
using memplan::capi::clear;
using memplan::capi::guard;
using memplan::capi::noHandle;
using memplan::capi::readType;
using memplan::capi::Tensor;

static memplan_status_t report(const Status &status) {
  return status.ok()
             ? MEMPLAN_OK
             : memplan_set_last_error(status.code, status.message.c_str());
}

static Status nullPointer(const char *function) {
  return invalid(std::string(function) + " got a null pointer");
}

/// The status of `body` on the tensor of a handle.
template <typename Body>
static memplan_status_t onTensor(memplan_dynamic_t *dynamic,
                                 memplan_handle_t handle, const char *function,
                                 Body body) {
  return guard([&] {
    if (!dynamic)
      return report(nullPointer(function));
    Tensor *tensor = dynamic->find(handle);
    return report(tensor ? body(*tensor) : noHandle(handle));
  });
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Result<DynamicOptions>
readOptions(const memplan_dynamic_options_t &options) {
  if (options.struct_bytes < int32_t(sizeof(memplan_dynamic_options_t)))
    return invalid("memplan_dynamic_options_t of " +
                   std::to_string(options.struct_bytes) +
                   " bytes: begin with MEMPLAN_DYNAMIC_OPTIONS_INIT");
  DynamicOptions result;
  result.budgetBytes = options.budget_bytes;
  result.hostBytes = options.host_bytes;
  if (options.heuristic)
    result.heuristic = eviction::findHeuristic(options.heuristic);
  if (!result.heuristic)
    return invalid("no heuristic '" + std::string(options.heuristic) +
                   "'; there are " + eviction::heuristicNames());
  if (!(options.ignored_share >= 0 && options.ignored_share <= 1))
    return invalid("ignored_share lies between 0 and 1");
  result.ignoredShare = options.ignored_share;
  result.sampling = options.sampling != 0;
  result.wallClock = options.wall_clock != 0;
  result.deletion = options.banish ? Deletion::Banish : Deletion::Eager;
  return result;
}

memplan_status_t
memplan_dynamic_create(memplan_session_t *session,
                       const memplan_dynamic_options_t *options,
                       memplan_dynamic_t **dynamic) {
  clear(dynamic);
  return guard([&] {
    if (!session || !options || !dynamic)
      return report(nullPointer("memplan_dynamic_create"));
    Result<DynamicOptions> read = readOptions(*options);
    if (!read)
      return report(read.error());
    Result<Engine> engine = Engine::create(session->device, *read);
    if (!engine)
      return report(engine.error());
    *dynamic = new memplan_dynamic(std::move(*engine));
    return MEMPLAN_OK;
  });
}

void memplan_dynamic_destroy(memplan_dynamic_t *dynamic) { delete dynamic; }

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

memplan_status_t memplan_dynamic_put(memplan_dynamic_t *dynamic, int32_t dtype,
                                     int32_t rank, const int64_t *shape,
                                     const void *host,
                                     memplan_handle_t *handle) {
  clear(handle);
  return guard([&] {
    if (!dynamic || !handle)
      return report(nullPointer("memplan_dynamic_put"));
    Tensor tensor;
    if (Status s = readType(dtype, rank, shape, tensor); !s.ok())
      return report(s);
    dynamic->needSlots(1);
    Result<ValueId> value = dynamic->engine.put(tensor.bytes, host);
    if (!value)
      return report(value.error());
    tensor.value = *value;
    *handle = dynamic->add(std::move(tensor));
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_dynamic_view(memplan_dynamic_t *dynamic,
                                      memplan_handle_t of, int64_t firstElement,
                                      int32_t rank, const int64_t *shape,
                                      memplan_handle_t *handle) {
  clear(handle);
  return onTensor(dynamic, of, "memplan_dynamic_view", [&](Tensor &base) {
    if (!handle)
      return nullPointer("memplan_dynamic_view");
    Tensor view;
    if (Status s = readType(int32_t(base.dtype), rank, shape, view); !s.ok())
      return s;
    const int64_t size = byteSize(base.dtype), elements = base.bytes / size;
    if (firstElement < 0 || firstElement > elements ||
        view.bytes / size > elements - firstElement)
      return invalid("a view of " + std::to_string(view.bytes / size) +
                     " elements from element " + std::to_string(firstElement) +
                     " of a tensor of " + std::to_string(elements));
    view.value = base.value;
    view.offset = base.offset + firstElement * size;
    dynamic->needSlots(1); // `base` may have moved.
    dynamic->engine.use(view.value);
    *handle = dynamic->add(std::move(view));
    return Status::success();
  });
}

static Status checkBytes(const Tensor &tensor, const void *host,
                         int64_t bytes) {
  if (bytes != tensor.bytes || (!host && bytes > 0))
    return invalid("the tensor has " + std::to_string(tensor.bytes) +
                   " bytes, not " + std::to_string(host ? bytes : 0));
  return Status::success();
}

memplan_status_t memplan_dynamic_read(memplan_dynamic_t *dynamic,
                                      memplan_handle_t handle, void *host,
                                      int64_t bytes) {
  return onTensor(dynamic, handle, "memplan_dynamic_read", [&](Tensor &tensor) {
    Status status = checkBytes(tensor, host, bytes);
    return status.ok()
               ? dynamic->engine.read(tensor.value, tensor.offset, host, bytes)
               : status;
  });
}

memplan_status_t memplan_dynamic_write(memplan_dynamic_t *dynamic,
                                       memplan_handle_t handle,
                                       const void *host, int64_t bytes) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_write", [&](Tensor &tensor) {
        Status status = checkBytes(tensor, host, bytes);
        return status.ok() ? dynamic->engine.write(tensor.value, tensor.offset,
                                                   host, bytes)
                           : status;
      });
}

memplan_status_t memplan_dynamic_drop(memplan_dynamic_t *dynamic,
                                      memplan_handle_t handle) {
  return onTensor(dynamic, handle, "memplan_dynamic_drop", [&](Tensor &tensor) {
    dynamic->engine.drop(tensor.value);
    dynamic->forget(tensor);
    return Status::success();
  });
}

memplan_status_t memplan_dynamic_detach(memplan_dynamic_t *dynamic,
                                        memplan_handle_t handle) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_detach",
      [&](Tensor &tensor) { return dynamic->engine.detach(tensor.value); });
}

memplan_status_t memplan_dynamic_evict(memplan_dynamic_t *dynamic,
                                       memplan_handle_t handle) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_evict",
      [&](Tensor &tensor) { return dynamic->engine.evict(tensor.value); });
}

memplan_status_t memplan_dynamic_swap_out(memplan_dynamic_t *dynamic,
                                          memplan_handle_t handle) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_swap_out",
      [&](Tensor &tensor) { return dynamic->engine.swapOut(tensor.value); });
}

memplan_status_t memplan_dynamic_swap_in(memplan_dynamic_t *dynamic,
                                         memplan_handle_t handle) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_swap_in",
      [&](Tensor &tensor) { return dynamic->engine.swapIn(tensor.value); });
}

memplan_status_t memplan_dynamic_info(memplan_dynamic_t *dynamic,
                                      memplan_handle_t handle, int32_t *dtype,
                                      int64_t *bytes, int32_t *isResident) {
  return onTensor(dynamic, handle, "memplan_dynamic_info", [&](Tensor &tensor) {
    if (dtype)
      *dtype = int32_t(tensor.dtype);
    if (bytes)
      *bytes = tensor.bytes;
    if (isResident)
      *isResident = dynamic->engine.isResident(tensor.value);
    return Status::success();
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

memplan_status_t memplan_dynamic_apply(memplan_dynamic_t *dynamic,
                                       const memplan_dynamic_op_t *op,
                                       memplan_handle_t *handles) {
  return guard([&] {
    if (!dynamic || !op || !handles)
      return report(nullPointer("memplan_dynamic_apply"));
    return report(dynamic->apply(*op, handles));
  });
}

memplan_status_t memplan_dynamic_begin_step(memplan_dynamic_t *dynamic) {
  return guard([&] {
    if (!dynamic)
      return report(nullPointer("memplan_dynamic_begin_step"));
    dynamic->engine.beginStep();
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_dynamic_load_plan(memplan_dynamic_t *dynamic,
                                           const char *path) {
  return guard([&] {
    if (!dynamic || !path)
      return report(nullPointer("memplan_dynamic_load_plan"));
    Result<Program> program = readProgramFile(path);
    return report(program ? dynamic->engine.loadPlan(*program)
                          : program.error());
  });
}

memplan_status_t memplan_dynamic_synchronize(memplan_dynamic_t *dynamic) {
  return guard([&] {
    if (!dynamic)
      return report(nullPointer("memplan_dynamic_synchronize"));
    const Device &device = dynamic->engine.device();
    return report(device.status(device.backend().synchronize(device.handle()),
                                "cannot synchronize"));
  });
}

memplan_status_t memplan_dynamic_get_stats(memplan_dynamic_t *dynamic,
                                           memplan_dynamic_stats_t *stats) {
  return guard([&] {
    if (!dynamic || !stats)
      return report(nullPointer("memplan_dynamic_get_stats"));
    if (stats->struct_bytes < int32_t(sizeof(memplan_dynamic_stats_t)))
      return report(invalid("memplan_dynamic_stats_t of " +
                            std::to_string(stats->struct_bytes) +
                            " bytes: begin with MEMPLAN_DYNAMIC_STATS_INIT"));
    const Engine &engine = dynamic->engine;
    const DynamicStats &counts = engine.stats();
    const ReplayStats replay = engine.lastReplay();
    *stats = {stats->struct_bytes,
              replay.deviated,
              engine.pool().capacity(),
              engine.pool().liveBytes(),
              engine.pool().mostLiveBytes(),
              engine.pool().highWaterBytes(),
              counts.computes,
              counts.recomputes,
              counts.evictions,
              counts.copiesOut,
              counts.copiesIn,
              counts.compactions,
              int64_t(engine.valueCount()),
              int64_t(engine.opCount()),
              replay.followed,
              replay.planned,
              replay.inPlan};
    return MEMPLAN_OK;
  });
}
