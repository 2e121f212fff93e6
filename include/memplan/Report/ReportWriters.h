//===- ReportWriters.h - Report data as JSON, trace and text ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_REPORTWRITERS_H
#define MEMPLAN_REPORT_REPORTWRITERS_H

#include "memplan/Report/ReportData.h"

namespace memplan {

/// Writes `*.report.json` (docs/Formats.md): all that a page or another tool
/// needs to draw the plan.
void writeReportData(const GraphIndex &index, const Plan &plan,
                     const ReportData &data, llvm::raw_ostream &os);

/// Writes a trace that Perfetto and chrome://tracing open. It has a track for
/// each stream and copy engine, and counters of the live bytes on device and
/// host.
void writePerfetto(const GraphIndex &index, const Plan &plan,
                   const ReportData &data, llvm::raw_ostream &os);

/// Prints what the peak is made of, for a terminal. It shows the verdict, a bar
/// of the categories and the ten largest tensors with their modules, what was
/// done and what would help. No line is longer than `columns`.
void printReport(const GraphIndex &index, const Plan &plan,
                 const ReportData &data, int columns, llvm::raw_ostream &os);

/// Writes the numbers of the verdict as one JSON object on one line.
void writeSummaryJson(const GraphIndex &index, const Plan &plan,
                      const ReportData &data, llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_REPORT_REPORTWRITERS_H
