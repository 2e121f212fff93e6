//===- ProgramTest.cpp - Program tables and their files -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan/Runtime/Program/ProgramIO.h"

#include <cstring>
#include <gmock/gmock.h>
#include <random>

using namespace memplan::runtime;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

/// Every field differs from its default, every kind of attribute occurs.
static Program richProgram() {
  Program program = tinyStep(true);
  program.constants = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  program.arguments[0].high = 9;
  program.arguments[0].donated = true;
  program.budgetBytes = 123456;
  program.fixedBytes = 7;
  Instruction &first = program.instructions[0];
  first.attributes = {{"a", int64_t(-3)},
                      {"b", 0.1},
                      {"c", std::string("text")},
                      {"d", std::vector<int64_t>{1, -2}},
                      {"e", std::vector<double>{0.5}}};
  first.workspace = Operand{Space::Arena, 0, 1024, DType::I8, {64}};
  first.stream = 2;
  program.instructions[1].waits = {0};
  program.instructions[1].run = 3;
  // As many bytes, on their way out.
  program.arenas.push_back({512, 128, "host"});
  Instruction copy;
  copy.kernel = "memplan.evict";
  copy.queue = Queue::DeviceToHost;
  copy.inputs = {program.instructions[1].outputs[0]};
  copy.outputs = copy.inputs;
  copy.outputs[0].index = 1;
  copy.outputs[0].byteOffset = 0;
  program.instructions.insert(program.instructions.begin() + 2, copy);
  // The first half of each row.
  Operand &rows = program.instructions[5].inputs[0];
  const int64_t half = rows.shape.back() / 2;
  rows.strides = denseStrides(rows.shape);
  rows.shape.back() = half;
  program.outputs.push_back({"blob", OutputKind::Output,
                             Operand{Space::Constant, 0, 0, DType::F32, {1}}});
  for (Instruction &instruction : program.instructions)
    instruction.stream = 2;
  program.instructions[7].waits = {2};
  program.instructions[3].variant = "library:7:2=4";
  EXPECT_EQ(nameValues(program).message, "");
  return program;
}

// A field that is written and not read back would change what runs.
TEST(ProgramIO, reads_back_what_it_wrote) {
  Program program = richProgram();
  std::vector<std::byte> bytes = serializeProgram(program);
  Result<Program> read = parseProgram(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, program);
  EXPECT_EQ(serializeProgram(*read), bytes);
  EXPECT_EQ(dumpProgram(*read), dumpProgram(program));
}

// A name goes to the backend as a C string: what follows a zero would be lost.
TEST(ProgramIO, refuses_a_variant_that_no_launch_can_name) {
  Program program = richProgram();
  EXPECT_THAT(dumpProgram(program), HasSubstr(" variant=library:7:2=4"));
  program.instructions[3].variant = std::string("a\0b", 3);
  EXPECT_THAT(program.check().message, HasSubstr("has a zero byte"));
}

// A recomputed value would have other last bits than the freed one.
TEST(ProgramCheck, refuses_a_node_in_two_variants) {
  Program program = richProgram();
  Instruction &again = program.instructions[4];
  again.kernel = program.instructions[3].kernel;
  again.node = program.instructions[3].node = 12;
  again.variant = "library:8";
  EXPECT_THAT(program.check().message,
              HasSubstr("runs node 12 as variant 'library:8', instruction 3 as "
                        "'library:7:2=4'"));
  again.variant = program.instructions[3].variant;
  EXPECT_THAT(program.check().message, Not(HasSubstr("variant")));
}

TEST(ProgramIO, goes_through_a_file) {
  std::string path = testing::TempDir() + "memplan-program-test.mpp";
  ASSERT_TRUE(writeProgramFile(richProgram(), path).ok());
  Result<Program> read = readProgramFile(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, richProgram());
  std::remove(path.c_str());
  EXPECT_THAT(readProgramFile(path).error().message, HasSubstr(path));
}

TEST(ProgramIO, refuses_other_files_and_versions) {
  std::vector<std::byte> bytes = serializeProgram(tinyStep(true));
  EXPECT_THAT(parseProgram({}).error().message, HasSubstr("MPPR"));
  std::vector<std::byte> newer = bytes;
  newer[4] = std::byte{99};
  EXPECT_THAT(parseProgram(newer).error().message, HasSubstr("version 99"));
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THAT(parseProgram(longer).error().message,
              HasSubstr("1 bytes follow its end"));
}

// A cut at any byte must be an error, not a shorter program or a crash.
TEST(ProgramIO, refuses_every_prefix) {
  std::vector<std::byte> bytes = serializeProgram(richProgram());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseProgram({bytes.data(), size}).ok()) << size;
}

// A count that the file cannot hold must not be allocated.
TEST(ProgramIO, does_not_believe_huge_counts) {
  std::vector<std::byte> bytes = serializeProgram(tinyStep(true));
  uint64_t huge = uint64_t(1) << 60;
  std::memcpy(bytes.data() + 8, &huge, sizeof(huge));
  EXPECT_THAT(parseProgram(bytes).error().message,
              HasSubstr("claims 1152921504606846976 entries"));
}

// Program files come from outside: no bytes may crash, and what is accepted
// must be within its own bounds.
TEST(ProgramIO, survives_mutated_files) {
  uint64_t seed = 20260101;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::byte> original = serializeProgram(richProgram());
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = original;
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
      size_t at = random() % bytes.size();
      switch (random() % 4) {
      case 0:
        bytes[at] = std::byte(random());
        break;
      case 1:
        bytes[at] ^= std::byte(1u << random() % 8);
        break;
      case 2:
        bytes.erase(bytes.begin() + std::ptrdiff_t(at));
        break;
      default:
        bytes.insert(bytes.begin() + std::ptrdiff_t(at), std::byte(random()));
      }
    }
    Result<Program> read = parseProgram(bytes);
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      continue;
    }
    ++accepted;
    EXPECT_TRUE(read->check().ok());
    EXPECT_FALSE(dumpProgram(*read).empty());
  }
  // Names and numbers may change freely, so that some files stay legal.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 20000);
}

//===----------------------------------------------------------------------===//
// Program::check
//===----------------------------------------------------------------------===//

static std::string errorOf(const Program &program) {
  return program.check().message;
}

TEST(ProgramCheck, accepts_both_tiny_steps) {
  EXPECT_EQ(errorOf(tinyStep(true)), "");
  EXPECT_EQ(errorOf(tinyStep(false)), "");
}

// The executor adds offsets to bases without looking: each of these would touch
// memory that is not the program's.
TEST(ProgramCheck, refuses_operands_outside_of_their_space) {
  Program program = tinyStep(false);
  program.instructions[6].outputs[0].byteOffset += 4;
  EXPECT_THAT(errorOf(program),
              HasSubstr("instruction 6 (memplan.matmul): output 0 starts at "
                        "byte 2564 and takes 24 bytes; there are 2584"));
  program = tinyStep(false);
  program.instructions[0].inputs[0].index = 9;
  EXPECT_THAT(errorOf(program), HasSubstr("names number 9"));
  program = tinyStep(false);
  program.instructions[0].inputs[0].byteOffset = -4;
  EXPECT_THAT(errorOf(program), HasSubstr("starts at byte -4"));
  program = tinyStep(false);
  program.instructions[0].inputs[0].shape = {int64_t(1) << 40, int64_t(1)
                                                                   << 40};
  EXPECT_THAT(errorOf(program), HasSubstr("more bytes than 2^63"));
  program = tinyStep(false);
  program.instructions[0].outputs[0].byteOffset = 2;
  EXPECT_THAT(errorOf(program), HasSubstr("not aligned to its element type"));
  program = tinyStep(false);
  program.instructions[0].outputs[0].space = Space::Constant;
  EXPECT_THAT(errorOf(program), HasSubstr("there are 0"));
}

// Sizes of 2^66 bytes that wrap to 0 would pass every other check.
TEST(ProgramCheck, refuses_sizes_that_wrap) {
  Program program = tinyStep(false);
  program.arguments[3].shape = {int64_t(1) << 62, 16};
  EXPECT_THAT(errorOf(program), HasSubstr("argument 3 'count' of type"));
  EXPECT_THAT(errorOf(program), HasSubstr("more bytes than 2^63"));
  program = tinyStep(false);
  program.arguments[3].shape = {int64_t(1) << 59};
  program.arenas.push_back({int64_t(1) << 62, 256, "device"});
  EXPECT_THAT(errorOf(program), HasSubstr("more than 2^62 bytes"));
  program = tinyStep(false);
  program.fixedBytes = -1;
  EXPECT_THAT(errorOf(program), HasSubstr("are negative or take more"));
}

// The numbers of values are indices for those who follow them.
TEST(ProgramCheck, refuses_values_that_are_not_there) {
  Program program = tinyStep(false);
  program.instructions[0].outputs[0].value = 5;
  EXPECT_THAT(errorOf(program),
              HasSubstr("output 0 makes value 5; the next one is 4"));
  program = tinyStep(false);
  program.instructions[1].inputs[0].value = 5;
  EXPECT_THAT(errorOf(program),
              HasSubstr("input 0 is value 5 from its byte 0; there are 5"));
  program = tinyStep(false);
  program.instructions[1].inputs[0].value = -1;
  EXPECT_THAT(errorOf(program), HasSubstr("input 0 is value -1"));
  program = tinyStep(false);
  program.instructions[1].inputs[0].valueOffset = -4;
  EXPECT_THAT(errorOf(program), HasSubstr("from its byte -4"));
  program = tinyStep(false);
  program.updates[0].value.value = 99;
  EXPECT_THAT(errorOf(program), HasSubstr("update of argument 2 is value 99"));
}

/// One instruction that copies rows of argument 0.
static Program rowsProgram(std::vector<int64_t> shape,
                           std::vector<int64_t> strides) {
  Program program;
  Argument whole;
  whole.name = "whole";
  whole.shape = {4, 16};
  program.arguments = {whole};
  program.arenas = {{1024, 256, "device"}};
  Instruction call;
  call.kernel = "memplan.relu";
  call.inputs = {{Space::Argument, 0, 0, DType::F32, shape}};
  call.inputs[0].strides = std::move(strides);
  call.outputs = {{Space::Arena, 0, 0, DType::F32, shape}};
  program.instructions = {call};
  return program;
}

// Strides come from a file: rows that overlap, or end outside, would be read.
TEST(ProgramCheck, holds_strides_against_shape_and_room) {
  EXPECT_TRUE(rowsProgram({4, 8}, {16, 1}).check().ok());
  EXPECT_TRUE(rowsProgram({2, 2, 8}, {32, 16, 1}).check().ok());
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {16})), HasSubstr("has 1 strides"));
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {7, 1})),
              HasSubstr("has a stride of 7 elements in dimension 0, where an "
                        "index takes 8"));
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {1, 4})), HasSubstr("stride of 1"));
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {-16, 1})),
              HasSubstr("stride of -16"));
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {19, 1})),
              HasSubstr("takes 260 bytes; there are 256"));
  EXPECT_THAT(errorOf(rowsProgram({4, 8}, {int64_t(1) << 61, 1})),
              HasSubstr("reach beyond 2^63"));
  EXPECT_THAT(errorOf(rowsProgram({1 << 20, 2}, {4, 1})),
              HasSubstr("more than 65536 runs"));
  Program returned = rowsProgram({4, 8}, {16, 1});
  returned.outputs = {
      {"rows", OutputKind::Output, returned.instructions[0].inputs[0]}};
  EXPECT_THAT(errorOf(returned), HasSubstr("has gaps between its elements"));
}

// Rows of two operands may lie between each other, but not on each other.
TEST(ProgramCheck, compares_operands_row_by_row) {
  Program program = rowsProgram({4, 8}, {16, 1});
  Operand &input = program.instructions[0].inputs[0];
  Operand &output = program.instructions[0].outputs[0];
  input.space = Space::Arena;
  output.strides = {16, 1};
  output.byteOffset = 32;
  EXPECT_TRUE(program.check().ok()) << program.check().message;
  EXPECT_TRUE(aliasesOf(program.instructions[0]).empty());
  output.byteOffset = 28;
  EXPECT_THAT(errorOf(program), HasSubstr("lies on a part of input 0"));
  output.byteOffset = 0;
  EXPECT_TRUE(program.check().ok());
  EXPECT_EQ(aliasesOf(program.instructions[0]).size(), 1u);
  output.strides = {24, 1};
  EXPECT_THAT(errorOf(program), HasSubstr("lies on a part of input 0"));
}

TEST(Program, rows_are_runs_of_bytes) {
  Program program = rowsProgram({2, 2, 8}, {32, 16, 1});
  EXPECT_EQ(runsOf(program.instructions[0].inputs[0]),
            (std::vector<ByteRun>{{0, 32}, {64, 96}, {128, 160}, {192, 224}}));
  EXPECT_EQ(runsOf(program.instructions[0].outputs[0]),
            (std::vector<ByteRun>{{0, 128}}));
  EXPECT_EQ(program.instructions[0].inputs[0].spanBytes(), 224);
  EXPECT_EQ(program.firstStrided(), 0);
  EXPECT_EQ(tinyStep(true).firstStrided(), -1);
}

// A table without values reads as one: the numbers follow the places.
TEST(Program, names_the_value_at_each_place) {
  Program program = tinyStep(true);
  EXPECT_EQ(program.instructions[0].inputs[1].value, 2);
  EXPECT_EQ(program.instructions[1].inputs[0].value, 4);
  EXPECT_EQ(program.instructions[7].inputs[1].value, 10);
  EXPECT_EQ(program.outputs[0].operand.value, 6);
  EXPECT_EQ(program.updates[0].value.value, 11);
  program.instructions[4].inputs[0].shape = {32, 2};
  program.instructions[4].inputs[0].byteOffset = 256;
  ASSERT_TRUE(nameValues(program).ok());
  EXPECT_EQ(program.instructions[4].inputs[0].valueOffset, 256);
  program.instructions[4].inputs[0].byteOffset = 384;
  EXPECT_THAT(nameValues(program).message,
              HasSubstr("instruction 4 (memplan.mse_loss_grad): input 0 at "
                        "byte 384 of 256 bytes holds no whole value there"));
}

TEST(ProgramCheck, refuses_partial_overlap) {
  Program program = tinyStep(false);
  program.instructions[1].outputs[0].byteOffset = 256;
  EXPECT_THAT(errorOf(program), HasSubstr("lies on a part of input 0"));
  program = tinyStep(false);
  program.instructions[0].workspace =
      Operand{Space::Arena, 0, 256, DType::I8, {8}};
  EXPECT_THAT(errorOf(program), HasSubstr("workspace shares bytes"));
  program = tinyStep(false);
  Instruction &loss = program.instructions[2];
  loss.outputs.push_back(loss.outputs[0]);
  EXPECT_THAT(errorOf(program), HasSubstr("outputs 0 and 1 share bytes"));
}

/// Two inputs of a concat, side by side in its output.
static Program concatInPlace(std::vector<int64_t> piece, int64_t dim) {
  Program program;
  program.name = "concat";
  program.arenas = {{1024, 64, "device"}};
  auto at = [](int64_t offset, std::vector<int64_t> shape) {
    return Operand{Space::Arena, 0, offset, DType::F32, std::move(shape)};
  };
  std::vector<int64_t> whole = piece;
  whole[size_t(dim)] *= 2;
  Operand first = at(0, piece), second = at(first.bytes(), piece);
  for (const Operand &output : {first, second}) {
    Instruction fill;
    fill.kernel = "memplan.constant";
    fill.attributes = {{"value", 1.0}};
    fill.outputs = {output};
    program.instructions.push_back(fill);
  }
  Instruction concat;
  concat.kernel = "memplan.concat";
  concat.attributes = {{"dim", dim}};
  concat.inputs = {first, second};
  concat.outputs = {at(0, whole)};
  program.instructions.push_back(concat);
  program.outputs = {{"whole", OutputKind::Output, concat.outputs[0]}};
  return program;
}

// A piece anywhere but in its place would be overwritten by the copy of another
// while it is read.
TEST(ProgramCheck, takes_pieces_of_a_concat_in_their_place_only) {
  Program program = concatInPlace({1, 4, 2}, 1);
  ASSERT_EQ(errorOf(program), "");
  ASSERT_TRUE(nameValues(program).ok());
  // What is read afterwards is the whole, or a part of it.
  EXPECT_EQ(program.outputs[0].operand.value, 2);
  auto moved = [&](auto move) {
    Program other = concatInPlace({1, 4, 2}, 1);
    move(other.instructions[2]);
    return errorOf(other);
  };
  EXPECT_THAT(moved([](Instruction &c) { c.inputs[1].byteOffset = 16; }),
              HasSubstr("output 0 lies on a part of input 1"));
  EXPECT_THAT(
      moved([](Instruction &c) { std::swap(c.inputs[0], c.inputs[1]); }),
      HasSubstr("output 0 lies on a part of input 0"));
  EXPECT_THAT(moved([](Instruction &c) { c.attributes.clear(); }),
              HasSubstr("lies on a part of input"));
  EXPECT_THAT(moved([](Instruction &c) { c.attributes[0].value = int64_t(7); }),
              HasSubstr("lies on a part of input"));
  EXPECT_THAT(moved([](Instruction &c) { c.kernel = "memplan.add"; }),
              HasSubstr("lies on a part of input"));
  // Rows of the pieces alternate.
  EXPECT_THAT(errorOf(concatInPlace({2, 4, 2}, 1)),
              HasSubstr("lies on a part of input 0"));
}

TEST(ProgramCheck, refuses_what_an_executor_cannot_follow) {
  Program program = tinyStep(false);
  program.instructions[3].waits = {3};
  EXPECT_THAT(errorOf(program), HasSubstr("waits for instruction 3"));
  program = tinyStep(false);
  program.arenas[0].alignment = 24;
  EXPECT_THAT(errorOf(program), HasSubstr("power of two"));
  program = tinyStep(false);
  program.arguments[1].name = "x";
  EXPECT_THAT(errorOf(program), HasSubstr("name of an earlier argument"));
  program = tinyStep(false);
  program.updates[0].argument = 0;
  EXPECT_THAT(errorOf(program), HasSubstr("update of argument 0"));
  program = tinyStep(false);
  program.instructions[7].attributes = {{"b", 1.0}, {"a", 1.0}};
  EXPECT_THAT(errorOf(program), HasSubstr("not sorted"));
}

// Profiles are looked up by this text: equal calls must agree, others must not.
TEST(Program, profile_key_tells_calls_apart) {
  Program program = richProgram();
  EXPECT_EQ(profileKey(program.instructions[0]),
            "memplan.matmul{a=-3, b=0.1, c=\"text\", d=[1,-2], e=[0.5]} "
            "(64x3xf32, 3x2xf32) -> (64x2xf32)");
  EXPECT_EQ(profileKey(program.instructions[3]),
            "memplan.mse_loss{} (64x2xf32, 64x2xf32) -> (f32)");
  EXPECT_EQ(attributeText(AttributeValue(1.0)), "1.0");
  EXPECT_EQ(attributeText(AttributeValue(int64_t(1))), "1");
}
