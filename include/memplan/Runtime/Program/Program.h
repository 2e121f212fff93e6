//===- Program.h - The flat table that the runtime executes -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is a list of kernel launches on fixed addresses: everything that
// planning decided and nothing that is left to decide. It is a plain value.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_PROGRAM_PROGRAM_H
#define MEMPLAN_RUNTIME_PROGRAM_PROGRAM_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Support/Status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace memplan::runtime {

enum class DType : uint8_t {
  F32 = MEMPLAN_F32,
  I64 = MEMPLAN_I64,
  I8 = MEMPLAN_I8,
  BF16 = MEMPLAN_BF16,
  F16 = MEMPLAN_F16
};
/// The last of them.
inline constexpr DType lastDType = DType::F16;

int64_t byteSize(DType type);
/// True for f32, bf16 and f16.
bool isFloat(DType type);
/// "f32", "i64", "i8", "bf16", "f16".
std::string_view toString(DType type);

/// Bytes of a dense tensor, or nothing when a dimension is negative or the
/// product does not fit.
std::optional<int64_t> tensorBytes(DType type,
                                   const std::vector<int64_t> &shape);
/// "4x8xf32".
std::string typeText(DType type, const std::vector<int64_t> &shape);

/// What an operand's offset counts from.
enum class Space : uint8_t {
  Arena = 0,    ///< index: number of the arena
  Argument = 1, ///< index: number of the argument
  Constant = 2  ///< index: 0; the constants blob
};

/// A row-major tensor at a fixed place.
struct Operand {
  Space space = Space::Arena;
  int32_t index = 0;
  int64_t byteOffset = 0;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  /// Elements from one index of each dimension to the next, where there are
  /// gaps between them; empty: dense.
  std::vector<int64_t> strides = {};
  /// Which value the plan means to lie there (see Program), and where in it the
  /// operand begins. -1 where the program does not say, and for constants. The
  /// places alone decide what runs; these two let a run be checked against
  /// what was planned.
  int32_t value = -1;
  int64_t valueOffset = 0;

  /// Only on operands of a checked program: without gaps, and with them.
  int64_t bytes() const { return *tensorBytes(dtype, shape); }
  int64_t spanBytes() const;
  bool operator==(const Operand &) const = default;
};

/// Consecutive bytes of what an operand's offset counts from.
struct ByteRun {
  int64_t begin = 0, end = 0;
  bool operator==(const ByteRun &) const = default;
};

/// The bytes of an operand of a checked program, in order: one run where it is
/// dense.
std::vector<ByteRun> runsOf(const Operand &operand);
/// The most runs that an operand may have.
inline constexpr int64_t mostRuns = 65536;

/// The strides of a dense operand.
std::vector<int64_t> denseStrides(const std::vector<int64_t> &shape);

using AttributeValue = std::variant<int64_t, double, std::string,
                                    std::vector<int64_t>, std::vector<double>>;

/// Attributes of an instruction are sorted by name, without duplicates.
/// Booleans and unit attributes are int 1; false ones may be left out.
struct Attribute {
  std::string name;
  AttributeValue value;

  bool operator==(const Attribute &) const = default;
};

enum class ArgumentKind : uint8_t { Parameter = 0, State = 1, Input = 2 };
std::string_view toString(ArgumentKind kind);

/// A buffer of the caller, or bytes of an arena that hold what the caller
/// writes until their last reader has run.
struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::Input;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  /// "zeros", "ones", "constant:VALUE", "normal:STD", "uniform:BOUND",
  /// "kaiming_uniform:FANIN";
  /// "" lets the kind decide. lib/Runtime/Data/Initializer.cpp reads it.
  std::string init;
  /// Integer data lies in [0, high); 0 when not said.
  int64_t high = 0;
  /// The dimension that counts samples, or -1.
  int32_t batchDim = -1;
  bool donated = false;
  /// An argument that the plan put into an arena (`owns` of the plan): the
  /// number of the arena, and its place there at first. -1: in a buffer of its
  /// own. In a device arena only a donated input, whose bytes other values take
  /// after its last reader. In a host arena any argument: it stays there
  /// between steps, unless it is a donated input.
  int32_t arena = -1;
  int64_t arenaOffset = 0;

  int64_t bytes() const { return *tensorBytes(dtype, shape); }
  bool operator==(const Argument &) const = default;
};

struct ArenaInfo {
  int64_t bytes = 0;
  int64_t alignment = 256;
  /// "device", or "host" for tensors that were copied out of the device.
  std::string space = "device";

  bool isHost() const { return space == "host"; }

  bool operator==(const ArenaInfo &) const = default;
};

/// What runs an instruction: its stream, or one of the two copy engines. What
/// belongs to one queue runs one after the other in the order of the table.
enum class Queue : uint8_t { Compute = 0, DeviceToHost = 1, HostToDevice = 2 };
/// "compute", "d2h", "h2d".
std::string_view toString(Queue queue);

/// One launch, or one copy between the device and a host arena.
///
/// Order. An instruction starts after all that came before it on its queue. A
/// copy is issued from `stream`: it starts after all launches before it on that
/// stream. With its `waits` the stream waits too: what is issued on it from
/// here on, launches and copies, starts after them. Nothing else is ordered,
/// and the end of the step waits for everything.
struct Instruction {
  std::string kernel; ///< "memplan.relu"; of a copy a name for people
  int32_t node = -1;  ///< program-order node of the source graph
  int32_t run = 0; ///< 0 for the first run, then 1, 2, ... for recomputations
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
  /// Scratch: an i8 operand in an arena. Its bytes are dead afterwards.
  std::optional<Operand> workspace;
  /// The implementation that was planned, by the name that its backend gives
  /// it; "" leaves the choice to the backend. Other backends ignore it.
  std::string variant = {};
  std::vector<Attribute> attributes;
  int32_t stream = 0;
  /// Earlier instructions of other queues that must have finished.
  std::vector<int32_t> waits;
  /// A copy has one input and one output, dense and of as many bytes. One is in
  /// a host arena, the other in a device arena or an argument.
  Queue queue = Queue::Compute;

  bool isCopy() const { return queue != Queue::Compute; }

  bool operator==(const Instruction &) const = default;
};

enum class OutputKind : uint8_t { Loss = 0, Output = 1 };
std::string_view toString(OutputKind kind);

/// A value that is kept after the step, until the next one.
struct Output {
  std::string name;
  OutputKind kind = OutputKind::Output;
  Operand operand;

  bool operator==(const Output &) const = default;
};

/// `argument` holds `value` after the step. When `value` is the argument itself
/// the step wrote it; otherwise the executor copies it at the end. All updates
/// happen at once: two arguments may take each other's value. An argument in a
/// host arena is written by the step: its value is the operand at its place.
struct Update {
  int32_t argument = 0;
  Operand value;

  bool operator==(const Update &) const = default;
};

/// Values are numbered: 0 .. arguments.size() - 1 are what the caller gave.
/// Then each output of each instruction makes the next one, in order.
/// nameValues() writes the numbers.
struct Program {
  /// Version of the file format and of this table's meaning.
  static constexpr uint32_t formatVersion = 6;

  std::string name;
  /// The device that it was planned for, as Device::plannedFor() says it; "":
  /// it is for any.
  std::string device = {};
  std::vector<ArenaInfo> arenas;
  std::vector<Argument> arguments;
  std::vector<std::byte> constants;
  std::vector<Instruction> instructions;
  std::vector<Output> outputs;
  std::vector<Update> updates;
  /// The most bytes that the step may hold on the device, or -1 when the plan
  /// was made without a limit.
  int64_t budgetBytes = -1;
  /// Bytes that the plan counts beside arenas and arguments.
  int64_t fixedBytes = 0;

  /// Everything an executor relies on. Shapes do not overflow. Every operand is
  /// inside its arena, argument or constants and aligned to its element. No
  /// output is in the constants. Outputs of one instruction are disjoint, and
  /// an output is disjoint from an input or exactly on it. Workspaces are apart
  /// from the operands. Strides let no elements overlap, and outputs of the
  /// program have none. Waits are on earlier instructions. Host arenas are
  /// touched by copies only. Arguments in an arena are aligned and apart from
  /// each other. Values are numbered as said above or not at all. There are no
  /// races.
  Status check() const;
  /// All of check() but for the races: what a run needs to show one.
  Status checkTable() const;
  /// Promise of a checked program: whatever writes bytes is ordered
  /// against all others that touch them, however long each queue takes.
  Status checkRaces() const;

  /// An error unless there is such an argument, or output, of so many bytes.
  Status checkArgument(int32_t argument, int64_t bytes) const;
  Status checkOutput(int32_t output, int64_t bytes) const;
  /// Every operand says which value it is.
  bool namesValues() const;
  /// Whether anything may run beside something else: copies, or a second
  /// stream.
  bool usesQueues() const;
  /// An argument in a host arena whose value is kept after the step.
  bool keepsOnHost(const Argument &argument) const;
  /// Number of the first instruction that has an operand with strides, or -1.
  int32_t firstStrided() const;
  /// What the step holds on the device: arenas, arguments, constants and
  /// `fixedBytes`.
  int64_t residentBytes() const;

  bool operator==(const Program &) const = default;
};

/// Numbers the values of a program whose places are known to be right, as those
/// of a verified plan are. Every operand is the value that lies there when its
/// turn comes, whatever it was called before. An error where bytes hold no
/// whole value.
Status nameValues(Program &program);

/// "[1,2]", "\"none\"", "0.5": integers and real numbers stay apart.
std::string attributeText(const AttributeValue &value);

/// Outputs of the instruction that occupy the bytes of one of its inputs.
std::vector<memplan_in_place_t> aliasesOf(const Instruction &instruction);

/// "memplan.relu{} (4x8xf32) -> (4x8xf32)": operation, sorted attributes and
/// types; the same text for the same kernel call. Keys profile entries.
std::string profileKey(const Instruction &instruction);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_PROGRAM_PROGRAM_H
