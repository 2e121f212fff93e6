/*===- dry_backend.c - A device on which steps take no time and no memory
--===*\
|*                                                                            *|
|* Part of memplan, under the Apache License v2.0 with LLVM Exceptions.       *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* memplan-run decides on it as on any device: its blocks are real addresses,
   which nothing ever touches. So a step of any batch runs in the pool of the
   runtime, and only its values do not exist. */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */

#include "memplan-c/Backend.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* The block's bytes lie in front of it, a page that is touched. */
enum { PAGE = 4096 };
static const char failure[] = "the dry device has no more addresses";
static char device_itself;

static memplan_status_t device_count(int32_t *count) {
  *count = 1;
  return MEMPLAN_OK;
}
static memplan_status_t create(int32_t number, int32_t threads,
                               memplan_device_t **device) {
  (void)number;
  (void)threads;
  *device = (memplan_device_t *)&device_itself;
  return MEMPLAN_OK;
}
static void destroy(memplan_device_t *device) { (void)device; }
static const char *last_error(memplan_device_t *device) {
  (void)device;
  return failure;
}
static const char *device_name(memplan_device_t *device) {
  (void)device;
  return "dry device";
}
static memplan_status_t usable_bytes(memplan_device_t *device, int64_t *bytes) {
  (void)device;
  *bytes = 0;
  return MEMPLAN_OK;
}
static memplan_status_t alloc(memplan_device_t *device, int64_t bytes,
                              int64_t alignment, void **base) {
  (void)device;
  if (alignment > PAGE)
    return MEMPLAN_UNAVAILABLE;
  const size_t whole = (size_t)bytes + PAGE;
  char *pages =
      (char *)mmap(NULL, whole, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return MEMPLAN_OUT_OF_MEMORY;
  memcpy(pages, &whole, sizeof(whole));
  *base = pages + PAGE;
  return MEMPLAN_OK;
}
static memplan_status_t free_block(memplan_device_t *device, void *base) {
  (void)device;
  char *pages = (char *)base - PAGE;
  size_t whole;
  memcpy(&whole, pages, sizeof(whole));
  munmap(pages, whole);
  return MEMPLAN_OK;
}
static memplan_status_t copy_nothing(memplan_device_t *device, void *target,
                                     const void *source, int64_t bytes) {
  (void)device;
  (void)target;
  (void)source;
  (void)bytes;
  return MEMPLAN_OK;
}
static memplan_status_t copy_zeros(memplan_device_t *device, void *host,
                                   const void *source, int64_t bytes) {
  (void)device;
  (void)source;
  if (bytes > 0)
    memset(host, 0, (size_t)bytes);
  return MEMPLAN_OK;
}
static memplan_status_t fill(memplan_device_t *device, void *target,
                             int32_t byte, int64_t bytes) {
  (void)byte;
  return copy_nothing(device, target, NULL, bytes);
}
static memplan_status_t prepare(memplan_device_t *device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  (void)device;
  (void)description;
  prepared->takes_strides = 1;
  return MEMPLAN_OK;
}
static memplan_status_t launch(memplan_device_t *device,
                               const memplan_launch_t *call) {
  (void)device;
  (void)call;
  return MEMPLAN_OK;
}
static void release(memplan_device_t *device, void *state) {
  (void)device;
  (void)state;
}
static memplan_status_t synchronize(memplan_device_t *device) {
  (void)device;
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

static const memplan_backend_t backend = {
    .abi_version = MEMPLAN_BACKEND_ABI_VERSION,
    .struct_bytes = (int32_t)sizeof(memplan_backend_t),
    .name = "dry",
    .version = "1",
    .device_count = device_count,
    .create = create,
    .destroy = destroy,
    .last_error = last_error,
    .device_name = device_name,
    .usable_bytes = usable_bytes,
    .alloc = alloc,
    .free = free_block,
    .copy_in = copy_nothing,
    .copy_out = copy_zeros,
    .copy = copy_nothing,
    .fill = fill,
    .prepare = prepare,
    .launch = launch,
    .release = release,
    .synchronize = synchronize,
    .kernel_count = kernel_count,
    .kernel_name = kernel_name,
    .takes_strides = 1,
};

__attribute__((visibility("default"))) const memplan_backend_t *
memplan_backend_v1(void) {
  return &backend;
}
