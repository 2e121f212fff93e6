//===- memplan-c/Dynamic.h - Ops one by one within a budget -------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For host programs whose sequence of ops changes from step to step. Ops run as
// they are submitted, on tensors in one pool of a budget's bytes. Tensors are
// evicted when one does not fit. They are recomputed, or copied back from the
// host, when they are read. See docs/Dynamic.md.
//
// A call that fails returns a status other than MEMPLAN_OK, leaves a text in
// memplan_last_error() and does nothing. The exception is that tensors may have
// been evicted or recomputed. Nothing is thrown.
//   MEMPLAN_INVALID_ARGUMENT  null pointers, handles that are not there,
//                             shapes, attributes, sizes, files that are no
//                             program
//   MEMPLAN_UNAVAILABLE       no such kernel, or not for these operands
//   MEMPLAN_OUT_OF_MEMORY     what the op needs at once does not fit beside
//                             what cannot be evicted: the text names the op,
//                             its bytes and what was pinned; or the host has no
//                             memory
//   MEMPLAN_FAILED            the kernel or the device failed. What an op was
//                             to overwrite (memplan_dynamic_output_t::over) and
//                             the caller had put there holds what the kernel
//                             left.
//
// One memplan_dynamic_t, its session and all that was made from that session
// belong to one thread at a time, which may change between calls. Others run
// beside it on other threads. It is destroyed before its session.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_DYNAMIC_H
#define MEMPLAN_C_DYNAMIC_H

#include "memplan-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Since version 1.3.
typedef struct memplan_dynamic memplan_dynamic_t;

/// A tensor of one memplan_dynamic_t; never 0. Numbers are not used again
/// soon, so that a handle that was dropped is found out.
typedef int64_t memplan_handle_t;

typedef struct memplan_dynamic_options {
  int32_t struct_bytes;
  /// 1: looks at about 2 sqrt(n) of n tensors for each eviction.
  int32_t sampling;
  /// Bytes of the pool, which holds all tensors and all scratch of kernels.
  int64_t budget_bytes;
  /// Bytes of memory on the host for tensors that are copied out where that is
  /// cheaper than to recompute them. 0: none.
  int64_t host_bytes;
  /// "h_dtr", "e_star", "local", "msps", "lru", "size" or "megengine"; null:
  /// "h_dtr".
  const char *heuristic;
  /// Tensors below this share of the average are passed over; 0: none.
  double ignored_share;
  /// 1: costs and staleness are measured. 0: the costs of ops count, so that
  /// the same calls do the same every time.
  int32_t wall_clock;
  /// 1: what nothing uses is forgotten as soon as nothing evicted needs it.
  int32_t banish;
} memplan_dynamic_options_t;
#define MEMPLAN_DYNAMIC_OPTIONS_INIT                                           \
  {(int32_t)sizeof(memplan_dynamic_options_t), 0, 0, 0, 0, 0, 0, 0}

memplan_status_t
memplan_dynamic_create(memplan_session_t *session,
                       const memplan_dynamic_options_t *options,
                       memplan_dynamic_t **dynamic);
/// With all its tensors.
void memplan_dynamic_destroy(memplan_dynamic_t *dynamic);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// A tensor of the caller, which is never evicted without host memory. `host`
/// null: its content is not said.
memplan_status_t memplan_dynamic_put(memplan_dynamic_t *dynamic, int32_t dtype,
                                     int32_t rank, const int64_t *shape,
                                     const void *host,
                                     memplan_handle_t *tensor);
/// A dense part of a tensor, from an element on, in another shape. It sees what
/// is written to the tensor in place, and outlives its handle.
memplan_status_t memplan_dynamic_view(memplan_dynamic_t *dynamic,
                                      memplan_handle_t tensor,
                                      int64_t first_element, int32_t rank,
                                      const int64_t *shape,
                                      memplan_handle_t *view);
/// Copies the tensor to the host, after having made it again where need be.
memplan_status_t memplan_dynamic_read(memplan_dynamic_t *dynamic,
                                      memplan_handle_t tensor, void *host,
                                      int64_t byte_count);
/// New content for a tensor of the caller or a view of one. What was made from
/// the old content stays as it is.
memplan_status_t memplan_dynamic_write(memplan_dynamic_t *dynamic,
                                       memplan_handle_t tensor,
                                       const void *host, int64_t byte_count);
/// The handle goes. The tensor's bytes go with its last handle; how it was made
/// is remembered as long as others are made from it.
memplan_status_t memplan_dynamic_drop(memplan_dynamic_t *dynamic,
                                      memplan_handle_t tensor);
/// Makes the tensor one of the caller. It is in the pool, it is never evicted
/// without host memory, and how it was made is forgotten. For what lives on
/// from step to step, so that the past does not.
memplan_status_t memplan_dynamic_detach(memplan_dynamic_t *dynamic,
                                        memplan_handle_t tensor);
/// What the caller decides instead of the pool. Handles stay, and values never
/// depend on it: a tensor that is not in the pool comes back when it is read.
/// All three since version 1.4.
///
/// The tensor's bytes go, in the pool and on the host, and the op that made it
/// runs again when it is read. MEMPLAN_INVALID_ARGUMENT for a tensor of the
/// caller, which no op can make.
memplan_status_t memplan_dynamic_evict(memplan_dynamic_t *dynamic,
                                       memplan_handle_t tensor);
/// The tensor goes to the host, recomputed before where it was evicted.
/// MEMPLAN_INVALID_ARGUMENT without host memory; MEMPLAN_OUT_OF_MEMORY where it
/// has no room: then the tensor stays.
memplan_status_t memplan_dynamic_swap_out(memplan_dynamic_t *dynamic,
                                          memplan_handle_t tensor);
/// Brings the tensor into the pool, from the host or recomputed, so that its
/// next user need not wait. It may be evicted again like any other.
memplan_status_t memplan_dynamic_swap_in(memplan_dynamic_t *dynamic,
                                         memplan_handle_t tensor);
/// Null parameters are left out.
memplan_status_t memplan_dynamic_info(memplan_dynamic_t *dynamic,
                                      memplan_handle_t tensor, int32_t *dtype,
                                      int64_t *byte_count,
                                      int32_t *is_resident);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

typedef struct memplan_dynamic_output {
  int32_t dtype;
  int32_t rank;
  const int64_t *shape;
  /// The number of an input of the same type that the kernel overwrites. All
  /// handles of that tensor and views of it see its new version, and no new
  /// handle is made. -1: a tensor of its own.
  int32_t over;
} memplan_dynamic_output_t;

typedef struct memplan_dynamic_op {
  int32_t struct_bytes;
  int32_t input_count;
  int32_t output_count;
  int32_t attribute_count;
  const char *kernel; ///< "memplan.relu", or one that was registered
  const memplan_handle_t *inputs;
  const memplan_dynamic_output_t *outputs;
  const memplan_attribute_t *attributes; ///< in any order
  /// What the op costs, in microseconds; 0: estimated from its types.
  double cost_micros;
  /// Bit i: the handle of input i is dropped with the op, if that succeeds.
  /// Then a plan may have an output in its bytes. Not of an input that is
  /// overwritten, and of each handle once.
  uint64_t drop_inputs;
} memplan_dynamic_op_t;
#define MEMPLAN_DYNAMIC_OP_INIT                                                \
  {(int32_t)sizeof(memplan_dynamic_op_t), 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Runs an op; everything in the struct may go afterwards. `tensors` gets a
/// handle for each output: for one that is `over` an input the handle of that
/// input. The kernel must compute the same from the same inputs every time.
memplan_status_t memplan_dynamic_apply(memplan_dynamic_t *dynamic,
                                       const memplan_dynamic_op_t *op,
                                       memplan_handle_t *tensors);
/// A step begins, for hosts whose steps are often alike. As long as the calls
/// are those of a step before that began in the same state, they are done as
/// they were then. Evictions and addresses are the same, and nothing is chosen.
/// A step that goes another way is decided anew from there on, in the same
/// pool, and remembered too. Optional.
memplan_status_t memplan_dynamic_begin_step(memplan_dynamic_t *dynamic);
/// Steps that begin with memplan_dynamic_begin_step() follow this planned
/// program, the file that memplan-run --emit-program writes. They do so as long
/// as their ops are its first runs in its order. They have its recomputations
/// and its places, in the largest hole that the pool has now. Nothing is
/// chosen. From the first other op on a step goes on as without a plan, in the
/// same pool. What it decides then is followed as soon as these ops come again.
/// Values never depend on it. MEMPLAN_OUT_OF_MEMORY: the hole is smaller than
/// the arenas of the plan.
memplan_status_t memplan_dynamic_load_plan(memplan_dynamic_t *dynamic,
                                           const char *program_path);
/// Waits for all ops.
memplan_status_t memplan_dynamic_synchronize(memplan_dynamic_t *dynamic);

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// Since the creation.
typedef struct memplan_dynamic_stats {
  int32_t struct_bytes;
  int32_t deviated;         ///< 1: the last step began as one before it and
                            ///< went another way
  int64_t pool_bytes;       ///< the budget in whole units of 512
  int64_t used_bytes;       ///< now
  int64_t most_used_bytes;  ///< at one moment
  int64_t high_water_bytes; ///< end of the highest block that was given out
  int64_t ops;              ///< that were submitted
  int64_t recomputed_ops;   ///< that ran again
  int64_t evictions;        ///< tensors that were dropped to make room
  int64_t copies_out, copies_in, compactions;
  int64_t tensors, paths; ///< that are remembered now
  int64_t followed_calls; ///< of the last step, done as in a step before
  int64_t planned_ops;    ///< of the last step, done as the plan has them
  int64_t plan_ops;       ///< of the plan
} memplan_dynamic_stats_t;
#define MEMPLAN_DYNAMIC_STATS_INIT                                             \
  {(int32_t)sizeof(memplan_dynamic_stats_t),                                   \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0}

memplan_status_t memplan_dynamic_get_stats(memplan_dynamic_t *dynamic,
                                           memplan_dynamic_stats_t *stats);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_DYNAMIC_H
