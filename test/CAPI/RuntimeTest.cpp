//===- RuntimeTest.cpp - What C callers cannot see of failing runs --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Runtime.h"
#include "FailingAllocator.h"
#include "Runtime/TinyStep.h"
#include "memplan-c/Dynamic.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "gtest/gtest.h"

using namespace memplan::runtime;

namespace {

/// Loads, compiles, runs and reads a loss, and stops at the first call that
/// fails.
memplan_status_t runOnce(const std::vector<std::byte> &bytes, float *loss) {
  memplan_program_t *program = nullptr;
  memplan_session_t *session = nullptr;
  memplan_executable_t *executable = nullptr;
  memplan_status_t status =
      memplan_program_load(bytes.data(), int64_t(bytes.size()), &program);
  if (status == MEMPLAN_OK)
    status = memplan_session_create("reference", 0, 1, &session);
  if (status == MEMPLAN_OK)
    status = memplan_compile(session, program, &executable);
  if (status == MEMPLAN_OK)
    status = memplan_run(executable);
  if (status == MEMPLAN_OK)
    status = memplan_read_output(executable, 0, loss, sizeof(*loss));
  memplan_executable_destroy(executable);
  memplan_session_destroy(session);
  memplan_program_destroy(program);
  return status;
}

} // namespace

// A host short of memory gets an error for the one call, and goes on.
TEST(RuntimeInC, survives_every_allocation_that_fails) {
  const std::vector<std::byte> bytes = serializeProgram(test::tinyStep(true));
  float expected = -1, loss = -1;
  ASSERT_EQ(runOnce(bytes, &expected), MEMPLAN_OK) << memplan_last_error();
  int64_t failures = 0;
  for (int64_t nth = 0;; ++nth) {
    memplan_status_t status = MEMPLAN_OK;
    bool failed = false;
    {
      FailingAllocator allocator(nth);
      status = runOnce(bytes, &loss);
      failed = allocator.hasFailed();
    }
    if (!failed)
      break;
    ++failures;
    if (status == MEMPLAN_OK)
      EXPECT_EQ(loss, expected) << nth;
    else
      ASSERT_EQ(status, MEMPLAN_OUT_OF_MEMORY)
          << "without " << nth << ": " << memplan_last_error();
  }
  EXPECT_GT(failures, 20);
  EXPECT_EQ(runOnce(bytes, &loss), MEMPLAN_OK);
  EXPECT_EQ(loss, expected);
}

// A caller that destroys what a failing call gave, destroys nothing: whatever
// stood in the pointer before, and whichever parameter was null.
TEST(RuntimeInC, sets_what_it_would_have_made_to_null) {
  auto *stale = reinterpret_cast<memplan_program_t *>(1);
  memplan_program_t *program = stale;
  EXPECT_EQ(memplan_program_load(nullptr, 0, &program),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  program = stale;
  EXPECT_EQ(memplan_program_load_file(nullptr, &program),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  program = stale;
  EXPECT_EQ(memplan_program_load_library(nullptr, &program),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  auto *session = reinterpret_cast<memplan_session_t *>(1);
  EXPECT_EQ(memplan_session_create(nullptr, 0, 1, &session),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(session, nullptr);
  auto *executable = reinterpret_cast<memplan_executable_t *>(1);
  EXPECT_EQ(memplan_compile(nullptr, nullptr, &executable),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(executable, nullptr);
  auto *dynamic = reinterpret_cast<memplan_dynamic_t *>(1);
  EXPECT_EQ(memplan_dynamic_create(nullptr, nullptr, &dynamic),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(dynamic, nullptr);
  memplan_handle_t handle = 7;
  EXPECT_EQ(memplan_dynamic_put(nullptr, 0, 0, nullptr, nullptr, &handle),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(handle, 0);
}

// A host that tries one backend after the other has to tell "this machine has
// none" from "you called it wrongly".
TEST(RuntimeInC, an_unknown_backend_is_unavailable) {
  memplan_session_t *session = nullptr;
  EXPECT_EQ(memplan_session_create("nope", 0, 1, &session),
            MEMPLAN_UNAVAILABLE);
  EXPECT_EQ(memplan_session_create("./nope.so", 0, 1, &session),
            MEMPLAN_UNAVAILABLE);
  EXPECT_EQ(memplan_session_create("cpu", 0, -1, &session),
            MEMPLAN_INVALID_ARGUMENT);
}

// Null pointers are answered, not followed.
TEST(RuntimeInC, refuses_null_pointers) {
  float value = 0;
  EXPECT_EQ(memplan_run(nullptr), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_read_output(nullptr, 0, &value, 4),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_STREQ(memplan_last_error(), "memplan_read_output got a null pointer");
  EXPECT_EQ(memplan_program_argument(nullptr, 0, nullptr),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_program_argument_count(nullptr), 0);
  EXPECT_EQ(memplan_program_output_count(nullptr), 0);
  EXPECT_EQ(memplan_program_arena_bytes(nullptr), 0);
  EXPECT_EQ(memplan_arena_base(nullptr, 0), nullptr);
  EXPECT_EQ(memplan_argument_base(nullptr, 0), nullptr);
  EXPECT_EQ(memplan_constant_base(nullptr), nullptr);
  EXPECT_EQ(memplan_synchronize(nullptr), MEMPLAN_INVALID_ARGUMENT);
}
