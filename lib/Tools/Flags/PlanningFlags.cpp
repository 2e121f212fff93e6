//===- PlanningFlags.cpp - Planning options on a command line -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/PlanningFlags.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace memplan;

PlanningFlags::PlanningFlags(OptionUser user, cl::OptionCategory &category,
                             cl::SubCommand &command, PlanOptions defaults,
                             std::span<const PlanningOption> table)
    : defaults(std::move(defaults)) {
  for (const PlanningOption &option : table)
    if (option.isFor(user))
      flags.push_back({&option, option.describe(this->defaults), nullptr});
  for (Flag &flag : flags)
    flag.text = std::make_unique<cl::opt<std::string>>(
        flag.option->name, cl::desc(flag.help),
        cl::value_desc(flag.option->value), cl::cat(category), cl::sub(command),
        flag.option->value.empty() ? cl::ValueOptional : cl::ValueRequired);
}

std::vector<StringRef> PlanningFlags::given() const {
  std::vector<StringRef> names;
  for (const Flag &flag : flags)
    if (flag.text->getNumOccurrences() != 0)
      names.push_back(flag.option->name);
  return names;
}

bool PlanningFlags::isGiven(StringRef name) const {
  return is_contained(given(), name);
}

Expected<PlanOptions> PlanningFlags::options() const {
  PlanOptions options = defaults;
  for (const Flag &flag : flags) {
    if (flag.text->getNumOccurrences() == 0)
      continue;
    std::string text = *flag.text;
    const StringRef name = flag.option->name;
    if (text.empty() && !flag.option->value.empty())
      return createStringError("--" + name + " needs a value: --" + name + "=" +
                               flag.option->value);
    if (Error error = flag.option->set(options, text.empty() ? "true" : text))
      return createStringError("--" + name + ": " + toString(std::move(error)));
  }
  return options;
}

static std::string textOf(const Progress &progress) {
  std::string text;
  raw_string_ostream os(text);
  os << progress.solver << ':';
  if (progress.incumbent)
    os << format(" best %.6g", *progress.incumbent);
  else
    os << " no plan yet";
  if (progress.bound)
    os << format(", bound %.6g", *progress.bound);
  if (progress.incumbent && progress.bound && *progress.incumbent > 0)
    os << format(", gap %.2f %%",
                 100 * (1 - *progress.bound / *progress.incumbent));
  return text;
}

std::function<void(const Progress &)> memplan::progressOn(ProgressLine &line) {
  if (ProgressLine::isQuiet() || !errs().is_displayed())
    return nullptr;
  return [&line](const Progress &now) { line.say(textOf(now)); };
}
