//===- PackParts.cpp - What is to be packed, part by part -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackParts.h"
#include "Rectangle.h"
#include "memplan/Support/SortByKey.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

using namespace memplan;

int64_t PackPart::grain() const {
  int64_t grain = 0;
  for (const PackItem &item : items)
    grain = std::gcd(grain, item.alignment);
  return std::max<int64_t>(grain, 1);
}

int64_t PackPart::heightOf(std::span<const int64_t> offsets) const {
  int64_t height = 0;
  for (size_t i = 0; i < items.size(); ++i)
    height = std::max(height, offsets[i] + items[i].bytes);
  return height;
}

namespace {
/// Makes the parts of one space.
class SpaceSplitter {
public:
  SpaceSplitter(const ArenaProblem &problem, int32_t space,
                std::vector<int32_t> members)
      : problem(problem), members(std::move(members)) {
    whole.space = space;
  }

  void split(std::span<const std::pair<int32_t, int32_t>> conflicts,
             std::vector<PackPart> &parts);

private:
  /// A turn of an item: it appears or dies.
  struct Turn {
    int64_t time;
    int32_t item; ///< Or ~item where it dies.
  };

  void addItems();
  void addSections();
  void addSpan(int32_t item, SectionSpan span);
  std::vector<int32_t> numberParts();
  void moveItems(std::vector<PackPart> &parts, size_t first);
  void findBounds(PackPart &part) const;

  const ArenaProblem &problem;
  std::vector<int32_t> members;    ///< Buffers.
  std::vector<Turn> turns, births; ///< Births apart until they are sorted.
  PackPart whole;
  std::vector<int32_t> partOfSection, placeOfSection;
};
} // namespace

void SpaceSplitter::addItems() {
  whole.items.reserve(members.size());
  turns.reserve(2 * members.size());
  births.reserve(members.size());
  for (int32_t member : members) {
    const ArenaBuffer &buffer = problem.buffers[member];
    const auto place = static_cast<int32_t>(whole.items.size());
    PackItem &item = whole.items.emplace_back();
    item.buffer = member;
    item.bytes = buffer.bytes;
    item.steps = buffer.end - buffer.begin;
    item.alignment = std::lcm(problem.alignmentBytes, buffer.alignmentBytes);
    item.fixedOffset = buffer.fixedOffset;
    auto live = [&](int64_t begin, int64_t end) {
      if (begin == end)
        return;
      births.push_back({begin, place});
      turns.push_back({end, ~place});
    };
    int64_t begin = buffer.begin;
    for (auto [gapBegin, gapEnd] : buffer.gaps) {
      live(begin, gapBegin);
      begin = gapEnd;
    }
    live(begin, buffer.end);
  }
}

/// Gaps in which no section begins are none.
void SpaceSplitter::addSpan(int32_t item, SectionSpan span) {
  PackItem &target = whole.items[item];
  if (target.firstSpan < target.lastSpan &&
      whole.spans[target.lastSpan - 1].end == span.begin)
    whole.spans[target.lastSpan - 1].end = span.end;
  else
    whole.spans[target.lastSpan++] = span;
}

/// A section ends where something dies after something has appeared.
void SpaceSplitter::addSections() {
  // At one time what dies goes first.
  turns.insert(turns.end(), births.begin(), births.end());
  births = {};
  sortByKey(turns, [](const Turn &turn) { return turn.time; });
  int32_t spans = 0;
  for (PackItem &item : whole.items) {
    const ArenaBuffer &buffer = problem.buffers[item.buffer];
    item.firstSpan = item.lastSpan = spans;
    spans += 1 + static_cast<int32_t>(buffer.gaps.size());
  }
  whole.spans.resize(spans);
  std::vector<int32_t> bornIn(whole.items.size());
  bool isGrown = false;
  for (const Turn &turn : turns) {
    if (turn.item >= 0) {
      bornIn[turn.item] = whole.sections;
      isGrown = true;
      continue;
    }
    whole.sections += isGrown;
    isGrown = false;
    addSpan(~turn.item, {bornIn[~turn.item], whole.sections});
  }
  turns = {};
  // Never live: a section of its own.
  for (size_t i = 0; i < whole.items.size(); ++i)
    if (whole.items[i].firstSpan == whole.items[i].lastSpan) {
      addSpan(static_cast<int32_t>(i), {whole.sections, whole.sections + 1});
      ++whole.sections;
    }
}

/// By section.
std::vector<int32_t> SpaceSplitter::numberParts() {
  llvm::IntEqClasses classes(whole.sections);
  // Sections below this one and joined to it; a span joins all of its own.
  std::vector<int32_t> joinedUpTo(whole.sections);
  std::iota(joinedUpTo.begin(), joinedUpTo.end(), 0);
  for (const PackItem &item : whole.items) {
    const std::span<const SectionSpan> spans = whole.spansOf(item);
    for (const SectionSpan &span : spans) {
      int32_t &last = joinedUpTo[span.begin];
      last = std::max(last, span.end - 1);
      classes.join(spans.front().begin, span.begin);
    }
  }
  for (int32_t section = 0, last = 0; section < whole.sections; ++section) {
    if (section > 0 && section <= last)
      classes.join(section - 1, section);
    last = std::max(last, joinedUpTo[section]);
  }
  for (auto [a, b] : whole.conflicts)
    classes.join(whole.spansOf(whole.items[a]).front().begin,
                 whole.spansOf(whole.items[b]).front().begin);
  classes.compress();
  std::vector<int32_t> parts(whole.sections);
  for (int32_t section = 0; section < whole.sections; ++section)
    parts[section] = static_cast<int32_t>(classes[section]);
  return parts;
}

void SpaceSplitter::moveItems(std::vector<PackPart> &parts, size_t first) {
  std::vector<int32_t> placeOfItem;
  for (const PackItem &item : whole.items) {
    const std::span<const SectionSpan> spans = whole.spansOf(item);
    PackPart &part = parts[first + partOfSection[spans.front().begin]];
    placeOfItem.push_back(static_cast<int32_t>(part.items.size()));
    PackItem &moved = part.items.emplace_back(item);
    moved.firstSpan = static_cast<int32_t>(part.spans.size());
    for (const SectionSpan &span : spans)
      part.spans.push_back(
          {placeOfSection[span.begin], placeOfSection[span.end - 1] + 1});
    moved.lastSpan = static_cast<int32_t>(part.spans.size());
  }
  for (auto [a, b] : whole.conflicts) {
    const int32_t section = whole.spansOf(whole.items[a]).front().begin;
    parts[first + partOfSection[section]].conflicts.push_back(
        {placeOfItem[a], placeOfItem[b]});
  }
}

/// All offsets are multiples of the alignments' common divisor, so that all
/// that is live in a section but the topmost item takes padded bytes.
static int64_t paddedBound(const PackPart &part, int64_t grain) {
  struct Birth {
    int32_t begin, end;
    int64_t bytes, padding;
  };
  std::vector<Birth> births;
  std::vector<int64_t> dying(part.sections + 1);
  for (const PackItem &item : part.items)
    for (const SectionSpan &span : part.spansOf(item)) {
      const int64_t padding = alignUp(item.bytes, grain) - item.bytes;
      births.push_back({span.begin, span.end, item.bytes, padding});
      dying[span.end] += item.bytes + padding;
    }
  sortByKey(births, [](const Birth &birth) { return birth.begin; });
  // Those that may be dead already are taken off when they get to the top.
  std::priority_queue<std::pair<int64_t, int32_t>> paddings;
  int64_t live = 0, bound = 0;
  size_t next = 0;
  for (int32_t section = 0; section < part.sections; ++section) {
    live -= dying[section];
    for (; next < births.size() && births[next].begin == section; ++next) {
      live += births[next].bytes + births[next].padding;
      paddings.push({births[next].padding, births[next].end});
    }
    while (!paddings.empty() && paddings.top().second <= section)
      paddings.pop();
    if (!paddings.empty())
      bound = std::max(bound, live - paddings.top().first);
  }
  return bound;
}

void SpaceSplitter::findBounds(PackPart &part) const {
  std::vector<int64_t> change(part.sections + 1);
  for (const PackItem &item : part.items) {
    for (const SectionSpan &span : part.spansOf(item)) {
      change[span.begin] += item.bytes;
      change[span.end] -= item.bytes;
    }
    if (item.fixedOffset)
      part.boundBytes =
          std::max(part.boundBytes, *item.fixedOffset + item.bytes);
  }
  int64_t liveBytes = 0;
  for (int64_t each : change) {
    liveBytes += each;
    part.boundBytes = std::max(part.boundBytes, liveBytes);
  }
  if (const int64_t grain = part.grain(); grain > 1)
    part.boundBytes = std::max(part.boundBytes, paddedBound(part, grain));
}

void SpaceSplitter::split(
    std::span<const std::pair<int32_t, int32_t>> conflicts,
    std::vector<PackPart> &parts) {
  addItems();
  addSections();
  whole.conflicts.assign(conflicts.begin(), conflicts.end());
  partOfSection = numberParts();
  placeOfSection.resize(whole.sections);
  const size_t first = parts.size();
  for (int32_t section = 0; section < whole.sections; ++section) {
    const size_t part = first + partOfSection[section];
    if (part == parts.size()) {
      parts.emplace_back();
      parts.back().space = whole.space;
    }
    placeOfSection[section] = parts[part].sections++;
  }
  moveItems(parts, first);
  for (size_t i = first; i < parts.size(); ++i)
    findBounds(parts[i]);
}

PackParts memplan::makePackParts(const ArenaProblem &problem) {
  PackParts result;
  llvm::StringMap<int32_t> placeOfSpace;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (i == 0 || problem.buffers[i].space != problem.buffers[i - 1].space)
      if (placeOfSpace.try_emplace(problem.buffers[i].space).second)
        result.spaces.push_back(problem.buffers[i].space);
  std::sort(result.spaces.begin(), result.spaces.end());
  for (size_t i = 0; i < result.spaces.size(); ++i)
    placeOfSpace[result.spaces[i]] = static_cast<int32_t>(i);
  std::vector<std::vector<int32_t>> members(result.spaces.size());
  std::vector<std::vector<std::pair<int32_t, int32_t>>> conflicts(
      result.spaces.size());
  std::vector<int32_t> placeInSpace(problem.buffers.size(), -1);
  int32_t space = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (i == 0 || problem.buffers[i].space != problem.buffers[i - 1].space)
      space = placeOfSpace[problem.buffers[i].space];
    if (problem.buffers[i].bytes == 0)
      continue;
    placeInSpace[i] = static_cast<int32_t>(members[space].size());
    members[space].push_back(static_cast<int32_t>(i));
  }
  for (auto [a, b] : problem.conflicts)
    if (placeInSpace[a] >= 0 && placeInSpace[b] >= 0)
      conflicts[placeOfSpace[problem.buffers[a].space]].push_back(
          {placeInSpace[a], placeInSpace[b]});
  for (size_t i = 0; i < members.size(); ++i) {
    const size_t first = result.parts.size();
    SpaceSplitter(problem, int32_t(i), std::move(members[i]))
        .split(conflicts[i], result.parts);
    const ArenaSpace *known = problem.findSpace(result.spaces[i]);
    for (size_t part = first; part < result.parts.size(); ++part) {
      result.parts[part].budgetBytes = problem.budgetOf(result.spaces[i]);
      if (!known)
        continue;
      result.parts[part].allocationBytes = known->allocationBytes;
      result.parts[part].enoughBytes = known->enoughBytes.value_or(0);
    }
  }
  return result;
}
