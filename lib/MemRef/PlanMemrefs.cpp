//===- PlanMemrefs.cpp - Packing buffers into arenas ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "memplan/MemRef/Passes.h"
#include "memplan/Support/ByteSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_PLANMEMREFSPASS
#include "memplan/MemRef/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct PlanMemrefs : mlir::memplan::impl::PlanMemrefsPassBase<PlanMemrefs> {
  using PlanMemrefsPassBase::PlanMemrefsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (llvm::Error error = readOptions())
      return emitError(UnknownLoc::get(context))
             << getArgument() << ": " << llvm::toString(std::move(error));
    return success();
  }

  void runOnOperation() override {
    Calls calls(getOperation());
    rows.clear();
    for (FunctionOpInterface function : calls.calleesFirst()) {
      if (failed(plan(function, calls)))
        return signalPassFailure();
      calls.note(function);
    }
    if (!report.empty() && failed(writeReport()))
      signalPassFailure();
  }

private:
  llvm::Error readOptions();
  LogicalResult plan(FunctionOpInterface function, Calls &calls);
  LogicalResult packAndWrite(FunctionOpInterface function, Calls &calls,
                             const Candidates &candidates);
  ArenaSource chooseSource(FunctionOpInterface function, Calls &calls);
  void annotateFunction(FunctionOpInterface function,
                        ArrayRef<MemRefArena> arenas, ArenaSource source);
  void describe(FunctionOpInterface function, const Candidates &candidates,
                const core::ArenaProblem &problem, const core::ArenaPlan &plan,
                ArrayRef<MemRefArena> arenas);
  LogicalResult writeReport();

  CandidateRules rules;
  const core::ArenaSolver *arenaSolver = nullptr;
  std::optional<int64_t> largest;
  std::vector<core::ArenaSpace> spaces;
  llvm::json::Array rows;
};

} // namespace

static llvm::Error unknownText(StringRef option, StringRef text,
                               StringRef valid) {
  return llvm::createStringError(option + " '" + text + "' is none of " +
                                 valid);
}

llvm::Error PlanMemrefs::readOptions() {
  auto found =
      core::lookUpSolver("arena", core::arenaSolvers(), StringRef(solver));
  if (!found)
    return found.takeError();
  arenaSolver = *found;
  if (arena != "allocate" && arena != "argument")
    return unknownText("arena", arena, "'allocate', 'argument'");
  if (ranges != "accesses" && ranges != "allocations")
    return unknownText("ranges", ranges, "'accesses', 'allocations'");
  if (remarks != "kept" && remarks != "all" && remarks != "none")
    return unknownText("remarks", remarks, "'kept', 'all', 'none'");
  if (alignment < 1 || alignment > int64_t(1) << 31 ||
      (alignment & (alignment - 1)) != 0)
    return llvm::createStringError("alignment " + std::to_string(alignment) +
                                   " is not a power of two between 1 and 2^31");
  rules = {minBytes, alignment, allocas, ranges == "allocations"};
  if (!budget.empty()) {
    llvm::Expected<int64_t> bytes = core::parseByteSize(budget);
    if (!bytes)
      return bytes.takeError();
    largest = *bytes;
  }
  spaces.clear();
  for (const std::string &text : spaceBudgets) {
    auto [name, size] = StringRef(text).rsplit('=');
    llvm::Expected<int64_t> bytes = core::parseByteSize(size);
    if (!bytes)
      return llvm::joinErrors(llvm::createStringError("space-budgets: '" +
                                                      text +
                                                      "' is not SPACE=BYTES"),
                              bytes.takeError());
    spaces.push_back({name.str(), *bytes, std::nullopt});
  }
  return llvm::Error::success();
}

LogicalResult PlanMemrefs::plan(FunctionOpInterface function, Calls &calls) {
  auto isSafe = [&](OpOperand &use) { return calls.isSafe(use); };
  LivenessAnalysis liveness(function, isSafe);
  Candidates candidates = chooseAllocations(function, liveness, rules);
  if (remarks != "none")
    for (const KeptAllocation &kept : candidates.kept) {
      InFlightDiagnostic diag = emitRemark(kept.alloc->getLoc())
                                << "stays an allocation of its own: "
                                << kept.reason;
      if (kept.because)
        diag.attachNote(kept.because->getLoc()) << "because of this";
    }
  if (candidates.planned.empty())
    return success();
  return packAndWrite(function, calls, candidates);
}

ArenaSource PlanMemrefs::chooseSource(FunctionOpInterface function,
                                      Calls &calls) {
  if (arena == "allocate")
    return ArenaSource::Allocated;
  if (calls.canTakeArguments(function))
    return ArenaSource::Argument;
  if (remarks != "none")
    emitRemark(function.getLoc())
        << "allocates its arena: it calls itself, or not all that uses it is "
           "func.call in what the pass runs on";
  return ArenaSource::Allocated;
}

LogicalResult PlanMemrefs::packAndWrite(FunctionOpInterface function,
                                        Calls &calls,
                                        const Candidates &candidates) {
  core::ArenaProblem problem = makeProblem(candidates);
  problem.budgetBytes = largest;
  problem.spaces = spaces;
  core::SolveLimits limits;
  limits.effort = effort;
  llvm::Expected<core::ArenaPlan> packed =
      core::solve(problem, *arenaSolver, limits);
  if (!packed)
    return emitError(function.getLoc(), llvm::toString(packed.takeError()));
  if (packed->offsets.empty())
    return emitError(function.getLoc(), "no arena is within the budget: ")
           << packed->report.note << "; no arenas take less than "
           << problem.lowerBoundBytes() << " bytes together";
  std::vector<MemRefArena> arenas = groupBySpace(candidates);
  for (MemRefArena &arena : arenas)
    for (size_t place : arena.held)
      arena.bytes = std::max(arena.bytes, packed->offsets[place] +
                                              candidates.planned[place].bytes);
  ArenaSource source = chooseSource(function, calls);
  describe(function, candidates, problem, *packed, arenas);
  writeArenas(function, candidates, packed->offsets, source, arenas);
  auto isSafe = [&](OpOperand &use) { return calls.isSafe(use); };
  if (llvm::Error error = checkArenas(function, arenas, isSafe))
    return emitError(function.getLoc(), "the arena that was written is wrong: ")
           << llvm::toString(std::move(error));
  if (source == ArenaSource::Argument)
    calls.passArenas(function, arenas);
  if (annotate)
    annotateFunction(function, arenas, source);
  return success();
}

void PlanMemrefs::annotateFunction(FunctionOpInterface function,
                                   ArrayRef<MemRefArena> arenas,
                                   ArenaSource source) {
  Builder builder(function->getContext());
  int64_t bytes = 0;
  for (auto [place, arena] : llvm::enumerate(arenas)) {
    bytes += arena.bytes;
    if (source != ArenaSource::Argument)
      continue;
    function.setArgAttr(unsigned(place), "memplan.arena",
                        builder.getUnitAttr());
    function.setArgAttr(unsigned(place), "memplan.alignment",
                        builder.getI64IntegerAttr(arena.alignmentBytes));
  }
  function->setAttr("memplan.arena_bytes", builder.getI64IntegerAttr(bytes));
}

void PlanMemrefs::describe(FunctionOpInterface function,
                           const Candidates &candidates,
                           const core::ArenaProblem &problem,
                           const core::ArenaPlan &plan,
                           ArrayRef<MemRefArena> arenas) {
  std::map<std::string, int64_t> bounds;
  for (const auto &[name, bytes] : problem.lowerBoundBySpace())
    bounds[name] = bytes;
  for (const MemRefArena &arena : arenas) {
    int64_t separate = 0;
    for (size_t place : arena.held)
      separate += candidates.planned[place].bytes;
    std::string space = arena.spaceName();
    if (remarks == "all")
      emitRemark(function.getLoc())
          << "arena" << (space.empty() ? "" : " in space " + space) << " of "
          << arena.bytes << " bytes holds " << arena.held.size()
          << " buffers of " << separate << " bytes; live bound "
          << bounds[space];
    rows.push_back(llvm::json::Object{
        {"function", function.getName()},
        {"space", space},
        {"buffers", int64_t(arena.held.size())},
        {"kept", int64_t(candidates.kept.size())},
        {"separate_bytes", separate},
        {"bound_bytes", bounds[space]},
        {"arena_bytes", arena.bytes},
        {"solver", plan.report.solver},
        {"optimal", plan.report.status == core::SolveStatus::Optimal},
    });
  }
}

LogicalResult PlanMemrefs::writeReport() {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(report, &error);
  if (!output)
    return emitError(getOperation()->getLoc())
           << getArgument() << ": " << error;
  output->os() << llvm::formatv("{0:2}", llvm::json::Value(std::move(rows)))
               << "\n";
  output->keep();
  return success();
}
