//===- CpuDevice.cpp - An open device of the host -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuDevice.h"

#include "ParallelRunner.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace memplan::runtime::cpu {

CpuDevice::CpuDevice(int32_t threads, bool accelerated)
    : accelerated(accelerated), threads(threads),
      libraryThreads(accelerated && useLibraryThreads(threads, library)) {
  std::snprintf(name, sizeof(name), "%s, %d thread%s",
                accelerated ? "cpu" : "reference", threads,
                threads == 1 ? "" : "s");
  openStreams(1);
}

void CpuDevice::openStreams(int32_t count) {
  while (pools.size() < size_t(count))
    pools.push_back(std::make_unique<ThreadPool>(libraryThreads ? 1 : threads));
}

memplan_status_t CpuDevice::launch(const memplan_launch_t &launch, char *text,
                                   int64_t textBytes) {
  const auto *prepared = static_cast<const PreparedKernel *>(launch.state);
  memplan_launch_t mine = launch;
  mine.state = prepared->state;
  mine.parallel = parallel(queues.isOpen() ? launch.stream : 0);
  mine.threads = mine.parallel->threads;
  mine.error = text;
  mine.error_bytes = textBytes;
  return prepared->kernel->launch(&mine);
}

memplan_status_t CpuDevice::fail(const Status &status) {
  std::snprintf(error, sizeof(error), "%s", status.message.c_str());
  return status.code;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

static memplan_status_t beginQueues(memplan_device_t *device,
                                    const memplan_queue_counts_t *counts) {
  CpuDevice &cpu = self(device);
  if (cpu.queues.isOpen())
    return cpu.fail(invalid("a step begins before the last one has ended"));
  cpu.openStreams(counts->streams);
  cpu.queues.begin(*counts);
  return MEMPLAN_OK;
}

static memplan_status_t copyAsync(memplan_device_t *device, int32_t queue,
                                  void *target, const void *source,
                                  int64_t bytes) {
  CpuDevice &cpu = self(device);
  if (!cpu.queues.isOpen())
    return cpu.fail(invalid("an asynchronous copy outside of a step"));
  cpu.queues.copy(queue, target, source, bytes);
  return MEMPLAN_OK;
}

/// Where nothing runs beside anything, all that was asked for has ended.
static memplan_status_t recordEvent(memplan_device_t *device, int32_t event,
                                    int32_t queue) {
  if (self(device).queues.isOpen())
    self(device).queues.record(event, queue);
  return MEMPLAN_OK;
}

static memplan_status_t waitForEvent(memplan_device_t *device, int32_t event,
                                     int32_t queue) {
  if (self(device).queues.isOpen())
    self(device).queues.wait(event, queue);
  return MEMPLAN_OK;
}

static memplan_status_t synchronize(memplan_device_t *device) {
  CpuDevice &cpu = self(device);
  return cpu.queues.isOpen() ? cpu.queues.end(cpu.error, sizeof(cpu.error))
                             : MEMPLAN_OK;
}

static int32_t failedLaunch(memplan_device_t *device) {
  return self(device).queues.failedLaunch();
}

static memplan_status_t throttleCopies(memplan_device_t *device,
                                       double hostToDevice, double deviceToHost,
                                       double latency) {
  CpuDevice &cpu = self(device);
  for (double number : {hostToDevice, deviceToHost, latency})
    if (!std::isfinite(number) || number < 0)
      return cpu.fail(invalid("a bandwidth or latency is negative or no "
                              "number"));
  if (cpu.queues.isOpen())
    return cpu.fail(invalid("copies are throttled inside of a step"));
  cpu.queues.speed = {hostToDevice, deviceToHost, latency};
  return MEMPLAN_OK;
}

void addQueues(memplan_backend_t &table) {
  table.synchronize = synchronize;
  table.event_record = recordEvent;
  table.event_wait = waitForEvent;
  table.begin_queues = beginQueues;
  table.copy_async = copyAsync;
  table.failed_launch = failedLaunch;
  table.throttle_copies = throttleCopies;
}

} // namespace memplan::runtime::cpu
