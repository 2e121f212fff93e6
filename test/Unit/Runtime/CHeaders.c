/*===- CHeaders.c - The C headers are C11 ---------------------------------===*\
|*                                                                            *|
|* Part of memplan, under the Apache License v2.0 with LLVM Exceptions.       *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "memplan-c/Backend.h"
#include "memplan-c/Runtime.h"
#include "memplan-c/Status.h"

/* A plugin is written in C or C++: its entry has the type that loaders expect.
 */
const memplan_backend_t *memplan_c_test_entry(void) { return 0; }
memplan_backend_entry_t memplan_c_test_entry_type = memplan_c_test_entry;

int32_t memplan_c_test_version(void) { return memplan_api_version(); }
