//===- RunOptions.cpp - The command line of memplan-run -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/RunTool.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

using namespace memplan::runtime;

namespace memplan {

template <typename T>
static Status parseNumber(const std::string &flag, const std::string &text,
                          T least, T &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      number < least)
    return invalid(flag + "=" + text + ": expected an integer of at least " +
                   std::to_string(least));
  return Status::success();
}

static Status parseShare(const std::string &flag, std::string text,
                         double &share) {
  const bool isPercent = !text.empty() && text.back() == '%';
  if (isPercent)
    text.pop_back();
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), share);
  if (isPercent)
    share /= 100;
  if (error != std::errc() || end != text.data() + text.size() || share < 0 ||
      share > 1)
    return invalid(flag + "=" + text + ": expected a share from 0% to 100%");
  return Status::success();
}

/// "1,1,1,1.0001".
static Status parseExponents(const std::string &text,
                             eviction::Exponents &exponents) {
  double *const numbers[] = {&exponents.cost, &exponents.bytes,
                             &exponents.staleness, &exponents.penalty};
  const char *begin = text.data(), *const last = text.data() + text.size();
  for (double *number : numbers) {
    auto [end, error] = std::from_chars(begin, last, *number);
    if (error != std::errc() || (end != last && *end != ','))
      break;
    if (end == last)
      return Status::success();
    begin = end + 1;
  }
  return invalid("--exponents=" + text +
                 ": expected up to four numbers, of cost, bytes, staleness "
                 "and the penalty of a recomputation");
}

/// One of two names.
static Status parseChoice(const char *flag, const std::string &text,
                          const char *no, const char *yes, bool &choice) {
  choice = text == yes;
  if (text != yes && text != no)
    return invalid(std::string(flag) + "=" + text + ": expected " + no +
                   " or " + yes);
  return Status::success();
}

namespace {
struct Flag {
  const char *name;
  const char *value; ///< how the help shows it; null for a flag without one
  const char *help;
  Status (*apply)(RunOptions &options, const std::string &text);
  bool alsoForSource = false; ///< the source of the programs gets it too
};
} // namespace

/// "H2D,D2H[,LATENCY]"; "": as if nothing had been said.
static Status parseBandwidth(const std::string &text,
                             std::optional<std::array<double, 3>> &bandwidth) {
  bandwidth.reset();
  if (text.empty())
    return Status::success();
  std::array<double, 3> values = {};
  size_t count = 0;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    double value = 0;
    auto [next, error] = std::from_chars(at, end, value);
    bool sound = error == std::errc() && std::isfinite(value) &&
                 (count < 2 ? value > 0 : value >= 0);
    if (count == 3 || !sound || (next != end && *next != ','))
      break;
    values[count++] = value;
    if (next == end && count >= 2) {
      bandwidth = values;
      return Status::success();
    }
    if (next == end)
      break;
    at = next + 1;
  }
  return invalid("--bandwidth=" + text +
                 ": expected two positive rates and perhaps a latency, "
                 "H2D,D2H[,LATENCY]");
}

static const Flag flags[] = {
    {"--backend", "NAME", "cpu (default), reference, cuda, or a plugin's path",
     [](RunOptions &o, const std::string &text) {
       o.backend = text;
       return Status::success();
     }},
    {"--device", "N", "number of the device (default 0)",
     [](RunOptions &o, const std::string &text) {
       return parseNumber<int32_t>("--device", text, 0, o.device);
     }},
    {"--threads", "N", "host threads (default 1)",
     [](RunOptions &o, const std::string &text) {
       return parseNumber<int32_t>("--threads", text, 1, o.threads);
     }},
    {"--steps", "N", "training steps (default 1)",
     [](RunOptions &o, const std::string &text) {
       Status status = parseNumber<int64_t>("--steps", text, 1, o.steps);
       if (status.ok() && o.steps > int64_t(1) << 53)
         return invalid("--steps=" + text + ": more than 2^53");
       return status;
     }},
    {"--check", nullptr,
     "run the unplanned program beside it and compare every output, parameter "
     "and state bit for bit after every step",
     [](RunOptions &o, const std::string &) {
       o.check = true;
       return Status::success();
     }},
    {"--unplanned", "FILE",
     "the unplanned program for --check: .mpp, or .mlir in tensor form",
     [](RunOptions &o, const std::string &text) {
       o.unplannedFile = text;
       return Status::success();
     }},
    {"--poison", nullptr,
     "hold every read and write against the live ranges of the plan, and fill "
     "freed bytes with a pattern",
     [](RunOptions &o, const std::string &) {
       o.poison = true;
       return Status::success();
     }},
    {"--measure", nullptr,
     "run the first step twice more to measure the bytes handed out and "
     "touched",
     [](RunOptions &o, const std::string &) {
       o.measure = true;
       return Status::success();
     }},
    {"--eager", nullptr,
     "launch every operation of every step; else the steps after the first are "
     "one graph of the device, where it has graphs",
     [](RunOptions &o, const std::string &) {
       o.eager = true;
       return Status::success();
     }},
    {"--arena-memory", "own|external",
     "the program takes its arenas (default), or runs in blocks that this "
     "process takes first, as a caller of memplan_compile_in does",
     [](RunOptions &o, const std::string &text) {
       return parseChoice("--arena-memory", text, "own", "external",
                          o.externalArenas);
     }},
    {"--check-races", nullptr,
     "run the first step once more for each stream and copy engine, with that "
     "one late, and hold every read and write against the plan",
     [](RunOptions &o, const std::string &) {
       o.checkRaces = true;
       return Status::success();
     }},
    {"--bandwidth", "H2D,D2H[,LATENCY]",
     "bytes a microsecond and microseconds of a copy that plans count on and "
     "that copies of the host's backends take",
     [](RunOptions &o, const std::string &text) {
       return parseBandwidth(text, o.bandwidth);
     },
     /*alsoForSource=*/true},
    {"--scratch-limit", "BYTES",
     "most bytes beyond the plan for scratch that kernels share, where the "
     "plan "
     "gives them none (default: what its budget leaves)",
     [](RunOptions &o, const std::string &text) {
       return parseNumber<int64_t>("--scratch-limit", text, 0,
                                   o.scratchLimit.emplace());
     }},
    {"--profile", "FILE",
     "time every instruction until its median is stable and write a device "
     "profile, beside what the file has of other shapes",
     [](RunOptions &o, const std::string &text) {
       o.profileFile = text;
       return Status::success();
     }},
    {"--measurements", "FILE",
     "time every run and copy until its median is stable, measure the bytes "
     "handed out and touched, and write both for `memplan report --measured`",
     [](RunOptions &o, const std::string &text) {
       o.measurementsFile = text;
       return Status::success();
     }},
    {"--report", "FILE.html",
     "measure the same and write a page that shows it beside the plan, by the "
     "Python package's command `memplan report`",
     [](RunOptions &o, const std::string &text) {
       o.reportFile = text;
       return Status::success();
     }},
    {"--init-seed", "N", "seed of initial values and made-up data (default 0)",
     [](RunOptions &o, const std::string &text) {
       return parseNumber<uint64_t>("--init-seed", text, 0, o.feed.seed);
     }},
    {"--params", "FILE.safetensors", "parameters and states to start from",
     [](RunOptions &o, const std::string &text) {
       o.feed.paramsFile = text;
       return Status::success();
     }},
    {"--data", "[NAME=]FILE.npy|synthetic",
     "data of an input; may be repeated (default synthetic)",
     [](RunOptions &o, const std::string &text) {
       o.feed.data.push_back(text);
       return Status::success();
     }},
    {"--save-params", "FILE.safetensors",
     "parameters and states after the last step; --params continues from it",
     [](RunOptions &o, const std::string &text) {
       o.saveParams = text;
       return Status::success();
     }},
    {"--dynamic", "dtr",
     "run the unplanned program within --budget=SIZE: evict tensors when an "
     "allocation does not fit, and make them again when they are read",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.policy = text;
       return text == "dtr" ? Status::success()
                            : invalid("--dynamic=" + text + ": there is dtr");
     }},
    {"--quiet", nullptr, "say neither progress nor a summary of the plan",
     [](RunOptions &o, const std::string &) {
       o.quiet = true;
       return Status::success();
     }},
    {"--emit-device", "FILE.json",
     "write what MEMPLAN_CUDA_DEVICE takes to plan for this GPU elsewhere, and "
     "stop",
     [](RunOptions &o, const std::string &text) {
       o.deviceFile = text;
       return Status::success();
     }},
    {"--dump", nullptr, "print the program and stop",
     [](RunOptions &o, const std::string &) {
       o.dump = true;
       return Status::success();
     }},
};

/// Known beside --dynamic only.
static const Flag dynamicFlags[] = {
    {"--budget", "SIZE",
     "bytes of the pool, or a percentage of the unplanned peak (default 100%)",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.budget = text;
       return Status::success();
     }},
    {"--heuristic", "NAME",
     "who is evicted: h_dtr (default), e_star, local, msps, lru, size, "
     "megengine",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.options.heuristic = eviction::findHeuristic(text);
       return o.dynamic.options.heuristic
                  ? Status::success()
                  : invalid("--heuristic=" + text + ": there are " +
                            eviction::heuristicNames());
     }},
    {"--exponents", "A,B,C,P",
     "of megengine: exponents of cost, bytes and staleness, and what a "
     "recomputation multiplies with (default 1,1,1,1.0001)",
     [](RunOptions &o, const std::string &text) {
       return parseExponents(text, o.dynamic.options.exponents);
     }},
    {"--sampling", "off|sqrt",
     "look at all candidates (default), or at about 2 sqrt(n) of n",
     [](RunOptions &o, const std::string &text) {
       return parseChoice("--sampling", text, "off", "sqrt",
                          o.dynamic.options.sampling);
     }},
    {"--ignore-small", "SHARE",
     "pass over tensors below this share of the average (default 0%; DTR: 1%)",
     [](RunOptions &o, const std::string &text) {
       return parseShare("--ignore-small", text,
                         o.dynamic.options.ignoredShare);
     }},
    {"--clock", "cost|wall",
     "time is the sum of costs (default), the same every run, or measured",
     [](RunOptions &o, const std::string &text) {
       return parseChoice("--clock", text, "cost", "wall",
                          o.dynamic.options.wallClock);
     }},
    {"--deletion", "eager|banish",
     "what nothing uses leaves its bytes only (default), or its path too",
     [](RunOptions &o, const std::string &text) {
       bool banish = false;
       Status s = parseChoice("--deletion", text, "eager", "banish", banish);
       o.dynamic.options.deletion =
           banish ? runtime::Deletion::Banish : runtime::Deletion::Eager;
       return s;
     }},
    {"--defragment", "last|cheaper",
     "move tensors together when nothing is left to evict, or also where that "
     "takes less time than an eviction (default)",
     [](RunOptions &o, const std::string &text) {
       bool cheaper = true;
       Status s = parseChoice("--defragment", text, "last", "cheaper", cheaper);
       o.dynamic.options.defragment =
           cheaper ? runtime::Defragment::Cheaper : runtime::Defragment::Last;
       return s;
     }},
    {"--evict-above", "SIZE",
     "evict already where more would be in use, although the pool has more",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.threshold = text;
       return Status::success();
     }},
    {"--host-budget", "SIZE",
     "bytes on the host for tensors that are copied out where that is cheaper",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.hostBudget = text;
       return Status::success();
     }},
    {"--replay", nullptr,
     "decide once: steps follow what the steps before have decided",
     [](RunOptions &o, const std::string &) {
       o.dynamic.replay = true;
       return Status::success();
     }},
    {"--plan", "FILE",
     "follow this plan, or planned program (.mpp), as long as it goes: with "
     "its "
     "places, without choosing; implies --replay",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.planFile = text;
       return Status::success();
     },
     /*alsoForSource=*/true},
    {"--trace", "FILE.trace.json",
     "what ran in the last step: computes, frees and copies with their times "
     "and places",
     [](RunOptions &o, const std::string &text) {
       o.dynamic.traceFile = text;
       return Status::success();
     }},
};

static std::string helpOf(std::span<const Flag> flags) {
  std::string text;
  for (const Flag &flag : flags) {
    std::string left = std::string("  ") + flag.name +
                       (flag.value ? std::string("=") + flag.value : "");
    left.resize(std::max(left.size() + 2, size_t(30)), ' ');
    text += left + flag.help + "\n";
  }
  return text;
}

std::string runHelp() {
  return "usage: memplan-run FILE [flags]\n" + helpOf(flags) +
         "with --dynamic:\n" + helpOf(dynamicFlags);
}

Result<RunOptions> parseRunOptions(const std::vector<std::string> &arguments,
                                   bool keepUnknown) {
  RunOptions options;
  const bool isDynamic =
      std::any_of(arguments.begin(), arguments.end(), [](const auto &argument) {
        return argument.starts_with("--dynamic=");
      });
  for (const std::string &argument : arguments) {
    if (argument.empty() || argument[0] != '-' || argument == "-") {
      if (!options.file.empty())
        return invalid("two input files, '" + options.file + "' and '" +
                       argument + "'; one belongs");
      options.file = argument;
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    const Flag *known = nullptr;
    for (const Flag &flag : flags)
      known = flag.name == name ? &flag : known;
    for (const Flag &flag : dynamicFlags)
      known = isDynamic && flag.name == name ? &flag : known;
    if (!known) {
      if (!keepUnknown)
        return invalid("unknown flag '" + argument + "'; see --help");
      options.sourceFlags.push_back(argument);
      continue;
    }
    if (known->value && equals == argument.npos)
      return invalid(name + " needs a value: " + name + "=" + known->value);
    if (!known->value && equals != argument.npos)
      return invalid(name + " takes no value");
    std::string value =
        equals == argument.npos ? "" : argument.substr(equals + 1);
    if (Status s = known->apply(options, value); !s.ok())
      return s;
    if (known->alsoForSource && keepUnknown)
      options.sharedFlags.push_back(argument);
  }
  if (options.file.empty())
    return invalid("no input file; see --help");
  if (!options.reportFile.empty() && !options.dynamic.policy.empty())
    return invalid("--report shows a run beside its plan, and a dynamic run "
                   "has none; --trace=FILE writes what it did, which `memplan "
                   "report FILE GRAPH` shows");
  return options;
}

} // namespace memplan
