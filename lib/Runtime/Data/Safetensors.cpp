//===- Safetensors.cpp - Reading and writing safetensors files ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A safetensors file: the length of the header (u64, little endian), the header
// as a JSON object from names to {dtype, shape, data_offsets}, then the data.
// Offsets count from the end of the header.
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Runtime/Support/JsonReader.h"
#include "memplan/Runtime/Support/JsonText.h"

#include "memplan/Runtime/Data/TensorData.h"

#include <cstring>

namespace memplan::runtime {

static constexpr const char *metadataName = "__metadata__";

static std::string_view fileType(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "F32";
  case DType::I64:
    return "I64";
  case DType::I8:
    return "I8";
  case DType::BF16:
    return "BF16";
  case DType::F16:
    return "F16";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static const JsonValue *member(const JsonValue &object, std::string_view name,
                               JsonValue::Kind kind) {
  for (size_t i = 0; i < object.names.size(); ++i)
    if (object.names[i] == name && object.items[i].kind == kind)
      return &object.items[i];
  return nullptr;
}

static Status parseTensor(const std::string &name, const JsonValue &entry,
                          std::span<const std::byte> data, HostTensor &tensor) {
  std::string what = "tensor '" + name + "' ";
  const JsonValue *type = member(entry, "dtype", JsonValue::String);
  const JsonValue *shape = member(entry, "shape", JsonValue::Array);
  const JsonValue *offsets = member(entry, "data_offsets", JsonValue::Array);
  if (!type || !shape || !offsets || offsets->items.size() != 2)
    return invalid(what + "lacks dtype, shape or data_offsets");
  for (const JsonValue &offset : offsets->items)
    if (offset.kind != JsonValue::Integer)
      return invalid(what + "has a data offset that is not an integer");
  bool known = false;
  for (DType dtype :
       {DType::F32, DType::BF16, DType::F16, DType::I64, DType::I8})
    if (type->string == fileType(dtype)) {
      tensor.dtype = dtype;
      known = true;
    }
  if (!known)
    return invalid(what + "has the element type " + type->string +
                   "; F32, BF16, F16, I64 and I8 are known");
  for (const JsonValue &dim : shape->items) {
    if (dim.kind != JsonValue::Integer)
      return invalid(what + "has a dimension that is not an integer");
    tensor.shape.push_back(dim.integer);
  }
  std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.shape);
  int64_t begin = offsets->items[0].integer, end = offsets->items[1].integer;
  if (!bytes || begin < 0 || end < begin || uint64_t(end) > data.size() ||
      end - begin != *bytes)
    return invalid(what + "of type " + typeText(tensor.dtype, tensor.shape) +
                   " has the data offsets [" + std::to_string(begin) + ", " +
                   std::to_string(end) + ") in " + std::to_string(data.size()) +
                   " bytes of data");
  tensor.bytes.assign(data.begin() + begin, data.begin() + end);
  return Status::success();
}

Result<TensorFile> parseSafetensors(std::span<const std::byte> bytes) {
  uint64_t length = 0;
  if (bytes.size() < sizeof(length))
    return invalid("not a safetensors file: it has " +
                   std::to_string(bytes.size()) + " bytes");
  std::memcpy(&length, bytes.data(), sizeof(length));
  std::span<const std::byte> rest = bytes.subspan(sizeof(length));
  if (length > rest.size())
    return invalid("not a safetensors file: its header claims " +
                   std::to_string(length) + " bytes");
  Result<JsonValue> header =
      parseJson({reinterpret_cast<const char *>(rest.data()), size_t(length)});
  if (!header)
    return invalid("the safetensors header: " + header.error().message);
  if (header->kind != JsonValue::Object)
    return invalid("the safetensors header is not an object");
  TensorFile file;
  for (size_t i = 0; i < header->names.size(); ++i) {
    const std::string &name = header->names[i];
    const JsonValue &entry = header->items[i];
    if (name == metadataName) {
      for (size_t m = 0; m < entry.names.size(); ++m)
        file.metadata[entry.names[m]] = entry.items[m].string;
      continue;
    }
    HostTensor tensor;
    if (Status s = parseTensor(name, entry, rest.subspan(length), tensor);
        !s.ok())
      return s;
    if (!file.tensors.emplace(name, std::move(tensor)).second)
      return invalid("tensor '" + name + "' occurs twice");
  }
  return file;
}

Result<TensorFile> readSafetensors(const std::string &path) {
  Result<std::vector<std::byte>> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<TensorFile> file = parseSafetensors(*bytes);
  if (!file)
    return invalid("'" + path + "': " + file.error().message);
  return file;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::vector<std::byte> serializeSafetensors(const TensorFile &file) {
  std::string header = "{";
  if (!file.metadata.empty()) {
    header += jsonText(metadataName) + ":{";
    for (const auto &[key, value] : file.metadata)
      header += (header.back() == '{' ? "" : ",") + jsonText(key) + ":" +
                jsonText(value);
    header += "}";
  }
  size_t offset = 0;
  for (const auto &[name, tensor] : file.tensors) {
    header += header.size() == 1 ? "" : ",";
    header += jsonText(name) + ":{\"dtype\":\"" +
              std::string(fileType(tensor.dtype)) + "\",\"shape\":[";
    for (size_t d = 0; d < tensor.shape.size(); ++d)
      header += (d ? "," : "") + std::to_string(tensor.shape[d]);
    size_t end = offset + tensor.bytes.size();
    header += "],\"data_offsets\":[" + std::to_string(offset) + "," +
              std::to_string(end) + "]}";
    offset = end;
  }
  header += "}";
  // Data aligned to 8 bytes can be mapped and used in place.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::vector<std::byte> bytes(sizeof(uint64_t) + header.size());
  uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, sizeof(length));
  std::memcpy(bytes.data() + sizeof(length), header.data(), header.size());
  bytes.reserve(bytes.size() + offset);
  for (const auto &[name, tensor] : file.tensors)
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  return bytes;
}

Status writeSafetensors(const TensorFile &file, const std::string &path) {
  return writeFile(path, serializeSafetensors(file));
}

} // namespace memplan::runtime
