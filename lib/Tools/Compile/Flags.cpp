//===- Flags.cpp - What to compile and how --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "memplan/Tools/CompileTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace memplan;
using runtime::Status;

namespace {
struct Flag {
  const char *name;
  const char *value;
  const char *help;
  Status (*apply)(CompileFlags &flags, llvm::StringRef text);
};
} // namespace

template <typename T>
static Status parseInteger(llvm::StringRef name, llvm::StringRef text, T least,
                           T &number) {
  if (text.getAsInteger(10, number) || number < least)
    return runtime::invalid((name + "=" + text + ": an integer of at least " +
                             llvm::Twine(least) + " belongs there")
                                .str());
  return Status::success();
}

/// A flag that sets one text option.
template <auto member>
static Status setText(CompileFlags &flags, llvm::StringRef text) {
  flags.*member = text.str();
  return Status::success();
}
template <auto member>
static Status setPlanText(CompileFlags &flags, llvm::StringRef text) {
  flags.plan.*member = text.str();
  return Status::success();
}

using Plan = mlir::memplan::PlanPassOptions;

static const Flag flagTable[] = {
    {"--remat", "NAME", "remat solver", setPlanText<&Plan::remat>},
    {"--order", "NAME", "order of first evaluations",
     setPlanText<&Plan::order>},
    {"--sharing", "NAME", "sharing solver", setPlanText<&Plan::sharing>},
    {"--arena", "NAME", "arena solver", setPlanText<&Plan::arena>},
    {"--budget", "SIZE",
     "device bytes: 16G, 16GB, or 80% of the unplanned peak",
     setPlanText<&Plan::budget>},
    {"--cost-model", "MODEL", "roofline, flops or profile:FILE",
     setPlanText<&Plan::costModel>},
    {"--plan", "FILE", "apply this plan instead of making one",
     setPlanText<&Plan::planFile>},
    {"--effort", "N", "work limit of the solvers",
     [](CompileFlags &flags, llvm::StringRef text) {
       return parseInteger<int64_t>("--effort", text, 0, flags.plan.effort);
     }},
    {"--in-place", "true|false", "let outputs overwrite inputs (default true)",
     [](CompileFlags &flags, llvm::StringRef text) {
       if (text != "true" && text != "false")
         return runtime::invalid("--in-place=" + text.str() +
                                 ": true or false belongs there");
       flags.plan.inPlace = text == "true";
       return Status::success();
     }},
    {"--batch", "N", "infer the step anew for this batch size",
     [](CompileFlags &flags, llvm::StringRef text) {
       flags.batch.emplace();
       return parseInteger<int64_t>("--batch", text, 1, *flags.batch);
     }},
    {"--function", "NAME", "the step, in a file with several functions",
     setText<&CompileFlags::function>},
    {"--engine", "table|jit",
     "follow the program table (default) or code compiled from it",
     [](CompileFlags &flags, llvm::StringRef text) {
       if (text != "table" && text != "jit")
         return runtime::invalid("--engine=" + text.str() +
                                 ": table or jit belongs there");
       flags.jit = text == "jit";
       return Status::success();
     }},
    {"--emit-ir", "FILE.mlir",
     "write the step with this backend's scratch, for memplan-opt, and stop",
     setText<&CompileFlags::irFile>},
    {"--emit-plan", "FILE.json", "write the plan and stop",
     setPlanText<&Plan::emitPlan>},
    {"--emit-program", "FILE.mpp", "write the program table and stop",
     setText<&CompileFlags::programFile>},
    {"--emit-unplanned", "FILE.mpp",
     "write the table of the unplanned program and stop",
     setText<&CompileFlags::unplannedProgramFile>},
    {"--emit-library", "FILE.so",
     "write an ahead-of-time shared library and stop",
     setText<&CompileFlags::libraryFile>},
};

std::string memplan::compileHelp() {
  std::string text = "For .mlir files, which are planned first:\n";
  for (const Flag &flag : flagTable) {
    std::string left = std::string("  ") + flag.name + "=" + flag.value;
    left.resize(std::max(left.size() + 2, size_t(30)), ' ');
    text += left + flag.help + "\n";
  }
  return text;
}

runtime::Result<CompileFlags>
memplan::parseCompileFlags(const std::vector<std::string> &texts) {
  CompileFlags flags;
  bool solverGiven = false;
  for (llvm::StringRef text : texts) {
    auto [name, value] = text.split('=');
    const Flag *known = llvm::find_if(
        flagTable, [&](const Flag &flag) { return name == flag.name; });
    if (known == std::end(flagTable))
      return runtime::invalid("unknown flag '" + text.str() + "'; see --help");
    if (value.empty())
      return runtime::invalid(name.str() + " needs a value: " + name.str() +
                              "=" + known->value);
    if (Status status = known->apply(flags, value); !status.ok())
      return status;
    solverGiven |= name == "--remat";
  }
  // A budget asks for a solver that recomputes.
  if (!solverGiven && !flags.plan.budget.empty())
    flags.plan.remat = "greedy";
  if (llvm::Error error = mlir::memplan::checkPlanOptions(flags.plan))
    return runtime::invalid(llvm::toString(std::move(error)));
  return flags;
}
