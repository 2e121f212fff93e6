//===- PrintReport.cpp - A report for a terminal --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collect.h"
#include "memplan/Report/ReportWriters.h"
#include "memplan/Support/ByteSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

using namespace memplan;

namespace {
constexpr size_t mostTensors = 10;
constexpr size_t mostRefusals = 5;

class Printer {
public:
  Printer(const GraphIndex &index, const Plan &plan, const ReportData &data,
          int columns, llvm::raw_ostream &os)
      : index(index), graph(index.graph()), plan(plan), data(data),
        columns(size_t(std::max(40, columns))), os(os) {}
  void print();

private:
  void line(const std::string &text);
  /// Lines broken between words; those after the first are indented.
  void wrapped(llvm::StringRef rest, size_t indent);
  void printCategories();
  void printTensors();
  void printDone();
  void printHelp();

  const GraphIndex &index;
  const Graph &graph;
  const Plan &plan;
  const ReportData &data;
  const size_t columns;
  llvm::raw_ostream &os;
};
} // namespace

/// `text` without control characters, so that a name moves no cursor, and cut
/// to `room` bytes between characters.
static std::string fit(llvm::StringRef text, size_t room) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data() + at);
    const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
    const size_t bytes = llvm::isLegalUTF8Sequence(begin, end)
                             ? llvm::getNumBytesForUTF8(*begin)
                             : 0;
    llvm::StringRef character = text.substr(at, bytes);
    at += std::max<size_t>(1, bytes);
    if (bytes == 0 || llvm::sys::unicode::columnWidthUTF8(character) < 0)
      character = "?";
    if (shown.size() + character.size() + 3 > room &&
        shown.size() + character.size() + (text.size() - at) > room)
      return shown + "...";
    shown += character;
  }
  return shown;
}

static std::string padTo(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

void Printer::line(const std::string &text) {
  os << fit(llvm::StringRef(text).rtrim(), columns) << '\n';
}

void Printer::wrapped(llvm::StringRef rest, size_t indent) {
  for (std::string margin; !rest.empty(); margin.assign(indent, ' ')) {
    const size_t room = columns - margin.size();
    size_t cut = rest.size();
    if (cut > room) {
      cut = rest.rfind(' ', room);
      // A word that is longer than a line is cut by it.
      if (cut == llvm::StringRef::npos || cut < rest.find_first_not_of(' '))
        cut = room;
    }
    line(margin + rest.take_front(cut).str());
    rest = rest.drop_front(cut).ltrim();
  }
}

static std::string format2(const char *pattern, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(pattern, value);
  return text;
}

void Printer::printCategories() {
  line("");
  wrapped("The peak is at step " + std::to_string(data.replay.peakStep) + ": " +
              describeByteSize(data.replay.peakBytes) + " of live bytes",
          2);
  const auto sums = sumCategories(index, data);
  const size_t widest = std::min<size_t>(40, columns - 38);
  for (const auto &[category, bytes] : sums) {
    const double share =
        double(bytes) / double(std::max<int64_t>(1, data.replay.peakBytes));
    line("  " + padTo(category, 18) + padTo(describeByteSize(bytes), 10) +
         format2("%4.0f %% ", 100 * share) +
         std::string(size_t(share * double(widest) + 0.5), '#'));
  }
}

void Printer::printTensors() {
  line("");
  line("Largest tensors at the peak");
  size_t shown = 0;
  for (int32_t place : data.peak) {
    const ReportRange &range = data.ranges[place];
    if (range.kind != PlacementKind::Tensor)
      continue;
    if (++shown > mostTensors)
      break;
    const bool isWide = columns > 84;
    const size_t room = columns - (isWide ? 62 : 32);
    std::string until;
    if (isWide && range.lastUse >= 0 &&
        plan.steps[range.lastUse].action == ActionKind::Compute)
      until = "  last used at step " + std::to_string(range.lastUse);
    line("  " + padTo(describeByteSize(range.bytes), 10) +
         padTo(categoryOf(index, range), 19) +
         padTo(fit(titleOf(index, range.tensor), room), room) + until);
  }
}

void Printer::printDone() {
  size_t again = 0, copies = 0, inPlace = 0;
  double cost = 0;
  for (size_t step = 0; step < plan.steps.size(); ++step) {
    const PlanAction &action = plan.steps[step];
    if (data.steps[step].isRecomputation) {
      ++again;
      cost += graph[action.node].variant(action.variant).cost;
    }
    copies += action.action == ActionKind::Evict ||
              action.action == ActionKind::Fetch;
    inPlace += action.inPlace.size();
  }
  const size_t shared = llvm::count_if(
      data.ranges, [](const ReportRange &range) { return range.reuses >= 0; });
  line("");
  wrapped("Done: " + std::to_string(again) + " recomputations (" +
              format2("%.2f %% of the step), ",
                      data.unplannedCost > 0 ? 100 * cost / data.unplannedCost
                                             : 0) +
              std::to_string(copies) + " copies, " + std::to_string(inPlace) +
              " outputs in place, " + std::to_string(shared) +
              " values in reused bytes",
          2);
}

void Printer::printHelp() {
  if (data.refusals.empty())
    return;
  line("");
  wrapped("What would help, and what stands against it", 2);
  for (const Refusal &refusal :
       llvm::ArrayRef(data.refusals).take_front(mostRefusals))
    wrapped("  " + padTo(describeByteSize(refusal.bytes), 10) +
                (refusal.kind == Refusal::Kind::Recompute ? "recompute "
                                                          : "in place ") +
                fit(titleOf(index, refusal.tensor), columns / 3) + ": " +
                refusal.reason,
            12);
}

void Printer::print() {
  wrapped(data.verdict, 0);
  if (!hasSteps(plan.status))
    return;
  printCategories();
  printTensors();
  printDone();
  printHelp();
}

void memplan::printReport(const GraphIndex &index, const Plan &plan,
                          const ReportData &data, int columns,
                          llvm::raw_ostream &os) {
  Printer(index, plan, data, columns, os).print();
}
