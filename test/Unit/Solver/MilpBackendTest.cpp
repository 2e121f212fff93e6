//===- MilpBackendTest.cpp - Each solver of integer programs --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cmath>
#include <random>

using namespace memplan;

namespace {
class MilpBackendTest : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    backend = std::string(GetParam()) == "highs" ? createHighsBackend()
                                                 : createCbcBackend();
    if (!backend)
      GTEST_SKIP() << "built without " << GetParam();
    const MilpModel nothing = [] {
      MilpModel model;
      const int32_t column = model.addBinary();
      model.addRow({{column, 1}}, MilpModel::atMost(1));
      return model;
    }();
    if (llvm::Error error = backend->solve(nothing, {}, {}).takeError())
      GTEST_SKIP() << toString(std::move(error));
  }
  MilpResult solve(const MilpModel &model, llvm::ArrayRef<double> start = {},
                   const MilpLimits &limits = {}) {
    llvm::Expected<MilpResult> result = backend->solve(model, start, limits);
    EXPECT_THAT(result, Succeeds());
    return result ? std::move(*result) : MilpResult();
  }
  std::unique_ptr<MilpBackend> backend;
};

MilpModel randomProgram(uint64_t seed, int columns, int rows) {
  std::mt19937_64 random(seed);
  auto below = [&](int n) { return int(random() % uint64_t(n)); };
  MilpModel model;
  for (int c = 0; c < columns; ++c)
    model.addBinary(below(19) - 12);
  for (int r = 0; r < rows; ++r) {
    std::vector<MilpTerm> terms;
    int sum = 0;
    for (int c = 0; c < columns; ++c)
      if (below(2)) {
        const int size = below(9) + 1;
        terms.push_back({c, double(size)});
        sum += size;
      }
    const int kind = below(5);
    model.addRow(terms, kind == 0   ? MilpModel::atLeast(sum / 3)
                        : kind == 1 ? MilpModel::Range{sum / 4.0, sum / 2.0}
                                    : MilpModel::atMost(sum / 2));
  }
  return model;
}

/// The least objective, by trying all points.
std::optional<double> cheapest(const MilpModel &model) {
  std::optional<double> best;
  std::vector<double> point(size_t(model.numColumns()));
  for (uint32_t bits = 0; bits < 1u << model.numColumns(); ++bits) {
    for (size_t c = 0; c < point.size(); ++c)
      point[c] = bits >> c & 1;
    if (model.isFeasible(point) && (!best || model.objective(point) < *best))
      best = model.objective(point);
  }
  return best;
}

/// A knapsack with several rows that takes more than a node.
MilpModel hardProgram() {
  std::mt19937_64 random(1);
  MilpModel model;
  for (int c = 0; c < 36; ++c)
    model.addBinary(-double(random() % 100 + 1));
  for (int r = 0; r < 18; ++r) {
    std::vector<MilpTerm> terms;
    for (int c = 0; c < 36; ++c)
      terms.push_back({c, double(random() % 100 + 1)});
    model.addRow(terms, MilpModel::atMost(600));
  }
  return model;
}

// A wrong optimum, a bound above it or a false "infeasible" would be taken for
// a proof.
TEST_P(MilpBackendTest, agrees_with_all_points) {
  int infeasible = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const MilpModel model = randomProgram(seed, 9, 5);
    const std::optional<double> best = cheapest(model);
    const MilpResult result = solve(model);
    infeasible += !best;
    ASSERT_EQ(result.status,
              best ? MilpStatus::Optimal : MilpStatus::Infeasible);
    if (!best)
      continue;
    EXPECT_TRUE(model.isFeasible(result.values));
    EXPECT_NEAR(model.objective(result.values), *best, 1e-6);
    ASSERT_TRUE(result.bound);
    EXPECT_NEAR(*result.bound, *best, 1e-4);
    EXPECT_LE(*result.bound, *best + 1e-9);
    // A start that nothing beats is no sign that nothing fits.
    EXPECT_EQ(solve(model, result.values).status, MilpStatus::Optimal);
  }
  EXPECT_GE(infeasible, 3);
}

// The linear models that solvers get would not mean what was added.
TEST_P(MilpBackendTest, takes_models_as_they_were_built) {
  MilpModel model;
  const int32_t x = model.addBinary(-2);
  const int32_t y = model.addColumn(0, 10, -1, false);
  model.addRow({{x, 3}, {y, 1}, {x, 1}}, MilpModel::atMost(6)); // 4x + y <= 6
  EXPECT_EQ(model.numTerms(), 2);
  EXPECT_TRUE(model.isFeasible({1, 2}));
  EXPECT_FALSE(model.isFeasible({1, 3}));
  EXPECT_FALSE(model.isFeasible({0.5, 1}));
  const MilpResult result = solve(model);
  EXPECT_EQ(result.status, MilpStatus::Optimal);
  EXPECT_NEAR(model.objective(result.values), -6, 1e-6);
}

// Relaxations are rounded by `lp-rounding`; columns may have no upper bound.
TEST_P(MilpBackendTest, solves_linear_programs) {
  MilpModel model;
  const int32_t x = model.addColumn(0, MilpModel::infinity, -3, false);
  const int32_t y = model.addColumn(0, 4, -2, false);
  model.addRow({{x, 2}, {y, 1}}, MilpModel::atMost(7));
  const MilpResult result = solve(model);
  ASSERT_EQ(result.status, MilpStatus::Optimal);
  EXPECT_NEAR(result.values[size_t(x)], 1.5, 1e-6);
  EXPECT_NEAR(result.values[size_t(y)], 4, 1e-6);
  model.addRow({{x, 1}}, MilpModel::atLeast(9));
  EXPECT_EQ(solve(model).status, MilpStatus::Infeasible);
}

// A plan in hand would be lost where a solver is stopped early.
TEST_P(MilpBackendTest, improves_on_a_start) {
  const MilpModel model = hardProgram();
  std::vector<double> start(36, 0);
  start[3] = start[4] = 1;
  ASSERT_TRUE(model.isFeasible(start));
  MilpLimits few;
  few.nodes = 1;
  const MilpResult result = solve(model, start, few);
  ASSERT_FALSE(result.values.empty());
  EXPECT_TRUE(model.isFeasible(result.values));
  EXPECT_LE(model.objective(result.values), model.objective(start) + 1e-6);
}

// The same plan must come out on every run and machine.
TEST_P(MilpBackendTest, is_deterministic_within_limits) {
  const MilpModel model = hardProgram();
  MilpLimits few;
  few.iterations = 1000;
  const MilpResult first = solve(model, {}, few),
                   second = solve(model, {}, few);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.bound, second.bound);
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_LT(first.iterations, 20 * few.iterations);
  const MilpResult all = solve(model);
  ASSERT_EQ(all.status, MilpStatus::Optimal);
  ASSERT_TRUE(first.bound);
  EXPECT_LE(*first.bound, model.objective(all.values) + 1e-6);
}

// Ctrl-C would have to wait for an integer program of minutes.
TEST_P(MilpBackendTest, returns_what_it_has_when_stopped) {
  const MilpModel model = hardProgram();
  std::atomic<bool> stop{true};
  MilpLimits limits;
  limits.stop = &stop;
  const std::vector<double> start(36, 0);
  const MilpResult result = solve(model, start, limits);
  EXPECT_NE(result.status, MilpStatus::Optimal);
  EXPECT_NE(result.status, MilpStatus::Infeasible);
}

INSTANTIATE_TEST_SUITE_P(Backends, MilpBackendTest,
                         ::testing::Values("highs", "cbc"),
                         [](const auto &info) { return info.param; });

// A name that was typed must not be answered by another solver.
TEST(MilpBackend, is_the_one_that_was_named) {
  for (const char *name : {"highs", "cbc"}) {
    const bool isThere = std::string(name) == "highs"
                             ? createHighsBackend() != nullptr
                             : createCbcBackend() != nullptr;
    llvm::Expected<std::unique_ptr<MilpBackend>> backend =
        createMilpBackend(name);
    if (!isThere) {
      EXPECT_THAT(backend, FailsWith("built without"));
      continue;
    }
    ASSERT_THAT(backend, Succeeds());
    EXPECT_EQ((*backend)->name(), name);
  }
  llvm::Expected<std::unique_ptr<MilpBackend>> any = createMilpBackend("auto");
  ASSERT_THAT(any, Succeeds());
  EXPECT_EQ(*any != nullptr, createHighsBackend() || createCbcBackend());
}
} // namespace
