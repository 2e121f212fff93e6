//===- RuntimeReaders.cpp - Programs and tensors --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Runtime/TinyStep.h"
#include "memplan/Runtime/Data/TensorData.h"
#include "memplan/Runtime/Program/ProgramIO.h"

using namespace memplan::runtime;
using namespace memplan;

static std::span<const std::byte> asBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
static std::string asText(const std::vector<std::byte> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

void fuzz::readProgram(std::string_view bytes) {
  Result<Program> program = parseProgram(asBytes(bytes));
  if (!program)
    return require(!program.error().message.empty(), "an error without a text");
  std::vector<std::byte> written = serializeProgram(*program);
  Result<Program> again = parseProgram(written);
  require(again.ok(), "a program that was written is not read");
  require(serializeProgram(*again) == written, "writing changes the program");
}

void fuzz::readTensors(std::string_view bytes) {
  Result<TensorFile> file = parseSafetensors(asBytes(bytes));
  if (!file)
    return require(!file.error().message.empty(), "an error without a text");
  Result<TensorFile> again = parseSafetensors(serializeSafetensors(*file));
  require(again.ok() && again->tensors == file->tensors,
          "tensors that were written are not read");
}

void fuzz::readArray(std::string_view bytes) {
  Result<HostTensor> array = parseNpy(asBytes(bytes));
  if (!array)
    return require(!array.error().message.empty(), "an error without a text");
  int64_t elements = 1;
  for (int64_t size : array->shape)
    elements *= size;
  require(array->bytes.size() % size_t(std::max<int64_t>(elements, 1)) == 0,
          "bytes that are not of the shape");
}

//===----------------------------------------------------------------------===//
// Files that are right
//===----------------------------------------------------------------------===//

std::vector<std::string> fuzz::programSamples() {
  return {asText(serializeProgram(test::tinyStep(true))),
          asText(serializeProgram(test::tinyStep(false))),
          asText(serializeProgram(test::swappedStep()))};
}

std::vector<std::string> fuzz::tensorsSamples() {
  TensorFile file;
  file.metadata["step"] = "3";
  file.tensors["weight"] = {DType::F32, {2, 3}, std::vector<std::byte>(24)};
  file.tensors["labels"] = {DType::I64, {2}, std::vector<std::byte>(16)};
  file.tensors["empty"] = {DType::I8, {0, 4}, {}};
  return {asText(serializeSafetensors(file)),
          asText(serializeSafetensors(TensorFile()))};
}

std::vector<std::string> fuzz::arraySamples() {
  std::vector<std::string> samples;
  for (const char *header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (), }"}) {
    std::string text = header;
    text.resize(117, ' ');
    text += '\n';
    samples.push_back(std::string("\x93NUMPY\x01\x00", 8) + char(text.size()) +
                      '\0' + text + std::string(24, 'x'));
  }
  return samples;
}
