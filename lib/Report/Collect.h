//===- Collect.h - Parts of the report's data -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_REPORT_COLLECT_H
#define MEMPLAN_LIB_REPORT_COLLECT_H

#include "memplan/Report/ReportData.h"

namespace memplan {

/// What is kept at the peak although nothing there uses it, and outputs that
/// might have been in place: each with what stands against it. `data` has
/// steps, ranges and peak.
std::vector<Refusal> findRefusals(const GraphIndex &index, const Plan &plan,
                                  const ReportData &data);

/// The verdict of a plan, or of its failure. `data` lacks nothing else.
std::string describeVerdict(const GraphIndex &index, const Plan &plan,
                            const ReportData &data);

/// Bytes by category at the peak, the larger first, fixed bytes included.
std::vector<std::pair<std::string, int64_t>>
sumCategories(const GraphIndex &index, const ReportData &data);

} // namespace memplan

#endif // MEMPLAN_LIB_REPORT_COLLECT_H
