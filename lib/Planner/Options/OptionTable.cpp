//===- OptionTable.cpp - The one table of planning options ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionTexts.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Options.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Support/JsonWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace memplan;
using llvm::createStringError;
using llvm::StringRef;

template <typename... Users> static constexpr unsigned by(Users... users) {
  return (unsigned(users) | ...);
}
static constexpr unsigned whoPlans = by(
    OptionUser::SolveRemat, OptionUser::Pass, OptionUser::Opt, OptionUser::Run);

template <typename Problem, typename Plan>
static llvm::Error setSolver(StringRef problem,
                             std::span<const Solver<Problem, Plan>> solvers,
                             StringRef text, std::string &name) {
  auto found = lookUpSolver(problem, solvers, text);
  if (!found)
    return found.takeError();
  name = std::string((*found)->name);
  return llvm::Error::success();
}

template <auto member>
static llvm::Error setText(PlanOptions &options, StringRef text) {
  options.*member = text.str();
  return llvm::Error::success();
}
template <auto member> static std::string getText(const PlanOptions &options) {
  return options.*member;
}

template <auto member>
static llvm::Error setSwitch(PlanOptions &options, StringRef text) {
  if (text != "true" && text != "false")
    return createStringError("'" + text + "' is neither true nor false");
  options.*member = text == "true";
  return llvm::Error::success();
}
template <auto member>
static std::string getSwitch(const PlanOptions &options) {
  return options.*member ? "true" : "false";
}

static const PlanningOption table[] = {
    {"remat", "NAME", "What is computed again: a solver of the remat table",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setSolver("remat", rematSolvers(), text, options.remat);
     },
     getText<&PlanOptions::remat>},
    {"order", "NAME", "What is computed first: a solver of the order table",
     whoPlans | by(OptionUser::Check),
     [](PlanOptions &options, StringRef text) {
       return setSolver("order", orderSolvers(), text, options.order);
     },
     getText<&PlanOptions::order>},
    {"swap", "NAME",
     "What is copied to the host and back: a solver of the swap table; cost is "
     "the former name of search",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setSolver("swap", swapSolvers(), text, options.swap);
     },
     getText<&PlanOptions::swap>},
    {"tflms", "KEY=VALUE,...",
     "Parameters of swap=tflms under the names of its paper: lb=3, "
     "excl_types=relu+add; empty: its defaults",
     whoPlans, setTflms, getText<&PlanOptions::tflms>},
    {"sharing", "NAME",
     "Which values use one storage: a solver of the sharing table", whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setSolver("sharing", sharingSolvers(), text, options.sharing);
     },
     getText<&PlanOptions::sharing>},
    {"arena", "NAME",
     "Where values lie: a solver of the arena table; none: live bytes without "
     "an arena, for frameworks with an allocator of their own",
     whoPlans | by(OptionUser::SolveArena),
     [](PlanOptions &options, StringRef text) -> llvm::Error {
       if (text == "none") {
         options.arena = "none";
         return llvm::Error::success();
       }
       return setSolver("arena", arenaSolvers(), text, options.arena);
     },
     getText<&PlanOptions::arena>},
    {"in-place", "true|false",
     "Let outputs overwrite inputs that nothing reads any more", whoPlans,
     setSwitch<&PlanOptions::inPlace>, getSwitch<&PlanOptions::inPlace>},
    {"streams", "N",
     "Streams on which the runs of a step run side by side, copies apart",
     whoPlans, setStreams,
     [](const PlanOptions &options) {
       return std::to_string(options.streams);
     }},
    {"parallelism", "prefer|balance|memory",
     "On several streams, bytes against time. prefer: none waits for another's "
     "bytes, only for its data; balance: least bytes times makespan; memory: "
     "the bytes of one stream, and all the waits that this takes",
     whoPlans, setParallelism, getText<&PlanOptions::parallelism>},
    {"parts", "auto|on|off|dense",
     "Write the inputs of a concat where they end up, and read slices where "
     "they are, where that lowers the peak; auto: if it makes the better plan, "
     "and not in a plan file, which is of the graph as it stands; dense: as "
     "auto, but without gaps between rows, for backends that take none",
     by(OptionUser::Pass, OptionUser::Opt, OptionUser::Run), setParts,
     getText<&PlanOptions::parts>},
    {"budget", "SIZE",
     "Largest device memory: fixed bytes, the caller's tensors and the arena. "
     "Bytes, 16G (powers of 1024), 16GB (of 1000), or 80% of the unplanned "
     "peak; empty: no limit",
     whoPlans | by(OptionUser::Check), setBudget, getBudget},
    {"min-budget", "",
     "Plan for the least budget that the solver asked for is known to meet",
     by(OptionUser::SolveRemat, OptionUser::Pass, OptionUser::Opt),
     setSwitch<&PlanOptions::minBudget>, getSwitch<&PlanOptions::minBudget>},
    {"pareto", "N",
     "Print what bytes cost in time: plans for N budgets from the smallest to "
     "no recomputation, as a table and as JSON; 0: one plan",
     by(OptionUser::SolveRemat, OptionUser::Opt), setPareto,
     [](const PlanOptions &options) { return std::to_string(options.pareto); }},
    {"pareto-plans", "FOLDER",
     "Write the plans of --pareto into this folder; empty: only the curve",
     by(OptionUser::SolveRemat, OptionUser::Opt),
     setText<&PlanOptions::paretoPlans>, getText<&PlanOptions::paretoPlans>},
    {"pareto-bandwidths", "H2D,D2H[,LATENCY]/...",
     "A curve of --pareto for each of these bandwidths of copies; a single "
     "number is one for both directions; empty: one curve at --bandwidth",
     by(OptionUser::SolveRemat, OptionUser::Opt), setParetoBandwidths,
     getParetoBandwidths},
    {"alignment", "BYTES", "Every offset is a multiple of this power of two",
     whoPlans | by(OptionUser::SolveArena, OptionUser::CheckOffsets),
     setAlignment,
     [](const PlanOptions &options) {
       return std::to_string(options.alignmentBytes);
     }},
    {"milp-formulation", "NAME",
     "Integer program of remat=milp: tight (rows where memory is short, added "
     "as they are broken), paper (Checkmate's) or free-order (order and "
     "recomputation together, for small steps under order=search)",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setOneOf(text, {"tight", "paper", "free-order"},
                       options.limits.milpFormulation);
     },
     [](const PlanOptions &options) { return options.limits.milpFormulation; }},
    {"milp-terms", "N",
     "Largest program of milp-formulation=paper or free-order that is built, "
     "in terms",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setCount(text, options.limits.milpTerms);
     },
     [](const PlanOptions &options) {
       return std::to_string(options.limits.milpTerms);
     }},
    {"milp-backend", "NAME",
     "Who solves integer programs: highs or cbc, where they are built in; "
     "auto: the first of them",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setOneOf(text, {"auto", "highs", "cbc"},
                       options.limits.milpBackend);
     },
     [](const PlanOptions &options) { return options.limits.milpBackend; }},
    {"heuristic", "NAME[,KEY=VALUE]...",
     "What remat=dtr evicts: next-use, which knows what comes; or as DTR does "
     "online, h_dtr, e_star, local, msps, lru, size or megengine, with keys "
     "delete, memory, sample, seed, small, least, limit and, of megengine, "
     "cost, bytes, stale, penalty",
     whoPlans, setHeuristic,
     [](const PlanOptions &options) { return options.limits.heuristic; }},
    {"effort", "N|SECONDSs",
     "Limit of the solvers' work, a deterministic count; 20s: the count that "
     "takes about as many CPU seconds, the same on every machine; 0: their "
     "default",
     whoPlans | by(OptionUser::SolveArena), setEffort, getEffort},
    {"time-limit", "SECONDS",
     "Solvers return what they have after this time, or, where that is no "
     "plan, "
     "what a little more work finds, which gives up that the same input gives "
     "the same plan; 0: none",
     whoPlans | by(OptionUser::SolveArena), setTimeLimit,
     [](const PlanOptions &options) {
       return printNumber(options.limits.timeLimitSeconds.value_or(0));
     }},
    {"plan-threads", "N",
     "Threads that look for the plan: at most two are of use, and the plan is "
     "the same with any",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setThreads(text, options.planThreads);
     },
     [](const PlanOptions &options) {
       return std::to_string(options.planThreads);
     }},
    {"cost-model", "MODEL",
     "What operations cost: flops, roofline, roofline:DEVICE, "
     "roofline:FILE.json or profile:FILE; empty: the costs of the "
     "input, or else roofline",
     whoPlans, setText<&PlanOptions::costModel>,
     getText<&PlanOptions::costModel>},
    {"bandwidth", "H2D,D2H[,LATENCY]",
     "Bytes that copies to and from the device move per cost unit, and cost "
     "units a copy takes besides; empty: as the input has it",
     whoPlans | by(OptionUser::Check), setBandwidth, getBandwidth},
    {"host-budget", "SIZE",
     "Largest host memory for copies; empty: as the input has it",
     whoPlans | by(OptionUser::Check), setHostBudget,
     [](const PlanOptions &options) {
       return options.hostBudgetBytes ? printByteSize(*options.hostBudgetBytes)
                                      : "";
     }},
    {"host-state", "NAME",
     "Which of the caller's tensors may live on the host between steps, where "
     "swap=search gets faster so: none, states (an optimizer's moments), or "
     "all "
     "(parameters too)",
     whoPlans, setHostState, getText<&PlanOptions::hostState>},
    {"start", "FILES",
     "Plans to begin with, files by commas: searches go on from them, and the "
     "plan is never slower than one that keeps the budget",
     whoPlans, setText<&PlanOptions::starts>, getText<&PlanOptions::starts>},
    {"plan", "FILE", "Apply this plan instead of making one",
     by(OptionUser::Pass, OptionUser::Opt, OptionUser::Run),
     setText<&PlanOptions::planFile>, getText<&PlanOptions::planFile>},
    {"batch", "N|LEAST:MOST",
     "Infer the step anew for this batch size; empty: as the program has it. "
     "1:32, in memplan-opt --emit=plan: one plan for all these batches",
     by(OptionUser::Opt, OptionUser::Run), setBatch,
     [](const PlanOptions &options) {
       return (options.leastBatch > 0 ? std::to_string(options.leastBatch) + ":"
                                      : "") +
              (options.batch > 0 ? std::to_string(options.batch) : "");
     }},
    {"precision", "TYPE",
     "What products, convolutions and attention compute in, as torch.autocast "
     "has it: f32, bf16 or f16; parameters stay f32. tf32: those of f32 may "
     "be multiplied in TF32 where a backend can",
     by(OptionUser::Opt, OptionUser::Run), setPrecision,
     getText<&PlanOptions::precision>},
    {"layout", "NAME",
     "How images lie in memory from convolution to convolution: "
     "channels-first, or channels-last, which tensor cores read best",
     by(OptionUser::Opt, OptionUser::Run), setLayout,
     getText<&PlanOptions::layout>},
    {"fuse", "",
     "Let products take the bias, GELU or gradient that follows them, and "
     "convolutions the ReLU; memplan-run splits again what a plan would "
     "recompute, where that costs less",
     by(OptionUser::Opt, OptionUser::Run), setSwitch<&PlanOptions::fuse>,
     getSwitch<&PlanOptions::fuse>},
    {"loss-scale", "SCALE",
     "First scale of the loss, as torch.amp.GradScaler has it: steps whose "
     "gradients are not finite update nothing; 0: as the optimizer says",
     by(OptionUser::Opt, OptionUser::Run), setLossScale, getLossScale},
    {"loss-chunks", "N",
     "Logits, their loss and its gradients by N chunks of rows, one after the "
     "other, so that a language model has one chunk of logits at a time; 1: "
     "all at once",
     by(OptionUser::Opt, OptionUser::Run), setLossChunks,
     [](const PlanOptions &options) {
       return std::to_string(options.lossChunks);
     }},
    {"ranks", "N",
     "Processes that run the step, each on a part of the batch: gradients "
     "become their means over all ranks before parameters are updated",
     by(OptionUser::Opt, OptionUser::Run), setRanks,
     [](const PlanOptions &options) { return std::to_string(options.ranks); }},
    {"max-batch", "",
     "Plan for the largest batch that fits the budget within --slowdown",
     by(OptionUser::Opt), setSwitch<&PlanOptions::maxBatch>,
     getSwitch<&PlanOptions::maxBatch>},
    {"slowdown", "LIMIT",
     "What --max-batch allows: forward, the cost of one more forward pass; a "
     "number, so many times the cost of the unplanned step; any, "
     "whatever it costs; per-sample, the batch of least cost for each sample",
     by(OptionUser::Opt), setSlowdown, getText<&PlanOptions::slowdown>},
    {"profiled-batches", "N,...",
     "Batches that the profile of --cost-model was measured at: --max-batch "
     "interpolates costs between them; empty: missing calls are estimated",
     by(OptionUser::Opt), setText<&PlanOptions::profiledBatches>,
     getText<&PlanOptions::profiledBatches>},
    {"backend", "NAME",
     "Plan the scratch memory that the kernels of this backend take: cpu, "
     "reference, cuda or a plugin's path; none: of no backend",
     by(OptionUser::Opt), setText<&PlanOptions::backend>,
     getText<&PlanOptions::backend>},
    {"threads", "N", "Threads of those kernels", by(OptionUser::Opt),
     [](PlanOptions &options, StringRef text) {
       return setThreads(text, options.kernelThreads);
     },
     [](const PlanOptions &options) {
       return std::to_string(options.kernelThreads);
     }},
};

std::span<const PlanningOption> memplan::planningOptions() { return table; }
