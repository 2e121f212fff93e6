//===- WritersTest.cpp - Report data as JSON, trace and text --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If these fail, a report file cannot be read, or a name in a graph breaks out
// of the text that shows it.
//
//===----------------------------------------------------------------------===//

#include "../ErrorMatchers.h"
#include "PlannedChain.h"
#include "memplan/Report/ReportWriters.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace memplan;
using llvm::json::Object;

namespace {

const std::vector<std::string> &hostileNames() {
  static const std::vector<std::string> names = {
      "</script><script>alert(1)</script>",
      "\"quotes\" 'and' \\ `more`",
      std::string(10000, 'n'),
      "\x1b[2Jescape\r\n\tand",
      "\xff\xfe broken",
      "Schicht Ä 层 طبقة 🙂",
      "<!--",
      "&lt;b&gt;",
      "__proto__"};
  return names;
}

struct Planned : PlannedChain {
  explicit Planned(uint64_t seed) : PlannedChain(seed) {
    Dice dice(seed);
    auto name = [&] {
      return hostileNames()[size_t(dice.roll(int64_t(hostileNames().size())))];
    };
    graph.name = name();
    for (Tensor &tensor : graph.tensors)
      tensor.name = dice.chance(50) ? name() : "";
    for (Node &node : graph.nodes) {
      node.name = name();
      node.locations = {name()};
    }
  }

  template <typename Write> std::string text(Write write) {
    const GraphIndex index(graph);
    const ReportData data = llvm::cantFail(makeReportData(index, plan));
    std::string text;
    llvm::raw_string_ostream os(text);
    write(index, plan, data, os);
    return text;
  }
  llvm::json::Value read(void (*write)(const GraphIndex &, const Plan &,
                                       const ReportData &,
                                       llvm::raw_ostream &)) {
    return llvm::cantFail(llvm::json::parse(text(write)));
  }
};

TEST(ReportWriter, says_what_the_plan_says) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Planned planned(seed);
    const llvm::json::Value value = planned.read(writeReportData);
    const Object &report = *value.getAsObject();
    const Object &summary = *report.getObject("summary");
    EXPECT_EQ(report.getArray("tensors")->size(), planned.graph.tensors.size());
    EXPECT_EQ(report.getArray("nodes")->size(), planned.graph.nodes.size());
    EXPECT_EQ(report.getArray("steps")->size(), planned.plan.steps.size());
    if (!hasSteps(planned.plan.status))
      continue;
    EXPECT_EQ(summary.getInteger("peak_bytes"), planned.plan.peakBytes);
    EXPECT_EQ(summary.getNumber("time"), planned.plan.makespan());
    EXPECT_EQ(summary.getInteger("arena_bytes"),
              planned.plan.arenas.front().bytes);
    int64_t sum = 0;
    for (const auto &[category, bytes] :
         *report.getObject("peak")->getObject("categories"))
      sum += *bytes.getAsInteger();
    EXPECT_EQ(sum, planned.plan.peakBytes);
    int64_t runs = 0;
    for (const llvm::json::Value &node : *report.getArray("nodes"))
      runs += *node.getAsObject()->getInteger("runs");
    EXPECT_EQ(runs, llvm::count_if(planned.plan.steps, [](const auto &step) {
                return step.action == ActionKind::Compute;
              }));
    const llvm::json::Value line = planned.read(writeSummaryJson);
    EXPECT_EQ(*line.getAsObject()->get("summary"), *report.get("summary"));
  }
}

TEST(PerfettoWriter, slices_are_the_plans_runs) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Planned planned(seed);
    if (!hasSteps(planned.plan.status))
      continue;
    const llvm::json::Value value = planned.read(writePerfetto);
    double busy = 0, last = 0;
    int64_t most = 0;
    for (const llvm::json::Value &entry :
         *value.getAsObject()->getArray("traceEvents")) {
      const Object &event = *entry.getAsObject();
      if (event.getString("ph") == "X") {
        const double duration = *event.getNumber("dur");
        last = std::max(last, *event.getNumber("ts") + duration);
        if (event.getString("cat") != "copy")
          busy += duration;
      } else if (event.getString("ph") == "C" &&
                 event.getString("name") == "device bytes") {
        most = std::max(most, *event.getObject("args")->getInteger("bytes"));
      }
    }
    EXPECT_NEAR(busy, planned.plan.cost, 1e-6 * (1 + planned.plan.cost));
    EXPECT_NEAR(last, planned.plan.makespan(), 1e-6 * (1 + planned.plan.cost));
    EXPECT_EQ(most, planned.plan.peakBytes);
  }
}

TEST(PrintReport, lines_fit_and_names_move_no_cursor) {
  for (uint64_t seed = 1; seed <= 20; ++seed)
    for (int columns : {40, 80, 200}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Planned planned(seed);
      std::string reason;
      const std::string text =
          planned.text([&](const GraphIndex &index, const Plan &plan,
                           const ReportData &data, llvm::raw_ostream &os) {
            printReport(index, plan, data, columns, os);
            if (!data.refusals.empty())
              reason = data.refusals.front().reason;
          });
      EXPECT_TRUE(llvm::json::isUTF8(text));
      llvm::SmallVector<llvm::StringRef> lines;
      llvm::StringRef(text).split(lines, '\n');
      for (llvm::StringRef line : lines) {
        EXPECT_LE(line.size(), size_t(columns)) << line.str();
        for (char c : line)
          EXPECT_FALSE(c >= 0 && c < ' ') << int(c);
      }
      // A sentence goes on in the next line instead of being cut.
      auto packed = [](llvm::StringRef said) {
        std::string letters;
        llvm::copy_if(said, std::back_inserter(letters),
                      [](char c) { return c != ' ' && c != '\n'; });
        return letters;
      };
      EXPECT_EQ(llvm::StringRef(text).contains("Done: "),
                llvm::StringRef(packed(text)).contains("valuesinreusedbytes"));
      const bool isPlain =
          llvm::all_of(reason, [](char c) { return c >= ' ' && c < 127; });
      EXPECT_THAT(packed(text),
                  testing::HasSubstr(isPlain ? packed(reason) : ""));
    }
}

} // namespace
