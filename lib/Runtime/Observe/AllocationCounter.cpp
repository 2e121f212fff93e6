//===- AllocationCounter.cpp - Counts every malloc of the process ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Replaces the allocation functions of the C library by ones that count and
// then call it. Shared libraries of the process use them too. Memory of all of
// them is freed by the C library's own free. A sanitizer has its own allocator,
// beside which nothing is counted.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMPLAN_COUNTS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||     \
    __has_feature(thread_sanitizer)
#define MEMPLAN_COUNTS 0
#endif
#endif
#ifndef MEMPLAN_COUNTS
#define MEMPLAN_COUNTS 1
#endif

extern "C" {

#if MEMPLAN_COUNTS
static std::atomic<int64_t> calls{0};

int64_t memplan_counted_allocations(void) {
  return calls.load(std::memory_order_relaxed);
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static void count() { calls.fetch_add(1, std::memory_order_relaxed); }

void *malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes) {
  count();
  return __libc_calloc(number, bytes);
}

void *realloc(void *block, size_t bytes) {
  count();
  return __libc_realloc(block, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  count();
  void *result = __libc_memalign(alignment, bytes);
  if (!result)
    return ENOMEM;
  *block = result;
  return 0;
}
#else
int64_t memplan_counted_allocations(void) { return -1; }
#endif

} // extern "C"
