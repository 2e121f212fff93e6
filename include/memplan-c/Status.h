//===- memplan-c/Status.h - Status codes of every C call ----------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_STATUS_H
#define MEMPLAN_C_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call came to. Every call that returns anything but MEMPLAN_OK leaves
/// a text behind: see memplan_last_error().
typedef enum memplan_status {
  MEMPLAN_OK = 0,
  /// The caller's input is wrong: shapes, attributes, files, names.
  MEMPLAN_INVALID_ARGUMENT = 1,
  /// This build or this machine lacks what was asked for. Tests skip on it.
  MEMPLAN_UNAVAILABLE = 2,
  MEMPLAN_OUT_OF_MEMORY = 3,
  /// The device or a library failed at run time.
  MEMPLAN_FAILED = 4,
  /// A check of the running program found a violation (poison, guard, compare).
  MEMPLAN_CHECK_FAILED = 5
} memplan_status_t;

/// Version of the C API that this header is of, as major * 1000 + minor. A new
/// minor adds functions and fields at the ends of structs that begin with their
/// size. A new major breaks callers and has shared libraries of its own.
#define MEMPLAN_API_VERSION 1005

/// The same of the library that is linked.
int32_t memplan_api_version(void);

/// Text of the last error of the calling thread, one clause without a newline;
/// "" when there was none. Valid until the next failing call of this thread.
const char *memplan_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_STATUS_H
