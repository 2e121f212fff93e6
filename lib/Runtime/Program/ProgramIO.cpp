//===- ProgramIO.cpp - Programs as .mpp files -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description of the format, `visit`, drives both directions: a Writer
// appends each field, a Reader fills it. The two cannot disagree.
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Program/ProgramIO.h"

#include "memplan/Runtime/Support/FileIO.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace memplan::runtime {

static_assert(std::endian::native == std::endian::little,
              "the format is little endian and read without swapping");

static constexpr char magic[4] = {'M', 'P', 'P', 'R'};

namespace {

/// Appends fields to a byte vector.
class Writer {
public:
  std::vector<std::byte> bytes;

  void raw(const void *data, size_t count) {
    const auto *from = static_cast<const std::byte *>(data);
    bytes.insert(bytes.end(), from, from + count);
  }
  template <typename T> void scalar(const T &value) {
    raw(&value, sizeof(value));
  }
  /// Every entry takes at least a byte, which bounds what a Reader believes.
  template <typename T, typename F> void list(const std::vector<T> &list, F f) {
    scalar(uint64_t(list.size()));
    for (const T &entry : list)
      f(*this, const_cast<T &>(entry));
  }
  void text(const std::string &text) {
    scalar(uint64_t(text.size()));
    raw(text.data(), text.size());
  }
  void blob(const std::vector<std::byte> &blob) {
    scalar(uint64_t(blob.size()));
    raw(blob.data(), blob.size());
  }
};

/// Fills fields from bytes. After a failure it fills zeros and stays failed.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : rest(bytes) {}

  std::span<const std::byte> rest;
  std::string failure;

  void fail(std::string text) {
    if (failure.empty())
      failure = std::move(text);
    rest = {};
  }
  void raw(void *data, size_t count) {
    if (count > rest.size()) {
      std::memset(data, 0, count);
      return fail("the file ends inside a field");
    }
    if (count > 0)
      std::memcpy(data, rest.data(), count);
    rest = rest.subspan(count);
  }
  template <typename T> void scalar(T &value) { raw(&value, sizeof(value)); }
  /// A count of entries that take at least `entryBytes` bytes each.
  size_t count(size_t entryBytes) {
    uint64_t count = 0;
    scalar(count);
    if (count > rest.size() / entryBytes) {
      fail("a list claims " + std::to_string(count) +
           " entries, more than the rest of the file holds");
      return 0;
    }
    return size_t(count);
  }
  template <typename T, typename F> void list(std::vector<T> &list, F f) {
    // Entries of arithmetic type take their size, all others at least 8 bytes.
    list.resize(count(std::is_arithmetic_v<T> ? sizeof(T) : 8));
    for (T &entry : list)
      f(*this, entry);
  }
  void text(std::string &text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  void blob(std::vector<std::byte> &blob) {
    blob.resize(count(1));
    raw(blob.data(), blob.size());
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static constexpr auto scalarEntry = [](auto &stream, auto &value) {
  stream.scalar(value);
};

template <typename Enum>
static void enumeration(Writer &stream, Enum &value, Enum) {
  stream.scalar(uint8_t(value));
}

template <typename Enum>
static void enumeration(Reader &stream, Enum &value, Enum last) {
  uint8_t number = 0;
  stream.scalar(number);
  if (number > uint8_t(last))
    return stream.fail("the number " + std::to_string(number) +
                       " stands where at most " +
                       std::to_string(int(uint8_t(last))) + " is known");
  value = Enum(number);
}

static void boolean(Writer &stream, bool &value) {
  stream.scalar(uint8_t(value));
}

static void boolean(Reader &stream, bool &value) {
  uint8_t number = 0;
  stream.scalar(number);
  if (number > 1)
    stream.fail("a flag is neither 0 nor 1");
  value = number == 1;
}

template <typename Stream> static void visit(Stream &s, ArenaInfo &arena) {
  s.scalar(arena.bytes);
  s.scalar(arena.alignment);
  s.text(arena.space);
}

template <typename Stream> static void visit(Stream &s, Argument &argument) {
  s.text(argument.name);
  enumeration(s, argument.kind, ArgumentKind::Input);
  enumeration(s, argument.dtype, lastDType);
  s.list(argument.shape, scalarEntry);
  s.text(argument.init);
  s.scalar(argument.high);
  s.scalar(argument.batchDim);
  boolean(s, argument.donated);
  s.scalar(argument.arena);
  s.scalar(argument.arenaOffset);
}

template <typename Stream> static void visit(Stream &s, Operand &operand) {
  enumeration(s, operand.space, Space::Constant);
  s.scalar(operand.index);
  s.scalar(operand.byteOffset);
  enumeration(s, operand.dtype, lastDType);
  s.list(operand.shape, scalarEntry);
  s.list(operand.strides, scalarEntry);
  s.scalar(operand.value);
  s.scalar(operand.valueOffset);
}

static void attributeValue(Writer &s, AttributeValue &value) {
  s.scalar(uint8_t(value.index()));
  if (auto *integer = std::get_if<int64_t>(&value))
    s.scalar(*integer);
  else if (auto *real = std::get_if<double>(&value))
    s.scalar(*real);
  else if (auto *string = std::get_if<std::string>(&value))
    s.text(*string);
  else if (auto *integers = std::get_if<std::vector<int64_t>>(&value))
    s.list(*integers, scalarEntry);
  else
    s.list(std::get<std::vector<double>>(value), scalarEntry);
}

static void attributeValue(Reader &s, AttributeValue &value) {
  uint8_t kind = 0;
  s.scalar(kind);
  switch (kind) {
  case MEMPLAN_ATTRIBUTE_INT:
    return s.scalar(value.emplace<int64_t>());
  case MEMPLAN_ATTRIBUTE_FLOAT:
    return s.scalar(value.emplace<double>());
  case MEMPLAN_ATTRIBUTE_STRING:
    return s.text(value.emplace<std::string>());
  case MEMPLAN_ATTRIBUTE_INTS:
    return s.list(value.emplace<std::vector<int64_t>>(), scalarEntry);
  case MEMPLAN_ATTRIBUTE_FLOATS:
    return s.list(value.emplace<std::vector<double>>(), scalarEntry);
  }
  s.fail("an attribute has the unknown kind " + std::to_string(int(kind)));
}

template <typename Stream> static void visit(Stream &s, Attribute &attribute) {
  s.text(attribute.name);
  attributeValue(s, attribute.value);
}

static constexpr auto entry = [](auto &stream, auto &value) {
  visit(stream, value);
};

template <typename Stream>
static void visit(Stream &s, Instruction &instruction) {
  s.text(instruction.kernel);
  s.scalar(instruction.node);
  s.scalar(instruction.run);
  s.list(instruction.inputs, entry);
  s.list(instruction.outputs, entry);
  bool hasWorkspace = instruction.workspace.has_value();
  boolean(s, hasWorkspace);
  if (hasWorkspace) {
    if (!instruction.workspace)
      instruction.workspace.emplace();
    visit(s, *instruction.workspace);
  }
  s.text(instruction.variant);
  s.list(instruction.attributes, entry);
  s.scalar(instruction.stream);
  s.list(instruction.waits, scalarEntry);
  enumeration(s, instruction.queue, Queue::HostToDevice);
}

template <typename Stream> static void visit(Stream &s, Output &output) {
  s.text(output.name);
  enumeration(s, output.kind, OutputKind::Output);
  visit(s, output.operand);
}

template <typename Stream> static void visit(Stream &s, Update &update) {
  s.scalar(update.argument);
  visit(s, update.value);
}

template <typename Stream> static void visit(Stream &s, Program &program) {
  s.text(program.name);
  s.text(program.device);
  s.list(program.arenas, entry);
  s.list(program.arguments, entry);
  s.blob(program.constants);
  s.list(program.instructions, entry);
  s.list(program.outputs, entry);
  s.list(program.updates, entry);
  s.scalar(program.budgetBytes);
  s.scalar(program.fixedBytes);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::vector<std::byte> serializeProgram(const Program &program) {
  Writer writer;
  writer.raw(magic, sizeof(magic));
  writer.scalar(Program::formatVersion);
  // A Writer only reads; `visit` is shared with the Reader, hence not const.
  visit(writer, const_cast<Program &>(program));
  return std::move(writer.bytes);
}

Result<Program> parseProgram(std::span<const std::byte> bytes,
                             bool allowRaces) {
  Reader reader(bytes);
  char found[sizeof(magic)];
  uint32_t version = 0;
  reader.raw(found, sizeof(found));
  reader.scalar(version);
  if (!reader.failure.empty() || std::memcmp(found, magic, sizeof(magic)) != 0)
    return invalid("not a program file: the magic 'MPPR' is missing");
  if (version != Program::formatVersion)
    return invalid("the program has format version " + std::to_string(version) +
                   "; this build reads " +
                   std::to_string(Program::formatVersion) +
                   ": write the program again with the same memplan");
  Program program;
  visit(reader, program);
  if (!reader.failure.empty())
    return invalid("malformed program: " + reader.failure);
  if (!reader.rest.empty())
    return invalid("malformed program: " + std::to_string(reader.rest.size()) +
                   " bytes follow its end");
  if (Status status = allowRaces ? program.checkTable() : program.check();
      !status.ok())
    return invalid("malformed program: " + status.message);
  return program;
}

Status writeProgramFile(const Program &program, const std::string &path) {
  return writeFile(path, serializeProgram(program));
}

Result<Program> readProgramFile(const std::string &path, bool allowRaces) {
  Result<std::vector<std::byte>> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<Program> program = parseProgram(*bytes, allowRaces);
  if (!program)
    return invalid("'" + path + "': " + program.error().message);
  return program;
}

} // namespace memplan::runtime
