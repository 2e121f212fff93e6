//===- Checker.cpp - What a launch must be like ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"

#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace memplan::runtime::kernels {

[[gnu::format(printf, 2, 0)]] static void
write(const memplan_launch_t *launch, const char *format, va_list arguments) {
  if (!launch->error || launch->error_bytes <= 0)
    return;
  int used = std::snprintf(launch->error, size_t(launch->error_bytes),
                           "kernel '%s': ", launch->kernel);
  if (used >= 0 && used < launch->error_bytes)
    std::vsnprintf(launch->error + used, size_t(launch->error_bytes - used),
                   format, arguments);
}

memplan_status_t fail(const memplan_launch_t *launch, memplan_status_t status,
                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write(launch, format, arguments);
  va_end(arguments);
  return status;
}

bool Checker::require(bool condition, const char *format, ...) {
  if (condition || status != MEMPLAN_OK)
    return status == MEMPLAN_OK;
  va_list arguments;
  va_start(arguments, format);
  write(launch, format, arguments);
  va_end(arguments);
  status = MEMPLAN_INVALID_ARGUMENT;
  return false;
}

bool Checker::counts(int fewestInputs, int mostInputs, int outputs) {
  return require(launch->input_count >= fewestInputs &&
                     launch->input_count <= mostInputs,
                 "%d inputs where %d to %d belong", launch->input_count,
                 fewestInputs, mostInputs) &&
         require(launch->output_count == outputs, "%d outputs where %d belong",
                 launch->output_count, outputs);
}

static const char *typeName(int dtype) {
  return dtype == MEMPLAN_F32    ? "f32"
         : dtype == MEMPLAN_I64  ? "i64"
         : dtype == MEMPLAN_I8   ? "i8"
         : dtype == MEMPLAN_BF16 ? "bf16"
         : dtype == MEMPLAN_F16  ? "f16"
                                 : "an unknown type";
}

namespace {
/// What the letters of Checker::types stand for, as operands tell it.
struct ElementTypes {
  int value = -1;     ///< T, when it is known
  int parameter = -1; ///< P
  int any = -1;       ///< a

  bool take(char letter, int dtype) {
    switch (letter) {
    case 'T':
      return take(value, dtype);
    case 'P':
      return take(parameter, dtype) &&
             (dtype == MEMPLAN_F32 || value < 0 || dtype == value);
    case 'a':
      any = any < 0 ? dtype : any;
      return dtype == any;
    case 'r':
      return isReal(dtype);
    case 'l':
      return dtype == MEMPLAN_I64;
    case 'b':
      return dtype == MEMPLAN_I8;
    default:
      return dtype == MEMPLAN_F32;
    }
  }

  std::string_view wanted(char letter) const {
    auto known = [](int type) -> std::string_view {
      return type >= 0 ? typeName(type) : "f32, bf16 or f16";
    };
    switch (letter) {
    case 'T':
      return known(value);
    case 'a':
      return typeName(any);
    case 'r':
      return known(-1);
    case 'P':
      return parameter >= 0          ? known(parameter)
             : value == MEMPLAN_BF16 ? "f32 or bf16"
             : value == MEMPLAN_F16  ? "f32 or f16"
                                     : known(value);
    case 'l':
      return "i64";
    case 'b':
      return "i8";
    default:
      return "f32";
    }
  }

private:
  static bool isReal(int dtype) {
    return dtype == MEMPLAN_F32 || dtype == MEMPLAN_BF16 ||
           dtype == MEMPLAN_F16;
  }
  static bool take(int &type, int dtype) {
    if (type < 0 && isReal(dtype))
      type = dtype;
    return type == dtype;
  }
};
} // namespace

bool Checker::types(const char *letters) {
  ElementTypes types;
  auto check = [&](const memplan_tensor_t *tensors, int count,
                   const char *what) {
    for (int i = 0; i < count; ++i) {
      if (!types.take(*letters, tensors[i].dtype))
        return require(false, "%s %d is %s where %s belongs", what, i,
                       typeName(tensors[i].dtype),
                       types.wanted(*letters).data());
      if (!require(tensors[i].rank <= maxRank, "%s %d has rank %d; %d at most",
                   what, i, tensors[i].rank, maxRank))
        return false;
      if (letters[1] != ':' && letters[1] != 0)
        ++letters;
    }
    return true;
  };
  if (!check(launch->inputs, launch->input_count, "input"))
    return false;
  while (*letters != ':')
    ++letters;
  ++letters;
  return check(launch->outputs, launch->output_count, "output");
}

bool Checker::types(std::initializer_list<memplan_dtype> inputs,
                    std::initializer_list<memplan_dtype> outputs) {
  auto check = [&](const memplan_tensor_t *tensors, int count,
                   std::initializer_list<memplan_dtype> wanted,
                   const char *what) {
    for (int i = 0; i < count; ++i) {
      int type = size_t(i) < wanted.size() ? wanted.begin()[i] : MEMPLAN_F32;
      if (!require(tensors[i].dtype == type, "%s %d is %s where %s belongs",
                   what, i, typeName(tensors[i].dtype), typeName(type)) ||
          !require(tensors[i].rank <= maxRank, "%s %d has rank %d; %d at most",
                   what, i, tensors[i].rank, maxRank))
        return false;
    }
    return true;
  };
  return check(launch->inputs, launch->input_count, inputs, "input") &&
         check(launch->outputs, launch->output_count, outputs, "output");
}

bool Checker::rank(const memplan_tensor_t &tensor, const char *what, int rank) {
  return require(tensor.rank == rank, "%s has rank %d where %d belongs", what,
                 tensor.rank, rank);
}

static void shapeText(std::span<const int64_t> shape, char (&text)[192]) {
  size_t used = size_t(std::snprintf(text, sizeof(text), "["));
  for (size_t d = 0; d < shape.size() && used < sizeof(text); ++d)
    used +=
        size_t(std::snprintf(text + used, sizeof(text) - used, "%s%lld",
                             d ? ", " : "", static_cast<long long>(shape[d])));
  if (used < sizeof(text))
    std::snprintf(text + used, sizeof(text) - used, "]");
}

bool Checker::shapeIs(const memplan_tensor_t &tensor, const char *what,
                      std::span<const int64_t> shape) {
  bool equal = size_t(tensor.rank) == shape.size();
  for (size_t d = 0; equal && d < shape.size(); ++d)
    equal = tensor.shape[d] == shape[d];
  if (equal)
    return status == MEMPLAN_OK;
  char found[192], wanted[192];
  shapeText({tensor.shape, size_t(tensor.rank)}, found);
  shapeText(shape, wanted);
  return require(false, "%s has shape %s where %s belongs", what, found,
                 wanted);
}

bool Checker::allSame() {
  for (int i = 1; i < launch->input_count; ++i)
    if (!same(launch->inputs[i], launch->inputs[0], "an input"))
      return false;
  for (int o = 0; o < launch->output_count; ++o)
    if (!same(launch->outputs[o], launch->inputs[0], "an output"))
      return false;
  return true;
}

bool Checker::ints(const char *name, size_t count, int64_t least,
                   bool optional) {
  const memplan_attribute_t *attribute = findAttribute(launch, name);
  if (!attribute)
    return require(optional, "attribute '%s' is missing", name);
  if (!require(attribute->kind == MEMPLAN_ATTRIBUTE_INTS &&
                   size_t(attribute->count) == count,
               "attribute '%s' is not a list of %zu integers", name, count))
    return false;
  // Far below any overflow of the shape arithmetic that follows.
  constexpr int64_t most = int64_t(1) << 31;
  for (size_t i = 0; i < count; ++i)
    if (!require(attribute->ints[i] >= least && attribute->ints[i] < most,
                 "attribute '%s' holds %lld; %lld at least", name,
                 static_cast<long long>(attribute->ints[i]),
                 static_cast<long long>(least)))
      return false;
  return true;
}

bool Checker::dimension(const char *name, int rank, int &dimension) {
  int64_t value = intAttribute(launch, name, 0);
  if (!require(findAttribute(launch, name) != nullptr,
               "attribute '%s' is missing", name) ||
      !require(value >= -rank && value < rank,
               "attribute '%s' is %lld, not a dimension of rank %d", name,
               static_cast<long long>(value), rank))
    return false;
  dimension = dimensionAttribute(launch, name, rank);
  return true;
}

} // namespace memplan::runtime::kernels
