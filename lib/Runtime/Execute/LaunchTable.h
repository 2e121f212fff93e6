//===- LaunchTable.h - Instructions as kernels see them ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_LAUNCHTABLE_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_LAUNCHTABLE_H

#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Program/Program.h"

#include <cstddef>
#include <functional>
#include <span>

namespace memplan::runtime {

/// The C structs of a list of instructions, made once. They point into the
/// instructions, which must stay where they are. Pointers to data are null
/// until they are resolved.
class LaunchTable {
public:
  LaunchTable() = default;
  explicit LaunchTable(std::span<const Instruction> instructions);

  memplan_launch_t &launch(size_t number) { return launches[number]; }
  /// Operand `number` of instruction i: inputs, then outputs.
  memplan_tensor_t *operands(size_t i) { return &tensors[first[i]]; }

  /// Sets every pointer to `base(operand) + operand.byteOffset`.
  void resolve(std::span<const Instruction> instructions,
               const std::function<std::byte *(const Operand &)> &base);

private:
  std::vector<memplan_launch_t> launches;
  std::vector<memplan_tensor_t> tensors;
  std::vector<size_t> first; ///< of each instruction, in `tensors`
  std::vector<std::vector<memplan_attribute_t>> attributes;
  std::vector<std::vector<memplan_in_place_t>> aliases;
  std::vector<std::vector<const int64_t *>> strides; ///< Empty: all dense.
};

/// Prepares a launch of the table on `device`. One that names a variant gets
/// this one or fails; a backend that lists no variants is not told of it.
/// `what` says in errors which launch it is. MEMPLAN_UNAVAILABLE for elements
/// of 16 bits where the backend is older than these.
Result<memplan_prepared_t> prepareLaunch(const Device &device,
                                         memplan_launch_t &launch,
                                         const std::string &what);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_LAUNCHTABLE_H
