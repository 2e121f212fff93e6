//===- RunOptions.cpp - The command line of memplan-run -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/RunTool.h"

#include <charconv>

using namespace memplan::runtime;

namespace memplan {

template <typename T>
static Status parseNumber(const std::string &flag, const std::string &text,
                          T least, T &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      number < least)
    return invalid(flag + "=" + text + ": an integer of at least " +
                   std::to_string(least) + " belongs there");
  return Status::success();
}

namespace {
struct Flag {
  const char *name;
  const char *value; ///< how the help shows it; null for a flag without one
  const char *help;
  Status (*apply)(RunOptions &options, const std::string &text);
};
} // namespace

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
    {"--scratch-limit", "BYTES",
     "most bytes beyond the plan for scratch that kernels share, where the "
     "plan "
     "gives them none (default: what its budget leaves)",
     [](RunOptions &o, const std::string &text) {
       return parseNumber<int64_t>("--scratch-limit", text, 0,
                                   o.scratchLimit.emplace());
     }},
    {"--profile", "FILE", "time every instruction and write a device profile",
     [](RunOptions &o, const std::string &text) {
       o.profileFile = text;
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
    {"--dump", nullptr, "print the program and stop",
     [](RunOptions &o, const std::string &) {
       o.dump = true;
       return Status::success();
     }},
};

std::string runHelp() {
  std::string text = "usage: memplan-run FILE [flags]\n";
  for (const Flag &flag : flags) {
    std::string left = std::string("  ") + flag.name +
                       (flag.value ? std::string("=") + flag.value : "");
    left.resize(std::max(left.size() + 2, size_t(30)), ' ');
    text += left + flag.help + "\n";
  }
  return text;
}

Result<RunOptions> parseRunOptions(const std::vector<std::string> &arguments,
                                   bool keepUnknown) {
  RunOptions options;
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
  }
  if (options.file.empty())
    return invalid("no input file; see --help");
  return options;
}

} // namespace memplan
