//===- Queues.cpp - Streams and copy engines on host threads --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queues.h"

#include <cstdio>
#include <cstring>
#include <sys/prctl.h>

namespace memplan::runtime::cpu {

static_assert(MEMPLAN_QUEUE_H2D == -2 && MEMPLAN_QUEUE_D2H == -1,
              "queues are stored from -2 on");

Queues::~Queues() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  for (std::unique_ptr<Queue> &queue : queues) {
    queue->wake.notify_all();
    if (queue->thread.joinable())
      queue->thread.join();
  }
}

//===----------------------------------------------------------------------===//
// Issuing
//===----------------------------------------------------------------------===//

void Queues::begin(const memplan_queue_counts_t &counts) {
  std::lock_guard lock(mutex);
  while (queues.size() < size_t(counts.streams) + 2) {
    Queue &queue = *queues.emplace_back(std::make_unique<Queue>());
    queue.number = int32_t(queues.size()) - 3;
    if (queue.number != 0)
      queue.thread = std::thread([this, &queue] { serve(queue); });
  }
  const Clock::time_point now = Clock::now();
  for (std::unique_ptr<Queue> &queue : queues) {
    queue->operations.clear();
    queue->operations.reserve(size_t(counts.operations));
    queue->done = 0;
    queue->ready = now;
  }
  events.assign(std::max(events.size(), size_t(counts.events)), Event());
  failed.code = MEMPLAN_OK;
  failed.instruction = -1;
  open = true;
}

void Queues::issue(int32_t number, const Operation &operation) {
  Queue &queue = queueOf(number);
  {
    std::lock_guard lock(mutex);
    queue.operations.push_back(operation);
    ++left;
  }
  if (number != 0)
    queue.wake.notify_one();
}

void Queues::launch(const memplan_launch_t &launch) {
  Operation operation;
  operation.launch = &launch;
  issue(launch.stream, operation);
}

void Queues::copy(int32_t queue, void *target, const void *source,
                  int64_t bytes) {
  Operation operation;
  operation.kind = Kind::Copy;
  operation.target = target;
  operation.source = source;
  operation.bytes = bytes;
  issue(queue, operation);
}

void Queues::record(int32_t event, int32_t queue) {
  {
    std::lock_guard lock(mutex);
    events[size_t(event)] = {/*issued=*/true, /*signalled=*/false, {}};
  }
  Operation operation;
  operation.kind = Kind::Record;
  operation.event = event;
  issue(queue, operation);
}

void Queues::wait(int32_t event, int32_t queue) {
  {
    std::lock_guard lock(mutex);
    // As on a GPU: nothing was recorded that one could wait for.
    if (!events[size_t(event)].issued)
      return;
  }
  Operation operation;
  operation.kind = Kind::Wait;
  operation.event = event;
  issue(queue, operation);
}

memplan_status_t Queues::end(char *error, int64_t errorBytes) {
  std::unique_lock lock(mutex);
  Queue &first = queueOf(0);
  while (first.done < first.operations.size())
    runNext(first, lock);
  idle.wait(lock, [&] { return left == 0; });
  open = false;
  if (failed.code != MEMPLAN_OK)
    std::snprintf(error, size_t(errorBytes), "%s", failed.text);
  return failed.code;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Queues::serve(Queue &queue) {
  // Copies end when they say they do, and not a timer's slack later.
  if (queue.number < 0)
    ::prctl(PR_SET_TIMERSLACK, 1000);
  std::unique_lock lock(mutex);
  while (true) {
    queue.wake.wait(
        lock, [&] { return stopping || queue.done < queue.operations.size(); });
    if (stopping)
      return;
    runNext(queue, lock);
  }
}

void Queues::runNext(Queue &queue, std::unique_lock<std::mutex> &lock) {
  const Operation operation = queue.operations[queue.done];
  switch (operation.kind) {
  case Kind::Wait: {
    const Event &event = events[size_t(operation.event)];
    queue.wake.wait(lock, [&] { return stopping || event.signalled; });
    queue.ready = std::max(queue.ready, event.at);
    break;
  }
  case Kind::Record: {
    Event &event = events[size_t(operation.event)];
    event.signalled = true;
    event.at = queue.number < 0 ? queue.ready : Clock::now();
    for (std::unique_ptr<Queue> &other : queues)
      other->wake.notify_all();
    break;
  }
  case Kind::Launch:
    runLaunch(*operation.launch, lock);
    break;
  case Kind::Copy:
    runCopy(queue, operation, lock);
    break;
  }
  ++queue.done;
  if (--left == 0)
    idle.notify_all();
}

void Queues::runLaunch(const memplan_launch_t &launch,
                       std::unique_lock<std::mutex> &lock) {
  // What follows a failure would compute on nothing.
  if (failed.code != MEMPLAN_OK)
    return;
  lock.unlock();
  char text[sizeof(failed.text)] = "";
  memplan_status_t code = launcher.launch(launch, text, sizeof(text));
  lock.lock();
  if (code == MEMPLAN_OK ||
      (failed.code != MEMPLAN_OK && failed.instruction < launch.instruction))
    return;
  failed.code = code;
  failed.instruction = launch.instruction;
  std::memcpy(failed.text, text, sizeof(text));
}

/// A copy starts when its engine is free and what it waits for has ended,
/// whenever the thread gets to see that.
void Queues::runCopy(Queue &queue, const Operation &copy,
                     std::unique_lock<std::mutex> &lock) {
  if (failed.code != MEMPLAN_OK)
    return;
  const double bytesPerMicro = queue.number == MEMPLAN_QUEUE_H2D
                                   ? speed.hostToDevice
                                   : speed.deviceToHost;
  double micros = speed.latencyMicros;
  if (bytesPerMicro > 0)
    micros += double(copy.bytes) / bytesPerMicro;
  const Clock::time_point planned =
      queue.ready + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double, std::micro>(micros));
  lock.unlock();
  if (copy.bytes > 0)
    std::memcpy(copy.target, copy.source, size_t(copy.bytes));
  const bool inTime = Clock::now() < planned;
  if (inTime)
    std::this_thread::sleep_until(planned);
  lock.lock();
  queue.ready = inTime ? planned : Clock::now();
}

} // namespace memplan::runtime::cpu
