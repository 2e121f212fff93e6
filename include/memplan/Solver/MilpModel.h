//===- MilpModel.h - Linear models and who solves them ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SOLVER_MILPMODEL_H
#define MEMPLAN_SOLVER_MILPMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace memplan {

struct MilpTerm {
  int32_t column;
  double coefficient;
};

/// Minimize cost * x over lower <= x <= upper, rowLower <= A x <= rowUpper,
/// some x integer.
class MilpModel {
public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Range {
    double lower, upper;
  };
  static Range atMost(double upper) { return {-infinity, upper}; }
  static Range atLeast(double lower) { return {lower, infinity}; }
  static Range equalTo(double value) { return {value, value}; }

  /// Adds a column and returns its index.
  int32_t addColumn(double lower, double upper, double cost, bool isInteger);
  int32_t addBinary(double cost = 0) { return addColumn(0, 1, cost, true); }
  /// Adds a row; terms of one column add up.
  void addRow(llvm::ArrayRef<MilpTerm> terms, Range range);

  int32_t numColumns() const { return static_cast<int32_t>(columnCost.size()); }
  int32_t numRows() const { return static_cast<int32_t>(rowLower.size()); }
  int64_t numTerms() const { return static_cast<int64_t>(terms.size()); }
  /// True when the values obey every bound, row and integrality up to
  /// `tolerance`.
  bool isFeasible(llvm::ArrayRef<double> values, double tolerance = 1e-6) const;
  double objective(llvm::ArrayRef<double> values) const;

  std::vector<double> columnLower, columnUpper, columnCost;
  std::vector<bool> columnInteger;
  std::vector<double> rowLower, rowUpper;
  std::vector<int64_t> rowStart{
      0}; ///< Row r has terms [rowStart[r], rowStart[r + 1]).
  std::vector<MilpTerm> terms;
};

/// Iterations and nodes are deterministic counts; time and `stop` are safety
/// stops.
struct MilpLimits {
  int64_t iterations =
      std::numeric_limits<int64_t>::max(); ///< Iterations of all linear
                                           ///< programs together.
  int64_t nodes = std::numeric_limits<int64_t>::max();
  double relativeGap = 1e-6; ///< In parts of the objective; or
  double absoluteGap = 0;    ///< in its unit: done within either.
  std::optional<double> timeLimitSeconds;
  const std::atomic<bool> *stop = nullptr;
  std::function<void(std::optional<double> incumbent,
                     std::optional<double> bound)>
      progress;
};

enum class MilpStatus { Optimal, Feasible, Infeasible, NoSolution };

struct MilpResult {
  MilpStatus status = MilpStatus::NoSolution;
  std::vector<double> values; ///< Empty without a solution; floating point, to
                              ///< be rounded and verified.
  std::optional<double>
      bound; ///< On the objective, as the solver's floating point says.
  /// Dual values of a model without integers, where the solver gives them. By
  /// row: what a unit of its bound is worth, >= 0 where the lower bound binds.
  std::vector<double> rowDuals;
  int64_t iterations = 0;
  int64_t nodes = 0;
};

/// An integer programming solver. Deterministic unless a safety stop is hit.
class MilpBackend {
public:
  virtual ~MilpBackend() = default;
  virtual std::string_view name() const = 0;
  /// `start` is a feasible point to improve on, or empty.
  virtual llvm::Expected<MilpResult> solve(const MilpModel &model,
                                           llvm::ArrayRef<double> start,
                                           const MilpLimits &limits) = 0;
};

/// HiGHS; null where memplan was built without it.
std::unique_ptr<MilpBackend> createHighsBackend();
/// COIN-OR CBC; null where memplan was built without it. Its library is opened
/// by the first solve(), which fails where it is not installed.
std::unique_ptr<MilpBackend> createCbcBackend();
/// "highs", "cbc", or "auto": the first of the two that is there, null if none
/// is. The error says that the one that was named is not built in.
llvm::Expected<std::unique_ptr<MilpBackend>>
createMilpBackend(llvm::StringRef name);

} // namespace memplan

#endif // MEMPLAN_SOLVER_MILPMODEL_H
