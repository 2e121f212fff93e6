//===- TensorData.h - Named tensors on the host -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DATA_TENSORDATA_H
#define MEMPLAN_RUNTIME_DATA_TENSORDATA_H

#include "memplan/Runtime/Program/Program.h"

#include <map>
#include <span>

namespace memplan::runtime {

/// A dense row-major tensor in host memory.
struct HostTensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;

  bool operator==(const HostTensor &) const = default;
};

//===----------------------------------------------------------------------===//
// safetensors
//===----------------------------------------------------------------------===//

/// The tensors of a safetensors file and its `__metadata__`.
struct TensorFile {
  std::map<std::string, HostTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads a safetensors image. Any bytes are safe. F32, BF16, F16, I64 and I8
/// are known; another element type is an error that names the tensor.
Result<TensorFile> parseSafetensors(std::span<const std::byte> bytes);
Result<TensorFile> readSafetensors(const std::string &path);

/// The bytes of the file, tensors in name order; the same tensors give the same
/// bytes.
std::vector<std::byte> serializeSafetensors(const TensorFile &file);
Status writeSafetensors(const TensorFile &file, const std::string &path);

//===----------------------------------------------------------------------===//
// npy
//===----------------------------------------------------------------------===//

/// Reads a .npy image, format 1 to 3, in C order with elements <f4, <f2, <i8,
/// |i1, or <V2, |V2 and bfloat16, which are read as bf16. Any bytes are safe.
Result<HostTensor> parseNpy(std::span<const std::byte> bytes);
Result<HostTensor> readNpy(const std::string &path);

//===----------------------------------------------------------------------===//
// Values from a seed
//===----------------------------------------------------------------------===//

/// The first value of a parameter or state, by its `init`:
///   zeros, ones, constant:VALUE
///   normal:STD              standard deviation STD: the sum of twelve uniform
///                           numbers less 6, times STD; never beyond 6 STD
///   uniform:BOUND           in [-BOUND, BOUND)
///   kaiming_uniform:FANIN   in [-b, b), b = sqrt(6 / FANIN)
/// "" is zeros for a state and uniform:0.1 for a parameter; integers take zeros
/// or ones. The values depend on seed, name and index only, and are the same
/// bytes on every machine. Sums are exact. Each value is rounded once to f32,
/// and then to the type of the argument.
Result<HostTensor> initialValue(const Argument &argument, uint64_t seed);

/// Made-up data of an input for a step. Integers are uniform in [0, high), or
/// in [0, 2^31) without `high`. Real numbers are by `init`, or uniform in [-1,
/// 1) without. Depends on seed, name, step and index only.
Result<HostTensor> syntheticData(const Argument &argument, uint64_t seed,
                                 int64_t step);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DATA_TENSORDATA_H
