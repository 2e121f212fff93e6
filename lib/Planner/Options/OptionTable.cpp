//===- OptionTable.cpp - The one table of planning options ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Dynamic/DtrPolicy.h"
#include "memplan/Planner/Options.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Step/MaxBatch.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <charconv>
#include <cmath>

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
  if (auto found = lookUpSolver(problem, solvers, text); !found)
    return found.takeError();
  name = text.str();
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

static llvm::Error setOneOf(StringRef text,
                            std::initializer_list<StringRef> names,
                            std::string &name) {
  if (!llvm::is_contained(names, text))
    return createStringError("'" + text + "' is none of " +
                             llvm::join(names, ", "));
  name = text.str();
  return llvm::Error::success();
}

/// A whole number that is not negative.
static llvm::Error setCount(StringRef text, int64_t &count) {
  int64_t number = 0;
  if (text.getAsInteger(10, number))
    return createStringError("'" + text + "' is not an integer below 2^63");
  if (number < 0)
    return createStringError("must not be negative, but is " + text);
  count = number;
  return llvm::Error::success();
}

static llvm::Error setPareto(PlanOptions &options, StringRef text) {
  if (llvm::Error error = setCount(text, options.pareto))
    return error;
  if (options.pareto == 1 || options.pareto > 1000)
    return createStringError("must be from 2 to 1000 points, but is " + text);
  return llvm::Error::success();
}

static llvm::Error setBudget(PlanOptions &options, StringRef text) {
  options.budgetBytes.reset();
  options.budgetShare.reset();
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<ByteSizeOrPercentage> size = parseByteSizeOrPercentage(text);
  if (!size)
    return size.takeError();
  if (const Percentage *share = std::get_if<Percentage>(&*size)) {
    options.budgetShare = *share;
    return llvm::Error::success();
  }
  options.budgetBytes = std::get<int64_t>(*size);
  if (*options.budgetBytes <= 0)
    return createStringError("must be above 0 bytes");
  return llvm::Error::success();
}

/// The shortest text that reads back as the same number.
static std::string printNumber(double number) {
  char text[32];
  return std::string(text, std::to_chars(text, std::end(text), number).ptr);
}

static std::string getBudget(const PlanOptions &options) {
  if (options.budgetShare)
    return printNumber(options.budgetShare->percent) + "%";
  return options.budgetBytes ? printByteSize(*options.budgetBytes) : "";
}

/// "H2D,D2H[,LATENCY]": bytes per cost unit, and cost units a copy.
static llvm::Expected<Bandwidth> parseBandwidth(StringRef text) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  llvm::SmallVector<double, 3> values;
  for (StringRef part : parts) {
    double value = 0;
    const bool isLatency = values.size() == 2;
    // Also refuses NaN.
    if (part.trim().getAsDouble(value) || !std::isfinite(value) ||
        !(isLatency ? value >= 0 : value > 0))
      return createStringError("'" + part + "' is not a " +
                               (isLatency ? "latency" : "positive rate") +
                               "; write H2D,D2H[,LATENCY]");
    values.push_back(value);
  }
  if (values.size() < 2 || values.size() > 3)
    return createStringError("'" + text + "' has " +
                             llvm::Twine(values.size()) +
                             " numbers; write H2D,D2H[,LATENCY]");
  return Bandwidth{values[0], values[1], values.size() > 2 ? values[2] : 0};
}

static llvm::Error setBandwidth(PlanOptions &options, StringRef text) {
  options.bandwidth.reset();
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<Bandwidth> bandwidth = parseBandwidth(text);
  if (bandwidth)
    options.bandwidth = *bandwidth;
  return bandwidth.takeError();
}

/// Of what a text or a caller in C++ set; empty if a direction has no rate,
/// which the text cannot say.
static std::string printBandwidth(const Bandwidth &bandwidth) {
  const auto &[hostToDevice, deviceToHost, latency] = bandwidth;
  if (!hostToDevice || !deviceToHost)
    return "";
  std::string text =
      printNumber(*hostToDevice) + "," + printNumber(*deviceToHost);
  return latency > 0 ? text + "," + printNumber(latency) : text;
}

static std::string getBandwidth(const PlanOptions &options) {
  return options.bandwidth ? printBandwidth(*options.bandwidth) : "";
}

/// Several, or numbers that hold in both directions.
static llvm::Error setParetoBandwidths(PlanOptions &options, StringRef text) {
  options.paretoBandwidths.clear();
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/!text.empty());
  for (StringRef part : parts) {
    const std::string pair =
        part.contains(',') ? part.str() : (part + "," + part).str();
    llvm::Expected<Bandwidth> bandwidth = parseBandwidth(pair);
    if (!bandwidth)
      return bandwidth.takeError();
    options.paretoBandwidths.push_back(*bandwidth);
  }
  return llvm::Error::success();
}

static std::string getParetoBandwidths(const PlanOptions &options) {
  std::string text;
  for (const Bandwidth &bandwidth : options.paretoBandwidths)
    text += (text.empty() ? "" : "/") + printBandwidth(bandwidth);
  return text;
}

static llvm::Error setHostBudget(PlanOptions &options, StringRef text) {
  options.hostBudgetBytes.reset();
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return bytes.takeError();
  options.hostBudgetBytes = *bytes;
  return llvm::Error::success();
}

static llvm::Error setAlignment(PlanOptions &options, StringRef text) {
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return bytes.takeError();
  if (*bytes < 1 || (*bytes & (*bytes - 1)))
    return createStringError(llvm::Twine(*bytes) + " is not a power of two");
  options.alignmentBytes = *bytes;
  return llvm::Error::success();
}

static llvm::Error setTimeLimit(PlanOptions &options, StringRef text) {
  double seconds = 0;
  // Also refuses what is not a number.
  if (text.getAsDouble(seconds) || !(seconds >= 0) || std::isinf(seconds))
    return createStringError("must be a number of seconds, not negative, but "
                             "is '" +
                             text + "'");
  options.limits.timeLimitSeconds.reset();
  if (seconds > 0)
    options.limits.timeLimitSeconds = seconds;
  return llvm::Error::success();
}

static llvm::Error setBatch(PlanOptions &options, StringRef text) {
  options.batch = 0;
  if (text.empty())
    return llvm::Error::success();
  if (llvm::Error error = setCount(text, options.batch))
    return error;
  if (options.batch == 0)
    return createStringError("must be at least 1, but is 0");
  return llvm::Error::success();
}

static llvm::Error setSlowdown(PlanOptions &options, StringRef text) {
  options.slowdown = text.str();
  return BatchLimit::parse(text).takeError();
}

static llvm::Error setTflms(PlanOptions &options, StringRef text) {
  options.tflms = text.str();
  return TflmsParameters::parse(text).takeError();
}

static llvm::Error setThreads(PlanOptions &options, StringRef text) {
  int64_t threads = 0;
  if (llvm::Error error = setCount(text, threads))
    return error;
  if (threads < 1 || threads > 1024)
    return createStringError("must be from 1 to 1024, but is " + text);
  options.kernelThreads = threads;
  return llvm::Error::success();
}

static llvm::Error setStreams(PlanOptions &options, StringRef text) {
  int64_t streams = 0;
  if (llvm::Error error = setCount(text, streams))
    return error;
  if (streams < 1 || streams > 256)
    return createStringError("must be from 1 to 256, but is " + text);
  options.streams = streams;
  return llvm::Error::success();
}

static llvm::Error setParallelism(PlanOptions &options, StringRef text) {
  return setOneOf(text, {"prefer", "balance", "memory"}, options.parallelism);
}

static llvm::Error setHostState(PlanOptions &options, StringRef text) {
  return setOneOf(text, {"none", "states", "all"}, options.hostState);
}

static llvm::Error setParts(PlanOptions &options, StringRef text) {
  if (text != "auto" && text != "on" && text != "off" && text != "dense")
    return createStringError("'" + text +
                             "' is neither auto, on, off nor dense");
  options.parts = text.str();
  return llvm::Error::success();
}

static llvm::Error setHeuristic(PlanOptions &options, StringRef text) {
  if (text != "next-use")
    if (llvm::Error error = DtrPolicy::parse(text).takeError())
      return createStringError("next-use is for known sequences; of online "
                               "policies, " +
                               toString(std::move(error)));
  options.limits.heuristic = text.str();
  return llvm::Error::success();
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
     "What is copied to the host and back: a solver of the swap table",
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
    {"arena", "NAME", "Where values lie: a solver of the arena table",
     whoPlans | by(OptionUser::SolveArena),
     [](PlanOptions &options, StringRef text) {
       return setSolver("arena", arenaSolvers(), text, options.arena);
     },
     getText<&PlanOptions::arena>},
    {"in-place", "true|false",
     "Let outputs overwrite inputs that nobody reads any more", whoPlans,
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
     "as they are broken) or paper (Checkmate's)",
     whoPlans,
     [](PlanOptions &options, StringRef text) {
       return setOneOf(text, {"tight", "paper"},
                       options.limits.milpFormulation);
     },
     [](const PlanOptions &options) { return options.limits.milpFormulation; }},
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
    {"effort", "N",
     "Limit of the solvers' work, a deterministic count; 0: their default",
     whoPlans | by(OptionUser::SolveArena),
     [](PlanOptions &options, StringRef text) {
       return setCount(text, options.limits.effort);
     },
     [](const PlanOptions &options) {
       return std::to_string(options.limits.effort);
     }},
    {"time-limit", "SECONDS",
     "Solvers return what they have after this time, which gives up that the "
     "same input gives the same plan; 0: none",
     whoPlans | by(OptionUser::SolveArena), setTimeLimit,
     [](const PlanOptions &options) {
       return printNumber(options.limits.timeLimitSeconds.value_or(0));
     }},
    {"cost-model", "MODEL",
     "What operations cost: flops, roofline, roofline:DEVICE, "
     "roofline:FILE.json or profile:FILE; empty: the costs that stand in the "
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
     "swap=cost gets faster so: none, states (an optimizer's moments), or all "
     "(parameters too)",
     whoPlans, setHostState, getText<&PlanOptions::hostState>},
    {"plan", "FILE", "Apply this plan instead of making one",
     by(OptionUser::Pass, OptionUser::Opt, OptionUser::Run),
     setText<&PlanOptions::planFile>, getText<&PlanOptions::planFile>},
    {"batch", "N",
     "Infer the step anew for this batch size; empty: as the program has it",
     by(OptionUser::Opt, OptionUser::Run), setBatch,
     [](const PlanOptions &options) {
       return options.batch > 0 ? std::to_string(options.batch) : "";
     }},
    {"max-batch", "",
     "Plan for the largest batch that fits the budget within --slowdown",
     by(OptionUser::Opt), setSwitch<&PlanOptions::maxBatch>,
     getSwitch<&PlanOptions::maxBatch>},
    {"slowdown", "LIMIT",
     "What --max-batch allows: forward, the cost of one more forward pass; a "
     "number, so many times the cost of the unplanned step; per-sample, any, "
     "and the least cost for each sample is looked for",
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
     setThreads,
     [](const PlanOptions &options) {
       return std::to_string(options.kernelThreads);
     }},
};

std::span<const PlanningOption> memplan::planningOptions() { return table; }
