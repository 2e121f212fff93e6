//===- Readers.h - What reads files of others, to be fuzzed -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_FUZZ_READERS_H
#define MEMPLAN_TEST_FUZZ_READERS_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::fuzz {

/// Reads `bytes` and uses what it says, as a tool would. Aborts with a text
/// where that goes wrong in a way that no bytes excuse.
using ReadFunction = void (*)(std::string_view bytes);

struct Reader {
  std::string_view name; ///< also of its folder in corpus/
  ReadFunction read;
  /// Files that are right, made by the writer; null where the corpus has them.
  std::vector<std::string> (*samples)();
};
std::span<const Reader> readers();

/// Aborts unless `holds`.
void require(bool holds, std::string_view what);

// Graph, plan, buffers and profile; they use LLVM.
void readGraph(std::string_view bytes);
void readPlan(std::string_view bytes);
void readBuffers(std::string_view bytes);
void readProfile(std::string_view bytes);
// Program, safetensors and npy; they do not.
void readProgram(std::string_view bytes);
void readTensors(std::string_view bytes);
void readArray(std::string_view bytes);
std::vector<std::string> programSamples();
std::vector<std::string> tensorsSamples();
std::vector<std::string> arraySamples();

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_READERS_H
