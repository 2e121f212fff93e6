//===- OptionTexts.cpp - Values of options as users write them ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionTexts.h"
#include "memplan/Planner/Dynamic/DtrPolicy.h"
#include "memplan/Planner/Step/MaxBatch.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Support/JsonWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cfloat>
#include <cmath>

using namespace memplan;
using llvm::createStringError;
using llvm::StringRef;

llvm::Error memplan::setOneOf(StringRef text,
                              std::initializer_list<StringRef> names,
                              std::string &name) {
  if (!llvm::is_contained(names, text))
    return createStringError("'" + text + "' is none of " +
                             llvm::join(names, ", "));
  name = text.str();
  return llvm::Error::success();
}

llvm::Error memplan::setCount(StringRef text, int64_t &count) {
  int64_t number = 0;
  if (text.getAsInteger(10, number))
    return createStringError("'" + text + "' is not an integer below 2^63");
  if (number < 0)
    return createStringError("must not be negative, but is " + text);
  count = number;
  return llvm::Error::success();
}

llvm::Error memplan::setPareto(PlanOptions &options, StringRef text) {
  if (llvm::Error error = setCount(text, options.pareto))
    return error;
  if (options.pareto == 1 || options.pareto > 1000)
    return createStringError("must be from 2 to 1000 points, but is " + text);
  return llvm::Error::success();
}

llvm::Error memplan::setBudget(PlanOptions &options, StringRef text) {
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

std::string memplan::getBudget(const PlanOptions &options) {
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

llvm::Error memplan::setBandwidth(PlanOptions &options, StringRef text) {
  options.bandwidth.reset();
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<Bandwidth> bandwidth = parseBandwidth(text);
  if (bandwidth)
    options.bandwidth = *bandwidth;
  return bandwidth.takeError();
}

/// Text of what a text or a caller in C++ set; empty if a direction has no
/// rate, which the text cannot say.
static std::string printBandwidth(const Bandwidth &bandwidth) {
  const auto &[hostToDevice, deviceToHost, latency] = bandwidth;
  if (!hostToDevice || !deviceToHost)
    return "";
  std::string text =
      printNumber(*hostToDevice) + "," + printNumber(*deviceToHost);
  return latency > 0 ? text + "," + printNumber(latency) : text;
}

std::string memplan::getBandwidth(const PlanOptions &options) {
  return options.bandwidth ? printBandwidth(*options.bandwidth) : "";
}

/// Several, or numbers that hold in both directions.
llvm::Error memplan::setParetoBandwidths(PlanOptions &options, StringRef text) {
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

std::string memplan::getParetoBandwidths(const PlanOptions &options) {
  std::string text;
  for (const Bandwidth &bandwidth : options.paretoBandwidths)
    text += (text.empty() ? "" : "/") + printBandwidth(bandwidth);
  return text;
}

llvm::Error memplan::setHostBudget(PlanOptions &options, StringRef text) {
  options.hostBudgetBytes.reset();
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return bytes.takeError();
  options.hostBudgetBytes = *bytes;
  return llvm::Error::success();
}

llvm::Error memplan::setAlignment(PlanOptions &options, StringRef text) {
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return bytes.takeError();
  if (*bytes < 1 || (*bytes & (*bytes - 1)))
    return createStringError(llvm::Twine(*bytes) + " is not a power of two");
  options.alignmentBytes = *bytes;
  return llvm::Error::success();
}

llvm::Error memplan::setEffort(PlanOptions &options, StringRef text) {
  options.limits.effort = 0;
  options.effortSeconds = 0;
  StringRef number = text;
  if (!number.consume_back("s"))
    return setCount(text, options.limits.effort);
  double seconds = 0;
  // Also refuses what is not a number.
  if (number.getAsDouble(seconds) || !(seconds > 0) || std::isinf(seconds))
    return createStringError("must be a whole number, or seconds above 0 as "
                             "in 20s, but is '" +
                             text + "'");
  options.effortSeconds = seconds;
  return llvm::Error::success();
}

std::string memplan::getEffort(const PlanOptions &options) {
  return options.effortSeconds > 0 ? printNumber(options.effortSeconds) + "s"
                                   : std::to_string(options.limits.effort);
}

llvm::Error memplan::setTimeLimit(PlanOptions &options, StringRef text) {
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

llvm::Error memplan::setBatch(PlanOptions &options, StringRef text) {
  options.batch = options.leastBatch = 0;
  if (text.empty())
    return llvm::Error::success();
  if (text.contains(':')) {
    auto [least, most] = text.split(':');
    if (llvm::Error error = setCount(least, options.leastBatch))
      return error;
    if (options.leastBatch == 0)
      return createStringError("must begin at 1 or above, but is '" + text +
                               "'");
    text = most;
  }
  if (llvm::Error error = setCount(text, options.batch))
    return error;
  if (options.batch == 0)
    return createStringError("must be at least 1, but is 0");
  if (options.batch < options.leastBatch)
    return createStringError("there are no batches from " +
                             llvm::Twine(options.leastBatch) + " to " +
                             llvm::Twine(options.batch));
  return llvm::Error::success();
}

llvm::Error memplan::setPrecision(PlanOptions &options, StringRef text) {
  if (text != "f32" && text != "tf32" && text != "bf16" && text != "f16")
    return createStringError("must be f32, tf32, bf16 or f16, not '" + text +
                             "'");
  options.precision = text.str();
  return llvm::Error::success();
}

llvm::Error memplan::setLayout(PlanOptions &options, StringRef text) {
  if (text != "channels-first" && text != "channels-last")
    return createStringError("must be channels-first or channels-last, not '" +
                             text + "'");
  options.layout = text.str();
  return llvm::Error::success();
}

llvm::Error memplan::setLossScale(PlanOptions &options, StringRef text) {
  double scale = 0;
  // Also refuses what is not a number.
  if (text.getAsDouble(scale) || !(scale >= 0) || scale > double(FLT_MAX))
    return createStringError("must be a number that f32 holds, not negative, "
                             "but is '" +
                             text + "'");
  options.lossScale = scale;
  return llvm::Error::success();
}

/// Ranks, or chunks.
static llvm::Error setNumberOfParts(StringRef text, int64_t &value) {
  constexpr int64_t most = 4096;
  int64_t number = 0;
  if (text.getAsInteger(10, number) || number < 1 || number > most)
    return createStringError("must be a whole number from 1 to " +
                             llvm::Twine(most) + ", but is '" + text + "'");
  value = number;
  return llvm::Error::success();
}

llvm::Error memplan::setRanks(PlanOptions &options, StringRef text) {
  return setNumberOfParts(text, options.ranks);
}

llvm::Error memplan::setLossChunks(PlanOptions &options, StringRef text) {
  return setNumberOfParts(text, options.lossChunks);
}

std::string memplan::getLossScale(const PlanOptions &options) {
  return printNumber(options.lossScale);
}

llvm::Error memplan::setSlowdown(PlanOptions &options, StringRef text) {
  options.slowdown = text.str();
  return BatchLimit::parse(text).takeError();
}

llvm::Error memplan::setTflms(PlanOptions &options, StringRef text) {
  options.tflms = text.str();
  return TflmsParameters::parse(text).takeError();
}

llvm::Error memplan::setThreads(StringRef text, int64_t &threads) {
  int64_t count = 0;
  if (llvm::Error error = setCount(text, count))
    return error;
  if (count < 1 || count > 1024)
    return createStringError("must be from 1 to 1024, but is " + text);
  threads = count;
  return llvm::Error::success();
}

llvm::Error memplan::setStreams(PlanOptions &options, StringRef text) {
  int64_t streams = 0;
  if (llvm::Error error = setCount(text, streams))
    return error;
  if (streams < 1 || streams > 256)
    return createStringError("must be from 1 to 256, but is " + text);
  options.streams = streams;
  return llvm::Error::success();
}

llvm::Error memplan::setParallelism(PlanOptions &options, StringRef text) {
  return setOneOf(text, {"prefer", "balance", "memory"}, options.parallelism);
}

llvm::Error memplan::setHostState(PlanOptions &options, StringRef text) {
  return setOneOf(text, {"none", "states", "all"}, options.hostState);
}

llvm::Error memplan::setParts(PlanOptions &options, StringRef text) {
  if (text != "auto" && text != "on" && text != "off" && text != "dense")
    return createStringError("'" + text +
                             "' is neither auto, on, off nor dense");
  options.parts = text.str();
  return llvm::Error::success();
}

llvm::Error memplan::setHeuristic(PlanOptions &options, StringRef text) {
  if (text != "next-use")
    if (llvm::Error error = DtrPolicy::parse(text).takeError())
      return createStringError("next-use is for known sequences; of online "
                               "policies, " +
                               toString(std::move(error)));
  options.limits.heuristic = text.str();
  return llvm::Error::success();
}
