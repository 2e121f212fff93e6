//===- memplan-c/Backend.h - ABI of kernels and backends ----------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes one instruction of a program. A backend is a versioned
// table of functions that owns a device and runs kernels on it. The executor
// knows nothing else, so a backend may live in a plugin.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_BACKEND_H
#define MEMPLAN_C_BACKEND_H

#include "memplan-c/Status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when launches tell what they did not before. New fields go to the end
/// of the structs that are handed over one by one: memplan_backend_t,
/// memplan_launch_t and memplan_prepared_t. `struct_bytes` of the first tells
/// how many fields a backend has. The runtime takes backends of every version
/// up to this one and hands them no launch that they cannot know. A runtime of
/// an older build refuses a newer version: a backend that reads nothing of
/// version 2 may state 1.
///   1: all that is not marked otherwise
///   2: strides of operands
///   3: numbers of instructions; queues, which no older backend is asked for
///   4: versions and bytes of what a device has loaded; one block beside
///      arenas; graphs
///   5: variants by name; descriptions of devices
///   6: elements of 16 bits; launches with any are refused for older backends
///   7: times of launches on the device's own clock
///   8: the device that plans name; alignment of operands; bytes of the context
#define MEMPLAN_BACKEND_ABI_VERSION 8

/// Element types, little endian.
typedef enum memplan_dtype {
  MEMPLAN_F32 = 0,
  MEMPLAN_I64 = 1,
  MEMPLAN_I8 = 2,
  MEMPLAN_BF16 = 3, ///< the upper half of an f32; since version 6
  MEMPLAN_F16 = 4   ///< IEEE 754 binary16; since version 6
} memplan_dtype_t;

/// A row-major tensor, dense unless memplan_launch_t::strides says otherwise.
/// `data` is null while a kernel is prepared.
typedef struct memplan_tensor {
  void *data;
  int32_t dtype; ///< memplan_dtype_t
  int32_t rank;
  const int64_t *shape; ///< `rank` dimensions, each >= 0
} memplan_tensor_t;

typedef enum memplan_attribute_kind {
  MEMPLAN_ATTRIBUTE_INT = 0, ///< also booleans: 0 or 1; absent means 0
  MEMPLAN_ATTRIBUTE_FLOAT = 1,
  MEMPLAN_ATTRIBUTE_STRING = 2,
  MEMPLAN_ATTRIBUTE_INTS = 3,
  MEMPLAN_ATTRIBUTE_FLOATS = 4
} memplan_attribute_kind_t;

/// One named attribute; only the field of its kind is meaningful.
typedef struct memplan_attribute {
  const char *name;
  int32_t kind;         ///< memplan_attribute_kind_t
  int32_t count;        ///< entries of `ints` or `floats`
  int64_t int_value;    ///< INT
  double float_value;   ///< FLOAT
  const char *string;   ///< STRING
  const int64_t *ints;  ///< INTS
  const double *floats; ///< FLOATS
} memplan_attribute_t;

/// Output number `output` occupies exactly the bytes of input number `input`.
typedef struct memplan_in_place {
  int32_t output;
  int32_t input;
} memplan_in_place_t;

/// Runs `body(data, task)` for task = 0 .. task_count-1, each once, on the
/// threads of the device, and returns when all are done. It allocates nothing.
/// Which thread runs a task is not fixed, so what a task computes must depend
/// on its number only.
typedef struct memplan_parallel {
  void *context;
  int32_t threads;
  void (*run)(void *context, int64_t task_count,
              void (*body)(void *data, int64_t task), void *data);
} memplan_parallel_t;

/// Everything a kernel sees: once to prepare (all `data` and `workspace` null),
/// then for each launch, with the same shapes and attributes.
typedef struct memplan_launch {
  const char *kernel; ///< "memplan.relu"
  const memplan_tensor_t *inputs;
  const memplan_tensor_t *outputs;
  const memplan_attribute_t *attributes;
  const memplan_in_place_t *aliases; ///< outputs that share bytes with inputs
  int32_t input_count;
  int32_t output_count;
  int32_t attribute_count;
  int32_t alias_count;
  /// Scratch from the arena, or null. Aligned to 256 bytes; where there are
  /// less than 256, to the alignment of the arena.
  void *workspace;
  /// What the plan gives. A backend that is only asked what it would like sees
  /// INT64_MAX. In a launch, at least what prepare asked for.
  int64_t workspace_bytes;
  const memplan_parallel_t *parallel; ///< null on devices without host threads
  int32_t threads;                    ///< as given to memplan_backend_t::create
  int32_t stream;                     ///< 0 unless the plan uses streams
  void *stream_handle; ///< the backend's own stream (a cudaStream_t), or null
  void *state;         ///< what prepare left
  char *error;         ///< where a failing kernel writes its text, or null
  int64_t error_bytes; ///< room in `error`
  /// Null where all operands are dense, as ever before version 2. Otherwise an
  /// entry for each input and then each output. It is null for a dense one, or
  /// `rank` strides in elements, from one index of each dimension to the next.
  /// The elements of such an operand are still in row-major order without
  /// overlap, but for gaps: samples that lie in a larger tensor.
  const int64_t *const *strides;
  /// Number of the launch in the program, for `failed_launch`; -1 outside of
  /// one. Since version 3.
  int32_t instruction;
  int32_t reserved; ///< 0
  /// Which of `list_variants` is to run, no other; null: what the backend takes
  /// first within `workspace_bytes`. Null for backends that list none. Since
  /// version 5.
  const char *variant;
} memplan_launch_t;

/// The two copy engines, where the number of a queue is asked for. The numbers
/// of streams are their own.
#define MEMPLAN_QUEUE_D2H (-1)
#define MEMPLAN_QUEUE_H2D (-2)

/// What a step takes of a device, at most.
typedef struct memplan_queue_counts {
  int32_t streams;    ///< their numbers are below this
  int32_t events;     ///< likewise
  int64_t operations; ///< calls that a queue gets until `synchronize`
} memplan_queue_counts_t;

/// Bytes that a device has lost beside all blocks, as far as it can tell.
typedef struct memplan_overhead {
  int64_t handle_bytes; ///< libraries, when the device was opened
  int64_t code_bytes;   ///< code of kernels, while instructions were prepared
  /// The context of the process, before any library; -1 where the driver does
  /// not say. Since version 8.
  int64_t context_bytes;
} memplan_overhead_t;

/// What prepare leaves for the launches.
typedef struct memplan_prepared {
  void *state;             ///< handed to every launch, freed by `destroy`
  int64_t workspace_bytes; ///< scratch that a launch needs
  /// Scratch for which a faster kernel would have been taken; 0 if there is
  /// none.
  int64_t wanted_workspace_bytes;
  /// 1 from a kernel that has taken the `strides` of its description into
  /// account. A kernel that leaves it 0 is not launched with any. Since version
  /// 2.
  int32_t takes_strides;
  /// The variant that was taken, where it has a name; stays until `release`.
  /// Since version 5.
  const char *variant;
  /// What the address of each operand must be a multiple of; 0: of its element.
  /// Plans copy operands that lie elsewhere, and programs that have such ones
  /// are refused. Since version 8.
  int64_t operand_alignment;
} memplan_prepared_t;

/// One implementation of an instruction on a device. Since version 5.
typedef struct memplan_variant {
  const char *name; ///< names it to launches, on any device like this one
  int64_t workspace_bytes; ///< scratch that it takes, to the byte
  /// Time over that of the first variant, as a guess from the order in which
  /// its library ranks them; measured times replace it.
  double slowdown;
} memplan_variant_t;

/// One kernel. A table of these is what a kernel library offers.
///
/// prepare checks counts, types, shapes and attributes; a launch may rely on
/// them. It may return MEMPLAN_UNAVAILABLE for a case the kernel does not
/// cover: the backend then takes the next kernel of that name. May allocate.
/// launch neither allocates nor synchronizes nor prints.
/// destroy may be null. `in_place` lists the aliases that a launch tolerates.
typedef struct memplan_kernel {
  const char *name;
  memplan_status_t (*prepare)(const memplan_launch_t *description,
                              memplan_prepared_t *prepared);
  memplan_status_t (*launch)(const memplan_launch_t *launch);
  void (*destroy)(void *state);
  const memplan_in_place_t *in_place;
  int32_t in_place_count;
} memplan_kernel_t;

/// An open device of a backend.
typedef struct memplan_device memplan_device_t;

/// A backend. All functions are set unless marked optional; `device` is what
/// `create` made. Failing functions leave their text for `last_error`. The
/// functions up to `kernel_name` are in every table of version 1.
typedef struct memplan_backend {
  int32_t abi_version;  ///< MEMPLAN_BACKEND_ABI_VERSION
  int32_t struct_bytes; ///< sizeof(memplan_backend_t) of the backend's build
  const char *name;     ///< "cpu"
  const char *version;  ///< free text: libraries and their versions

  /// Devices at hand. Zero is not an error.
  memplan_status_t (*device_count)(int32_t *count);
  /// Opens device number `device` with `threads` host threads (0: one).
  memplan_status_t (*create)(int32_t device, int32_t threads,
                             memplan_device_t **result);
  void (*destroy)(memplan_device_t *device);
  /// Text of the last failure; `device` may be null: of the last create.
  const char *(*last_error)(memplan_device_t *device);
  /// Name of the device for people and profiles.
  const char *(*device_name)(memplan_device_t *device);
  /// Bytes that programs may use; 0 when unknown.
  memplan_status_t (*usable_bytes)(memplan_device_t *device, int64_t *bytes);

  /// One block of device memory, its start a multiple of `alignment`.
  memplan_status_t (*alloc)(memplan_device_t *device, int64_t bytes,
                            int64_t alignment, void **base);
  memplan_status_t (*free)(memplan_device_t *device, void *base);
  /// Checks whatever guards stand around a block of `alloc` or `alloc_host`.
  /// Optional.
  memplan_status_t (*check_guards)(memplan_device_t *device, void *base);
  /// Copies wait for earlier launches and are complete on return.
  memplan_status_t (*copy_in)(memplan_device_t *device, void *target,
                              const void *host, int64_t bytes);
  memplan_status_t (*copy_out)(memplan_device_t *device, void *host,
                               const void *source, int64_t bytes);
  /// These two are ordered with the launches of stream 0.
  memplan_status_t (*copy)(memplan_device_t *device, void *target,
                           const void *source, int64_t bytes);
  memplan_status_t (*fill)(memplan_device_t *device, void *target, int32_t byte,
                           int64_t bytes);

  /// Prepares one instruction: finds its kernel, checks it, reports scratch.
  /// `prepared->state` is the backend's own handle.
  memplan_status_t (*prepare)(memplan_device_t *device,
                              const memplan_launch_t *description,
                              memplan_prepared_t *prepared);
  /// Launches a prepared instruction; `launch->state` is prepare's state.
  memplan_status_t (*launch)(memplan_device_t *device,
                             const memplan_launch_t *launch);
  void (*release)(memplan_device_t *device, void *state);
  /// Waits for everything launched.
  memplan_status_t (*synchronize)(memplan_device_t *device);

  /// Kernels by number, for listings and the conformance tests.
  int32_t (*kernel_count)(memplan_device_t *device);
  const char *(*kernel_name)(memplan_device_t *device, int32_t kernel);

  /// Streams. Optional, both or none: without them launches run in program
  /// order.
  /// event_wait makes what `stream` gets later wait for what `event` recorded.
  /// Since version 3 `stream` may be a copy engine.
  memplan_status_t (*event_record)(memplan_device_t *device, int32_t event,
                                   int32_t stream);
  memplan_status_t (*event_wait)(memplan_device_t *device, int32_t event,
                                 int32_t stream);

  /// Host memory for arenas of the space "host", its start a multiple of
  /// `alignment`: page-locked where a device copies faster from such memory.
  /// Optional, both or none: without them the runtime takes plain memory.
  memplan_status_t (*alloc_host)(memplan_device_t *device, int64_t bytes,
                                 int64_t alignment, void **base);
  memplan_status_t (*free_host)(memplan_device_t *device, void *base);

  /// 1 where some kernels take operands with strides; programs that have such
  /// operands are refused by all others. Since version 2.
  int32_t takes_strides;
  int32_t reserved; ///< 0

  /// Queues. Since version 3. Optional, both or none, and only with events:
  /// without them copies are made by `copy_in` and `copy_out`, in program
  /// order.
  ///
  /// Begins a step. From here to `synchronize` what launches, asynchronous
  /// copies and events ask for is noted, each in its queue. It may happen later
  /// and beside what other queues do. What a launch points to stays until then.
  /// No event is recorded yet. After a failure in one queue nothing more needs
  /// to be run in any, and `synchronize` returns it; the next step is sound.
  /// Allocates nothing where no count is above those of earlier calls.
  memplan_status_t (*begin_queues)(memplan_device_t *device,
                                   const memplan_queue_counts_t *counts);
  /// A copy from device memory to a block of alloc_host on MEMPLAN_QUEUE_D2H,
  /// or back on MEMPLAN_QUEUE_H2D.
  memplan_status_t (*copy_async)(memplan_device_t *device, int32_t queue,
                                 void *target, const void *source,
                                 int64_t bytes);
  /// `instruction` of the launch for which `synchronize` failed last, or -1.
  /// Optional. Since version 3.
  int32_t (*failed_launch)(memplan_device_t *device);
  /// Lets asynchronous copies take no less than `latency_micros` and the time
  /// that their bytes take at so many bytes a microsecond; 0 for no limit. For
  /// devices that share the memory of the host, to show what copies cost
  /// elsewhere. Optional. Since version 3.
  memplan_status_t (*throttle_copies)(memplan_device_t *device,
                                      double h2d_bytes_per_micro,
                                      double d2h_bytes_per_micro,
                                      double latency_micros);

  /// The driver and the libraries that the device has loaded, with their
  /// versions: "driver for CUDA 13.0, cuBLAS 13.1.0". For people and profiles.
  /// Optional. Since version 4.
  const char *(*versions)(memplan_device_t *device);
  /// Optional. Since version 4.
  memplan_status_t (*overhead_bytes)(memplan_device_t *device,
                                     memplan_overhead_t *overhead);
  /// Device memory is handed out in pieces of so many bytes: whatever lies
  /// beside the arenas of a program is taken as one block. 0: a block each.
  /// Since version 4.
  int64_t allocation_bytes;

  /// Graphs of steps. Optional, all or none. Since version 4.
  ///
  /// From begin_capture to end_capture launches, `begin_queues`, asynchronous
  /// copies, events and `copy` are recorded, not run; `copy` comes after all
  /// that was recorded before it. Nothing else may be asked for.
  memplan_status_t (*begin_capture)(memplan_device_t *device);
  /// What was recorded, as a graph that runs it anew; with null it is dropped.
  memplan_status_t (*end_capture)(memplan_device_t *device, void **graph);
  /// Runs a graph after what stream 0 did before; `synchronize` waits for it.
  memplan_status_t (*replay)(memplan_device_t *device, void *graph);
  void (*release_graph)(memplan_device_t *device, void *graph);

  /// The implementations among which a plan chooses, from the one that the
  /// backend ranks first; none where there is nothing to choose. The list
  /// stays until the next call. Optional. Since version 5.
  memplan_status_t (*list_variants)(memplan_device_t *device,
                                    const memplan_launch_t *description,
                                    const memplan_variant_t **variants,
                                    int32_t *count);
  /// A text by which the backend plans for this device where there is none; the
  /// backend keeps it. Optional. Since version 5.
  memplan_status_t (*describe_device)(memplan_device_t *device,
                                      const char **text);
  /// 1 for a device that prepares and never runs. Optional. Since version 5.
  int32_t (*only_plans)(memplan_device_t *device);

  /// Runs a prepared launch `count` times, one after the other, when all before
  /// is done. Tells by the device's own clock how many microseconds all of them
  /// take. That is without what it takes to ask for them, as far as they take
  /// longer. Waits. Optional: launches are timed from outside then. Since
  /// version 7.
  memplan_status_t (*time_launches)(memplan_device_t *device,
                                    const memplan_launch_t *launch,
                                    int32_t count, double *micros);

  /// What plans for this device name, with `versions`: "NVIDIA H200". It is the
  /// same on all devices for which a plan is. Null or "" where plans are for
  /// any device of the backend. Optional. Since version 8.
  const char *(*device_model)(memplan_device_t *device);
} memplan_backend_t;

/// A plugin exports one function of this type under this name.
#define MEMPLAN_BACKEND_ENTRY "memplan_backend_v1"
typedef const memplan_backend_t *(*memplan_backend_entry_t)(void);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_BACKEND_H
