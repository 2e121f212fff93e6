//===- Profile.cpp - Times instructions and writes device profiles --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/Observers.h"

#include "DeviceClock.h"
#include "SavedArguments.h"
#include "memplan/Runtime/Support/JsonText.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace memplan::runtime {

static int64_t nowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Status ProfileObserver::before(Executable &executable, size_t) {
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  startNanos = nowNanos();
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "cannot synchronize");
}

Status ProfileObserver::after(Executable &executable, size_t instruction) {
  const Device &device = executable.device();
  memplan_status_t code = device.backend().synchronize(device.handle());
  double elapsed = double(nowNanos() - startNanos) * 1e-3;
  const Program &program = executable.program();
  micros.resize(program.instructions.size());
  launchesAtOnce.resize(program.instructions.size());
  if (code != MEMPLAN_OK)
    return device.status(code, "cannot synchronize");
  if (hasClock(device) && !program.instructions[instruction].isCopy()) {
    Result<double> timed =
        timeLaunches(executable, instruction, launchesAtOnce[instruction]);
    if (!timed)
      return timed.error();
    elapsed = *timed;
  }
  micros[instruction].push_back(elapsed);
  return Status::success();
}

double ProfileObserver::medianMicros(size_t instruction) const {
  return instruction < micros.size() ? median(micros[instruction]) : 0;
}

int64_t ProfileObserver::repeats(size_t instruction) const {
  return instruction < micros.size() ? int64_t(micros[instruction].size()) : 0;
}

/// One preempted call among few is most of its sum, and a step beside others
/// has some; a median over as many is that of calls that were left alone.
static constexpr size_t fewestRepeats = 5, mostRepeats = 40;
/// What medians may still move, and below which share of a step they may move
/// as they like.
static constexpr double stableShare = 0.03, smallShare = 0.002;

bool ProfileObserver::isStable() const {
  double step = 0;
  for (const std::vector<double> &times : micros)
    step += median(times);
  for (const std::vector<double> &times : micros) {
    if (times.empty())
      continue;
    if (times.size() < fewestRepeats)
      return false;
    const double all = median(times);
    const double later =
        median({times.begin() + std::ptrdiff_t(times.size() / 2), times.end()});
    if (all > smallShare * step && std::abs(later - all) > stableShare * all)
      return false;
  }
  return true;
}

Status repeatUntilStable(Executable &executable, ProfileObserver &profile,
                         const std::function<bool()> &stop) {
  Result<SavedArguments> saved = SavedArguments::of(executable);
  if (!saved)
    return saved.error();
  StepObserver *const observers[] = {&profile};
  for (size_t i = 0; i < mostRepeats && !profile.isStable() && !stop(); ++i) {
    Status status = executable.run(observers);
    if (status.ok())
      status = saved->restore(executable);
    if (!status.ok())
      return status;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The profile file
//===----------------------------------------------------------------------===//

namespace {
/// One variant of a call.
struct TimedVariant {
  std::vector<double> micros; ///< medians of the calls that look like this
  int64_t workspaceBytes = 0;
};
struct Entry {
  const Instruction *instruction;
  std::map<std::string, TimedVariant> variants; ///< by name
  int64_t repeats = 0;                          ///< of all of them
};
} // namespace

namespace {
/// Copies of 16 MiB between the device and host memory as arenas of the space
/// "host" have it: page-locked on a GPU, where other memory copies slower.
class CopyClock {
public:
  explicit CopyClock(const Device &device)
      : device(device), onDevice{take(false), take(false)},
        onHost{take(true), take(true)} {}

  /// Bytes per microsecond, both directions counted, the best of a few; 0 where
  /// the copies fail.
  double rate(bool in, bool out) const;

private:
  static constexpr int64_t bytes = int64_t(16) << 20;
  static constexpr memplan_queue_counts_t queues = {1, 0, 2};

  DeviceBuffer take(bool isHost) const {
    Result<DeviceBuffer> buffer =
        isHost ? DeviceBuffer::allocateHost(device, bytes, 256)
               : DeviceBuffer::allocate(device, bytes, 256);
    return buffer ? std::move(*buffer) : DeviceBuffer();
  }
  memplan_status_t copy(bool in, bool out) const;

  const Device &device;
  DeviceBuffer onDevice[2], onHost[2]; ///< in, out
};
} // namespace

memplan_status_t CopyClock::copy(bool in, bool out) const {
  const memplan_backend_t &backend = device.backend();
  memplan_device_t *handle = device.handle();
  const bool hasQueues = backend.begin_queues;
  memplan_status_t code =
      hasQueues ? backend.begin_queues(handle, &queues) : MEMPLAN_OK;
  if (code == MEMPLAN_OK && in)
    code = hasQueues
               ? backend.copy_async(handle, MEMPLAN_QUEUE_H2D,
                                    onDevice[0].base(), onHost[0].base(), bytes)
               : backend.copy_in(handle, onDevice[0].base(), onHost[0].base(),
                                 bytes);
  if (code == MEMPLAN_OK && out)
    code = hasQueues
               ? backend.copy_async(handle, MEMPLAN_QUEUE_D2H, onHost[1].base(),
                                    onDevice[1].base(), bytes)
               : backend.copy_out(handle, onHost[1].base(), onDevice[1].base(),
                                  bytes);
  const memplan_status_t ended = backend.synchronize(handle);
  return code == MEMPLAN_OK ? ended : code;
}

double CopyClock::rate(bool in, bool out) const {
  for (int i : {0, 1})
    if (!onDevice[i].base() || !onHost[i].base())
      return 0;
  double best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    const int64_t start = nowNanos();
    if (copy(in, out) != MEMPLAN_OK)
      return 0;
    best = std::max(best, double(bytes * (in + out)) * 1e3 /
                              double(std::max<int64_t>(1, nowNanos() - start)));
  }
  return best;
}

/// What programs could use before these were compiled.
static int64_t usableBytes(const Device &device,
                           std::span<const Executable *const> executables) {
  const memplan_backend_t &backend = device.backend();
  int64_t usable = 0;
  if (backend.usable_bytes(device.handle(), &usable) != MEMPLAN_OK)
    return 0;
  // The others tell what the machine has, not what is left.
  if (usable > 0 && backend.allocation_bytes > 0)
    for (const Executable *executable : executables)
      usable += executable->program().residentBytes() -
                executable->program().fixedBytes +
                executable->sharedScratch().bytes;
  return usable;
}

static std::string typesJson(const std::vector<Operand> &operands) {
  std::string text = "[";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") +
            jsonText(typeText(operands[i].dtype, operands[i].shape));
  return text + "]";
}

static std::string entryJson(const std::string &key, const Entry &entry) {
  const Instruction &instruction = *entry.instruction;
  std::string variants;
  for (const auto &[name, timed] : entry.variants)
    variants +=
        (variants.empty() ? "{\"micros\": " : ", {\"micros\": ") +
        jsonNumber(median(timed.micros)) +
        (name.empty() ? "" : ", \"name\": " + jsonText(name)) +
        ", \"workspace_bytes\": " + std::to_string(timed.workspaceBytes) + "}";
  std::string attributes = "{";
  for (size_t i = 0; i < instruction.attributes.size(); ++i)
    attributes += (i ? ", " : "") + jsonText(instruction.attributes[i].name) +
                  ": " +
                  jsonText(attributeText(instruction.attributes[i].value));
  return "  {\"key\": " + jsonText(key) +
         ", \"op\": " + jsonText(instruction.kernel) +
         ", \"attributes\": " + attributes +
         "}, \"inputs\": " + typesJson(instruction.inputs) +
         ", \"outputs\": " + typesJson(instruction.outputs) +
         ", \"layout\": \"row_major\", \"variants\": [" + variants +
         "], \"repeats\": " + std::to_string(entry.repeats) + "}";
}

static std::string header(const Device &device) {
  const std::string planned = device.plannedFor();
  return "{\"version\": 1, \"device\": " + jsonText(device.name()) +
         (planned.empty() ? "" : ", \"planned_for\": " + jsonText(planned)) +
         ", \"backend\": " + jsonText(device.backend().name) +
         ", \"backend_version\": " + jsonText(device.versions()) +
         ", \"threads\": " + std::to_string(device.threads()) + ",";
}

/// The entries of an earlier profile by their keys as they are written, each a
/// line of its own.
static Result<std::map<std::string, std::string>>
readEarlier(std::string_view text, const std::string &header) {
  static constexpr std::string_view begin = "  {\"key\": ";
  std::map<std::string, std::string> entries;
  if (text.empty())
    return entries;
  if (text.substr(0, text.find('\n')) != header)
    return invalid("the profile is of another device, backend or number of "
                   "threads, or was not written by this tool; name another "
                   "file");
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.substr(0, begin.size()) != begin)
      continue;
    if (line.ends_with(','))
      line.remove_suffix(1);
    size_t quote = begin.size() + 1;
    while (quote < line.size() && line[quote] != '"')
      quote += line[quote] == '\\' ? 2 : 1;
    entries.emplace(line.substr(begin.size(), quote + 1 - begin.size()), line);
  }
  return entries;
}

/// Beside the variants that steps have run: those that a plan may take instead.
static Status addOtherVariants(const Executable &executable, size_t instruction,
                               Entry &entry) {
  Result<std::vector<VariantTime>> others =
      timeVariants(executable, instruction);
  if (!others)
    return others.error();
  for (const VariantTime &other : *others) {
    TimedVariant &timed = entry.variants[other.name];
    timed.micros.push_back(other.micros);
    timed.workspaceBytes = other.workspaceBytes;
  }
  return Status::success();
}

/// By key, as it is written.
static Result<std::map<std::string, std::string>>
timedEntries(std::span<const Executable *const> executables,
             std::span<const ProfileObserver *const> observed) {
  std::map<std::string, Entry> entries;
  for (size_t e = 0; e < executables.size(); ++e) {
    const Program &program = executables[e]->program();
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction &instruction = program.instructions[i];
      if (instruction.isCopy())
        continue; // The bandwidth says what it takes.
      auto [at, isNew] = entries.try_emplace(profileKey(instruction));
      Entry &entry = at->second;
      if (isNew && hasClock(executables[e]->device()))
        if (Status s = addOtherVariants(*executables[e], i, entry); !s.ok())
          return s;
      entry.instruction = &instruction;
      TimedVariant &timed = entry.variants[instruction.variant];
      timed.micros.push_back(observed[e]->medianMicros(i));
      timed.workspaceBytes =
          instruction.workspace ? instruction.workspace->bytes() : 0;
      entry.repeats += observed[e]->repeats(i);
    }
  }
  std::map<std::string, std::string> texts;
  for (const auto &[key, entry] : entries)
    texts.emplace(jsonText(key), entryJson(key, entry));
  return texts;
}

Result<std::string>
profileText(std::span<const Executable *const> executables,
            std::span<const ProfileObserver *const> observed,
            std::string_view earlier) {
  const Device &device = executables[0]->device();
  auto kept = readEarlier(earlier, header(device));
  if (!kept)
    return kept.error();
  auto timed = timedEntries(executables, observed);
  if (!timed)
    return timed.error();
  std::map<std::string, std::string> entries = std::move(*timed);
  entries.merge(*kept);
  const int64_t usable = usableBytes(device, executables);
  const CopyClock clock(device);
  std::string text =
      header(device) +
      "\n \"bandwidth\": {\"h2d\": " + jsonNumber(clock.rate(true, false)) +
      ", \"d2h\": " + jsonNumber(clock.rate(false, true)) +
      ", \"both\": " + jsonNumber(clock.rate(true, true)) +
      "}, \"usable_bytes\": " + std::to_string(usable) + ",\n \"entries\": [\n";
  size_t left = entries.size();
  for (const auto &[key, entry] : entries)
    text += entry + (--left ? ",\n" : "\n");
  return text + " ]}\n";
}

} // namespace memplan::runtime
