//===- ProgramWaits.h - Events and waits of a program table -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_PROGRAMWAITS_H
#define MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_PROGRAMWAITS_H

#include "memplan/Runtime/Program/Program.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>

namespace mlir::memplan {

/// Turns waits for events, which stand where a stream is told to wait, into
/// waits of the next instruction that is issued there for earlier ones.
class ProgramWaits {
public:
  /// Gives an instruction of that number, which is issued now, its waits.
  void issue(::memplan::runtime::Instruction &instruction, int32_t number);
  /// `event` is the end of a copy, which has that number.
  void endOfCopy(Value event, int32_t number) { events[event] = {number}; }
  /// `event` is the end of all that the stream has been given.
  void record(Value event, int32_t stream);
  /// The stream waits; false where nothing gives the event.
  bool wait(Value event, int32_t stream);

private:
  using Numbers = std::set<int32_t>;
  struct Stream {
    int32_t last = -1; ///< Launch.
    Numbers pending;   ///< What nothing has been given as waits yet.
    Numbers since; ///< What the stream has waited for since the last launch.
  };

  std::map<int32_t, Stream> streams;
  llvm::DenseMap<Value, Numbers> events;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_PROGRAMWAITS_H
