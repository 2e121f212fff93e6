//===- Feed.cpp - What a run's arguments hold -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Data/Feed.h"

#include <charconv>

namespace memplan::runtime {

static constexpr const char *stepKey = "memplan_step";
/// Far from where the number of a later step would overflow.
static constexpr int64_t mostSteps = int64_t(1) << 53;

static int64_t bytesOf(const Argument &argument) {
  return *tensorBytes(argument.dtype, argument.shape);
}

static std::string describe(const Argument &argument) {
  return "argument '" + argument.name + "' of type " +
         typeText(argument.dtype, argument.shape);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Result<int64_t> stepOf(const TensorFile &file) {
  auto entry = file.metadata.find(stepKey);
  if (entry == file.metadata.end())
    return int64_t(0);
  int64_t step = 0;
  const std::string &text = entry->second;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc() || end != text.data() + text.size() || step < 0 ||
      step > mostSteps)
    return invalid("the metadata '" + std::string(stepKey) + "' is '" + text +
                   "', not a step number up to " + std::to_string(mostSteps));
  return step;
}

static Status takeValues(const Program &program, TensorFile file,
                         std::map<std::string, HostTensor> &values) {
  for (const Argument &argument : program.arguments) {
    if (argument.kind == ArgumentKind::Input)
      continue;
    auto found = file.tensors.find(argument.name);
    if (found == file.tensors.end()) {
      if (argument.kind == ArgumentKind::State)
        continue;
      return invalid("the file has no tensor '" + argument.name + "' for " +
                     describe(argument));
    }
    const HostTensor &tensor = found->second;
    if (tensor.dtype != argument.dtype || tensor.shape != argument.shape)
      return invalid("the file's tensor '" + argument.name + "' is " +
                     typeText(tensor.dtype, tensor.shape) + "; " +
                     describe(argument) + " needs its own type");
    values[argument.name] = std::move(found->second);
  }
  return Status::success();
}

/// The array is the argument, or several of them along the first dimension.
static bool fits(const HostTensor &tensor, const Argument &argument) {
  if (tensor.dtype != argument.dtype ||
      tensor.shape.size() != argument.shape.size())
    return false;
  if (tensor.shape == argument.shape)
    return true;
  for (size_t d = 1; d < tensor.shape.size(); ++d)
    if (tensor.shape[d] != argument.shape[d])
      return false;
  return !tensor.shape.empty() && argument.shape[0] > 0 &&
         tensor.shape[0] > 0 && tensor.shape[0] % argument.shape[0] == 0;
}

static Status takeData(const Program &program, const std::string &source,
                       std::map<std::string, HostTensor> &data) {
  size_t equals = source.find('=');
  std::string name = equals == source.npos ? "" : source.substr(0, equals);
  std::string path = equals == source.npos ? source : source.substr(equals + 1);
  Result<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return tensor.error();
  std::string inputs;
  for (const Argument &argument : program.arguments) {
    if (argument.kind != ArgumentKind::Input ||
        (!name.empty() && argument.name != name))
      continue;
    if (fits(*tensor, argument) && !data.count(argument.name)) {
      data.emplace(argument.name, std::move(*tensor));
      return Status::success();
    }
    inputs += (inputs.empty() ? "" : ", ") + describe(argument);
  }
  if (inputs.empty())
    return invalid("no input '" + name + "' for the data in '" + path + "'");
  return invalid("the data in '" + path + "' of type " +
                 typeText(tensor->dtype, tensor->shape) + " does not fit " +
                 inputs);
}

Result<Feed> Feed::create(const Program &program, const FeedOptions &options) {
  Feed feed;
  feed.options = options;
  if (!options.paramsFile.empty()) {
    Result<TensorFile> file = readSafetensors(options.paramsFile);
    if (!file)
      return file.error();
    Result<int64_t> step = stepOf(*file);
    if (!step)
      return step.error();
    feed.startStep = *step;
    if (Status s = takeValues(program, std::move(*file), feed.values); !s.ok())
      return s;
  }
  for (const std::string &source : options.data)
    if (source != "synthetic")
      if (Status s = takeData(program, source, feed.data); !s.ok())
        return s;
  return feed;
}

//===----------------------------------------------------------------------===//
// Writing arguments
//===----------------------------------------------------------------------===//

static Status writeTensor(Runnable &runnable, size_t number,
                          const Result<HostTensor> &tensor) {
  if (!tensor)
    return tensor.error();
  return runnable.writeArgument(int32_t(number), tensor->bytes.data(),
                                int64_t(tensor->bytes.size()));
}

Status Feed::initialize(Runnable &runnable) const {
  const std::vector<Argument> &arguments = runnable.program().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind == ArgumentKind::Input)
      continue;
    auto value = values.find(arguments[i].name);
    Status status =
        value != values.end()
            ? runnable.writeArgument(int32_t(i), value->second.bytes.data(),
                                     int64_t(value->second.bytes.size()))
            : writeTensor(runnable, i,
                          initialValue(arguments[i], options.seed));
    if (!status.ok())
      return status;
  }
  return Status::success();
}

Status Feed::feedStep(Runnable &runnable, int64_t step) const {
  if (step < 0)
    return invalid("there is no step " + std::to_string(step));
  const std::vector<Argument> &arguments = runnable.program().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != ArgumentKind::Input)
      continue;
    auto file = data.find(arguments[i].name);
    if (file == data.end()) {
      if (Status s = writeTensor(
              runnable, i, syntheticData(arguments[i], options.seed, step));
          !s.ok())
        return s;
      continue;
    }
    int64_t bytes = bytesOf(arguments[i]);
    int64_t parts = bytes > 0 ? int64_t(file->second.bytes.size()) / bytes : 1;
    const std::byte *part = file->second.bytes.data() + step % parts * bytes;
    if (Status s = runnable.writeArgument(int32_t(i), part, bytes); !s.ok())
      return s;
  }
  return Status::success();
}

Result<TensorFile> collectState(const Runnable &runnable, int64_t nextStep) {
  TensorFile file;
  file.metadata[stepKey] = std::to_string(nextStep);
  const std::vector<Argument> &arguments = runnable.program().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind == ArgumentKind::Input)
      continue;
    HostTensor tensor{arguments[i].dtype, arguments[i].shape, {}};
    tensor.bytes.resize(size_t(bytesOf(arguments[i])));
    if (Status s = runnable.readArgument(int32_t(i), tensor.bytes.data(),
                                         int64_t(tensor.bytes.size()));
        !s.ok())
      return s;
    file.tensors.emplace(arguments[i].name, std::move(tensor));
  }
  return file;
}

} // namespace memplan::runtime
