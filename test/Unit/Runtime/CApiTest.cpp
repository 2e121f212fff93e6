//===- CApiTest.cpp - The C interface of the runtime ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan-c/Runtime.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include <cstring>
#include <gmock/gmock.h>

using memplan::runtime::serializeProgram;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

extern "C" int32_t memplan_c_test_version(void);

// The headers are C11, and C code links.
TEST(CApi, is_usable_from_c) {
  EXPECT_EQ(memplan_c_test_version(), memplan_api_version());
}

// From bytes to a loss through the C calls only.
TEST(CApi, runs_a_program) {
  std::vector<std::byte> bytes = serializeProgram(tinyStep(true));
  memplan_program_t *program = nullptr;
  ASSERT_EQ(memplan_program_load(bytes.data(), int64_t(bytes.size()), &program),
            MEMPLAN_OK)
      << memplan_last_error();
  EXPECT_EQ(memplan_program_argument_count(program), 4);
  EXPECT_EQ(memplan_program_arena_bytes(program), 1536);
  memplan_value_info_t info;
  ASSERT_EQ(memplan_program_argument(program, 2, &info), MEMPLAN_OK);
  EXPECT_STREQ(info.name, "w");
  EXPECT_STREQ(info.kind, "parameter");
  EXPECT_EQ(info.bytes, 24);
  memplan_session_t *session = nullptr;
  ASSERT_EQ(memplan_session_create("reference", 0, 2, &session), MEMPLAN_OK);
  memplan_executable_t *executable = nullptr;
  ASSERT_EQ(memplan_compile(session, program, &executable), MEMPLAN_OK);
  memplan_program_destroy(program);

  std::vector<float> x(64 * 3, 1.0f), t(64 * 2, 0.0f), w(6, 0.5f);
  memplan_write_argument(executable, 0, x.data(), 64 * 3 * 4);
  memplan_write_argument(executable, 1, t.data(), 64 * 2 * 4);
  memplan_write_argument(executable, 2, w.data(), 24);
  ASSERT_EQ(memplan_run(executable), MEMPLAN_OK) << memplan_last_error();
  float loss = 0;
  ASSERT_EQ(memplan_read_output(executable, 0, &loss, 4), MEMPLAN_OK);
  EXPECT_FLOAT_EQ(loss, 2.25f);
  // dw = 1.5 for each of the six weights: the mean over 128 of 64 rows.
  ASSERT_EQ(memplan_read_argument(executable, 2, w.data(), 24), MEMPLAN_OK);
  EXPECT_FLOAT_EQ(w[0], 0.5f - 0.1f * 1.5f);
  memplan_executable_destroy(executable);
  memplan_session_destroy(session);
}

// A framework gives the arena from its own allocator: the step runs there, and
// a block that is too small is refused.
TEST(CApi, runs_in_memory_of_the_caller) {
  std::vector<std::byte> bytes = serializeProgram(tinyStep(true));
  memplan_program_t *program = nullptr;
  ASSERT_EQ(memplan_program_load(bytes.data(), int64_t(bytes.size()), &program),
            MEMPLAN_OK);
  memplan_session_t *session = nullptr;
  ASSERT_EQ(memplan_session_create("reference", 0, 1, &session), MEMPLAN_OK);
  alignas(256) static std::byte arena[1536];
  memplan_arena_memory_t memory = {arena, int64_t(sizeof(arena))};
  memplan_executable_t *executable = nullptr;
  ASSERT_EQ(memplan_compile_in(session, program, &memory, 1, &executable),
            MEMPLAN_OK)
      << memplan_last_error();
  EXPECT_EQ(memplan_arena_base(executable, 0), arena);
  std::vector<float> x(64 * 3, 1.0f), t(64 * 2, 0.0f), w(6, 0.5f);
  memplan_write_argument(executable, 0, x.data(), 64 * 3 * 4);
  memplan_write_argument(executable, 1, t.data(), 64 * 2 * 4);
  memplan_write_argument(executable, 2, w.data(), 24);
  ASSERT_EQ(memplan_run(executable), MEMPLAN_OK) << memplan_last_error();
  float loss = 0;
  ASSERT_EQ(memplan_read_output(executable, 0, &loss, 4), MEMPLAN_OK);
  EXPECT_FLOAT_EQ(loss, 2.25f);
  EXPECT_EQ(std::memcmp(&loss, arena + 512, 4), 0) << "it lies in the caller's";
  memplan_executable_destroy(executable);
  --memory.byte_count;
  EXPECT_EQ(memplan_compile_in(session, program, &memory, 1, &executable),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_compile_in(session, program, &memory, 2, &executable),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_compile_in(session, program, nullptr, 1, &executable),
            MEMPLAN_INVALID_ARGUMENT);
  memplan_program_destroy(program);
  memplan_session_destroy(session);
}

// Streams and copies run behind the same calls; what lies on the host between
// steps is read and written as any argument is.
TEST(CApi, runs_a_swapped_program) {
  std::vector<std::byte> bytes = serializeProgram(swappedStep());
  memplan_program_t *program = nullptr;
  ASSERT_EQ(memplan_program_load(bytes.data(), int64_t(bytes.size()), &program),
            MEMPLAN_OK)
      << memplan_last_error();
  EXPECT_EQ(memplan_program_arena_bytes(program), 1792);
  EXPECT_EQ(memplan_program_host_bytes(program), 768);
  memplan_session_t *session = nullptr;
  ASSERT_EQ(memplan_session_create("reference", 0, 1, &session), MEMPLAN_OK);
  memplan_executable_t *executable = nullptr;
  ASSERT_EQ(memplan_compile(session, program, &executable), MEMPLAN_OK);
  memplan_program_destroy(program);
  std::vector<float> x(64 * 3, 1.0f), t(64 * 2, 0.0f), w(6, 0.5f);
  int64_t count = 40;
  memplan_write_argument(executable, 0, x.data(), 64 * 3 * 4);
  memplan_write_argument(executable, 1, t.data(), 64 * 2 * 4);
  memplan_write_argument(executable, 2, w.data(), 24);
  memplan_write_argument(executable, 3, &count, 8);
  float loss = 0;
  for (int step = 0; step < 2; ++step) {
    ASSERT_EQ(memplan_run(executable), MEMPLAN_OK) << memplan_last_error();
    ASSERT_EQ(memplan_read_output(executable, 0, &loss, 4), MEMPLAN_OK);
    if (step == 0) {
      EXPECT_FLOAT_EQ(loss, 2.25f);
    }
  }
  EXPECT_LT(loss, 2.25f);
  ASSERT_EQ(memplan_read_argument(executable, 3, &count, 8), MEMPLAN_OK);
  EXPECT_EQ(count, 42);
  memplan_executable_destroy(executable);
  memplan_session_destroy(session);
}

// Ahead-of-time code launches instructions itself, on addresses it computes.
TEST(CApi, launches_single_instructions) {
  std::vector<std::byte> bytes = serializeProgram(tinyStep(true));
  memplan_program_t *program = nullptr;
  memplan_session_t *session = nullptr;
  memplan_executable_t *executable = nullptr;
  ASSERT_EQ(memplan_program_load(bytes.data(), int64_t(bytes.size()), &program),
            MEMPLAN_OK);
  ASSERT_EQ(memplan_session_create("reference", 0, 1, &session), MEMPLAN_OK);
  ASSERT_EQ(memplan_compile(session, program, &executable), MEMPLAN_OK);
  auto *arena = static_cast<char *>(memplan_arena_base(executable, 0));
  auto *h = reinterpret_cast<float *>(arena);
  h[0] = -1;
  h[1] = 2;
  void *operands[] = {h, h};
  ASSERT_EQ(memplan_launch_instruction(executable, 1, operands), MEMPLAN_OK);
  EXPECT_EQ(h[0], 0);
  EXPECT_EQ(h[1], 2);
  EXPECT_EQ(memplan_launch_instruction(executable, 99, operands),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_arena_base(executable, 1), nullptr);
  memplan_executable_destroy(executable);
  memplan_session_destroy(session);
  memplan_program_destroy(program);
}

TEST(CApi, leaves_a_text_for_every_failure) {
  memplan_program_t *program = nullptr;
  EXPECT_EQ(memplan_program_load("x", 1, &program), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(memplan_last_error(), HasSubstr("MPPR"));
  EXPECT_EQ(program, nullptr);
  memplan_session_t *session = nullptr;
  EXPECT_EQ(memplan_session_create("cpu", 5, 1, &session), MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(memplan_last_error(), HasSubstr("has 1 devices; number 5"));
  EXPECT_EQ(memplan_register_kernel(nullptr), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_GE(memplan_api_version(), 1000);
}
