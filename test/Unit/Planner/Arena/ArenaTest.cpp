//===- ArenaTest.cpp - Contract of the arena problem ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "memplan/Planner/Arena/ArenaProblem.h"

using namespace memplan;

static ArenaBuffer buffer(std::string id, int64_t bytes, int64_t begin,
                          int64_t end) {
  ArenaBuffer result;
  result.id = std::move(id);
  result.bytes = bytes;
  result.begin = begin;
  result.end = end;
  return result;
}

static ArenaProblem problemOf(std::vector<ArenaBuffer> buffers) {
  ArenaProblem problem;
  problem.buffers = std::move(buffers);
  return problem;
}

static ArenaPlan planOf(std::vector<int64_t> offsets, int64_t peakBytes) {
  ArenaPlan plan;
  plan.offsets = std::move(offsets);
  plan.peakBytes = peakBytes;
  return plan;
}

// --- Input constraints
// --------------------------------------------------------------------------

// A buffer without live range or with a negative size would be packed as if it
// took nothing.
TEST(ArenaCheck, arena_i1_rejects_sizes_live_ranges_and_repeated_ids) {
  EXPECT_THAT(problemOf({buffer("a", -1, 0, 1)}).check(),
              Violates("arena_i1", "buffer 'a' has -1 bytes"));
  EXPECT_THAT(problemOf({buffer("a", 1, 2, 2)}).check(),
              Violates("arena_i1", "lives during [2, 2), which is empty"));
  EXPECT_THAT(problemOf({buffer("a", 1, 0, 1), buffer("a", 2, 0, 1)}).check(),
              Violates("arena_i1", "have the id 'a'"));
  EXPECT_THAT(problemOf({buffer("a", 0, 0, 1), buffer("b", 2, 0, 1)}).check(),
              Succeeds());
  EXPECT_THAT(problemOf({}).check(), Succeeds());
}

// Rounding to such an alignment would divide by zero or give wrong multiples.
TEST(ArenaCheck, arena_i2_rejects_alignments) {
  ArenaProblem problem = problemOf({buffer("a", 1, 0, 1)});
  for (int64_t alignment :
       {int64_t(0), int64_t(-8), int64_t(24), int64_t(1) << 40}) {
    problem.alignmentBytes = alignment;
    EXPECT_THAT(
        problem.check(),
        Violates("arena_i2", "is not a power of two between 1 and 2^31"))
        << alignment;
  }
  problem.alignmentBytes = 64;
  problem.buffers[0].alignmentBytes = 0;
  EXPECT_THAT(problem.check(),
              FailsWith("buffer 'a' has an alignment of 0 bytes"));
  problem.buffers[0].alignmentBytes =
      24; // A buffer's own alignment need not be a power of two.
  EXPECT_THAT(problem.check(), Succeeds());
}

// A gap out of order would make the sweep believe that a live buffer is dead.
TEST(ArenaCheck, arena_i3_rejects_gaps) {
  std::vector<std::vector<std::pair<int64_t, int64_t>>> wrong = {
      {{3, 3}},  {{4, 3}},         {{1, 5}},
      {{8, 11}}, {{5, 6}, {3, 4}}, {{3, 6}, {5, 7}}};
  for (const auto &gaps : wrong) {
    ArenaProblem problem = problemOf({buffer("a", 1, 2, 10)});
    problem.buffers[0].gaps = gaps;
    EXPECT_THAT(problem.check(),
                Violates("arena_i3", "of buffer 'a' is empty, out of order, or "
                                     "outside its live range [2, 10)"));
  }
  ArenaProblem problem = problemOf({buffer("a", 1, 2, 10)});
  problem.buffers[0].gaps = {{2, 3}, {3, 5}, {9, 10}};
  EXPECT_THAT(problem.check(), Succeeds());
}

// A fixed offset that breaks an alignment can be in no plan.
TEST(ArenaCheck, arena_i4_rejects_fixed_offsets) {
  ArenaProblem problem = problemOf({buffer("a", 1, 0, 1)});
  problem.buffers[0].fixedOffset = -64;
  EXPECT_THAT(
      problem.check(),
      FailsWith("buffer 'a' is fixed at offset -64, which is negative"));
  problem.buffers[0].fixedOffset = 32;
  problem.alignmentBytes = 64;
  EXPECT_THAT(
      problem.check(),
      Violates("arena_i4",
               "fixed at offset 32, which is negative or no multiple of 64"));
  problem.alignmentBytes = 32;
  EXPECT_THAT(problem.check(), Succeeds());
  problem.buffers[0].alignmentBytes = 24;
  EXPECT_THAT(problem.check(), FailsWith("no multiple of 24"));
}

// Fixed buffers that overlap leave no plan at all; a solver would be blamed for
// it.
TEST(ArenaCheck, arena_i5_rejects_fixed_overlap) {
  ArenaProblem problem = problemOf(
      {buffer("a", 64, 0, 2), buffer("b", 64, 1, 3), buffer("c", 64, 0, 3)});
  problem.buffers[0].fixedOffset = 0;
  problem.buffers[1].fixedOffset = 32;
  EXPECT_THAT(
      problem.check(),
      Violates(
          "arena_i5",
          "'a' (64 bytes) and 'b' (64 bytes) share bytes [32, 64) at step 1"));
  problem.buffers[1].space = "host";
  EXPECT_THAT(problem.check(), Succeeds());
}

// Sums of such sizes would wrap around and look small.
TEST(ArenaCheck, arena_i6_rejects_sums_that_overflow) {
  int64_t half = int64_t(1) << 61;
  EXPECT_THAT(
      problemOf({buffer("a", half, 0, 1), buffer("b", half, 1, 2)}).check(),
      Violates("arena_i6"));
  EXPECT_THAT(problemOf({buffer("a", INT64_MAX, 0, 1)}).check(),
              Violates("arena_i6", "2^62 or more"));
  EXPECT_THAT(
      problemOf({buffer("a", half, 0, 1), buffer("b", half - 4, 1, 2)}).check(),
      Succeeds());
  ArenaProblem problem =
      problemOf({buffer("a", half, 0, 1), buffer("b", 8, 0, 1)});
  problem.buffers[1].fixedOffset = half;
  EXPECT_THAT(problem.check(), Violates("arena_i6"));
  problem = problemOf({});
  problem.budgetBytes = -1;
  EXPECT_THAT(problem.check(),
              Violates("arena_i6", "budget of -1 bytes is negative"));
}

// A solver would look for a buffer, a space or an allocation that is not there.
TEST(ArenaCheck, arena_i7_rejects_spaces) {
  ArenaProblem problem = problemOf({buffer("a", 64, 0, 2)});
  problem.spaces = {{"host", 5, std::nullopt}, {"host", 6, std::nullopt}};
  EXPECT_THAT(problem.check(),
              Violates("arena_i7", "two spaces have the name 'host'"));
  problem.spaces = {{"", -1, std::nullopt}};
  EXPECT_THAT(problem.check(), Violates("arena_i6", "budget of -1 bytes"));
  problem.spaces = {{"", std::nullopt, 0}};
  EXPECT_THAT(problem.check(), Violates("arena_i7", "must be positive"));
  problem.spaces = {{"", std::nullopt, 63}};
  EXPECT_THAT(problem.check(),
              Violates("arena_i7", "'a' has 64 bytes, an allocation at most"));
  problem.spaces = {{"", std::nullopt, 72}};
  problem.buffers[0].alignmentBytes = 16;
  EXPECT_THAT(problem.check(), Violates("arena_i7", "no multiple of 16"));
  problem.spaces = {{"", std::nullopt, 80}};
  EXPECT_THAT(problem.check(), Succeeds());
  problem.buffers[0].fixedOffset = 32;
  EXPECT_THAT(problem.check(), Violates("arena_i4", "crosses the end"));
}

TEST(ArenaCheck, arena_i8_rejects_conflicts) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 2, 3)});
  for (int32_t wrong : {-1, 2}) {
    problem.conflicts = {{0, wrong}};
    EXPECT_THAT(problem.check(), Violates("arena_i8", "of 2"));
  }
  problem.conflicts = {{1, 1}};
  EXPECT_THAT(problem.check(),
              Violates("arena_i8", "'b' conflicts with itself"));
  problem.conflicts = {{0, 1}};
  EXPECT_THAT(problem.check(), Succeeds());
  // Fixed buffers that conflict may not share bytes either.
  problem.buffers[0].fixedOffset = problem.buffers[1].fixedOffset = 0;
  EXPECT_THAT(problem.check(),
              Violates("arena_i5", "and are a further conflict"));
  problem.buffers[1].space = "host";
  EXPECT_THAT(problem.check(), Violates("arena_i8", "of the spaces"));
}

// --- Solution constraints
// -----------------------------------------------------------------------

// A kernel would get a misaligned pointer, or bytes in front of the arena.
TEST(ArenaVerify, arena_c1_rejects_offsets) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  EXPECT_THAT(problem.verify(planOf({0}, 64)),
              Violates("arena_c1", "1 offsets for 2 buffers"));
  EXPECT_THAT(
      problem.verify(planOf({0, -64}, 64)),
      FailsWith("buffer 'b' (64 bytes) at offset -64, which is negative"));
  EXPECT_THAT(problem.verify(planOf({0, INT64_MAX - 3}, 64)),
              FailsWith("too large"));
  problem.alignmentBytes = 128;
  EXPECT_THAT(problem.verify(planOf({0, 64}, 128)),
              Violates("arena_c1", "no multiple of its alignments 128 and 1"));
  problem.alignmentBytes = 1;
  problem.buffers[1].alignmentBytes = 48;
  EXPECT_THAT(problem.verify(planOf({0, 64}, 128)), Violates("arena_c1"));
  EXPECT_THAT(problem.verify(planOf({0, 96}, 160)), Succeeds());
  problem.buffers[1].fixedOffset = 144;
  EXPECT_THAT(problem.verify(planOf({0, 96}, 160)),
              FailsWith("'b' at offset 96 belongs at its fixed offset 144"));
}

// Two tensors in the same bytes at the same time: the run would be silently
// wrong.
TEST(ArenaVerify, arena_c2_rejects_overlap) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  EXPECT_THAT(problem.verify(planOf({0, 0}, 64)),
              Violates("arena_c2", "share bytes [0, 64) at step 1"));
  EXPECT_THAT(problem.verify(planOf({0, 63}, 127)),
              FailsWith("share bytes [63, 64) at step 1"));
  EXPECT_THAT(problem.verify(planOf({63, 0}, 127)),
              FailsWith("share bytes [63, 64) at step 1"));
  EXPECT_THAT(problem.verify(planOf({0, 64}, 128)), Succeeds());
  // One inside the other.
  problem.buffers[1].bytes = 2;
  EXPECT_THAT(problem.verify(planOf({0, 31}, 64)),
              FailsWith("share bytes [31, 33) at step 1"));
  problem.buffers[1].begin = 2; // Half open: a is freed at step 2.
  EXPECT_THAT(problem.verify(planOf({0, 31}, 64)), Succeeds());
}

// A buffer may use another one's bytes in its gap, but not a step longer.
TEST(ArenaVerify, arena_c2_respects_gaps_and_spaces) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 10), buffer("b", 64, 3, 6)});
  problem.buffers[0].gaps = {{3, 6}};
  EXPECT_THAT(problem.verify(planOf({0, 0}, 64)), Succeeds());
  problem.buffers[1].end = 7;
  EXPECT_THAT(problem.verify(planOf({0, 0}, 64)),
              FailsWith("share bytes [0, 64) at step 6"));
  problem.buffers[1].space = "host";
  EXPECT_THAT(problem.verify(planOf({0, 0}, 128)),
              Succeeds()); // The heights of both spaces add up.
  // A buffer without bytes is in nobody's way.
  problem = problemOf({buffer("a", 64, 0, 10), buffer("b", 0, 3, 6)});
  EXPECT_THAT(problem.verify(planOf({0, 32}, 64)), Succeeds());
}

// Two streams would write the same bytes at once.
TEST(ArenaVerify, arena_c2_rejects_overlap_of_further_conflicts) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 2, 3)});
  EXPECT_THAT(problem.verify(planOf({0, 0}, 64)), Succeeds());
  problem.conflicts = {{1, 0}};
  EXPECT_THAT(problem.verify(planOf({0, 32}, 96)),
              Violates("arena_c2", "share bytes [32, 64) and are a further"));
  EXPECT_THAT(problem.verify(planOf({0, 64}, 128)), Succeeds());
}

// The arena would be allocated with too few bytes, or beyond the budget.
TEST(ArenaVerify, arena_c3_rejects_peak_and_budget) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  EXPECT_THAT(
      problem.verify(planOf({0, 64}, 64)),
      Violates("arena_c3", "says a peak of 64 bytes, its offsets give 128"));
  problem.budgetBytes = 127;
  EXPECT_THAT(problem.verify(planOf({0, 64}, 128)),
              FailsWith("reach up to byte 128, above the budget of 127 bytes"));
  problem.buffers[1].space = "host"; // Each space has as much.
  EXPECT_THAT(problem.verify(planOf({0, 0}, 128)), Succeeds());
  problem.spaces = {{"host", 63, std::nullopt}}; // Or a budget of its own.
  EXPECT_THAT(problem.verify(planOf({0, 0}, 128)),
              Violates("arena_c3", "of space 'host' reach up to byte 64"));
}

// A status that does not hold would be reported to the user as a proof.
TEST(ArenaVerify, arena_c4_rejects_untrue_status) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  ArenaPlan plan = planOf({0, 100}, 164);
  plan.report.status = SolveStatus::Optimal;
  EXPECT_THAT(
      problem.verify(plan),
      Violates("arena_c4",
               "status 'optimal' at 164 bytes, while the lower bound is 128"));
  plan.report.status = SolveStatus::Infeasible;
  EXPECT_THAT(problem.verify(plan),
              Violates("arena_c4", "status 'infeasible' comes with 2 offsets"));
  plan.offsets.clear();
  EXPECT_THAT(problem.verify(plan),
              FailsWith("status 'infeasible' without a budget"));
  problem.budgetBytes = 128;
  EXPECT_THAT(
      problem.verify(plan),
      Violates("arena_c4", "no space's lower bound exceeds its budget"));
  problem.budgetBytes = 127;
  EXPECT_THAT(problem.verify(plan), Succeeds());
  // A search that left nothing out may prove more than the bound.
  problem.budgetBytes = 128;
  plan.report.proof = "search";
  EXPECT_THAT(problem.verify(plan), Succeeds());
  problem.budgetBytes.reset();
  plan = planOf({0, 100}, 164);
  plan.report.status = SolveStatus::Optimal;
  plan.report.proof = "search";
  plan.report.bound = 164;
  EXPECT_THAT(problem.verify(plan), Succeeds());
  plan.report.bound = 163;
  EXPECT_THAT(problem.verify(plan), Violates("arena_c4"));
}

// What crosses the end of an allocation cannot be one piece of memory.
TEST(ArenaVerify, arena_c5_rejects_what_crosses_an_allocation) {
  ArenaProblem problem =
      problemOf({buffer("a", 48, 0, 2), buffer("b", 48, 0, 2)});
  problem.spaces = {{"", std::nullopt, 64}};
  EXPECT_THAT(problem.verify(planOf({0, 48}, 96)),
              Violates("arena_c5", "'b' (48 bytes) at offset 48 crosses the "
                                   "end of an allocation of 64 bytes"));
  EXPECT_THAT(problem.verify(planOf({0, 64}, 112)), Succeeds());
  for (const ArenaSolver &solver : arenaSolvers())
    EXPECT_EQ(llvm::cantFail(solve(problem, solver, {})).peakBytes, 112)
        << solver.name;
}

// --- The door and the table
// ---------------------------------------------------------------------

// An invalid answer must reach nobody, in any build.
TEST(ArenaDoor, turns_a_wrong_answer_into_an_error) {
  ArenaSolver wrong = {
      "wrong",
      "",
      {},
      [](const ArenaProblem &problem,
         const SolveLimits &) -> llvm::Expected<ArenaPlan> {
        return planOf(std::vector<int64_t>(problem.buffers.size(), 0), 64);
      }};
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  EXPECT_THAT(solve(problem, wrong, {}),
              FailsWith("solver 'wrong' made an invalid plan"));
  problem.buffers[0].bytes = -1;
  EXPECT_THAT(solve(problem, wrong, {}), Violates("arena_i1"));
}

// Users type these names.
TEST(ArenaDoor, finds_solvers_by_name) {
  for (const char *name : {"best-fit", "greedy-by-size"})
    EXPECT_EQ(solverNamed(arenaSolvers(), name).name, name);
  for (const char *name : {"first-fit", ""})
    EXPECT_THAT(lookUpSolver("arena", arenaSolvers(), name),
                FailsWith("there are 'auto', 'exact', 'search', 'best-fit', "
                          "'greedy-by-size'"));
}

static ArenaPlan solve(const ArenaProblem &problem, const char *name) {
  llvm::Expected<ArenaPlan> plan =
      solve(problem, solverNamed(arenaSolvers(), name), {});
  EXPECT_TRUE(bool(plan)) << name;
  if (!plan) {
    ADD_FAILURE() << llvm::toString(plan.takeError());
    return {};
  }
  return *plan;
}

// --- Solvers
// ------------------------------------------------------------------------------------

// Of two holes the tighter one must be taken, or later buffers pile up on top.
TEST(ArenaBestFit, takes_the_tightest_gap) {
  ArenaProblem problem =
      problemOf({buffer("low", 10, 0, 1), buffer("wall", 1, 0, 9),
                 buffer("tight", 4, 0, 1), buffer("top", 1, 0, 9),
                 buffer("late", 3, 1, 9), buffer("wide", 10, 1, 9)});
  ArenaPlan plan = solve(problem, "best-fit");
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 10, 11, 15, 11, 0}));
  EXPECT_EQ(plan.peakBytes, 16);
  EXPECT_EQ(plan.report.status, SolveStatus::Optimal);
}

// Offsets that others have chosen are kept, also by buffers that start long
// before them.
TEST(ArenaSolvers, pack_around_fixed_buffers) {
  ArenaProblem problem =
      problemOf({buffer("a", 100, 0, 5), buffer("b", 50, 2, 9),
                 buffer("fixed", 64, 4, 6)});
  problem.alignmentBytes = 16;
  problem.buffers[2].fixedOffset = 64;
  for (const ArenaSolver &solver : arenaSolvers()) {
    ArenaPlan plan = solve(problem, solver.name.data());
    EXPECT_EQ(plan.offsets[2], 64) << solver.name;
    EXPECT_EQ(plan.offsets[1], 0) << solver.name;   // 50 bytes fit below,
    EXPECT_EQ(plan.offsets[0], 128) << solver.name; // 100 do not.
  }
}

// Alignment of a buffer need be no power of two; both alignments hold together.
TEST(ArenaSolvers, align_to_both_alignments) {
  ArenaProblem problem = problemOf(
      {buffer("a", 1, 0, 5), buffer("b", 1, 0, 5), buffer("c", 1, 0, 5)});
  problem.alignmentBytes = 16;
  for (ArenaBuffer &each : problem.buffers)
    each.alignmentBytes = 24;
  for (const ArenaSolver &solver : arenaSolvers()) {
    ArenaPlan plan = solve(problem, solver.name.data());
    EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 48, 96})) << solver.name;
    EXPECT_EQ(plan.peakBytes, 97);
  }
}

// A budget that cannot hold is told apart from one that a solver failed to
// meet.
TEST(ArenaSolvers, tell_infeasible_from_not_found) {
  ArenaProblem problem =
      problemOf({buffer("a", 64, 0, 2), buffer("b", 64, 1, 3)});
  problem.budgetBytes = 127;
  for (const ArenaSolver &solver : arenaSolvers()) {
    ArenaPlan plan = solve(problem, solver.name.data());
    EXPECT_EQ(plan.report.status, SolveStatus::Infeasible);
    EXPECT_EQ(
        plan.report.note,
        "128 bytes are live at one step, above the 127 bytes of the budget");
    EXPECT_TRUE(plan.offsets.empty());
  }
  // Best fit puts c above b, since a is in b's way.
  problem = problemOf(
      {buffer("a", 2, 0, 2), buffer("b", 1, 1, 3), buffer("c", 3, 2, 4)});
  problem.budgetBytes = 4;
  ArenaPlan plan = solve(problem, "best-fit");
  EXPECT_EQ(plan.report.status, SolveStatus::NoPlan);
  EXPECT_EQ(plan.peakBytes, 6);
  EXPECT_EQ(solve(problem, "greedy-by-size").report.status,
            SolveStatus::Optimal);
}

// Empty problems, buffers without bytes and buffers that are never live are
// legal.
TEST(ArenaSolvers, take_empty_cases) {
  for (const ArenaSolver &solver : arenaSolvers()) {
    EXPECT_EQ(solve(problemOf({}), solver.name.data()).peakBytes, 0);
    EXPECT_EQ(solve(problemOf({buffer("a", 0, 0, 2), buffer("b", 0, 0, 2)}),
                    solver.name.data())
                  .peakBytes,
              0);
    ArenaProblem never = problemOf({buffer("a", 8, 0, 2)});
    never.buffers[0].gaps = {{0, 2}};
    EXPECT_EQ(solve(never, solver.name.data()).offsets,
              std::vector<int64_t>{0});
  }
}

// MX-8: small instances whose optimum equals the load.
TEST(ArenaCases, MX_8_known_optima) {
  ArenaProblem minimalloc = problemOf(
      {buffer("b1", 4, 0, 3), buffer("b2", 4, 3, 9), buffer("b3", 4, 0, 9),
       buffer("b4", 4, 9, 21), buffer("b5", 4, 0, 21)});
  EXPECT_EQ(minimalloc.lowerBoundBytes(), 12);
  for (const ArenaSolver &solver : arenaSolvers())
    EXPECT_EQ(solve(minimalloc, solver.name.data()).peakBytes, 12)
        << solver.name;
  ArenaProblem three = problemOf(
      {buffer("a", 1, 0, 1), buffer("b", 1, 0, 1), buffer("c", 2, 1, 2)});
  for (const ArenaSolver &solver : arenaSolvers())
    EXPECT_EQ(solve(three, solver.name.data()).peakBytes, 2) << solver.name;
  ArenaProblem chain;
  for (int64_t i = 0; i < 5; ++i)
    chain.buffers.push_back(buffer(std::to_string(i), i + 1, i, i + 2));
  EXPECT_EQ(chain.lowerBoundBytes(), 9);
  EXPECT_EQ(solve(chain, "greedy-by-size").peakBytes, 9);
}
