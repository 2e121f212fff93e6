//===- AllocationCounter.cpp - Counts every malloc of the process ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Replaces the allocation functions of the C library by ones that call it and
// count: the calls, the bytes that are allocated now, and the most that were
// since the mark was last set back. Shared libraries of the process use them
// too. A sanitizer has its own allocator, beside which nothing is counted.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <malloc.h>

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
static std::atomic<int64_t> bytesNow{0};
static std::atomic<int64_t> bytesMost{0};

int64_t memplan_counted_allocations(void) {
  return calls.load(std::memory_order_relaxed);
}
int64_t memplan_allocated_bytes(void) {
  return bytesNow.load(std::memory_order_relaxed);
}
int64_t memplan_most_allocated_bytes(void) {
  return bytesMost.load(std::memory_order_relaxed);
}
void memplan_restart_most_allocated_bytes(void) { bytesMost = bytesNow.load(); }

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void *__libc_valloc(size_t bytes);
void *__libc_pvalloc(size_t bytes);
void __libc_free(void *block);

static void grow(int64_t bytes) {
  int64_t now = bytesNow.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t most = bytesMost.load(std::memory_order_relaxed);
  while (now > most &&
         !bytesMost.compare_exchange_weak(most, now, std::memory_order_relaxed))
    ;
}

/// Counts by what the block really takes, which freeing it can look up again.
static void *count(void *block) {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (block)
    grow(int64_t(malloc_usable_size(block)));
  return block;
}

void *malloc(size_t bytes) { return count(__libc_malloc(bytes)); }

void *calloc(size_t number, size_t bytes) {
  return count(__libc_calloc(number, bytes));
}

void *realloc(void *block, size_t bytes) {
  auto before = block ? int64_t(malloc_usable_size(block)) : 0;
  void *result = __libc_realloc(block, bytes);
  // Without a result the old block is still there, unless it was freed.
  if (result || bytes == 0)
    bytesNow.fetch_sub(before, std::memory_order_relaxed);
  return count(result);
}

void *memalign(size_t alignment, size_t bytes) {
  return count(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return count(__libc_memalign(alignment, bytes));
}

void *valloc(size_t bytes) { return count(__libc_valloc(bytes)); }

void *pvalloc(size_t bytes) { return count(__libc_pvalloc(bytes)); }

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  void *result = count(__libc_memalign(alignment, bytes));
  if (!result)
    return ENOMEM;
  *block = result;
  return 0;
}

void free(void *block) {
  if (block)
    bytesNow.fetch_sub(int64_t(malloc_usable_size(block)),
                       std::memory_order_relaxed);
  __libc_free(block);
}
#else
int64_t memplan_counted_allocations(void) { return -1; }
int64_t memplan_allocated_bytes(void) { return -1; }
int64_t memplan_most_allocated_bytes(void) { return -1; }
void memplan_restart_most_allocated_bytes(void) {}
#endif

} // extern "C"
