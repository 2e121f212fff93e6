//===- Engine.h - Ops one by one within a budget ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic tensor rematerialization: ops run as they come, values are evicted
// when an allocation does not fit, and are recomputed when they are read.
// Nothing is known beforehand.
//
// A value is immutable bytes. It has a path, the op that made it, or it is
// external: what the caller gave, and what cannot be recomputed any more. What
// is in use but neither in the pool nor on the host always has a path. So has
// everything on that path down to what is live. That is the one invariant.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DYNAMIC_ENGINE_H
#define MEMPLAN_RUNTIME_DYNAMIC_ENGINE_H

#include "memplan/Eviction/EvictedGraph.h"
#include "memplan/Runtime/Dynamic/Pool.h"
#include "memplan/Runtime/Execute/KernelCall.h"

#include <memory>
#include <optional>
#include <span>

namespace memplan::runtime {

using ValueId = int32_t;

/// What becomes of a value that the caller drops while others are made from it.
enum class Deletion : uint8_t {
  Eager, ///< its bytes go at once, its path stays
  Banish ///< all of it goes as soon as nothing evicted needs it; what was made
         ///< from it cannot be evicted from then on
};

/// When tensors are moved together, so that free bytes become one hole.
enum class Defragment : uint8_t {
  Last,   ///< when nothing is left to evict
  Cheaper ///< also where moving takes less time than recomputing the one that
          ///< would be evicted
};

struct DynamicOptions {
  /// Bytes of the pool, which holds everything: what the caller puts there,
  /// what ops make, and scratch.
  int64_t budgetBytes = 0;
  /// Evicts already where more than these bytes would be in use, although the
  /// pool has more. Frameworks do that, which leave the rest to fragmentation.
  /// 0: only where an allocation does not fit.
  int64_t thresholdBytes = 0;
  /// Bytes on the host for values that are copied out instead of being made
  /// again; 0: none.
  int64_t hostBytes = 0;
  const eviction::Heuristic *heuristic = eviction::findHeuristic("h_dtr");
  eviction::Exponents exponents;
  /// Looks at about 2 sqrt(n) of n candidates.
  bool sampling = false;
  uint64_t samplingSeed = 0;
  /// Candidates with less than this share of their average bytes are passed
  /// over while there are others.
  double ignoredShare = 0;
  /// Time is measured. Otherwise it is the sum of the costs of what ran, and
  /// the same calls do the same every time.
  bool wallClock = false;
  Deletion deletion = Deletion::Eager;
  Defragment defragment = Defragment::Cheaper;
  /// Rate of copies to and from the host, each way.
  double copyBytesPerMicro = 8000;
  /// Asked at each allocation in the pool; true refuses it. For tests.
  std::function<bool()> refuse = nullptr;
};

struct DynamicStats {
  int64_t computes = 0;                      ///< ops that were asked for
  int64_t recomputes = 0;                    ///< ops that ran again
  double computeCost = 0, recomputeCost = 0; ///< in microseconds of the clock
  int64_t evictions = 0;                     ///< values dropped to make room
  int64_t copiesOut = 0, copiesIn = 0, copiedBytes = 0;
  int64_t compactions = 0, movedBytes = 0;
  int64_t allocations = 0; ///< in the pool
  /// The largest share of free bytes outside the largest hole at a moment when
  /// an allocation did not fit.
  double fragmentation = 0;
};

/// What became of the last step that began with Engine::beginStep().
struct ReplayStats {
  int64_t followed = 0;   ///< calls that were done as in a step before
  bool deviated = false;  ///< it began as a step before and went another way
  int64_t remembered = 0; ///< calls of all steps
  int64_t planned = 0;    ///< ops that were done as the plan has them
  int64_t inPlan = 0;     ///< ops of the plan
};

/// Where an operand lies: in a value, from a byte on.
struct Place {
  ValueId value = -1;
  int64_t offset = 0;
  /// The caller's use goes with the op, as by drop(), if that succeeds: its
  /// bytes may become those of an output. Once for each use.
  bool isLast = false;
};

/// What an output becomes: a new value, or a new version of an input, in its
/// bytes.
struct NewValue {
  int64_t bytes = 0;
  /// The input that is overwritten, which everyone who uses it then sees; -1:
  /// none.
  ValueId over = -1;
  int64_t offset = 0; ///< where in `over` the output begins
};

/// An op that is about to run.
struct DynamicLaunch {
  int64_t op = 0; ///< counted from 0 as they were asked for
  bool again = false;
  double at = 0; ///< on the clock
  const KernelCall &call;
  std::span<const Place> inputs;
  std::span<const ValueId> over; ///< by output: what it overwrites, or -1
  /// In the pool: of inputs, outputs, and the workspace where it takes one.
  std::span<const int64_t> addresses;
};

/// Hears what happens, in order. Errors cannot be raised here.
class DynamicListener {
public:
  virtual ~DynamicListener() = default;
  virtual void launching(const DynamicLaunch &launch) {}
  /// The op has put an output over the value, which is not there any more.
  virtual void overwritten(ValueId value, int64_t op, int32_t output,
                           int64_t address, int64_t bytes) {}
  /// The value is in the pool from now on.
  virtual void made(ValueId value, int64_t op, int32_t output, int64_t address,
                    int64_t bytes, double at) {}
  virtual void left(ValueId value, int64_t address, int64_t bytes, double at) {}
  virtual void copiedOut(ValueId value, double at) {}
  virtual void copiedIn(ValueId value, int64_t address, double at) {}
  virtual void leftHost(ValueId value, double at) {}
  virtual void moved(int64_t from, int64_t to, int64_t bytes) {}
};

/// One thread at a time. `device` must outlive it. A call that fails leaves
/// everything as it was, but for values that were evicted or recomputed.
/// External inputs that a failing kernel was to overwrite hold what the kernel
/// left.
class Engine {
public:
  static Result<Engine> create(const Device &device,
                               const DynamicOptions &options);
  Engine(Engine &&) noexcept;
  Engine &operator=(Engine &&) noexcept;
  ~Engine();

  /// A value of the caller, used once. `host` null leaves its bytes as they
  /// are. It lies at `address`, if that is not -1 and free there.
  Result<ValueId> put(int64_t bytes, const void *host, int64_t address = -1);
  /// New content for an external value. What was made from the old content and
  /// is in use stays as it is.
  Status write(ValueId value, int64_t offset, const void *host, int64_t bytes);
  /// Brings it into the pool, where need be.
  Status read(ValueId value, int64_t offset, void *host, int64_t bytes);

  /// Runs an op. The new values, each used once, are left in `results`; a
  /// version of an input takes over its uses.
  Status apply(std::shared_ptr<const KernelCall> call, double costMicros,
               std::span<const Place> inputs, std::span<const NewValue> outputs,
               ValueId *results);

  void use(ValueId value);
  /// One use less. What nothing uses goes as the options say.
  void drop(ValueId value) noexcept;
  /// The value, brought into the pool, is external from now on, and its path
  /// goes: what leads to it only is forgotten.
  Status detach(ValueId value);
  // What the caller decides instead of the engine.
  /// The bytes of a value that an op has made go, and it is recomputed when it
  /// is read.
  Status evict(ValueId value);
  /// The value leaves the pool for the host, recomputed before where need be.
  /// MEMPLAN_OUT_OF_MEMORY where the host has no room for it.
  Status swapOut(ValueId value);
  /// Brings the value into the pool: from the host, or recomputed.
  Status swapIn(ValueId value);
  /// Lets `to` hold the bytes of `from`; both are external, as large as each
  /// other, and in the pool.
  Status copy(ValueId from, ValueId to);

  /// A step begins. As long as the calls are those of a step before that began
  /// in the same state, nothing is chosen. Allocations and evictions are done
  /// as they were then. From the first other call on they are decided anew, in
  /// the same pool, and the next step may follow both.
  void beginStep();
  ReplayStats lastReplay() const;
  /// Steps follow this planned program as long as their ops are those of the
  /// plan: with its places, its recomputations, and nothing chosen. Arena i
  /// lies at `bases[i]` in the pool. Values that the host drops stay while the
  /// plan reads them. From the first other op on a step goes on online, in the
  /// same pool. What was remembered of steps before is forgotten. The program
  /// is checked, names its values and has no copies.
  Status loadPlan(const Program &planned, std::span<const int64_t> bases);
  /// With the arenas at the end of the largest hole of the pool.
  Status loadPlan(const Program &planned);

  bool isResident(ValueId value) const;
  int64_t bytesOf(ValueId value) const;
  /// Where it lies, or null while it is not in the pool.
  std::byte *address(ValueId value) const;
  /// Values and ops that are remembered.
  size_t valueCount() const;
  size_t opCount() const;

  const Pool &pool() const;
  std::byte *poolBase() const;
  const Device &device() const;
  const DynamicStats &stats() const;
  double clock() const;
  /// Starts counting anew, ops as well.
  void resetStats();
  /// Tells `listener` what is live, and all that happens from now on.
  void listen(DynamicListener *listener);

  struct State;

private:
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DYNAMIC_ENGINE_H
