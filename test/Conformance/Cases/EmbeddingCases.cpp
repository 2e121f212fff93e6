//===- EmbeddingCases.cpp - Rows of tables, one by one --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

namespace memplan::runtime::conformance {

static void addTable(std::vector<Case> &cases, int64_t rows, int64_t width,
                     const Shape &idShape, uint64_t seed) {
  TestTensor table = random({rows, width}, seed);
  TestTensor ids = randomInts(idShape, seed + 1, rows);
  Shape out = idShape;
  out.push_back(width);
  std::string variant = typeText(DType::I64, idShape);
  cases.push_back(makeCase(
      "memplan.embedding", variant, {table, ids}, {}, [&](const auto &) {
        TestTensor y{out, {}};
        for (double id : ids.values)
          for (int64_t d = 0; d < width; ++d)
            y.values.push_back(table.values[size_t(int64_t(id) * width + d)]);
        return std::vector<TestTensor>{y};
      }));
  TestTensor dy = random(out, seed + 2);
  cases.push_back(
      makeCase("memplan.embedding_grad", variant, {ids, dy},
               {attribute("num_embeddings", rows)}, [&](const auto &) {
                 TestTensor grad{{rows, width}, Values(size_t(rows * width))};
                 for (size_t i = 0; i < ids.values.size(); ++i)
                   for (int64_t d = 0; d < width; ++d)
                     grad.values[size_t(int64_t(ids.values[i]) * width + d)] +=
                         dy.values[i * size_t(width) + size_t(d)];
                 return std::vector<TestTensor>{grad};
               }));
}

void addEmbeddingCases(std::vector<Case> &cases) {
  addTable(cases, 7, 4, {5}, 8000);
  addTable(cases, 5, 3, {2, 6}, 8010); // ids repeat: their gradients add up
  addTable(cases, 1, 1, {3}, 8020);
  addTable(cases, 300, 200, {4, 50}, 8030);
  addTable(cases, 40, 2, {2500}, 8040); // ids are sorted in pieces
}

} // namespace memplan::runtime::conformance
