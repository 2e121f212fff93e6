//===- Check.h - Assertions of C programs -------------------------*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_CAPI_CHECK_H
#define MEMPLAN_TEST_CAPI_CHECK_H

#include "memplan-c/Status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s does not hold; last error: %s\n", __FILE__,   \
              __LINE__, #condition, memplan_last_error());                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// The call failed as it should, and said so in words that contain `text`.
#define CHECK_FAILS(call, status, text)                                        \
  do {                                                                         \
    CHECK((call) == (status));                                                 \
    CHECK(strstr(memplan_last_error(), text));                                 \
  } while (0)

#endif // MEMPLAN_TEST_CAPI_CHECK_H
