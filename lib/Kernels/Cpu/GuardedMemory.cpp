//===- GuardedMemory.cpp - Blocks between guard pages ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   mapping                    start             start + bytes
//   |  no access  |  pattern   |     the block   | pattern |  no access  |
//   |<- a page  ->|<- to fill a page, alignment           ->|<- a page ->|
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace memplan::runtime::cpu {

static constexpr std::byte pattern{0xC5};

static size_t pageBytes() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

static size_t roundUp(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

Result<GuardedMemory> GuardedMemory::allocate(int64_t bytes,
                                              int64_t alignment) {
  size_t page = pageBytes();
  if (bytes < 0 || alignment < 1 || size_t(alignment) > page ||
      (alignment & (alignment - 1)) != 0)
    return invalid("cannot allocate " + std::to_string(bytes) +
                   " bytes aligned to " + std::to_string(alignment));
  size_t inner = roundUp(std::max(size_t(bytes), size_t(1)), page);
  GuardedMemory memory;
  memory.mappedBytes = inner + 2 * page;
  void *mapping = ::mmap(nullptr, memory.mappedBytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return Status{MEMPLAN_OUT_OF_MEMORY, "cannot map " + std::to_string(bytes) +
                                             " bytes: " + std::strerror(errno)};
  memory.mapping = static_cast<std::byte *>(mapping);
  std::byte *begin = memory.mapping + page;
  if (::mprotect(begin, inner, PROT_READ | PROT_WRITE) != 0)
    return Status{MEMPLAN_OUT_OF_MEMORY, "cannot use " + std::to_string(bytes) +
                                             " bytes: " + std::strerror(errno)};
  memory.bytes = bytes;
  memory.start = begin + inner - roundUp(size_t(bytes), size_t(alignment));
  std::fill(begin, memory.start, pattern);
  std::fill(memory.start + bytes, begin + inner, pattern);
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory &&other) noexcept {
  *this = std::move(other);
}

GuardedMemory &GuardedMemory::operator=(GuardedMemory &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappedBytes, other.mappedBytes);
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (mapping)
    ::munmap(mapping, mappedBytes);
}

Status GuardedMemory::check() const {
  const std::byte *begin = mapping + pageBytes();
  const std::byte *end = mapping + mappedBytes - pageBytes();
  auto changed = [](std::byte value) { return value != pattern; };
  const std::byte *bad = std::find_if(begin, (const std::byte *)start, changed);
  if (bad == start) {
    bad = std::find_if((const std::byte *)start + bytes, end, changed);
    if (bad == end)
      return Status::success();
  }
  return {MEMPLAN_CHECK_FAILED,
          "byte " + std::to_string(bad - start) + " beside a block of " +
              std::to_string(bytes) + " bytes was written"};
}

} // namespace memplan::runtime::cpu
