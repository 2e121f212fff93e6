//===- CbcBackend.cpp - COIN-OR CBC behind MilpBackend --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is opened when a program is first solved with it: who never asks
// for CBC neither loads its dozen libraries nor needs them installed.
//
// CBC's C interface can be told neither to stop nor a limit of iterations. So
// it solves in slices of nodes, each ten times the one before and from its best
// solution, and a stop or the limit of iterations is seen between two slices.
//
//===----------------------------------------------------------------------===//

#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <coin/Cbc_C_Interface.h>
#include <dlfcn.h>
#include <mutex>

using namespace memplan;

static constexpr const char *libraryName = "libCbcSolver.so.3";

namespace {
/// The functions of CBC's C interface, by their names without "Cbc_".
class CbcLibrary {
public:
  CbcLibrary() : handle(dlopen(libraryName, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) {
      const char *text = dlerror();
      why = text ? text : "no reason given";
    }
  }

#define MEMPLAN_CBC(name)                                                      \
  decltype(&Cbc_##name) name = find<decltype(&Cbc_##name)>("Cbc_" #name)

  llvm::Error check() const {
    if (why.empty())
      return llvm::Error::success();
    return llvm::createStringError(
        "the solver CBC cannot be loaded (%s); install coinor-libcbc3 or "
        "choose another with milp-backend",
        why.c_str());
  }

private:
  template <typename Function> Function find(const char *symbol) {
    void *address = handle ? dlsym(handle, symbol) : nullptr;
    if (handle && !address && why.empty())
      why = std::string(libraryName) + " has no " + symbol;
    return reinterpret_cast<Function>(address);
  }
  void *handle; ///< Never closed: CBC keeps state of its own.
  std::string why;

public:
  MEMPLAN_CBC(newModel);
  MEMPLAN_CBC(deleteModel);
  MEMPLAN_CBC(loadProblem);
  MEMPLAN_CBC(setInteger);
  MEMPLAN_CBC(setMIPStartI);
  MEMPLAN_CBC(setLogLevel);
  MEMPLAN_CBC(setAllowableFractionGap);
  MEMPLAN_CBC(setAllowableGap);
  MEMPLAN_CBC(setMaximumNodes);
  MEMPLAN_CBC(setMaximumSeconds);
  MEMPLAN_CBC(solve);
  MEMPLAN_CBC(isProvenOptimal);
  MEMPLAN_CBC(isProvenInfeasible);
  MEMPLAN_CBC(isInitialSolveProvenPrimalInfeasible);
  MEMPLAN_CBC(isNodeLimitReached);
  MEMPLAN_CBC(bestSolution);
  MEMPLAN_CBC(getColSolution);
  MEMPLAN_CBC(getBestPossibleObjValue);
  MEMPLAN_CBC(getIterationCount);
  MEMPLAN_CBC(getNodeCount);
#undef MEMPLAN_CBC
};

/// A model as CBC takes it: by columns.
struct ByColumn {
  explicit ByColumn(const MilpModel &model);
  std::vector<CoinBigIndex> start;
  std::vector<int> row;
  std::vector<double> value;
  std::vector<double> columnLower, columnUpper, rowLower, rowUpper;
};

/// One solve from scratch, with a limit of nodes.
struct Slice {
  MilpResult result;
  bool isEnded = false; ///< By itself, not by the limit.
};

class CbcBackend final : public MilpBackend {
public:
  std::string_view name() const override { return "cbc"; }
  llvm::Expected<MilpResult> solve(const MilpModel &model,
                                   llvm::ArrayRef<double> start,
                                   const MilpLimits &limits) override;
};
} // namespace

/// CBC's infinity.
static std::vector<double> finite(llvm::ArrayRef<double> values) {
  constexpr double most = std::numeric_limits<double>::max();
  std::vector<double> clamped;
  clamped.reserve(values.size());
  for (double value : values)
    clamped.push_back(std::clamp(value, -most, most));
  return clamped;
}

ByColumn::ByColumn(const MilpModel &model)
    : start(size_t(model.numColumns()) + 1, 0), row(model.terms.size()),
      value(model.terms.size()), columnLower(finite(model.columnLower)),
      columnUpper(finite(model.columnUpper)), rowLower(finite(model.rowLower)),
      rowUpper(finite(model.rowUpper)) {
  for (const MilpTerm &term : model.terms)
    ++start[size_t(term.column) + 1];
  for (size_t c = 1; c < start.size(); ++c)
    start[c] += start[c - 1];
  std::vector<CoinBigIndex> next = start;
  for (int32_t r = 0; r < model.numRows(); ++r)
    for (int64_t i = model.rowStart[r]; i < model.rowStart[r + 1]; ++i) {
      const MilpTerm &term = model.terms[i];
      const auto at = size_t(next[term.column]++);
      row[at] = r;
      value[at] = term.coefficient;
    }
}

static bool hasIntegers(const MilpModel &model) {
  return llvm::is_contained(model.columnInteger, true);
}

/// All integer columns; CBC computes the others.
static void giveStart(const CbcLibrary &cbc, Cbc_Model *solver,
                      const MilpModel &model, llvm::ArrayRef<double> start) {
  std::vector<int> columns;
  std::vector<double> values;
  for (int32_t c = 0; c < model.numColumns(); ++c)
    if (model.columnInteger[c]) {
      columns.push_back(c);
      values.push_back(std::round(start[c]));
    }
  if (!columns.empty())
    cbc.setMIPStartI(solver, int(columns.size()), columns.data(),
                     values.data());
}

static MilpResult resultOf(const CbcLibrary &cbc, Cbc_Model *solver,
                           const MilpModel &model, const MilpLimits &limits) {
  MilpResult result;
  result.iterations = cbc.getIterationCount(solver);
  result.nodes = cbc.getNodeCount(solver);
  const bool isOptimal = cbc.isProvenOptimal(solver);
  const double *values = hasIntegers(model) ? cbc.bestSolution(solver)
                         : isOptimal        ? cbc.getColSolution(solver)
                                            : nullptr;
  if (values) {
    result.values.assign(values, values + model.numColumns());
    result.status = isOptimal ? MilpStatus::Optimal : MilpStatus::Feasible;
  } else if (cbc.isProvenInfeasible(solver) ||
             cbc.isInitialSolveProvenPrimalInfeasible(solver)) {
    // The second alone is set by an infeasible relaxation, and also where a
    // start turned out to be optimal.
    result.status = MilpStatus::Infeasible;
    return result;
  }
  double bound = cbc.getBestPossibleObjValue(solver);
  // What closed the tree may be the gap, which the bound then does not show.
  if (isOptimal && values) {
    const double objective = model.objective(result.values);
    const double gap =
        std::max(limits.relativeGap * std::abs(objective), limits.absoluteGap);
    bound = hasIntegers(model) ? objective - gap : objective;
  }
  if (std::abs(bound) < 1e49)
    result.bound = bound;
  return result;
}

static Slice solveSlice(const CbcLibrary &cbc, const MilpModel &model,
                        const ByColumn &columns, llvm::ArrayRef<double> start,
                        int64_t nodes, std::optional<double> seconds,
                        const MilpLimits &limits) {
  Cbc_Model *solver = cbc.newModel();
  cbc.setLogLevel(solver, 0);
  cbc.loadProblem(solver, model.numColumns(), model.numRows(),
                  columns.start.data(), columns.row.data(),
                  columns.value.data(), columns.columnLower.data(),
                  columns.columnUpper.data(), model.columnCost.data(),
                  columns.rowLower.data(), columns.rowUpper.data());
  for (int32_t c = 0; c < model.numColumns(); ++c)
    if (model.columnInteger[c])
      cbc.setInteger(solver, c);
  if (!start.empty())
    giveStart(cbc, solver, model, start);
  cbc.setAllowableFractionGap(solver, limits.relativeGap);
  cbc.setAllowableGap(solver, limits.absoluteGap);
  cbc.setMaximumNodes(
      solver, int(std::min<int64_t>(nodes, std::numeric_limits<int>::max())));
  if (seconds)
    cbc.setMaximumSeconds(solver, *seconds);
  cbc.solve(solver);
  Slice slice{resultOf(cbc, solver, model, limits),
              !cbc.isNodeLimitReached(solver)};
  cbc.deleteModel(solver);
  return slice;
}

/// Better in values and bound.
static void join(const MilpModel &model, MilpResult &best, MilpResult found) {
  best.iterations += found.iterations;
  best.nodes = found.nodes;
  if (found.bound && (!best.bound || *found.bound > *best.bound))
    best.bound = found.bound;
  if (found.status == MilpStatus::Infeasible ||
      found.status == MilpStatus::Optimal)
    best.status = found.status;
  if (found.values.empty() ||
      (!best.values.empty() &&
       model.objective(best.values) <= model.objective(found.values)))
    return;
  best.values = std::move(found.values);
  if (best.status == MilpStatus::NoSolution)
    best.status = MilpStatus::Feasible;
}

/// Nodes of the next slice: no more than the iterations that are left allow.
static int64_t nextNodes(int64_t nodes, const MilpResult &soFar,
                         const MilpLimits &limits) {
  const double perNode =
      double(soFar.iterations) / double(std::max<int64_t>(1, soFar.nodes));
  const double left = double(limits.iterations - soFar.iterations) / perNode;
  return std::min(
      {10 * nodes, limits.nodes, int64_t(std::clamp(left, 0.0, 1e9))});
}

llvm::Expected<MilpResult> CbcBackend::solve(const MilpModel &model,
                                             llvm::ArrayRef<double> start,
                                             const MilpLimits &limits) {
  // CBC reads and writes variables of its library.
  static std::mutex oneAtATime;
  const std::lock_guard<std::mutex> lock(oneAtATime);
  static const CbcLibrary cbc;
  if (llvm::Error error = cbc.check())
    return std::move(error);
  const auto begun = std::chrono::steady_clock::now();
  const ByColumn columns(model);
  MilpResult best;
  if (!start.empty() && model.isFeasible(start)) {
    best.values.assign(start.begin(), start.end());
    best.status = MilpStatus::Feasible;
  }
  int64_t nodes = std::min<int64_t>(1000, limits.nodes), ran = -1;
  while (nodes > ran) {
    std::optional<double> seconds;
    if (limits.timeLimitSeconds)
      seconds = *limits.timeLimitSeconds -
                std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                              begun)
                    .count();
    if ((seconds && *seconds <= 0) || (limits.stop && limits.stop->load()) ||
        best.iterations > limits.iterations)
      break;
    Slice slice =
        solveSlice(cbc, model, columns, best.values, nodes, seconds, limits);
    join(model, best, std::move(slice.result));
    if (slice.isEnded)
      break;
    if (limits.progress)
      limits.progress(best.values.empty()
                          ? std::nullopt
                          : std::optional(model.objective(best.values)),
                      best.bound);
    ran = nodes;
    nodes = nextNodes(nodes, best, limits);
  }
  return best;
}

std::unique_ptr<MilpBackend> memplan::createCbcBackend() {
  return std::make_unique<CbcBackend>();
}
