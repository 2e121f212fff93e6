//===- EngineState.h - Values, ops and memory of an engine ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_ENGINESTATE_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_ENGINESTATE_H

#include "PlannedStep.h"
#include "Replay.h"
#include "memplan/Runtime/Dynamic/Engine.h"

#include <chrono>

namespace memplan::runtime {

using OpId = int32_t;

struct Value {
  int64_t bytes = 0;              ///< -1: the number is not in use
  Pool::Block block = Pool::none; ///< in the pool
  Pool::Block host = Pool::none;  ///< its copy on the host
  OpId producer = -1;             ///< its path; -1: external
  int32_t output = -1;            ///< of the producer
  int32_t uses = 0;               ///< by the caller
  int32_t pins = 0;               ///< must stay for now
  int32_t node = -1;              ///< in the graph of evicted ones
  int32_t candidate = -1;         ///< its place in the list of candidates
  int32_t recomputations = 0;
  int64_t name = 0;        ///< the same in steps that do the same
  bool isLeftover = false; ///< among the leftovers
  int32_t planned = -1;    ///< which value of the plan it is in this step
  bool isKept = false;     ///< the plan reads it, though nothing uses it
  uint32_t seen = 0;       ///< in which round of a walk
  double lastAccess = 0;
  std::vector<OpId> users; ///< ops on paths, once for each input

  bool isThere() const { return block != Pool::none; }
};

struct OpOutput {
  ValueId value = -1; ///< -1: nothing needs it any more
  int64_t bytes = 0;
  ValueId over = -1; ///< the input whose bytes it takes
  int64_t offset = 0;
};

struct Op {
  std::shared_ptr<const KernelCall> call;
  double cost = 0;
  int64_t number = 0; ///< in the order of calls
  std::vector<Place> inputs;
  std::vector<OpOutput> outputs;
  int32_t alive = 0; ///< outputs whose path it is
  bool ranOnce = false;
};

/// A plan, and how far a step has followed it.
struct FollowedPlan {
  PlannedStep step;
  int32_t position = -1;      ///< its next call; -1: it is left
  int64_t done = 0;           ///< calls of this step
  std::vector<ValueId> bound; ///< by value of the plan
  /// By call: the one that was last found to be it.
  std::vector<std::shared_ptr<const KernelCall>> known;
};

/// Values, the ops on their paths, and the memory that values take. What frees
/// allocates nothing.
struct ValueStore {
  ValueStore(const Device &device, const DynamicOptions &options)
      : device(device), options(options), pool(options.budgetBytes),
        hostPool(options.hostBytes) {}

  const Device &device;
  DynamicOptions options;
  DeviceBuffer memory, hostMemory;
  Pool pool, hostPool;
  std::vector<DynamicListener *> listeners;

  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<ValueId> spareValues;
  std::vector<OpId> spareOps;
  std::vector<ValueId> candidates; ///< in the pool, and can leave it
  int64_t candidateBytes = 0;
  /// External, in the pool and not in use, but others are made from them; and
  /// some that were.
  std::vector<ValueId> leftovers;
  eviction::EvictedGraph graph;
  std::vector<ValueId> unused; ///< to be looked at by tidy()
  int64_t nextName = 0;
  size_t userCount = 0; ///< of all values
  double clock = 0;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();

  Value &at(ValueId value) { return values[size_t(value)]; }
  double now() const;
  std::byte *place(ValueId value) {
    return memory.base() + pool.address(at(value).block);
  }

  ValueId newValue(int64_t bytes);
  OpId newOp();
  void pin(ValueId value) { ++at(value).pins; }
  void unpin(ValueId value) noexcept;
  /// Looks at values whose uses, pins or users became fewer.
  void tidy(ValueId value) noexcept;
  void looseProducer(ValueId value) noexcept;
  void freeOp(OpId op) noexcept;
  void setResident(ValueId value, Pool::Block block) noexcept;
  Pool::Block setAbsent(ValueId value) noexcept;
  void updateCandidate(ValueId value) noexcept;
  void dropHost(ValueId value) noexcept;
  void leave(ValueId value) noexcept;
  bool isAbsent(ValueId value);
  bool hasAbsentUser(ValueId value);
};

/// Chooses what leaves the pool (Evict.cpp).
struct VictimChooser {
  explicit VictimChooser(Engine::State &engine);

  ValueId chooseVictim();
  bool isSuspended(ValueId value);
  ValueId chooseSuspended();
  double scoreOf(ValueId value);
  double copyMicros(ValueId value);
  bool prefersHost(ValueId value);

  Engine::State &engine;
  eviction::Sampler sampler;
  int32_t suspendedLeft = 0; ///< evictions that chooseSuspended() may still do
};

/// Follows a static plan (FollowPlan.cpp).
struct PlanFollower {
  explicit PlanFollower(Engine::State &engine) : engine(engine) {}

  bool isPlanned() const { return plan && plan->position >= 0; }
  void beginPlan();
  void leavePlan() noexcept;
  ValueId resolve(int32_t planned);
  bool matches(size_t number, const std::shared_ptr<const KernelCall> &call,
               std::span<const Place> inputs,
               std::span<const NewValue> outputs);
  const PlannedCall *nextPlanned(const std::shared_ptr<const KernelCall> &call,
                                 std::span<const Place> inputs,
                                 std::span<const NewValue> outputs);
  void endPlanned(const PlannedCall &call, std::span<const ValueId> results);
  bool keepForPlan(ValueId value) noexcept;
  Status leaveAsPlanned(int32_t planned);
  Status runAsPlanned(const PlannedAction &action);
  Status provideAsPlanned(OpId op, const PlannedRun &run);
  Status runBefore(const PlannedCall &call);
  bool hasInputs(OpId op);
  bool takeOverAsPlanned(OpId op);
  Status giveAsPlanned(const PlannedCall &call, std::span<const Place> inputs,
                       bool &isExternal);

  Engine::State &engine;
  std::unique_ptr<FollowedPlan> plan;
  const PlannedRun *plannedRun = nullptr; ///< of `plannedOp`, while it runs
  OpId plannedOp = -1;
};

/// Deletes values for good, with the paths that read them (Forget.cpp).
struct PathForgetter {
  explicit PathForgetter(Engine::State &engine) : engine(engine) {}

  Status forget(ValueId value);
  Status forgetOrKeep(ValueId value);
  bool isToBeOverwritten(ValueId value);
  int64_t boundBehind(ValueId first, const std::vector<ValueId> &lost);
  bool forgetLeftover(ValueId value, int64_t mostBound);
  bool forgetSomeLeftover(bool any);
  void absentBehind(ValueId first, std::vector<ValueId> &used,
                    std::vector<ValueId> &lost);
  void loseUsers(ValueId value) noexcept;

  Engine::State &engine;
  uint32_t round = 0;
  struct Behind { ///< See absentBehind().
    std::vector<ValueId> used, lost, kept;
  } scratch, scratchOfLeftover;
};

/// What runs, and where its bytes come from.
struct Engine::State : ValueStore {
  State(const Device &device, const DynamicOptions &options)
      : ValueStore(device, options), chooser(*this), follower(*this),
        forgetter(*this) {}

  VictimChooser chooser;
  PlanFollower follower;
  PathForgetter forgetter;
  DynamicStats stats;
  /// Ops under way, each waiting for the one above it.
  std::vector<OpId> frames;
  Replay replay;
  StartState stepStart;            ///< of the step under way
  std::vector<ValueId> present;    ///< by number in it
  Decision decided;                ///< by the allocation under way
  OpId launching = -1;             ///< whose blocks are taken
  bool overwritesExternal = false; ///< the op that is built
  OpId building = -1;              ///< that was asked for and has not run
  int64_t opNumber = 0;
  // Of one launch.
  std::vector<Pool::Block> blocks;
  std::vector<void *> pointers;
  std::vector<int64_t> addresses;
  std::vector<ValueId> overs;
  std::vector<ValueId> taken; ///< by output: whose bytes it takes, or -1
  const KernelCall *kernel = nullptr;
  std::vector<int32_t> parents;

  // The end of uses, and of all that is under way (Freeing.cpp).
  void abandon() noexcept;
  void dropUse(ValueId value) noexcept;

  // Memory (Memory.cpp).
  /// MEMPLAN_OUT_OF_MEMORY where everything that may be freed has been.
  Result<Pool::Block> allocate(int64_t bytes, int64_t planned = -1);
  Result<Pool::Block> decide(int64_t bytes);
  Status keepThreshold(int64_t bytes);
  Result<Pool::Block> follow(const Decision &decision, int64_t bytes);
  ValueId named(const Decision::Victim &victim);
  void nameStart();
  bool moveTo(ValueId value, int64_t address);
  void arrangeAs(const StartState &target);
  /// Tells the replay what the host calls.
  void beginCall(char kind, ValueId value, int64_t detail = 0);
  void beginApply(const KernelCall &call, std::span<const Place> inputs,
                  std::span<const NewValue> outputs);
  bool movesSooner(int64_t bytes, ValueId victim);
  Status compact(int64_t wanted);
  Status move(int64_t from, int64_t to, int64_t bytes);
  Status copyOut(ValueId value);
  Status fetch(ValueId value, int64_t address = -1);
  Pool::Block hostRoom(int64_t bytes);
  Status evict(ValueId value);
  Status evict(ValueId value, bool toHost);
  Status copyToHost(ValueId value);

  // What is asked for (Engine.cpp).
  OpId describeOp(std::shared_ptr<const KernelCall> call, double cost,
                  std::span<const Place> inputs,
                  std::span<const NewValue> outputs);
  Status checkOp(std::span<const Place> inputs,
                 std::span<const NewValue> outputs);
  void endApply(std::span<const Place> inputs,
                std::span<const NewValue> outputs, const ValueId *results,
                bool isExternal, const PlannedCall *planned);

  // Running (Run.cpp).
  Status provide(size_t base);
  Status materialize(ValueId value);
  void pushFrame(OpId op);
  void popFrame() noexcept;
  Status run(OpId op);
  Status takeBlocks(OpId op);
  bool takesOver(const Op &op, const OpOutput &output);
  Status copyBytes(ValueId from, Pool::Block to, int64_t bytes);
  void releaseBlocks() noexcept;
  int64_t addressFor(const Op &op, ValueId value);
  Status launch(OpId op);
  void setCost(OpId op, double cost);
  void keepOutput(const Op &op, size_t output);
  Status outOfMemory(OpId op, const Status &reason);
  std::string describe(OpId op);
};

inline VictimChooser::VictimChooser(Engine::State &engine)
    : engine(engine), sampler(engine.options.samplingSeed) {}

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_ENGINESTATE_H
