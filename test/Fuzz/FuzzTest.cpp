//===- FuzzTest.cpp - Readers against files that were tampered with -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Tampering.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace memplan::fuzz;

namespace {

/// What is right, and what went wrong once.
std::vector<std::string> corpusOf(const Reader &reader) {
  std::vector<std::string> files;
  if (reader.samples)
    files = reader.samples();
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(MEMPLAN_TEST_DIR) / "Fuzz" /
                      "corpus" / std::string(reader.name);
  if (std::filesystem::exists(folder))
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in),
                       std::istreambuf_iterator<char>());
  }
  return files;
}

class Fuzz : public ::testing::TestWithParam<Reader> {};

} // namespace

// A file that somebody sends must never crash a tool, nor be misread. Runs
// MEMPLAN_FUZZ_COUNT files, 2000 by default, from MEMPLAN_FUZZ_SEED on.
TEST_P(Fuzz, reads_any_bytes) {
  const Reader &reader = GetParam();
  const std::vector<std::string> corpus = corpusOf(reader);
  ASSERT_FALSE(corpus.empty());
  for (const std::string &file : corpus)
    reader.read(file);
  const char *count = std::getenv("MEMPLAN_FUZZ_COUNT");
  const char *first = std::getenv("MEMPLAN_FUZZ_SEED");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 1;
  const uint64_t end =
      begin + (count ? std::strtoull(count, nullptr, 10) : 2000);
  for (uint64_t seed = begin; seed < end; ++seed) {
    Tampering tampering(seed);
    const std::string file =
        tampering.change(corpus[tampering.below(corpus.size())], corpus);
    // So that a crash can be run again: MEMPLAN_FUZZ_SEED=<seed>, count 1.
    RecordProperty("seed", std::to_string(seed));
    if (std::getenv("MEMPLAN_FUZZ_VERBOSE"))
      fprintf(stderr, "%s seed %llu\n", std::string(reader.name).c_str(),
              (unsigned long long)seed);
    reader.read(file);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Readers, Fuzz, ::testing::ValuesIn(readers().begin(), readers().end()),
    [](const auto &info) { return std::string(info.param.name); });
