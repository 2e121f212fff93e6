//===- Fuzzer.cpp - libFuzzer's entry to one reader -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const memplan::fuzz::ReadFunction read = [] {
    for (const memplan::fuzz::Reader &reader : memplan::fuzz::readers())
      if (reader.name == MEMPLAN_FUZZED_READER)
        return reader.read;
    return memplan::fuzz::ReadFunction(nullptr);
  }();
  read({reinterpret_cast<const char *>(data), size});
  return 0;
}
