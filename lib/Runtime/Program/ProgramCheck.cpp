//===- ProgramCheck.cpp - What an executor relies on ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"

#include <map>
#include <set>
#include <string_view>

namespace memplan::runtime {

static bool overlap(const Operand &a, const Operand &b) {
  if (a.space != b.space || a.index != b.index ||
      a.byteOffset >= b.byteOffset + b.spanBytes() ||
      b.byteOffset >= a.byteOffset + a.spanBytes())
    return false;
  if (a.strides.empty() && b.strides.empty())
    return true;
  const std::vector<ByteRun> mine = runsOf(a), other = runsOf(b);
  for (size_t i = 0, j = 0; i < mine.size() && j < other.size();) {
    if (mine[i].begin < other[j].end && other[j].begin < mine[i].end)
      return true;
    ++(mine[i].begin < other[j].begin ? i : j);
  }
  return false;
}

static bool sameBytes(const Operand &a, const Operand &b) {
  return a.byteOffset == b.byteOffset && runsOf(a) == runsOf(b);
}

/// Strides under which elements stay in order and apart.
static Status checkStrides(const Operand &operand, const std::string &what) {
  if (operand.strides.empty())
    return Status::success();
  if (operand.strides.size() != operand.shape.size())
    return invalid(what + " of type " + typeText(operand.dtype, operand.shape) +
                   " has " + std::to_string(operand.strides.size()) +
                   " strides");
  int64_t least = 1, runs = 1, span = byteSize(operand.dtype);
  bool apart = false;
  for (size_t d = operand.shape.size(); d-- > 0;) {
    const int64_t size = operand.shape[d], stride = operand.strides[d];
    if (stride < least && size > 1)
      return invalid(what + " has a stride of " + std::to_string(stride) +
                     " elements in dimension " + std::to_string(d) +
                     ", where an index takes " + std::to_string(least));
    apart |= size > 1 && stride != least;
    runs *= apart ? std::max<int64_t>(size, 1) : 1;
    if (runs > mostRuns)
      return invalid(what + " has more than " + std::to_string(mostRuns) +
                     " runs of bytes");
    if (size > 1 &&
        (__builtin_mul_overflow(stride, size, &least) ||
         __builtin_mul_overflow(least, byteSize(operand.dtype), &span)))
      return invalid(what + " has strides that reach beyond 2^63 bytes");
  }
  return Status::success();
}

/// Bytes of what the operand's offset counts from, or nothing if it names no
/// such thing.
static std::optional<int64_t> spaceBytes(const Program &program,
                                         const Operand &operand) {
  size_t index = size_t(operand.index);
  switch (operand.space) {
  case Space::Arena:
    if (operand.index >= 0 && index < program.arenas.size())
      return program.arenas[index].bytes;
    return std::nullopt;
  case Space::Argument:
    if (operand.index >= 0 && index < program.arguments.size())
      return tensorBytes(program.arguments[index].dtype,
                         program.arguments[index].shape);
    return std::nullopt;
  case Space::Constant:
    if (operand.index == 0)
      return int64_t(program.constants.size());
    return std::nullopt;
  }
  return std::nullopt;
}

static Status checkOperand(const Program &program, const Operand &operand,
                           const std::string &what) {
  if (Status type = checkType(operand.dtype, operand.shape, what); !type.ok())
    return type;
  if (Status strides = checkStrides(operand, what); !strides.ok())
    return strides;
  std::optional<int64_t> room = spaceBytes(program, operand);
  if (!room)
    return invalid(what + " names number " + std::to_string(operand.index) +
                   " of space " + std::to_string(int(operand.space)) +
                   ", which the program does not have");
  if (operand.space == Space::Argument &&
      program.arguments[size_t(operand.index)].arena >= 0)
    return invalid(what + " names argument " + std::to_string(operand.index) +
                   ", which lies in an arena: its bytes there belong here");
  int64_t end = 0;
  if (operand.byteOffset < 0 ||
      __builtin_add_overflow(operand.byteOffset, operand.spanBytes(), &end) ||
      end > *room)
    return invalid(what + " starts at byte " +
                   std::to_string(operand.byteOffset) + " and takes " +
                   std::to_string(operand.spanBytes()) + " bytes; there are " +
                   std::to_string(*room));
  if (operand.byteOffset % byteSize(operand.dtype) != 0)
    return invalid(what + " at byte " + std::to_string(operand.byteOffset) +
                   " is not aligned to its element type " +
                   std::string(toString(operand.dtype)));
  return Status::success();
}

static Status checkAttributes(const Instruction &instruction,
                              const std::string &where) {
  for (size_t i = 1; i < instruction.attributes.size(); ++i)
    if (instruction.attributes[i - 1].name >= instruction.attributes[i].name)
      return invalid(where + ": attributes '" +
                     instruction.attributes[i - 1].name + "' and '" +
                     instruction.attributes[i].name +
                     "' are not sorted by name without duplicates");
  return Status::success();
}

/// A piece of a concat that lies where it ends up: its first element as far
/// into the output as the inputs before it reach, and all others as far from
/// there as in the output.
static bool isInPlacePiece(const Instruction &instruction, size_t input) {
  if (instruction.kernel != "memplan.concat")
    return false;
  const Operand &whole = instruction.outputs[0];
  const Operand &piece = instruction.inputs[input];
  const int64_t *dim = nullptr;
  for (const Attribute &attribute : instruction.attributes)
    if (attribute.name == "dim")
      dim = std::get_if<int64_t>(&attribute.value);
  if (!dim || *dim < 0 || size_t(*dim) >= whole.shape.size() ||
      piece.shape.size() != whole.shape.size())
    return false;
  auto stridesOf = [](const Operand &operand) {
    return operand.strides.empty() ? denseStrides(operand.shape)
                                   : operand.strides;
  };
  const std::vector<int64_t> outer = stridesOf(whole), inner = stridesOf(piece);
  for (size_t d = 0; d < outer.size(); ++d)
    if (piece.shape[d] > 1 && inner[d] != outer[d])
      return false;
  int64_t start = 0;
  for (size_t i = 0; i < input; ++i)
    start += instruction.inputs[i].shape.size() > size_t(*dim)
                 ? instruction.inputs[i].shape[size_t(*dim)]
                 : 0;
  return piece.byteOffset ==
         whole.byteOffset + start * outer[size_t(*dim)] * byteSize(whole.dtype);
}

/// Outputs apart from each other, and each apart from an input or exactly on
/// it, or with the input as a piece of it; the workspace apart from everything.
static Status checkOverlap(const Program &program,
                           const Instruction &instruction,
                           const std::string &where) {
  const std::vector<Operand> &inputs = instruction.inputs;
  const std::vector<Operand> &outputs = instruction.outputs;
  for (size_t o = 0; o < outputs.size(); ++o) {
    if (outputs[o].space == Space::Constant)
      return invalid(where + ": output " + std::to_string(o) +
                     " lies in the constants");
    for (size_t other = o + 1; other < outputs.size(); ++other)
      if (overlap(outputs[o], outputs[other]))
        return invalid(where + ": outputs " + std::to_string(o) + " and " +
                       std::to_string(other) + " share bytes");
    for (size_t i = 0; i < inputs.size(); ++i)
      if (overlap(outputs[o], inputs[i]) && !sameBytes(outputs[o], inputs[i]) &&
          !isInPlacePiece(instruction, i))
        return invalid(where + ": output " + std::to_string(o) +
                       " lies on a part of input " + std::to_string(i));
  }
  if (!instruction.workspace)
    return Status::success();
  const Operand &workspace = *instruction.workspace;
  if (workspace.space != Space::Arena || workspace.dtype != DType::I8 ||
      !workspace.strides.empty() ||
      program.arenas[size_t(workspace.index)].isHost())
    return invalid(where +
                   ": the workspace is not an i8 operand in a device arena");
  for (const std::vector<Operand> *list : {&inputs, &outputs})
    for (const Operand &operand : *list)
      if (overlap(workspace, operand))
        return invalid(where + ": the workspace shares bytes with an operand");
  return Status::success();
}

static bool liesOnHost(const Program &program, const Operand &operand) {
  return operand.space == Space::Arena &&
         program.arenas[size_t(operand.index)].isHost();
}

/// The whole place of an argument that lies in an arena.
static bool isHomeOf(const Operand &operand, const Argument &argument) {
  return operand.space == Space::Arena && operand.index == argument.arena &&
         operand.byteOffset == argument.arenaOffset;
}

static Status checkCopy(const Program &program, const Instruction &copy,
                        const std::string &where) {
  if (copy.inputs.size() != 1 || copy.outputs.size() != 1 || copy.workspace)
    return invalid(where + ": a copy has one input, one output and no "
                           "workspace");
  const Operand &source = copy.inputs[0], &target = copy.outputs[0];
  if (!source.strides.empty() || !target.strides.empty())
    return invalid(where + ": a copy has gaps between its elements");
  if (source.bytes() != target.bytes())
    return invalid(where + ": copies " + std::to_string(source.bytes()) +
                   " bytes to a place of " + std::to_string(target.bytes()));
  const bool out = copy.queue == Queue::DeviceToHost;
  const Operand &host = out ? target : source, &device = out ? source : target;
  if (!liesOnHost(program, host) || liesOnHost(program, device) ||
      device.space == Space::Constant)
    return invalid(where + ": a copy " + std::string(toString(copy.queue)) +
                   (out ? " goes from a device arena or an argument to a host "
                          "arena"
                        : " goes from a host arena to a device arena or an "
                          "argument"));
  return Status::success();
}

/// Kernels see the memory of the device, copies both.
static Status checkSides(const Program &program, const Instruction &instruction,
                         const std::string &where) {
  if (instruction.queue > Queue::HostToDevice)
    return invalid(where + ": unknown queue " +
                   std::to_string(int(instruction.queue)));
  if (instruction.isCopy())
    return checkCopy(program, instruction, where);
  for (const std::vector<Operand> *operands :
       {&instruction.inputs, &instruction.outputs})
    for (const Operand &operand : *operands)
      if (liesOnHost(program, operand))
        return invalid(where + ": has an operand in the host arena " +
                       std::to_string(operand.index) +
                       ", which only copies may touch");
  return Status::success();
}

static Status checkInstruction(const Program &program, size_t number) {
  const Instruction &instruction = program.instructions[number];
  std::string where =
      "instruction " + std::to_string(number) + " (" + instruction.kernel + ")";
  for (size_t i = 0; i < instruction.inputs.size(); ++i)
    if (Status s = checkOperand(program, instruction.inputs[i],
                                where + ": input " + std::to_string(i));
        !s.ok())
      return s;
  for (size_t o = 0; o < instruction.outputs.size(); ++o)
    if (Status s = checkOperand(program, instruction.outputs[o],
                                where + ": output " + std::to_string(o));
        !s.ok())
      return s;
  if (instruction.workspace)
    if (Status s = checkOperand(program, *instruction.workspace,
                                where + ": workspace");
        !s.ok())
      return s;
  if (Status s = checkAttributes(instruction, where); !s.ok())
    return s;
  if (Status s = checkSides(program, instruction, where); !s.ok())
    return s;
  if (Status s = checkOverlap(program, instruction, where); !s.ok())
    return s;
  // It goes to the backend as a C string.
  if (instruction.variant.find('\0') != std::string::npos)
    return invalid(where + ": the name of its variant has a zero byte");
  if (instruction.stream < 0 || instruction.stream > 255)
    return invalid(where + ": stream " + std::to_string(instruction.stream) +
                   " is not in [0, 256)");
  for (int32_t wait : instruction.waits)
    if (wait < 0 || size_t(wait) >= number)
      return invalid(where + ": waits for instruction " + std::to_string(wait) +
                     ", which does not come before it");
  return Status::success();
}

static Status checkUpdates(const Program &program) {
  std::set<int32_t> updated;
  for (const Update &update : program.updates) {
    std::string what = "update of argument " + std::to_string(update.argument);
    if (update.argument < 0 ||
        size_t(update.argument) >= program.arguments.size())
      return invalid(what + ", which the program does not have");
    if (!updated.insert(update.argument).second)
      return invalid(what + " is given twice");
    const Argument &argument = program.arguments[size_t(update.argument)];
    if (argument.arena >= 0 && !program.keepsOnHost(argument))
      return invalid(what + " '" + argument.name +
                     "', which lies in an arena and is freed after the step");
    if (Status s = checkOperand(program, update.value, what); !s.ok())
      return s;
    if ((argument.arena >= 0 || liesOnHost(program, update.value)) &&
        !isHomeOf(update.value, argument))
      return invalid(what + " '" + argument.name +
                     "' has a value on the host or lies there: the step must "
                     "write the value to the place of the argument");
    if (!update.value.strides.empty())
      return invalid(what + " has gaps between its elements");
    if (update.value.dtype != argument.dtype ||
        update.value.shape != argument.shape)
      return invalid(what + " has type " +
                     typeText(update.value.dtype, update.value.shape) + "; '" +
                     argument.name + "' has " +
                     typeText(argument.dtype, argument.shape));
  }
  return Status::success();
}

/// Implementations of one operation differ in the last bits, and a value that
/// is recomputed stands for the one that was freed.
static Status checkVariants(const Program &program) {
  std::map<std::pair<int32_t, std::string_view>, size_t> first;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (instruction.node < 0 || instruction.isCopy())
      continue;
    const size_t other =
        first.try_emplace({instruction.node, instruction.kernel}, i)
            .first->second;
    const std::string &variant = program.instructions[other].variant;
    if (variant != instruction.variant)
      return invalid("instruction " + std::to_string(i) + " (" +
                     instruction.kernel + ") runs node " +
                     std::to_string(instruction.node) + " as variant '" +
                     instruction.variant + "', instruction " +
                     std::to_string(other) + " as '" + variant +
                     "': what is recomputed would have other bits; plan again");
  }
  return Status::success();
}

Status Program::checkTable() const {
  if (Status s = checkDeclarations(*this); !s.ok())
    return s;
  for (size_t i = 0; i < instructions.size(); ++i)
    if (Status s = checkInstruction(*this, i); !s.ok())
      return s;
  for (size_t o = 0; o < outputs.size(); ++o) {
    const std::string what =
        "program output " + std::to_string(o) + " '" + outputs[o].name + "'";
    if (Status s = checkOperand(*this, outputs[o].operand, what); !s.ok())
      return s;
    if (!outputs[o].operand.strides.empty())
      return invalid(what + " has gaps between its elements");
    if (liesOnHost(*this, outputs[o].operand))
      return invalid(what + " lies on the host: a copy must bring it back");
  }
  if (Status s = checkUpdates(*this); !s.ok())
    return s;
  if (Status s = checkVariants(*this); !s.ok())
    return s;
  return checkValues(*this);
}

Status Program::check() const {
  Status status = checkTable();
  return status.ok() ? checkRaces() : status;
}

} // namespace memplan::runtime
