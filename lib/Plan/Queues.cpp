//===- Queues.cpp - Streams and copy engines: order and time --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include <algorithm>

namespace memplan {

bool Moment::includes(Mark other) const {
  if (other.place == 0)
    return true;
  if (other.queue == mark.queue)
    return other.place <= mark.place;
  auto queue = static_cast<size_t>(other.queue);
  return others && queue < others->size() && other.place <= (*others)[queue];
}

/// `into` happens after `from` as well.
static void join(Moment &into, const Moment &from) {
  into.time = std::max(into.time, from.time);
  std::shared_ptr<std::vector<int32_t>> merged;
  auto add = [&](Mark mark) {
    if (into.includes(mark))
      return;
    if (!merged) {
      merged = into.others
                   ? std::make_shared<std::vector<int32_t>>(*into.others)
                   : std::make_shared<std::vector<int32_t>>();
      into.others = merged;
    }
    auto queue = static_cast<size_t>(mark.queue);
    if (merged->size() <= queue)
      merged->resize(queue + 1);
    (*merged)[queue] = mark.place;
  };
  add(from.mark);
  if (!from.others || from.others == into.others)
    return;
  for (size_t queue = 0; queue < from.others->size(); ++queue)
    add({static_cast<int32_t>(queue), (*from.others)[queue]});
}

Queues::Queues(const std::optional<Bandwidth> &bandwidth)
    : bandwidth(bandwidth.value_or(Bandwidth())), ends(2) {
  ends[hostToDevice].mark.queue = hostToDevice;
}

bool Queues::open(int32_t stream) {
  if (streams.contains(stream))
    return true;
  if (streams.size() >= maxStreams)
    return false;
  auto queue = static_cast<int32_t>(ends.size());
  streams.emplace(stream, queue);
  ends.emplace_back().mark.queue = queue;
  return true;
}

Moment Queues::append(int32_t queue, double duration) {
  Moment &end = ends[queue];
  ++end.mark.place;
  end.time += duration;
  latest = std::max(latest, end.time);
  return end;
}

Moment Queues::compute(int32_t stream, double cost) {
  return append(streams.at(stream), cost);
}

double Queues::copyTime(Engine engine, int64_t bytes) const {
  std::optional<double> rate =
      engine == hostToDevice ? bandwidth.hostToDevice : bandwidth.deviceToHost;
  double transfer = rate ? static_cast<double>(bytes) / *rate : 0;
  return bandwidth.latency + transfer;
}

Moment Queues::copy(Engine engine, int32_t stream, int64_t bytes) {
  join(ends[engine], now(stream));
  return append(engine, copyTime(engine, bytes));
}

void Queues::wait(int32_t stream, const Moment &event) {
  join(ends[streams.at(stream)], event);
}

std::string Queues::name(int32_t queue) const {
  if (queue == deviceToHost)
    return "engine d2h";
  if (queue == hostToDevice)
    return "engine h2d";
  for (auto [stream, its] : streams)
    if (its == queue)
      return "stream " + std::to_string(stream);
  return "queue " + std::to_string(queue);
}

} // namespace memplan
