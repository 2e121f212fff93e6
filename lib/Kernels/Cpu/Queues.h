//===- Queues.h - Streams and copy engines on host threads ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_QUEUES_H
#define MEMPLAN_LIB_KERNELS_CPU_QUEUES_H

#include "ThreadPool.h"
#include "memplan-c/Backend.h"

#include <chrono>
#include <memory>

namespace memplan::runtime::cpu {

/// What asynchronous copies take at least.
struct CopySpeed {
  double hostToDevice = 0, deviceToHost = 0; ///< bytes a microsecond; 0: any
  double latencyMicros = 0;
};

/// The queues of one step: each stream but the first and each engine has a
/// thread; the first stream runs on the thread that waits for the step. Queues
/// are numbered as in the ABI. One thread calls it.
class Queues {
public:
  /// Runs a launch on a stream and leaves the text of a failure.
  class Launcher {
  public:
    virtual ~Launcher() = default;
    virtual memplan_status_t launch(const memplan_launch_t &launch, char *error,
                                    int64_t errorBytes) = 0;
  };

  explicit Queues(Launcher &launcher) : launcher(launcher) {}
  ~Queues();
  Queues(const Queues &) = delete;

  /// Between these two, the others may be called. `end` waits for all and
  /// leaves the text of the failure with the lowest number.
  void begin(const memplan_queue_counts_t &counts);
  memplan_status_t end(char *error, int64_t errorBytes);
  bool isOpen() const { return open; }

  void launch(const memplan_launch_t &launch);
  void copy(int32_t queue, void *target, const void *source, int64_t bytes);
  void record(int32_t event, int32_t queue);
  void wait(int32_t event, int32_t queue);

  /// The launch that failed before the last `end`; -1: none.
  int32_t failedLaunch() const { return failed.instruction; }
  CopySpeed speed;

private:
  using Clock = std::chrono::steady_clock;

  enum class Kind { Launch, Copy, Record, Wait };
  struct Operation {
    Kind kind = Kind::Launch;
    int32_t event = -1;
    const memplan_launch_t *launch = nullptr;
    void *target = nullptr;
    const void *source = nullptr;
    int64_t bytes = 0;
  };
  struct Event {
    bool issued = false; ///< a record of it stands in some queue
    bool signalled = false;
    Clock::time_point at; ///< when the queue had come there
  };
  struct Queue {
    std::vector<Operation> operations; ///< of this step
    size_t done = 0;
    /// When what comes next may start as far as the engine is concerned.
    Clock::time_point ready;
    std::condition_variable wake;
    std::thread thread;
    int32_t number = 0; ///< as in the ABI
  };
  struct Failure {
    memplan_status_t code = MEMPLAN_OK;
    int32_t instruction = -1;
    char text[512] = "";
  };

  Queue &queueOf(int32_t number) { return *queues[size_t(number + 2)]; }
  void issue(int32_t queue, const Operation &operation);
  void serve(Queue &queue);
  /// `lock` is held before and after, not while kernels and copies run.
  void runNext(Queue &queue, std::unique_lock<std::mutex> &lock);
  void runLaunch(const memplan_launch_t &launch,
                 std::unique_lock<std::mutex> &lock);
  void runCopy(Queue &queue, const Operation &copy,
               std::unique_lock<std::mutex> &lock);

  Launcher &launcher;
  std::mutex mutex;
  std::condition_variable idle;
  std::vector<std::unique_ptr<Queue>> queues; ///< h2d, d2h, streams
  std::vector<Event> events;
  Failure failed;
  size_t left = 0; ///< operations of all queues that are not done
  bool open = false, stopping = false;
};

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_QUEUES_H
