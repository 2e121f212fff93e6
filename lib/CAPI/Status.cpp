//===- Status.cpp - What every C call leaves behind -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastError.h"
#include <string>

static std::string &lastError() noexcept {
  thread_local std::string text;
  return text;
}

memplan_status_t memplan_set_last_error(memplan_status_t code,
                                        const char *text) noexcept {
  std::string &last = lastError();
  try {
    last = text;
  } catch (const std::bad_alloc &) {
    last.clear(); // What follows takes no allocation: it is that short.
    last = "out of memory";
  }
  for (char &letter : last)
    if (letter == '\n')
      letter = ' ';
  return code;
}

int32_t memplan_api_version(void) { return MEMPLAN_API_VERSION; }

const char *memplan_last_error(void) { return lastError().c_str(); }
