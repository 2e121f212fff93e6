//===- QueueOrder.cpp - What has happened when, on several queues ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOrder.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::memplan;

void QueueMoment::join(const QueueMoment &other) {
  if (ended.size() < other.ended.size())
    ended.resize(other.ended.size());
  for (auto [mine, theirs] : llvm::zip(ended, other.ended))
    mine = std::max(mine, theirs);
  micros = std::max(micros, other.micros);
}

unsigned QueueOrder::queueOf(int64_t stream) {
  auto [entry, isNew] = streams.try_emplace(stream, queues.size());
  if (isNew)
    queues.emplace_back();
  return entry->second;
}

QueueMark QueueOrder::append(unsigned queue, double micros, Operation *op) {
  QueueMoment &end = queues[queue];
  if (end.ended.size() <= queue)
    end.ended.resize(queue + 1);
  end.micros += micros;
  latest = std::max(latest, end.micros);
  return {queue, ++end.ended[queue], op};
}

QueueMark QueueOrder::run(int64_t stream, double micros, Operation *op) {
  return append(queueOf(stream), micros, op);
}

QueueMark QueueOrder::copy(Engine engine, int64_t stream, double micros,
                           Operation *op) {
  const unsigned from = queueOf(stream);
  queues[engine].join(queues[from]);
  return append(engine, micros, op);
}

void QueueOrder::wait(int64_t stream, const QueueMoment &event) {
  queues[queueOf(stream)].join(event);
}

/// No run reaches over `byte` afterwards.
void ByteUsers::cut(unsigned argument, int64_t byte) {
  auto run = runs.lower_bound({argument, byte});
  if (run == runs.begin())
    return;
  --run;
  if (run->first.first != argument || run->second.end <= byte)
    return;
  runs.emplace(std::pair(argument, byte), run->second);
  run->second.end = byte;
}

static void touch(SmallVectorImpl<QueueMark> &users, const QueueMark &user) {
  for (QueueMark &last : users)
    if (last.queue == user.queue) {
      last = user;
      return;
    }
  users.push_back(user);
}

std::optional<QueueMark> ByteUsers::readRow(const ByteRange &row,
                                            const QueueMark &reader,
                                            const QueueMoment &now) {
  cut(row.argument, row.begin);
  cut(row.argument, row.end);
  std::optional<QueueMark> race;
  int64_t byte = row.begin;
  auto run = runs.lower_bound({row.argument, byte});
  while (byte < row.end) {
    // What nothing has touched so far begins here.
    if (run == runs.end() || run->first.first != row.argument ||
        run->first.second > byte) {
      const bool isLast = run == runs.end() ||
                          run->first.first != row.argument ||
                          run->first.second >= row.end;
      const int64_t end = isLast ? row.end : run->first.second;
      run = runs.emplace_hint(run, std::pair(row.argument, byte),
                              Run{end, std::nullopt, {}});
    }
    if (const auto &writer = run->second.writer;
        writer && !now.includes(*writer))
      race = writer;
    touch(run->second.readers, reader);
    byte = run->second.end;
    ++run;
  }
  return race;
}

std::optional<QueueMark> ByteUsers::read(const ByteRange &range,
                                         const QueueMark &reader,
                                         const QueueMoment &now) {
  std::optional<QueueMark> race;
  for (int64_t number = 0; number < range.rows; ++number)
    if (auto found = readRow(range.row(number), reader, now))
      race = found;
  return race;
}

std::optional<QueueMark> ByteUsers::write(const ByteRange &range,
                                          const QueueMark &writer,
                                          const QueueMoment &now) {
  std::optional<QueueMark> race;
  for (int64_t number = 0; number < range.rows && range.bytes() > 0; ++number) {
    const ByteRange row = range.row(number);
    cut(row.argument, row.begin);
    cut(row.argument, row.end);
    auto first = runs.lower_bound({row.argument, row.begin}),
         last = runs.lower_bound({row.argument, row.end});
    for (auto run = first; run != last; ++run) {
      if (const auto &before = run->second.writer;
          before && !now.includes(*before))
        race = before;
      for (const QueueMark &reader : run->second.readers)
        if (!now.includes(reader))
          race = reader;
    }
    runs.erase(first, last);
    runs.emplace(std::pair(row.argument, row.begin), Run{row.end, writer, {}});
  }
  return race;
}
