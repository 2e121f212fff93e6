//===- memplan-c/Compiler.h - Compile training steps from C -------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR goes in as text or bytecode; planned IR, the graph, the plan, a program
// and a shared library come out. A compiler and its steps belong to one thread
// at a time; any number of compilers work side by side. Nothing is printed.
//
// Failures are as in Planner.h. What is wrong with a program is told to the
// diagnostic callback, with its place, and the first error also stands in
// memplan_last_error(). MLIR does not recover where an allocation fails: after
// MEMPLAN_OUT_OF_MEMORY a step and its compiler may only be left as they are.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_COMPILER_H
#define MEMPLAN_C_COMPILER_H

#include "memplan-c/Planner.h"
#include "memplan-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct memplan_compiler memplan_compiler_t;
typedef struct memplan_step memplan_step_t;

//===----------------------------------------------------------------------===//
// Compilers
//===----------------------------------------------------------------------===//

/// A compiler with memplan's dialects and passes and MLIR's general passes.
memplan_status_t memplan_compiler_create(memplan_compiler_t **compiler);
/// The same in a context of the caller, the `ptr` of an MlirContext of the very
/// MLIR that this library is linked with. It keeps the dialects that it has,
/// which programs may use, and outlives the compiler.
memplan_status_t
memplan_compiler_create_in_context(void *mlir_context,
                                   memplan_compiler_t **compiler);
/// After all of its steps.
void memplan_compiler_destroy(memplan_compiler_t *compiler);

typedef enum memplan_severity {
  MEMPLAN_NOTE = 0, ///< belongs to the diagnostic before it
  MEMPLAN_REMARK = 1,
  MEMPLAN_WARNING = 2,
  MEMPLAN_ERROR = 3
} memplan_severity_t;

/// Texts live as long as the call.
typedef struct memplan_diagnostic {
  int32_t struct_bytes;
  int32_t severity; ///< memplan_severity_t
  const char *message;
  const char *file; ///< "" where the place is not known
  int32_t line;     ///< from 1; 0: not known
  int32_t column;
} memplan_diagnostic_t;
/// Called by the thread that compiles. It must throw nothing and call nothing
/// of this compiler.
typedef void (*memplan_diagnostic_callback_t)(
    void *user, const memplan_diagnostic_t *diagnostic);
/// Null: no callback. `user` must live as long as the callback is set.
memplan_status_t
memplan_compiler_set_diagnostics(memplan_compiler_t *compiler,
                                 memplan_diagnostic_callback_t callback,
                                 void *user);
/// Passes in MLIR's pipeline syntax, which run on every module that is read
/// from now on, before anything else: "canonicalize,func.func(my-pass)". They
/// may be memplan's, MLIR's general ones, and any that the caller has
/// registered with the MLIR that this library is linked with. "": none.
memplan_status_t memplan_compiler_set_passes(memplan_compiler_t *compiler,
                                             const char *pipeline);
/// The backend whose scratch memory plans hold, as memplan_session_create()
/// opens it; "none", the default: of no library. 0 threads are one.
memplan_status_t memplan_compiler_set_backend(memplan_compiler_t *compiler,
                                              const char *backend,
                                              int32_t threads);
/// Whether products and convolutions take what follows them (memplan-fuse), in
/// steps that are read from now on; 0, the default: no. What a plan would run
/// more than once is taken apart again where that takes less time.
memplan_status_t memplan_compiler_set_fusion(memplan_compiler_t *compiler,
                                             int32_t fuses);

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Reads a module of one public function and prepares it: calls inlined, the
/// backward pass added where there is a loss. `bytes`, text or bytecode, may go
/// afterwards. Diagnostics call it `name`. The options are copied, except that
/// they must live as long as the step for its progress and cancellation; null:
/// the defaults.
memplan_status_t memplan_step_read(memplan_compiler_t *compiler,
                                   const char *bytes, int64_t byte_count,
                                   const char *name,
                                   const memplan_options_t *options,
                                   memplan_step_t **step);
void memplan_step_destroy(memplan_step_t *step);

/// 1 if the step was planned when it was read, and then is run as it is.
int32_t memplan_step_is_planned(const memplan_step_t *step);

/// The prepared module, and the planned one, as text that the caller destroys
/// by memplan_text_destroy(). byte_count may be null.
memplan_status_t memplan_step_prepared_ir(memplan_step_t *step, char **text,
                                          int64_t *byte_count);
memplan_status_t memplan_step_planned_ir(memplan_step_t *step, char **text,
                                         int64_t *byte_count);
/// The graph that planners see and the plan that was made of it, which live on
/// without the step. Both are errors for a step that came in planned. A budget
/// that cannot be met is an error here, with notes that say why. Once there is
/// a plan, the graph is the one that it is of: ask for the plan first.
memplan_status_t memplan_step_graph(memplan_step_t *step,
                                    memplan_graph_t **graph);
memplan_status_t memplan_step_plan(memplan_step_t *step, memplan_plan_t **plan);
/// After a call that found no plan for the budget: the plan without actions
/// whose info says why, and which budget works. Null, and no failure, where
/// there is a plan, where none was asked for, or where something else failed.
memplan_status_t memplan_step_refusal(memplan_step_t *step,
                                      memplan_plan_t **plan);
/// The planned step for memplan_compile(), and as the bytes of an .mpp file,
/// which the caller destroys by memplan_text_destroy().
memplan_status_t memplan_step_program(memplan_step_t *step,
                                      memplan_program_t **program);
memplan_status_t memplan_step_program_bytes(memplan_step_t *step, char **bytes,
                                            int64_t *byte_count);
/// Writes the planned step as a shared library, with the system's C compiler
/// driver.
memplan_status_t memplan_step_write_library(memplan_step_t *step,
                                            const char *path);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_COMPILER_H
