//===- TraceReader.cpp - Reads *.trace.json -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/Trace.h"
#include "memplan/Support/JsonReader.h"
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

using namespace llvm;

namespace memplan {

static constexpr int64_t formatVersion = 1;
static constexpr int64_t mostBytes = int64_t(1) << 61;

namespace {
class TraceReader {
public:
  Expected<Trace> read(const json::Value &root,
                       std::vector<std::string> *warnings);

private:
  void readTensor(JsonFields &fields);
  void readStep(JsonFields &fields);
  const char *findAction(JsonFields &fields, ActionKind &kind);
  void readCompute(JsonFields &fields, TraceStep &step);
  void readAddresses(JsonFields &fields, TraceStep &step);
  int64_t tensor(const JsonFields &fields, StringRef key, int64_t id);
  int32_t small(JsonFields &fields, StringRef key);
  template <typename Read>
  void readEach(JsonFields &fields, StringRef key, StringRef what, Read read);

  JsonIssues issues;
  Trace trace;
  std::set<int64_t> ids;
  std::set<std::pair<int64_t, int64_t>> outputs;
  std::unordered_map<int64_t, size_t> madeBy; ///< Number of tensors, by node.
  int64_t totalBytes = 0;
};
} // namespace

template <typename Read>
void TraceReader::readEach(JsonFields &fields, StringRef key, StringRef what,
                           Read read) {
  const json::Array *values = fields.array(key, true);
  for (size_t i = 0; values && i < values->size() && !issues.failed(); ++i) {
    JsonFields element(issues, &(*values)[i],
                       (key + "[" + Twine(i) + "]").str(), what);
    read(element);
  }
}

int64_t TraceReader::tensor(const JsonFields &fields, StringRef key,
                            int64_t id) {
  if (!ids.count(id))
    issues.fail("key '" + key + "' of " + fields.where() + " names tensor " +
                Twine(id) + ", which is not among the trace's tensors");
  return id;
}

int32_t TraceReader::small(JsonFields &fields, StringRef key) {
  const int64_t value = fields.integerOr(key, 0);
  if (value < 0 || value > std::numeric_limits<int32_t>::max())
    issues.fail("key '" + key + "' of " + fields.where() + " is " +
                Twine(value) + ", outside 0 to 2147483647");
  return int32_t(value);
}

void TraceReader::readTensor(JsonFields &fields) {
  TraceTensor read;
  read.id = fields.integer("id");
  read.bytes = fields.integer("bytes");
  read.node = fields.integer("node");
  read.output = fields.integer("output");
  if (!ids.insert(read.id).second)
    issues.fail("id " + Twine(read.id) + " of " + fields.where() +
                " is that of another tensor");
  if (read.bytes < 0 || read.bytes > mostBytes - totalBytes)
    issues.fail("key 'bytes' of " + fields.where() + " is " +
                Twine(read.bytes) +
                "; bytes are not negative and below 2^61 together");
  else
    totalBytes += read.bytes;
  if (read.node < -1 || read.output < 0)
    issues.fail(fields.where() + " has output " + Twine(read.output) +
                " of node " + Twine(read.node) +
                "; neither may be negative, but for node -1, an argument");
  if (!outputs.insert({read.node, read.output}).second)
    issues.fail(fields.where() + " is output " + Twine(read.output) +
                " of node " + Twine(read.node) + ", as another tensor is");
  ++madeBy[read.node];
  trace.tensors.push_back(read);
}

void TraceReader::readCompute(JsonFields &fields, TraceStep &step) {
  step.node = fields.integer("compute");
  if (step.node < 0)
    issues.fail(fields.where() + " computes node " + Twine(step.node));
  for (auto [output, input] : fields.integerPairs("in_place"))
    step.inPlace.push_back({tensor(fields, "in_place", output),
                            tensor(fields, "in_place", input)});
  for (int64_t id : fields.integers("discard", false))
    step.discard.push_back(tensor(fields, "discard", id));
  step.variant = small(fields, "variant");
  step.event = fields.optionalInteger("event");
}

void TraceReader::readAddresses(JsonFields &fields, TraceStep &step) {
  const json::Value *value = fields.value("address");
  if (!value)
    return;
  if (value->kind() == json::Value::Array)
    step.addresses = fields.integers("address", true);
  else
    step.addresses = {fields.integer("address")};
  const bool isCompute = step.action == ActionKind::Compute;
  auto made = madeBy.find(step.node);
  const size_t expected = !isCompute             ? 1
                          : made == madeBy.end() ? 0
                                                 : made->second;
  if (step.addresses.size() != expected)
    issues.fail("key 'address' of " + fields.where() + " has " +
                Twine(step.addresses.size()) + " addresses for " +
                Twine(expected) + " tensors");
  for (int64_t address : step.addresses)
    if (address < -1 || address > mostBytes)
      issues.fail("key 'address' of " + fields.where() + " is " +
                  Twine(address) + ", outside -1 to 2^61");
}

/// The key of the step's one action; null where there is none or another.
const char *TraceReader::findAction(JsonFields &fields, ActionKind &kind) {
  static constexpr std::pair<const char *, ActionKind> actions[] = {
      {"compute", ActionKind::Compute}, {"free", ActionKind::Free},
      {"evict", ActionKind::Evict},     {"fetch", ActionKind::Fetch},
      {"wait", ActionKind::Wait},       {"drop_host", ActionKind::DropHost}};
  const char *key = nullptr;
  for (auto [name, action] : actions) {
    if (!fields.has(name))
      continue;
    if (key) {
      issues.fail(fields.where() + " has two actions, '" + key + "' and '" +
                  name + "'");
      return nullptr;
    }
    key = name;
    kind = action;
  }
  if (!key)
    issues.fail(fields.where() +
                " has no action: compute, free, evict, fetch, wait or "
                "drop_host");
  return key;
}

void TraceReader::readStep(JsonFields &fields) {
  TraceStep step;
  const char *key = findAction(fields, step.action);
  if (!key)
    return;
  switch (step.action) {
  case ActionKind::Compute:
    readCompute(fields, step);
    break;
  case ActionKind::Free:
    for (int64_t id : fields.integers(key, true))
      step.tensors.push_back(tensor(fields, key, id));
    break;
  case ActionKind::Wait:
    step.event = fields.integer(key);
    break;
  default:
    step.tensors.push_back(tensor(fields, key, fields.integer(key)));
    if (step.action != ActionKind::DropHost)
      step.event = fields.integer("event");
  }
  step.stream = small(fields, "stream");
  step.at = fields.optionalNumber("at");
  if (step.at && !std::isfinite(*step.at))
    issues.fail("key 'at' of " + fields.where() + " is no time");
  readAddresses(fields, step);
  trace.steps.push_back(std::move(step));
}

Expected<Trace> TraceReader::read(const json::Value &root,
                                  std::vector<std::string> *warnings) {
  {
    JsonFields top(issues, &root, "the trace", "trace");
    const int64_t version = top.integer("version");
    if (version != formatVersion)
      issues.fail("version " + Twine(version) +
                  " is not known; this is memplan's version " +
                  Twine(formatVersion));
    trace.program = top.stringOr("program", "");
    trace.poolBytes = top.optionalInteger("pool_bytes");
    trace.highWaterBytes = top.optionalInteger("high_water_bytes");
    readEach(top, "tensors", "tensor",
             [&](JsonFields &fields) { readTensor(fields); });
    readEach(top, "steps", "step",
             [&](JsonFields &fields) { readStep(fields); });
  }
  if (issues.failed())
    return issues.takeError();
  issues.appendWarnings(warnings);
  return std::move(trace);
}

Expected<Trace> parseTrace(StringRef text, std::vector<std::string> *warnings) {
  Expected<json::Value> root = parseJson(text);
  if (!root)
    return root.takeError();
  return TraceReader().read(*root, warnings);
}

} // namespace memplan
