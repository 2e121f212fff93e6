//===- Flags.cpp - What to compile and how --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "memplan/Profile/CostModel.h"
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

/// A flag that sets one text option.
template <auto member>
static Status setText(CompileFlags &flags, llvm::StringRef text) {
  flags.*member = text.str();
  return Status::success();
}

static const Flag flagTable[] = {
    {"--function", "NAME", "the step, in a file with several functions",
     setText<&CompileFlags::function>},
    {"--engine", "table|jit",
     "follow the program table (default) or code compiled from it",
     [](CompileFlags &flags, llvm::StringRef text) {
       if (text != "table" && text != "jit")
         return runtime::invalid("--engine=" + text.str() +
                                 ": expected table or jit");
       flags.jit = text == "jit";
       return Status::success();
     }},
    {"--emit-ir", "FILE.mlir",
     "write the step with this backend's scratch, for memplan-opt, and stop",
     setText<&CompileFlags::irFile>},
    {"--emit-plan", "FILE.json", "write the plan and stop",
     setText<&CompileFlags::planFile>},
    {"--emit-program", "FILE.mpp", "write the program table and stop",
     setText<&CompileFlags::programFile>},
    {"--emit-unplanned", "FILE.mpp",
     "write the table of the unplanned program and stop",
     setText<&CompileFlags::unplannedProgramFile>},
    {"--emit-library", "FILE.so",
     "write an ahead-of-time shared library and stop",
     setText<&CompileFlags::libraryFile>},
};

static std::string helpLine(llvm::StringRef name, llvm::StringRef value,
                            llvm::StringRef help) {
  std::string left = ("  " + name + "=" + value).str();
  left.resize(std::max(left.size() + 2, size_t(30)), ' ');
  return left + help.str() + "\n";
}

std::string memplan::compileHelp() {
  std::string text = "For .mlir files, which are planned first:\n";
  for (const PlanningOption &option : planningOptions())
    if (option.isFor(OptionUser::Run))
      text +=
          helpLine("--" + option.name.str(), option.value, option.describe());
  for (const Flag &flag : flagTable)
    text += helpLine(flag.name, flag.value, flag.help);
  return text;
}

/// "device:80%": a share of what is free on the device that runs the step.
static Status setBudgetOfDevice(CompileFlags &flags, llvm::StringRef text) {
  llvm::Expected<ByteSizeOrPercentage> share = parseByteSizeOrPercentage(text);
  const Percentage *percent =
      share ? std::get_if<Percentage>(&*share) : nullptr;
  if (!percent) {
    llvm::consumeError(share.takeError());
    return runtime::invalid("--budget=device:" + text.str() +
                            ": expected a percentage of the free bytes of the "
                            "device, such as device:80%");
  }
  flags.plan.budgetBytes.reset();
  flags.plan.budgetShare.reset();
  flags.budgetOfDevice = *percent;
  return Status::success();
}

/// Sets one flag, of the table of planning options or of the one above.
static Status apply(CompileFlags &flags, llvm::StringRef text) {
  auto [name, value] = text.split('=');
  llvm::StringRef valueSyntax;
  const PlanningOption *option =
      name.starts_with("--") ? findOption(name.drop_front(2)) : nullptr;
  const bool isOfOthers = option && !option->isFor(OptionUser::Run);
  if (isOfOthers)
    option = nullptr;
  const Flag *flag = llvm::find_if(
      flagTable, [&](const Flag &flag) { return name == flag.name; });
  if (option)
    valueSyntax = option->value;
  else if (flag != std::end(flagTable))
    valueSyntax = flag->value;
  else if (isOfOthers)
    return runtime::invalid("flag '" + name.str() +
                            "' is for planning alone, by memplan-opt or "
                            "memplan-solve; --plan=FILE runs a plan of theirs");
  else
    return runtime::invalid("unknown flag '" + text.str() + "'; see --help");
  if (value.empty() && !valueSyntax.empty())
    return runtime::invalid(
        (name + " needs a value: " + name + "=" + valueSyntax).str());
  if (!option)
    return flag->apply(flags, value);
  if (option->name == "budget") {
    flags.budgetOfDevice.reset();
    if (value.consume_front("device:"))
      return setBudgetOfDevice(flags, value);
  }
  if (llvm::Error error =
          option->set(flags.plan, value.empty() ? "true" : value))
    return runtime::invalid(
        (name + ": " + llvm::toString(std::move(error))).str());
  return Status::success();
}

runtime::Result<CompileFlags>
memplan::parseCompileFlags(const std::vector<std::string> &texts) {
  CompileFlags flags;
  for (llvm::StringRef text : texts)
    if (Status status = apply(flags, text); !status.ok())
      return status;
  if (flags.plan.leastBatch > 0)
    return runtime::invalid(
        "--batch=" + std::to_string(flags.plan.leastBatch) + ":" +
        std::to_string(flags.plan.batch) +
        ": a run has one batch; memplan-opt --emit=plan makes one plan for a "
        "range of them, and --plan=FILE --batch=N runs it");
  if (llvm::Error error = CostModel::parse(flags.plan.costModel).takeError())
    return runtime::invalid("--cost-model: " +
                            llvm::toString(std::move(error)));
  return flags;
}
