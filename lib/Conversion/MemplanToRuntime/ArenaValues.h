//===- ArenaValues.h - Values in an arena and their deaths ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_ARENAVALUES_H
#define MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_ARENAVALUES_H

#include "memplan/Runtime/Program/Program.h"
#include <map>

namespace mlir::memplan {

/// Follows which value lies where while a program is built in order, to say
/// after which instruction each value's bytes are dead. The runtime's debug
/// mode fills dead bytes with a pattern.
class ArenaValues {
public:
  using Operand = ::memplan::runtime::Operand;

  /// Instruction `number` reads `operand`.
  void read(const Operand &operand, int32_t number);
  /// Instruction `number`, which reads `inputs`, writes `output`. Values that
  /// lay there are gone; one that is taken over in place does not die.
  void write(const Operand &output, int32_t number,
             const std::vector<Operand> &inputs);
  /// `operand` is an output of the program: its value never dies.
  void keep(const Operand &operand);
  /// Adds every death to its instruction.
  void finish(::memplan::runtime::Program &program);

private:
  struct Value {
    int64_t begin = 0;
    int64_t end = 0;
    int32_t lastUse = 0;
    bool kept = false;
  };
  using Key = std::pair<int32_t, int64_t>; ///< arena, first byte
  std::map<Key, Value>::iterator find(const Operand &operand);

  std::map<Key, Value> current;
  std::vector<std::pair<int32_t, ::memplan::runtime::ByteRange>> deaths;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_ARENAVALUES_H
