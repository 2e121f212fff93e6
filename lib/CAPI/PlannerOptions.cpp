//===- PlannerOptions.cpp - Options from C --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Support/Version.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <limits>
#include <mutex>

using namespace memplan;
using namespace memplan::capi;

/// LLVM's containers do not throw by themselves, but call this.
static void throwBadAlloc(void *, const char *, bool) {
  throw std::bad_alloc();
}

void memplan::capi::throwOnBadAlloc() noexcept {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(throwBadAlloc);
  });
}

void memplan_text_destroy(char *text) { delete[] text; }

memplan_status_t memplan_version_text(char **text) {
  return guardLlvm([&] {
    if (!text)
      return refuse("memplan_version_text got a null pointer");
    *text = nullptr;
    return giveText(versionText(), text, nullptr);
  });
}

memplan_status_t memplan_parse_size(const char *text, int64_t *bytes) {
  return guardLlvm([&] {
    if (!text || !bytes)
      return refuse("memplan_parse_size got a null pointer");
    llvm::Expected<int64_t> read = parseByteSize(text);
    if (!read)
      return fail(MEMPLAN_INVALID_ARGUMENT, read.takeError());
    *bytes = *read;
    return MEMPLAN_OK;
  });
}

/// Options that a graph is planned with; files and kernels are for others.
static constexpr OptionUser user = OptionUser::SolveRemat;

static llvm::Expected<const PlanningOption *>
findPlannerOption(const char *name) {
  const PlanningOption *option = findOption(name);
  if (option && option->isFor(user))
    return option;
  std::string names;
  for (const PlanningOption &known : planningOptions())
    if (known.isFor(user))
      names += (names.empty() ? "'" : ", '") + known.name.str() + "'";
  return llvm::createStringError("unknown planning option '" +
                                 llvm::Twine(name) + "'; there are " + names);
}

memplan_status_t memplan_options_create(memplan_options_t **options) {
  clear(options);
  return guardLlvm([&] {
    if (!options)
      return refuse("memplan_options_create got a null pointer");
    *options = new memplan_options;
    return MEMPLAN_OK;
  });
}

void memplan_options_destroy(memplan_options_t *options) { delete options; }

memplan_status_t memplan_options_set(memplan_options_t *options,
                                     const char *name, const char *value) {
  return guardLlvm([&] {
    if (!options || !name || !value)
      return refuse("memplan_options_set got a null pointer");
    llvm::Expected<const PlanningOption *> option = findPlannerOption(name);
    if (!option)
      return fail(MEMPLAN_INVALID_ARGUMENT, option.takeError());
    // An option that is refused keeps its value.
    PlanOptions changed = options->options;
    if (llvm::Error wrong = setOption(changed, name, value))
      return fail(MEMPLAN_INVALID_ARGUMENT, std::move(wrong));
    options->options = std::move(changed);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_options_get(const memplan_options_t *options,
                                     const char *name, char **value) {
  clear(value);
  return guardLlvm([&] {
    if (!options || !name || !value)
      return refuse("memplan_options_get got a null pointer");
    llvm::Expected<const PlanningOption *> option = findPlannerOption(name);
    if (!option)
      return fail(MEMPLAN_INVALID_ARGUMENT, option.takeError());
    return giveText((*option)->get(options->options), value, nullptr);
  });
}

int32_t memplan_option_count(void) {
  int32_t count = 0;
  for (const PlanningOption &option : planningOptions())
    count += option.isFor(user);
  return count;
}

memplan_status_t memplan_option(int32_t number, memplan_option_info_t *info) {
  return guardLlvm([&] {
    if (!hasSize(info))
      return refuse("memplan_option got a null pointer or a struct without "
                    "struct_bytes");
    int32_t at = 0;
    for (const PlanningOption &option : planningOptions())
      if (option.isFor(user) && at++ == number) {
        // All texts of the table are literals.
        fill(info, {0, option.value.empty(), option.name.data(),
                    option.value.data(), option.help.data()});
        return MEMPLAN_OK;
      }
    return fail(MEMPLAN_INVALID_ARGUMENT,
                llvm::createStringError("no option " + llvm::Twine(number) +
                                        " of " + llvm::Twine(at)));
  });
}

memplan_status_t
memplan_options_set_progress(memplan_options_t *options,
                             memplan_progress_callback_t callback, void *user) {
  return guardLlvm([&] {
    if (!options)
      return refuse("memplan_options_set_progress got a null pointer");
    options->progress = callback;
    options->user = user;
    return MEMPLAN_OK;
  });
}

void memplan_options_cancel(memplan_options_t *options, int32_t cancelled) {
  if (options)
    options->cancelled = cancelled != 0;
}

PlanOptions memplan_options::forPlanning() const {
  PlanOptions given = options;
  given.limits.stop = &cancelled;
  if (!progress)
    return given;
  given.limits.progress = [this](const Progress &now) {
    const std::string solver = now.solver.str();
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const memplan_progress_t said = {int32_t(sizeof(memplan_progress_t)),
                                     0,
                                     solver.c_str(),
                                     now.incumbent.value_or(unknown),
                                     now.bound.value_or(unknown),
                                     now.seconds};
    if (progress && progress(user, &said) != 0)
      cancelled = true;
  };
  return given;
}
