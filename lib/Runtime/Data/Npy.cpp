//===- Npy.cpp - Reading .npy files ---------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A .npy file: "\x93NUMPY", version (2 bytes), length of the header (u16 in
// version 1, else u32), the header as a Python dictionary of `descr`,
// `fortran_order` and `shape`, then the elements.
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/FileIO.h"

#include "memplan/Runtime/Data/TensorData.h"

#include <charconv>
#include <cstring>

namespace memplan::runtime {

/// What follows `'key':` in the header, without blanks in front.
static std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "'");
  if (at == header.npos)
    return {};
  at = header.find(':', at);
  if (at == header.npos)
    return {};
  at = header.find_first_not_of(' ', at + 1);
  return at == header.npos ? std::string_view() : header.substr(at);
}

static bool parseType(std::string_view text, DType &dtype) {
  auto is = [&](std::string_view name) {
    return text.substr(0, name.size()) == name;
  };
  if (is("'<f4'"))
    dtype = DType::F32;
  else if (is("'<f2'"))
    dtype = DType::F16;
  // numpy has no bfloat16 of its own; these are what ml_dtypes saves.
  else if (is("'<V2'") || is("'|V2'") || is("'bfloat16'"))
    dtype = DType::BF16;
  else if (is("'<i8'"))
    dtype = DType::I64;
  else if (is("'|i1'"))
    dtype = DType::I8;
  else
    return false;
  return true;
}

/// The text in the quotes that begin it, with them.
static std::string quoted(std::string_view text) {
  const size_t end = text.find('\'', 1);
  return end == text.npos ? "of an unknown type"
                          : std::string(text.substr(0, end + 1));
}

/// "(3, 4)", "(3,)", "()".
static bool parseShape(std::string_view text, std::vector<int64_t> &shape) {
  if (text.empty() || text[0] != '(')
    return false;
  size_t at = 1;
  while (true) {
    at = text.find_first_not_of(" ,", at);
    if (at == text.npos)
      return false;
    if (text[at] == ')')
      return true;
    int64_t dim = 0;
    auto [end, error] =
        std::from_chars(text.data() + at, text.data() + text.size(), dim);
    if (error != std::errc() || dim < 0 || shape.size() >= 8)
      return false;
    shape.push_back(dim);
    at = size_t(end - text.data());
  }
}

Result<HostTensor> parseNpy(std::span<const std::byte> bytes) {
  static constexpr char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
  if (bytes.size() < 12 || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    return invalid("not a .npy file");
  int version = int(bytes[6]);
  size_t start = version == 1 ? 10 : 12;
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, version == 1 ? 2 : 4);
  if (version < 1 || version > 3 || length > bytes.size() - start)
    return invalid("the .npy header is cut short or of an unknown version");
  std::string_view header(reinterpret_cast<const char *>(bytes.data() + start),
                          length);
  HostTensor tensor;
  std::string_view type = valueOf(header, "descr");
  if (!parseType(type, tensor.dtype))
    return invalid(".npy elements are " + quoted(type) +
                   "; convert the array to float32, float16, int64 or int8");
  if (valueOf(header, "fortran_order").substr(0, 5) != "False")
    return invalid("the .npy array is in Fortran order; save it with "
                   "numpy.ascontiguousarray");
  if (!parseShape(valueOf(header, "shape"), tensor.shape))
    return invalid("the .npy shape cannot be read");
  std::optional<int64_t> wanted = tensorBytes(tensor.dtype, tensor.shape);
  std::span<const std::byte> data = bytes.subspan(start + length);
  if (!wanted || uint64_t(*wanted) != data.size())
    return invalid("the .npy file holds " + std::to_string(data.size()) +
                   " bytes of data, which is not what its shape takes");
  tensor.bytes.assign(data.begin(), data.end());
  return tensor;
}

Result<HostTensor> readNpy(const std::string &path) {
  Result<std::vector<std::byte>> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<HostTensor> tensor = parseNpy(*bytes);
  if (!tensor)
    return invalid("'" + path + "': " + tensor.error().message);
  return tensor;
}

} // namespace memplan::runtime
