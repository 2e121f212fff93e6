//===- PlannerReport.cpp - What a report of a plan shows, for C -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Report/ReportWriters.h"

using namespace memplan;
using namespace memplan::capi;

using Writer = void (*)(const GraphIndex &, const Plan &, const ReportData &,
                        llvm::raw_ostream &);

static memplan_status_t writeReport(Writer writer, const memplan_graph_t *graph,
                                    const memplan_plan_t *plan,
                                    const memplan_options_t *options,
                                    char **text, int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return guardLlvm([&] {
    if (!graph || !plan || !text)
      return refuse("a report got a null pointer for its graph, its plan or "
                    "its text");
    llvm::Expected<Graph> prepared =
        prepareGraph(graph->graph, options ? options->options : PlanOptions());
    if (!prepared)
      return fail(MEMPLAN_INVALID_ARGUMENT, prepared.takeError());
    if (!fits(*prepared, plan->plan))
      return refuse("the plan was made for another graph");
    const GraphIndex index(*prepared);
    llvm::Expected<ReportData> data = makeReportData(index, plan->plan);
    if (!data)
      return fail(MEMPLAN_CHECK_FAILED, data.takeError());
    return giveText(textOf([&](llvm::raw_ostream &os) {
                      writer(index, plan->plan, *data, os);
                    }),
                    text, byte_count);
  });
}

memplan_status_t memplan_plan_report_json(const memplan_graph_t *graph,
                                          const memplan_plan_t *plan,
                                          const memplan_options_t *options,
                                          char **text, int64_t *byte_count) {
  return writeReport(writeReportData, graph, plan, options, text, byte_count);
}

memplan_status_t memplan_plan_perfetto(const memplan_graph_t *graph,
                                       const memplan_plan_t *plan,
                                       const memplan_options_t *options,
                                       char **text, int64_t *byte_count) {
  return writeReport(writePerfetto, graph, plan, options, text, byte_count);
}
