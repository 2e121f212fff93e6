//===- LastError.h - The text of a thread's last error ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_LASTERROR_H
#define MEMPLAN_LIB_CAPI_LASTERROR_H

#include "memplan-c/Status.h"
#include <exception>
#include <new>

/// Keeps `text` for memplan_last_error() and gives `code` back. It has the name
/// of a C function because every shared library behind memplan-c has one of its
/// own, and a program with two of them must ask the one that is told.
extern "C" memplan_status_t memplan_set_last_error(memplan_status_t code,
                                                   const char *text) noexcept;

namespace memplan::capi {

/// What a call would give, before anything can fail.
template <typename T> void clear(T *given) noexcept {
  if (given)
    *given = T();
}

/// Calls `body`, out of which nothing is thrown: an allocation that fails
/// becomes a status like any other failure.
template <typename Body> memplan_status_t guard(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return memplan_set_last_error(MEMPLAN_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return memplan_set_last_error(MEMPLAN_FAILED, error.what());
  } catch (...) {
    return memplan_set_last_error(MEMPLAN_FAILED, "an unknown exception");
  }
}

} // namespace memplan::capi

#endif // MEMPLAN_LIB_CAPI_LASTERROR_H
