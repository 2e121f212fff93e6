//===- TraceRecorder.cpp - What a dynamic step did ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/TraceRecorder.h"

#include "memplan/Runtime/Support/JsonText.h"

namespace memplan::runtime {

Result<TraceRecorder> TraceRecorder::create(const Program &program) {
  TraceRecorder recorder;
  recorder.name = program.name;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    recorder.tensors.push_back(
        {program.arguments[i].bytes(), -1, int32_t(i), -1, true});
    recorder.aliasOf.push_back(int32_t(i));
  }
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (instruction.run > 0)
      return invalid("instruction " + std::to_string(i) + " (" +
                     instruction.kernel +
                     ") is planned to run again: a trace is of the unplanned "
                     "program");
    recorder.nodes.push_back(instruction.node);
    recorder.firstOutput.push_back(int32_t(recorder.tensors.size()));
    for (size_t o = 0; o < instruction.outputs.size(); ++o) {
      const Operand &output = instruction.outputs[o];
      const bool isArgument = output.space == Space::Argument;
      recorder.aliasOf.push_back(isArgument ? output.index
                                            : int32_t(recorder.tensors.size()));
      recorder.tensors.push_back({output.spanBytes(), instruction.node,
                                  int32_t(o), int32_t(i), !isArgument});
    }
  }
  recorder.firstOutput.push_back(int32_t(recorder.tensors.size()));
  return recorder;
}

void TraceRecorder::beginStep(std::span<const ValueId> arguments, double at) {
  steps.clear();
  numberOf.clear();
  events = 0;
  start = at;
  recording = true;
  for (size_t i = 0; i < arguments.size(); ++i)
    made(arguments[i], -1, int32_t(i), 0, 0, at);
}

void TraceRecorder::endStep(const Pool &pool) {
  recording = false;
  poolBytes = pool.capacity();
  highWaterBytes = pool.highWaterBytes();
}

int32_t TraceRecorder::tensorOf(ValueId value) const {
  return size_t(value) < numberOf.size() ? numberOf[size_t(value)] : -1;
}

void TraceRecorder::add(Action action, ValueId value, double at) {
  if (!recording || tensorOf(value) < 0)
    return;
  Step &step = steps.emplace_back();
  step.action = action;
  step.tensor = tensorOf(value);
  step.at = at - start;
}

void TraceRecorder::addCopy(Action action, ValueId value, double at,
                            int64_t address) {
  if (!recording || tensorOf(value) < 0)
    return;
  add(action, value, at);
  steps.back().event = events;
  if (address >= 0)
    steps.back().addresses.push_back(address);
  Step &wait = steps.emplace_back();
  wait.action = Action::Wait;
  wait.tensor = events++;
  wait.at = at - start;
}

void TraceRecorder::launching(const DynamicLaunch &launch) {
  if (!recording)
    return;
  Step &step = steps.emplace_back();
  step.tensor = int32_t(launch.op);
  step.at = launch.at - start;
  step.addresses.assign(launch.over.size(), -1);
}

void TraceRecorder::made(ValueId value, int64_t op, int32_t output,
                         int64_t address, int64_t bytes, double at) {
  if (!recording || value < 0)
    return;
  if (size_t(value) >= numberOf.size())
    numberOf.resize(size_t(value) + 1, -1);
  numberOf[size_t(value)] =
      op < 0 ? output : aliasOf[size_t(firstOutput[size_t(op)] + output)];
  if (op >= 0)
    steps.back().addresses[size_t(output)] = address;
}

void TraceRecorder::overwritten(ValueId value, int64_t op, int32_t output,
                                int64_t address, int64_t bytes) {
  if (!recording)
    return;
  const int32_t made = firstOutput[size_t(op)] + output;
  if (tensors[size_t(made)].isListed && tensorOf(value) >= 0)
    steps.back().inPlace.push_back({made, tensorOf(value)});
}

void TraceRecorder::left(ValueId value, int64_t, int64_t, double at) {
  // A copy on the host has just been waited for, which gives the bytes back.
  if (recording && steps.size() >= 2 && steps.back().action == Action::Wait &&
      steps[steps.size() - 2].action == Action::Evict &&
      steps[steps.size() - 2].tensor == tensorOf(value))
    return;
  add(Action::Free, value, at);
}

void TraceRecorder::copiedOut(ValueId value, double at) {
  addCopy(Action::Evict, value, at, -1);
}
void TraceRecorder::copiedIn(ValueId value, int64_t address, double at) {
  addCopy(Action::Fetch, value, at, address);
}
void TraceRecorder::leftHost(ValueId value, double at) {
  add(Action::DropHost, value, at);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The outputs that the step listed, as numbers in brackets.
static std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

void TraceRecorder::stepText(const Step &step, std::string &text) const {
  static constexpr const char *names[] = {"compute", "free", "evict",
                                          "fetch",   "wait", "drop_host"};
  const bool isCompute = step.action == Action::Compute;
  std::string subject =
      std::to_string(isCompute ? nodes[size_t(step.tensor)] : step.tensor);
  if (step.action == Action::Free)
    subject = "[" + subject + "]";
  text += "{\"" + std::string(names[int(step.action)]) + "\": " + subject;
  std::vector<int64_t> addresses, discarded;
  if (isCompute) {
    for (size_t o = 0; o < step.addresses.size(); ++o) {
      const int32_t tensor = firstOutput[size_t(step.tensor)] + int32_t(o);
      if (!tensors[size_t(tensor)].isListed)
        continue;
      addresses.push_back(step.addresses[o]);
      if (step.addresses[o] < 0)
        discarded.push_back(tensor);
    }
  }
  std::string pairs;
  for (auto [output, input] : step.inPlace)
    pairs += (pairs.empty() ? "" : ", ") + list({output, input});
  if (!pairs.empty())
    text += ", \"in_place\": [" + pairs + "]";
  if (!discarded.empty())
    text += ", \"discard\": " + list(discarded);
  if (step.event >= 0)
    text += ", \"event\": " + std::to_string(step.event);
  text += ", \"at\": " + jsonNumber(step.at);
  if (isCompute)
    text += ", \"address\": " + list(addresses);
  else if (!step.addresses.empty())
    text += ", \"address\": " + std::to_string(step.addresses[0]);
  text += "}";
}

std::string TraceRecorder::text() const {
  std::string text =
      "{\"version\": 1, \"program\": " + jsonText(name) +
      ", \"pool_bytes\": " + std::to_string(poolBytes) +
      ", \"high_water_bytes\": " + std::to_string(highWaterBytes) +
      ",\n \"tensors\": [";
  const char *separator = "\n  ";
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &tensor = tensors[i];
    if (!tensor.isListed)
      continue;
    text += separator + std::string("{\"id\": ") + std::to_string(i) +
            ", \"bytes\": " + std::to_string(tensor.bytes) +
            ", \"node\": " + std::to_string(tensor.node) +
            ", \"output\": " + std::to_string(tensor.output) + "}";
    separator = ",\n  ";
  }
  text += "],\n \"steps\": [";
  separator = "\n  ";
  for (const Step &step : steps) {
    text += separator;
    stepText(step, text);
    separator = ",\n  ";
  }
  return text + "]}\n";
}

} // namespace memplan::runtime
