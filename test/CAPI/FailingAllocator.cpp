//===- FailingAllocator.cpp - Allocations that fail on demand -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FailingAllocator.h"
#include <cstdlib>
#include <new>

static thread_local bool isArmed = false;
static thread_local bool isPaused = false;
static thread_local bool isExhausted = false;
static thread_local int64_t left = 0;

FailingAllocator::FailingAllocator(int64_t nth) {
  isExhausted = false;
  left = nth;
  isArmed = true;
}
FailingAllocator::~FailingAllocator() { isArmed = false; }
bool FailingAllocator::hasFailed() const { return isExhausted; }
FailingAllocator::Pause::Pause() { isPaused = true; }
FailingAllocator::Pause::~Pause() { isPaused = false; }

static bool fails() {
  if (!isArmed || isPaused)
    return false;
  if (left-- > 0)
    return false;
  isExhausted = true;
  return true;
}

extern "C" {
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes) {
  return fails() ? nullptr : __real_malloc(bytes);
}
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? nullptr : __real_calloc(count, bytes);
}
void *__wrap_realloc(void *old, size_t bytes) {
  return fails() ? nullptr : __real_realloc(old, bytes);
}
}

void *operator new(size_t bytes) {
  void *made = fails() ? nullptr : __real_malloc(bytes ? bytes : 1);
  if (!made)
    throw std::bad_alloc();
  return made;
}
void *operator new(size_t bytes, std::align_val_t alignment) {
  const auto align = size_t(alignment);
  const size_t padded = (bytes + align - 1) / align * align;
  void *made = fails() ? nullptr : std::aligned_alloc(align, padded);
  if (!made)
    throw std::bad_alloc();
  return made;
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return fails() ? nullptr : __real_malloc(bytes ? bytes : 1);
}
void *operator new[](size_t bytes, const std::nothrow_t &tag) noexcept {
  return operator new(bytes, tag);
}
void operator delete(void *data) noexcept { std::free(data); }
void operator delete[](void *data) noexcept { std::free(data); }
void operator delete(void *data, size_t) noexcept { std::free(data); }
void operator delete[](void *data, size_t) noexcept { std::free(data); }
void operator delete(void *data, std::align_val_t) noexcept { std::free(data); }
void operator delete(void *data, size_t, std::align_val_t) noexcept {
  std::free(data);
}
