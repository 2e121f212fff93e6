//===- Dynamic.cpp - The C interface of dynamic runs ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Dynamic.h"
#include "LastError.h"
#include "RuntimeHandles.h"

#include "memplan/Runtime/Dynamic/DynamicExecutable.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

using namespace memplan;
using namespace memplan::runtime;
using memplan::capi::guard;

namespace {
/// What a handle is: a dense part of a value.
struct Tensor {
  ValueId value = -1;
  int64_t offset = 0; ///< in bytes
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
  uint32_t generation = 0; ///< odd while the handle is there
};
} // namespace

struct memplan_dynamic {
  memplan_dynamic(Engine engine) : engine(std::move(engine)) {}

  Engine engine;
  std::vector<Tensor> tensors;
  std::vector<int32_t> spare;
  /// Prepared kernels by what they were prepared for.
  std::unordered_map<std::string, std::shared_ptr<const KernelCall>> calls;
  // Of one op.
  std::string key;
  std::vector<Place> inputs;
  std::vector<NewValue> outputs;
  std::vector<ValueId> results;

  Tensor *find(memplan_handle_t handle);
  void needSlots(size_t count);
  memplan_handle_t add(Tensor tensor) noexcept;
  Status lookUp(const memplan_dynamic_op_t &op);
  Result<std::shared_ptr<const KernelCall>>
  callFor(const memplan_dynamic_op_t &op);
  Status apply(const memplan_dynamic_op_t &op, memplan_handle_t *handles);
};

static memplan_status_t report(const Status &status) {
  return status.ok()
             ? MEMPLAN_OK
             : memplan_set_last_error(status.code, status.message.c_str());
}

static Status nullPointer(const char *function) {
  return invalid(std::string(function) + " got a null pointer");
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Tensor *memplan_dynamic::find(memplan_handle_t handle) {
  const auto slot = size_t(handle & 0xffffffff);
  const auto generation = uint32_t(uint64_t(handle) >> 32);
  if (slot >= tensors.size() || tensors[slot].generation != generation ||
      generation % 2 == 0)
    return nullptr;
  return &tensors[slot];
}

/// Places for handles, so that add() cannot fail.
void memplan_dynamic::needSlots(size_t count) {
  while (spare.size() < count) {
    if (spare.capacity() <= tensors.size())
      spare.reserve(2 * tensors.size() + 16);
    tensors.emplace_back();
    spare.push_back(int32_t(tensors.size()) - 1);
  }
}

memplan_handle_t memplan_dynamic::add(Tensor tensor) noexcept {
  const int32_t slot = spare.back();
  spare.pop_back();
  Tensor &place = tensors[size_t(slot)];
  tensor.generation = (place.generation + 1) & 0x7fffffff;
  place = std::move(tensor);
  return int64_t(place.generation) << 32 | slot;
}

static Status noHandle(memplan_handle_t handle) {
  return invalid("no tensor has the handle " + std::to_string(handle));
}

static Status readType(int32_t dtype, int32_t rank, const int64_t *shape,
                       Tensor &tensor) {
  if (dtype < MEMPLAN_F32 || dtype > MEMPLAN_I8)
    return invalid("element type " + std::to_string(dtype) + " is not known");
  if (rank < 0 || rank > 64 || (rank > 0 && !shape))
    return invalid("a shape of rank " + std::to_string(rank) +
                   (shape ? "" : " at null"));
  tensor.dtype = DType(dtype);
  tensor.shape.assign(shape, shape + rank);
  const std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.shape);
  if (!bytes)
    return invalid("a shape with a negative dimension, or too large");
  tensor.bytes = *bytes;
  return Status::success();
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
  return guard([&] {
    if (dynamic)
      *dynamic = nullptr;
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
  return guard([&] {
    if (!dynamic || !handle)
      return report(nullPointer("memplan_dynamic_put"));
    *handle = 0;
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
  if (handle)
    *handle = 0;
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
    ++tensor.generation;
    dynamic->spare.push_back(int32_t(&tensor - dynamic->tensors.data()));
    return Status::success();
  });
}

memplan_status_t memplan_dynamic_detach(memplan_dynamic_t *dynamic,
                                        memplan_handle_t handle) {
  return onTensor(
      dynamic, handle, "memplan_dynamic_detach",
      [&](Tensor &tensor) { return dynamic->engine.detach(tensor.value); });
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

static Result<AttributeValue> readAttribute(const memplan_attribute_t &from) {
  if (from.count < 0)
    return invalid("attribute '" + std::string(from.name) + "' has " +
                   std::to_string(from.count) + " entries");
  switch (from.kind) {
  case MEMPLAN_ATTRIBUTE_INT:
    return AttributeValue(from.int_value);
  case MEMPLAN_ATTRIBUTE_FLOAT:
    return AttributeValue(from.float_value);
  case MEMPLAN_ATTRIBUTE_STRING:
    if (from.string)
      return AttributeValue(std::string(from.string));
    break;
  case MEMPLAN_ATTRIBUTE_INTS:
    if (from.ints || from.count == 0)
      return AttributeValue(
          std::vector<int64_t>(from.ints, from.ints + from.count));
    break;
  case MEMPLAN_ATTRIBUTE_FLOATS:
    if (from.floats || from.count == 0)
      return AttributeValue(
          std::vector<double>(from.floats, from.floats + from.count));
    break;
  }
  return invalid("attribute '" + std::string(from.name) +
                 "' has no value of kind " + std::to_string(from.kind));
}

/// Checks the op and leaves its operands and the key of its kernel.
Status memplan_dynamic::lookUp(const memplan_dynamic_op_t &op) {
  if (op.struct_bytes < int32_t(sizeof(memplan_dynamic_op_t)))
    return invalid("memplan_dynamic_op_t of " +
                   std::to_string(op.struct_bytes) +
                   " bytes: begin with MEMPLAN_DYNAMIC_OP_INIT");
  if (!op.kernel || op.input_count < 0 || op.output_count < 1 ||
      op.attribute_count < 0 || (op.input_count > 0 && !op.inputs) ||
      !op.outputs || (op.attribute_count > 0 && !op.attributes))
    return invalid("an op needs a kernel and an output, counts that are not "
                   "negative, and what they count");
  inputs.clear();
  outputs.clear();
  key.assign(op.kernel).push_back('\0');
  auto number = [&](int64_t value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  auto type = [&](const Tensor &tensor) {
    number(int64_t(tensor.dtype));
    number(int64_t(tensor.shape.size()));
    for (int64_t size : tensor.shape)
      number(size);
  };
  number(op.input_count);
  for (int32_t i = 0; i < op.input_count; ++i) {
    const Tensor *input = find(op.inputs[i]);
    if (!input)
      return noHandle(op.inputs[i]);
    inputs.push_back({input->value, input->offset});
    type(*input);
  }
  for (int32_t o = 0; o < op.output_count; ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    Tensor made;
    if (Status s = readType(output.dtype, output.rank, output.shape, made);
        !s.ok())
      return s;
    type(made);
    number(output.over);
    if (output.over < 0) {
      outputs.push_back({made.bytes, -1, 0});
      continue;
    }
    if (output.over >= op.input_count ||
        find(op.inputs[output.over])->bytes != made.bytes)
      return invalid("output " + std::to_string(o) + " lies over input " +
                     std::to_string(output.over) +
                     ", which is not there or of another size");
    const Place &input = inputs[size_t(output.over)];
    outputs.push_back({0, input.value, input.offset});
  }
  return Status::success();
}

Result<std::shared_ptr<const KernelCall>>
memplan_dynamic::callFor(const memplan_dynamic_op_t &op) {
  Instruction call;
  call.kernel = op.kernel;
  for (int32_t i = 0; i < op.attribute_count; ++i) {
    if (!op.attributes[i].name)
      return invalid("an attribute without a name");
    Result<AttributeValue> value = readAttribute(op.attributes[i]);
    if (!value)
      return value.error();
    call.attributes.push_back({op.attributes[i].name, std::move(*value)});
  }
  std::sort(
      call.attributes.begin(), call.attributes.end(),
      [](const Attribute &a, const Attribute &b) { return a.name < b.name; });
  for (const Attribute &attribute : call.attributes)
    key += attribute.name + "=" + attributeText(attribute.value) + '\0';
  if (auto known = calls.find(key); known != calls.end())
    return known->second;
  int32_t next = 0;
  for (int32_t i = 0; i < op.input_count; ++i) {
    const Tensor &input = *find(op.inputs[i]);
    call.inputs.push_back({Space::Arena, next++, 0, input.dtype, input.shape});
  }
  for (int32_t o = 0; o < op.output_count; ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    call.outputs.push_back(
        {Space::Arena, output.over >= 0 ? output.over : next++, 0,
         DType(output.dtype),
         std::vector<int64_t>(output.shape, output.shape + output.rank)});
  }
  Result<KernelCall> prepared =
      KernelCall::prepare(engine.device(), std::move(call));
  if (!prepared)
    return prepared.error();
  if (calls.size() >= 4096)
    calls.clear(); // Paths keep what they need.
  auto shared = std::make_shared<const KernelCall>(std::move(*prepared));
  calls.emplace(key, shared);
  return shared;
}

Status memplan_dynamic::apply(const memplan_dynamic_op_t &op,
                              memplan_handle_t *handles) {
  if (Status s = lookUp(op); !s.ok())
    return s;
  auto call = callFor(op);
  if (!call)
    return call.error();
  results.resize(outputs.size());
  const double cost = op.cost_micros > 0
                          ? op.cost_micros
                          : estimatedMicros((*call)->instruction());
  // All that can fail comes before the op runs.
  std::vector<Tensor> made(outputs.size());
  size_t fresh = 0;
  for (size_t o = 0; o < made.size(); ++o) {
    const memplan_dynamic_output_t &output = op.outputs[o];
    fresh += output.over < 0;
    if (Status s = readType(output.dtype, output.rank, output.shape, made[o]);
        !s.ok())
      return s;
  }
  needSlots(fresh);
  if (Status s = engine.apply(*call, cost, inputs, outputs, results.data());
      !s.ok())
    return s;
  for (size_t o = 0; o < made.size(); ++o) {
    made[o].value = results[o];
    if (op.outputs[o].over < 0) {
      handles[o] = add(std::move(made[o]));
      continue;
    }
    handles[o] = op.inputs[op.outputs[o].over];
    for (Tensor &other : tensors)
      if (other.generation % 2 == 1 && other.value == outputs[o].over)
        other.value = results[o];
  }
  return Status::success();
}

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
              replay.followed};
    return MEMPLAN_OK;
  });
}
