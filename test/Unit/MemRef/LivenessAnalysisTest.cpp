//===- LivenessAnalysisTest.cpp - Live ranges against runs ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/MemRef/LivenessAnalysis.h"
#include "RandomGraph.h"
#include "RandomProgram.h"
#include "memplan/InitAll.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/AnalysisManager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// What one run of an allocation was accessed for.
struct Instance {
  Value origin;
  int64_t first = -1, last = -1; ///< Of time; -1: never.
  std::vector<Operation *> accesses;
};

/// Runs a RandomProgram with conditions of its own, and notes when each
/// allocation is accessed.
class Trace {
public:
  Trace(FunctionOpInterface function, unsigned seed) : dice(seed) {
    makeInstance(function.getArgument(0));
    run(&function.getFunctionBody().front());
  }

  std::vector<Instance> instances;

private:
  bool flip() { return dice.chance(50); }

  void makeInstance(Value origin) {
    at[origin] = instances.size();
    instances.push_back({origin, -1, -1, {}});
  }

  void assign(ValueRange targets, ValueRange sources) {
    SmallVector<size_t> values;
    for (Value source : sources)
      values.push_back(at.lookup(source));
    for (auto [target, value] : llvm::zip(targets, values))
      at[target] = value;
  }

  void access(Operation *op, Value value) {
    Instance &instance = instances[at.lookup(value)];
    instance.first = instance.first < 0 ? time : instance.first;
    instance.last = time;
    instance.accesses.push_back(op);
  }

  /// Runs blocks up to the terminator that leaves their region.
  Operation *run(Block *block) {
    while (true) {
      for (Operation &op : block->without_terminator())
        run(&op);
      ++time;
      auto jump = dyn_cast<cf::CondBranchOp>(block->getTerminator());
      if (auto branch = dyn_cast<cf::BranchOp>(block->getTerminator())) {
        assign(branch.getDest()->getArguments(), branch.getDestOperands());
        block = branch.getDest();
      } else if (!jump) {
        return block->getTerminator();
      } else if (flip() && rounds++ < 200) {
        assign(jump.getTrueDest()->getArguments(), jump.getTrueDestOperands());
        block = jump.getTrueDest();
      } else {
        assign(jump.getFalseDest()->getArguments(),
               jump.getFalseDestOperands());
        block = jump.getFalseDest();
      }
    }
  }

  void run(Operation *op) {
    ++time;
    if (isa<memref::AllocOp>(op))
      return makeInstance(op->getResult(0));
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return access(op, load.getMemref());
    if (isa<memref::AssumeAlignmentOp>(op))
      return assign(op->getResults(), op->getOperands());
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return assign(op->getResults(),
                    flip() ? select.getTrueValue() : select.getFalseValue());
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return assign(
          op->getResults(),
          run(flip() ? branch.thenBlock() : branch.elseBlock())->getOperands());
    if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
      return assign(op->getResults(),
                    run(&region.getRegion().front())->getOperands());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      assign(loop.getRegionIterArgs(), loop.getInitArgs());
      while (flip() && rounds++ < 200)
        assign(loop.getRegionIterArgs(), run(loop.getBody())->getOperands());
      return assign(op->getResults(), loop.getRegionIterArgs());
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      assign(loop.getBeforeArguments(), loop.getInits());
      while (true) {
        ValueRange passed =
            cast<scf::ConditionOp>(run(loop.getBeforeBody())).getArgs();
        if (flip() || rounds++ > 200)
          return assign(op->getResults(), passed);
        assign(loop.getAfterArguments(), passed);
        assign(loop.getBeforeArguments(),
               run(loop.getAfterBody())->getOperands());
      }
    }
  }

  ::memplan::Dice dice;
  llvm::DenseMap<Value, size_t> at;
  int64_t time = 0;
  int rounds = 0;
};

class LivenessAnalysisTest : public testing::Test {
protected:
  LivenessAnalysisTest() {
    DialectRegistry registry;
    registerAll(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  FunctionOpInterface parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return module ? *module->getOps<FunctionOpInterface>().begin() : nullptr;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

// A range that misses an access, or two buffers that are in use at once with
// ranges apart, would let a planner give both the same bytes.
TEST_F(LivenessAnalysisTest, holds_every_run_of_random_programs) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string text = ::memplan::test::RandomProgram(seed, false).write();
    FunctionOpInterface function = parse(text);
    ASSERT_TRUE(function) << "seed " << seed << "\n" << text;
    LivenessAnalysis liveness(function);
    for (unsigned runs = 0; runs < 20; ++runs) {
      Trace trace(function, 1000 * seed + runs);
      for (const Instance &one : trace.instances) {
        const LiveBuffer *first = liveness.bufferAt(one.origin);
        ASSERT_TRUE(first) << "seed " << seed << "\n" << text;
        for (Operation *op : one.accesses)
          ASSERT_TRUE(first->live.contains(liveness.pointsOf(op).begin))
              << "seed " << seed << "\n"
              << text;
        for (const Instance &two : trace.instances) {
          if (&one == &two || one.first < 0 || two.first < 0 ||
              one.last < two.first || two.last < one.first)
            continue;
          const LiveBuffer *second = liveness.bufferAt(two.origin);
          ASSERT_TRUE(first == second ? bool(first->carriedBy)
                                      : first->live.meets(second->live))
              << "seed " << seed << "\n"
              << text;
        }
      }
    }
  }
}

// Ranges that are longer than need be cost bytes: without control flow they are
// the first and the last access and what lies between.
TEST_F(LivenessAnalysisTest, is_exact_on_straight_line_code) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::string text = ::memplan::test::RandomProgram(seed, true).write();
    FunctionOpInterface function = parse(text);
    ASSERT_TRUE(function) << text;
    if (text.find("select") != std::string::npos)
      continue; // Either operand may be meant; a run takes one.
    LivenessAnalysis liveness(function);
    for (const Instance &one : Trace(function, seed).instances) {
      if (isa<BlockArgument>(one.origin) || one.first < 0)
        continue;
      PointRange live = liveness.bufferAt(one.origin)->live;
      EXPECT_EQ(live.begin, liveness.pointsOf(one.accesses.front()).begin);
      EXPECT_EQ(live.end, liveness.pointsOf(one.accesses.back()).end)
          << "seed " << seed << "\n"
          << text;
    }
  }
}

// Passes of other compilers ask by getAnalysis, about tensors as about memrefs.
TEST_F(LivenessAnalysisTest, answers_by_getAnalysis) {
  FunctionOpInterface function = parse(R"(
    func.func @f(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
      %one = arith.constant 1 : index
      %a = arith.addf %x, %x : tensor<8xf32>
      %b = arith.addf %a, %x : tensor<8xf32>
      %r = scf.for %i = %one to %n step %one iter_args(%c = %b) -> tensor<8xf32> {
        %d = arith.mulf %c, %a : tensor<8xf32>
        scf.yield %d : tensor<8xf32>
      }
      %e = arith.addf %r, %x : tensor<8xf32>
      return %e : tensor<8xf32>
    })");
  ASSERT_TRUE(function);
  ModuleAnalysisManager manager(function, /*passInstrumentor=*/nullptr);
  AnalysisManager analyses = manager;
  auto &liveness = analyses.getAnalysis<LivenessAnalysis>();
  auto named = [&](int place) {
    return (*std::next(function.getFunctionBody().op_begin(), place))
        .getResult(0);
  };
  Operation *loop = &*std::next(function.getFunctionBody().op_begin(), 3);
  Value a = named(1), b = named(2);
  EXPECT_TRUE(liveness.isLiveAt(a, loop));
  EXPECT_EQ(liveness.liveRange(a).end, liveness.pointsOf(loop).end);
  // The loop carries %b or %d, and what it gives is one of them.
  EXPECT_EQ(liveness.buffersOf(loop->getResult(0)).size(), 2u);
  EXPECT_TRUE(liveness.liveRange(b).end > liveness.pointsOf(loop).end);
  EXPECT_EQ(liveness.bufferAt(a)->bytes, 32);
  EXPECT_TRUE(liveness.liveRange(named(0)).isEmpty());
  EXPECT_EQ(*llvm::max_element(liveness.liveBytes()), 96);
}
