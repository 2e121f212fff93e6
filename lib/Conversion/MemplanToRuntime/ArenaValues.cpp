//===- ArenaValues.cpp - Values in an arena and their deaths --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaValues.h"

#include <algorithm>

using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

std::map<ArenaValues::Key, ArenaValues::Value>::iterator
ArenaValues::find(const Operand &operand) {
  auto next = current.upper_bound({operand.index, operand.byteOffset});
  if (next == current.begin())
    return current.end();
  auto found = std::prev(next);
  bool covers = found->first.first == operand.index &&
                operand.byteOffset + operand.bytes() <= found->second.end;
  return covers ? found : current.end();
}

void ArenaValues::read(const Operand &operand, int32_t number) {
  if (operand.space != rt::Space::Arena)
    return;
  if (auto value = find(operand); value != current.end())
    value->second.lastUse = number;
}

void ArenaValues::write(const Operand &output, int32_t number,
                        const std::vector<Operand> &inputs) {
  if (output.space != rt::Space::Arena)
    return;
  int64_t begin = output.byteOffset, end = begin + output.bytes();
  if (begin == end)
    return;
  auto entry = current.lower_bound({output.index, begin});
  if (entry != current.begin()) {
    auto before = std::prev(entry);
    if (before->first.first == output.index && before->second.end > begin)
      entry = before;
  }
  while (entry != current.end() && entry->first.first == output.index &&
         entry->second.begin < end) {
    const Value &old = entry->second;
    bool takenOver =
        old.begin == begin && old.end == end &&
        std::any_of(inputs.begin(), inputs.end(), [&](const Operand &input) {
          return input.space == rt::Space::Arena &&
                 input.index == output.index && input.byteOffset == begin &&
                 input.bytes() == output.bytes();
        });
    if (!takenOver)
      deaths.push_back({old.lastUse, {output.index, old.begin, old.end}});
    entry = current.erase(entry);
  }
  current[{output.index, begin}] = {begin, end, number, false};
}

void ArenaValues::keep(const Operand &operand) {
  if (operand.space != rt::Space::Arena)
    return;
  if (auto value = find(operand); value != current.end())
    value->second.kept = true;
}

void ArenaValues::finish(rt::Program &program) {
  for (const auto &[key, value] : current)
    if (!value.kept)
      deaths.push_back({value.lastUse, {key.first, value.begin, value.end}});
  std::sort(deaths.begin(), deaths.end(), [](const auto &a, const auto &b) {
    return std::tie(a.first, a.second.arena, a.second.begin) <
           std::tie(b.first, b.second.arena, b.second.begin);
  });
  for (const auto &[number, range] : deaths)
    program.instructions[number].dead.push_back(range);
}
