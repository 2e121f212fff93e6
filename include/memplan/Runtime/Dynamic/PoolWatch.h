//===- PoolWatch.h - Holds a dynamic run against its values -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DYNAMIC_POOLWATCH_H
#define MEMPLAN_RUNTIME_DYNAMIC_POOLWATCH_H

#include "memplan/Runtime/Dynamic/Engine.h"
#include "memplan/Runtime/Program/ByteMap.h"

#include <string>

namespace memplan::runtime {

/// Keeps for each byte of the pool which value was put there, from what the
/// engine tells. It holds the pointers of every launch against that. Each input
/// lies on bytes of exactly its value. Outputs and scratch lie on bytes of no
/// value, or of the input that they overwrite. Bytes that are given back are
/// filled with 0xFF, a NaN and an id of -1, which shows what a kernel reads
/// beyond its operands.
class PoolWatch : public DynamicListener {
public:
  static constexpr int32_t pattern = 0xFF;

  explicit PoolWatch(Engine &engine);

  /// MEMPLAN_CHECK_FAILED with what was found first.
  const Status &status() const { return found; }
  int64_t launches() const { return launchCount; }

  void launching(const DynamicLaunch &launch) override;
  void overwritten(ValueId value, int64_t op, int32_t output, int64_t address,
                   int64_t bytes) override;
  void made(ValueId value, int64_t op, int32_t output, int64_t address,
            int64_t bytes, double at) override;
  void left(ValueId value, int64_t address, int64_t bytes, double at) override;
  void copiedIn(ValueId value, int64_t address, double at) override;
  void moved(int64_t from, int64_t to, int64_t bytes) override;

private:
  struct Held {
    int64_t serial = -1; ///< of the value; -1: of no value
    int64_t origin = 0;  ///< where it begins
  };
  void put(ValueId value, int64_t address, int64_t bytes);
  void fill(int64_t address, int64_t bytes);
  void fail(std::string text);
  void checkInput(const std::string &who, const Place &place, int64_t address,
                  int64_t bytes);
  void checkWrite(const std::string &who, int64_t address, int64_t bytes,
                  std::span<const int64_t> inputs);

  Engine &engine;
  ByteMap<Held> held;
  std::vector<int64_t> serials, sizes; ///< by value
  int64_t nextSerial = 0;
  int64_t launchCount = 0;
  Status found;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DYNAMIC_POOLWATCH_H
