//===- memplan-c/Runtime.h - Load and run planned programs --------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is loaded once, compiled for a device once, bound to buffers, and
// run many times. Handles are destroyed in reverse order of their creation. One
// device and its executables belong to one thread at a time; programs may be
// read by any number of threads.
//
// A call that fails returns a status other than MEMPLAN_OK, leaves a text in
// memplan_last_error() and sets what it would have made to null. Nothing is
// thrown: an allocation that fails is MEMPLAN_OUT_OF_MEMORY, and a null handle
// MEMPLAN_INVALID_ARGUMENT, or 0 or null where there is no status.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_RUNTIME_H
#define MEMPLAN_C_RUNTIME_H

#include "memplan-c/Backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct memplan_program memplan_program_t;
typedef struct memplan_session memplan_session_t;
typedef struct memplan_executable memplan_executable_t;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Reads the bytes of an .mpp file; they may go after the call. A malformed
/// program is MEMPLAN_INVALID_ARGUMENT, never undefined behaviour.
memplan_status_t memplan_program_load(const void *bytes, int64_t byte_count,
                                      memplan_program_t **program);
memplan_status_t memplan_program_load_file(const char *path,
                                           memplan_program_t **program);
/// Loads a shared library that `memplan-run --emit-library` or
/// memplan_step_write_library() made. Its code runs in the caller's process, so
/// load none that you would not run. Executables of the program run the code
/// and keep it loaded; a file that is no such library is
/// MEMPLAN_INVALID_ARGUMENT. Since version 1.2.
memplan_status_t memplan_program_load_library(const char *path,
                                              memplan_program_t **program);
void memplan_program_destroy(memplan_program_t *program);

/// How an argument or output looks. Texts and shapes live with the program.
typedef struct memplan_value_info {
  const char *name;
  const char *kind; ///< "parameter", "state", "input"; "loss", "output"
  int32_t dtype;    ///< memplan_dtype_t
  int32_t rank;
  const int64_t *shape;
  int64_t bytes;
} memplan_value_info_t;

int32_t memplan_program_argument_count(const memplan_program_t *program);
memplan_status_t memplan_program_argument(const memplan_program_t *program,
                                          int32_t argument,
                                          memplan_value_info_t *info);
int32_t memplan_program_output_count(const memplan_program_t *program);
memplan_status_t memplan_program_output(const memplan_program_t *program,
                                        int32_t output,
                                        memplan_value_info_t *info);
/// Bytes of all arenas on the device together, and of those on the host, to
/// which tensors are copied.
int64_t memplan_program_arena_bytes(const memplan_program_t *program);
int64_t memplan_program_host_bytes(const memplan_program_t *program);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Opens a backend by name: "cpu", "reference", "cuda", or the path of a
/// plugin. `threads` 0 means one. MEMPLAN_UNAVAILABLE: not built, not found, or
/// no such device.
memplan_status_t memplan_session_create(const char *backend, int32_t device,
                                        int32_t threads,
                                        memplan_session_t **session);
void memplan_session_destroy(memplan_session_t *session);

/// Adds a kernel to the CPU backends of this process under its name, for opaque
/// ops. The table must outlive every session. Call it before compiling.
memplan_status_t memplan_register_kernel(const memplan_kernel_t *kernel);

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Prepares every instruction and takes the arenas, constants and buffers for
/// the arguments. The program may go after the call.
memplan_status_t memplan_compile(memplan_session_t *session,
                                 const memplan_program_t *program,
                                 memplan_executable_t **executable);
/// Memory of the caller for an arena, aligned to 256 bytes and to what the
/// arena asks for, until the executable is destroyed. A null base: none.
typedef struct memplan_arena_memory {
  void *base;
  int64_t byte_count;
} memplan_arena_memory_t;

/// memplan_compile() with memory of the caller for arenas: an entry for each
/// arena of the program. Where there is none, the executable takes its own.
memplan_status_t memplan_compile_in(memplan_session_t *session,
                                    const memplan_program_t *program,
                                    const memplan_arena_memory_t *arenas,
                                    int32_t arena_count,
                                    memplan_executable_t **executable);
/// Launches every operation of every later step. Without this call, and where
/// the device has graphs, the steps after the first are one graph.
void memplan_executable_run_eagerly(memplan_executable_t *executable);
void memplan_executable_destroy(memplan_executable_t *executable);

/// Uses the caller's device memory for an argument instead of the executable's
/// own buffer. It must be aligned to 64 bytes and stay until the last run.
memplan_status_t memplan_bind_argument(memplan_executable_t *executable,
                                       int32_t argument, void *data,
                                       int64_t byte_count);
/// Copies host bytes into, or out of, an argument's buffer.
memplan_status_t memplan_write_argument(memplan_executable_t *executable,
                                        int32_t argument, const void *host,
                                        int64_t byte_count);
memplan_status_t memplan_read_argument(memplan_executable_t *executable,
                                       int32_t argument, void *host,
                                       int64_t byte_count);

/// Runs the program once, to its end. Updated arguments hold their new version.
memplan_status_t memplan_run(memplan_executable_t *executable);

/// Copies an output of the last run to the host.
memplan_status_t memplan_read_output(memplan_executable_t *executable,
                                     int32_t output, void *host,
                                     int64_t byte_count);

/// Where an arena, a bound argument or a constant blob starts: what compiled
/// code adds its constant offsets to.
void *memplan_arena_base(memplan_executable_t *executable, int32_t arena);
void *memplan_argument_base(memplan_executable_t *executable, int32_t argument);
void *memplan_constant_base(memplan_executable_t *executable);

/// Launches one instruction on explicit pointers: its inputs, its outputs, then
/// its workspace if it has one. This is what ahead-of-time code calls; it
/// allocates nothing. Pointers are not checked.
memplan_status_t memplan_launch_instruction(memplan_executable_t *executable,
                                            int32_t instruction,
                                            void *const *operands);
/// Waits for everything launched on the executable's device.
memplan_status_t memplan_synchronize(memplan_executable_t *executable);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_RUNTIME_H
