//===- HighsBackend.cpp - HiGHS behind MilpBackend ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread always: HiGHS then takes the same path in every run, and plans do
// not depend on the thread count.
//
//===----------------------------------------------------------------------===//

#include "memplan/Solver/MilpModel.h"
#include <Highs.h>

using namespace memplan;

namespace {
class HighsBackend final : public MilpBackend {
public:
  std::string_view name() const override { return "highs"; }
  llvm::Expected<MilpResult> solve(const MilpModel &model,
                                   llvm::ArrayRef<double> start,
                                   const MilpLimits &limits) override;
};
} // namespace

static HighsLp makeLp(const MilpModel &model) {
  HighsLp lp;
  lp.num_col_ = model.numColumns();
  lp.num_row_ = model.numRows();
  lp.col_cost_ = model.columnCost;
  lp.col_lower_ = model.columnLower;
  lp.col_upper_ = model.columnUpper;
  lp.row_lower_ = model.rowLower;
  lp.row_upper_ = model.rowUpper;
  lp.integrality_.resize(size_t(lp.num_col_));
  for (size_t c = 0; c < lp.integrality_.size(); ++c)
    lp.integrality_[c] = model.columnInteger[c] ? HighsVarType::kInteger
                                                : HighsVarType::kContinuous;
  lp.a_matrix_.format_ = MatrixFormat::kRowwise;
  lp.a_matrix_.num_col_ = lp.num_col_;
  lp.a_matrix_.num_row_ = lp.num_row_;
  lp.a_matrix_.start_.assign(model.rowStart.begin(), model.rowStart.end());
  lp.a_matrix_.index_.reserve(model.terms.size());
  lp.a_matrix_.value_.reserve(model.terms.size());
  for (const MilpTerm &term : model.terms) {
    lp.a_matrix_.index_.push_back(term.column);
    lp.a_matrix_.value_.push_back(term.coefficient);
  }
  return lp;
}

static void configure(Highs &highs, const MilpLimits &limits) {
  highs.setOptionValue("output_flag", false);
  highs.setOptionValue("threads", 1);
  highs.setOptionValue("parallel", "off");
  highs.setOptionValue("random_seed", 1);
  highs.setOptionValue("mip_rel_gap", limits.relativeGap);
  highs.setOptionValue("mip_abs_gap", limits.absoluteGap);
  if (limits.nodes < std::numeric_limits<HighsInt>::max())
    highs.setOptionValue("mip_max_nodes", static_cast<HighsInt>(limits.nodes));
  if (limits.timeLimitSeconds)
    highs.setOptionValue("time_limit", *limits.timeLimitSeconds);
}

/// Stops HiGHS at the iteration limit or on demand, and passes progress on.
static void watch(Highs &highs, const MilpLimits &limits, bool &interrupted) {
  highs.setCallback(
      [&limits, &interrupted](int type, const std::string &,
                              const HighsCallbackOutput *out,
                              HighsCallbackInput *in, void *) {
        const bool stop = limits.stop && limits.stop->load();
        // The total of a MIP is known between its linear programs, the count of
        // one program inside it.
        const bool mip =
            type == kCallbackMipInterrupt || type == kCallbackMipLogging;
        const int64_t iterations =
            mip ? out->mip_total_lp_iterations : out->simplex_iteration_count;
        if (in && (stop || iterations > limits.iterations)) {
          in->user_interrupt = true;
          interrupted = true;
        }
        if (type == kCallbackMipLogging && limits.progress) {
          auto finite = [](double value) {
            return value > -kHighsInf && value < kHighsInf
                       ? std::optional<double>(value)
                       : std::nullopt;
          };
          limits.progress(finite(out->mip_primal_bound),
                          finite(out->mip_dual_bound));
        }
      },
      nullptr);
  highs.startCallback(kCallbackMipInterrupt);
  highs.startCallback(kCallbackSimplexInterrupt);
  if (limits.progress)
    highs.startCallback(kCallbackMipLogging);
}

llvm::Expected<MilpResult> HighsBackend::solve(const MilpModel &model,
                                               llvm::ArrayRef<double> start,
                                               const MilpLimits &limits) {
  // The thread count of HiGHS is set by its first use in the process.
  Highs::resetGlobalScheduler(/*blocking=*/true);
  Highs highs;
  configure(highs, limits);
  if (highs.passModel(makeLp(model)) == HighsStatus::kError)
    return llvm::createStringError(
        "HiGHS refuses the model of %d columns and %d rows", model.numColumns(),
        model.numRows());
  if (!start.empty()) {
    HighsSolution solution;
    solution.col_value.assign(start.begin(), start.end());
    highs.setSolution(solution);
  }
  bool interrupted = false;
  watch(highs, limits, interrupted);
  if (highs.run() == HighsStatus::kError)
    return llvm::createStringError(
        "HiGHS failed: %s",
        highs.modelStatusToString(highs.getModelStatus()).c_str());

  MilpResult result;
  const HighsInfo &info = highs.getInfo();
  result.nodes = info.mip_node_count;
  result.iterations = info.simplex_iteration_count;
  const HighsModelStatus status = highs.getModelStatus();
  if (status == HighsModelStatus::kInfeasible) {
    result.status = MilpStatus::Infeasible;
    return result;
  }
  if (info.mip_dual_bound > -kHighsInf && info.mip_dual_bound < kHighsInf)
    result.bound = info.mip_dual_bound;
  if (info.primal_solution_status == kSolutionStatusFeasible) {
    result.values = highs.getSolution().col_value;
    if (highs.getSolution().dual_valid)
      result.rowDuals = highs.getSolution().row_dual;
    result.status = status == HighsModelStatus::kOptimal ? MilpStatus::Optimal
                                                         : MilpStatus::Feasible;
  }
  return result;
}

std::unique_ptr<MilpBackend> memplan::createHighsBackend() {
  return std::make_unique<HighsBackend>();
}
