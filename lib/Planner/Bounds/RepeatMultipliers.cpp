//===- RepeatMultipliers.cpp - Multipliers of some turns for all ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatMultipliers.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

RepeatWindow memplan::findWindow(const ContractedStep &step,
                                 const std::optional<StepRepeat> &repeat) {
  const RepeatWindow all{step.numOps(), 0, 0};
  if (!repeat)
    return all;
  // The first of them has another one before it, as all later ones have.
  const int32_t kept =
      RepeatWindow::horizon + (repeat->begin < repeat->period ? 1 : 0);
  if (repeat->turns <= kept)
    return all;
  return {repeat->begin + kept * repeat->period, repeat->period,
          repeat->turns - kept};
}

std::vector<int32_t> memplan::repeatPeaks(const RepeatWindow &window,
                                          const std::vector<int32_t> &peaks,
                                          int32_t numRows) {
  std::vector<int32_t> all = peaks;
  for (int32_t turn = 1; turn <= window.turns + 1; ++turn)
    for (int32_t peak : peaks)
      if (const int32_t its = peak + turn * window.period;
          peak >= window.end - window.period && its < numRows)
        all.push_back(its);
  llvm::sort(all);
  return all;
}

PeakMultipliers memplan::repeatMultipliers(const RepeatWindow &window,
                                           const PeakModel &part,
                                           const PeakMultipliers &multipliers,
                                           const PeakModel &whole) {
  PeakMultipliers all;
  const ContractedStep &step = whole.rows->step();
  // What is made later lives on behind the window.
  const RepeatWindow spanning{part.peaks.back() + 1 -
                                  (window.horizon - 1) * window.period,
                              window.period, window.turns};
  for (int32_t peak : whole.peaks) {
    const auto at = llvm::lower_bound(part.peaks, peak - window.shiftOf(peak));
    all.ofRow.push_back(multipliers.ofRow[size_t(at - part.peaks.begin())]);
  }
  all.ofNeed.assign(whole.needs.size(), 0);
  for (const PeakModel::Value &value : whole.values) {
    const StepValue &made = step.values()[value.value];
    const StepOp &like =
        step.ops()[made.producer - spanning.shiftOf(made.producer)];
    const std::vector<int32_t> &outputs = step.ops()[made.producer].outputs;
    const size_t place =
        size_t(llvm::find(outputs, value.value) - outputs.begin());
    if (place >= like.outputs.size())
      continue;
    const auto [from, end] = part.needsOf(like.outputs[place]);
    const auto [to, toEnd] = whole.needsOf(value.value);
    for (size_t i = 0; i < std::min(end - from, toEnd - to); ++i)
      all.ofNeed[to + i] = multipliers.ofNeed[from + i];
  }
  return all;
}
