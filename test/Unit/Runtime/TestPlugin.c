/*===- TestPlugin.c - A backend that writes down what it is asked ---------===*\
|*                                                                            *|
|* Part of memplan, under the Apache License v2.0 with LLVM Exceptions.       *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "memplan-c/Backend.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The calls of a step, in order: "launch KERNEL STREAM;", "record E S;" ... */
static char log_text[4096];

EXPORT const char *memplan_test_log(void) { return log_text; }

static void note(const char *what, int a, int b) {
  size_t used = strlen(log_text);
  snprintf(log_text + used, sizeof(log_text) - used, "%s %d %d;", what, a, b);
}

static memplan_status_t device_count(int32_t *count) {
  *count = 1;
  return MEMPLAN_OK;
}
static memplan_status_t create(int32_t number, int32_t threads,
                               memplan_device_t **device) {
  (void)number;
  (void)threads;
  *device = (memplan_device_t *)log_text;
  return MEMPLAN_OK;
}
static void destroy(memplan_device_t *device) { (void)device; }
static const char *text(memplan_device_t *device) {
  (void)device;
  return "test plugin";
}
static memplan_status_t usable(memplan_device_t *device, int64_t *bytes) {
  (void)device;
  *bytes = 0;
  return MEMPLAN_OK;
}
static memplan_status_t alloc(memplan_device_t *device, int64_t bytes,
                              int64_t alignment, void **base) {
  (void)device;
  size_t unit = (size_t)alignment;
  *base = aligned_alloc(unit, ((size_t)bytes / unit + 1) * unit);
  return *base ? MEMPLAN_OK : MEMPLAN_OUT_OF_MEMORY;
}
static memplan_status_t release_block(memplan_device_t *device, void *base) {
  (void)device;
  free(base);
  return MEMPLAN_OK;
}
static memplan_status_t copy_in(memplan_device_t *device, void *target,
                                const void *source, int64_t bytes) {
  (void)device;
  if (bytes > 0)
    memcpy(target, source, (size_t)bytes);
  return MEMPLAN_OK;
}
static memplan_status_t fill(memplan_device_t *device, void *target,
                             int32_t byte, int64_t bytes) {
  (void)device;
  memset(target, byte, (size_t)bytes);
  return MEMPLAN_OK;
}
static memplan_status_t prepare(memplan_device_t *device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  (void)device;
  (void)description;
  prepared->state = NULL;
  prepared->workspace_bytes = 0;
  return MEMPLAN_OK;
}
static memplan_status_t launch(memplan_device_t *device,
                               const memplan_launch_t *call) {
  (void)device;
  note("launch", call->kernel[0], call->stream);
  return MEMPLAN_OK;
}
static void release_state(memplan_device_t *device, void *state) {
  (void)device;
  (void)state;
}
static memplan_status_t synchronize(memplan_device_t *device) {
  (void)device;
  note("synchronize", 0, 0);
  return MEMPLAN_OK;
}
static int32_t kernel_count(memplan_device_t *device) {
  (void)device;
  return 0;
}
static const char *kernel_name(memplan_device_t *device, int32_t kernel) {
  (void)device;
  (void)kernel;
  return NULL;
}
static memplan_status_t record(memplan_device_t *device, int32_t event,
                               int32_t stream) {
  (void)device;
  note("record", event, stream);
  return MEMPLAN_OK;
}
static memplan_status_t wait_for(memplan_device_t *device, int32_t event,
                                 int32_t stream) {
  (void)device;
  note("wait", event, stream);
  return MEMPLAN_OK;
}

/* The table as an older build has it: `bytes` of it, and nothing readable
   behind them. */
static const memplan_backend_t *cut(const memplan_backend_t *whole,
                                    size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    abort();
  char *table = pages + page - bytes;
  int32_t stated = (int32_t)bytes;
  memcpy(table, whole, bytes);
  memcpy(table + offsetof(memplan_backend_t, struct_bytes), &stated,
         sizeof(stated));
  mprotect(pages + page, page, PROT_NONE);
  return (const memplan_backend_t *)table;
}

/* A number that the test sets. */
static int asked(const char *what, int otherwise) {
  const char *text = getenv(what);
  return text ? atoi(text) : otherwise;
}

static memplan_status_t alloc_nothing(memplan_device_t *device, int64_t bytes,
                                      int64_t alignment, void **base) {
  (void)device;
  (void)bytes;
  (void)alignment;
  *base = NULL;
  return MEMPLAN_OK;
}
static const char *no_text(memplan_device_t *device) {
  (void)device;
  return NULL;
}

EXPORT const memplan_backend_t *memplan_backend_v1(void) {
  static memplan_backend_t table;
  /* A plugin of another version says so; the test asks for one. */
  table.abi_version =
      asked("MEMPLAN_TEST_PLUGIN_ABI", MEMPLAN_BACKEND_ABI_VERSION);
  table.struct_bytes =
      asked("MEMPLAN_TEST_PLUGIN_STATES_BYTES", (int32_t)sizeof(table));
  table.name = "test";
  table.version = "1";
  table.device_count = device_count;
  table.create = create;
  table.destroy = destroy;
  table.last_error = text;
  table.device_name = text;
  table.usable_bytes = usable;
  table.alloc = alloc;
  table.free = release_block;
  table.copy_in = copy_in;
  table.copy_out = copy_in;
  table.copy = copy_in;
  table.fill = fill;
  table.prepare = prepare;
  table.launch = launch;
  table.release = release_state;
  table.synchronize = synchronize;
  table.kernel_count = kernel_count;
  table.kernel_name = kernel_name;
  table.event_record = record;
  table.event_wait = wait_for;
  if (getenv("MEMPLAN_TEST_PLUGIN_GIVES_NULL")) {
    table.alloc = alloc_nothing;
    table.last_error = no_text;
    table.device_name = no_text;
  }
  int null_at = asked("MEMPLAN_TEST_PLUGIN_NULL_AT", -1);
  if (null_at >= 0)
    memset((char *)&table + null_at, 0, sizeof(void *));
  /* Whatever lies behind the fields that an older version has. */
  int garbage_at = asked("MEMPLAN_TEST_PLUGIN_GARBAGE_AT", -1);
  if (garbage_at >= 0)
    memset((char *)&table + garbage_at, 0x5a,
           sizeof(table) - (size_t)garbage_at);
  int bytes = asked("MEMPLAN_TEST_PLUGIN_BYTES", -1);
  return bytes == 0 ? NULL : bytes > 0 ? cut(&table, (size_t)bytes) : &table;
}
