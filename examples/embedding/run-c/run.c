//===- run.c - A planned step runs without any compiler -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads a program that memplan-run --emit-program has written, fills its
// arguments with small numbers, runs it three times and prints its first
// output.
//
//===----------------------------------------------------------------------===//

#include <memplan-c/Runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(memplan_status_t status) {
  if (status == MEMPLAN_OK)
    return;
  fprintf(stderr, "error: %s\n", memplan_last_error());
  exit(1);
}

/// The same small numbers everywhere, or zeros where bytes are no floats.
static void fill(memplan_executable_t *step, const memplan_program_t *program,
                 int32_t argument) {
  memplan_value_info_t info;
  check(memplan_program_argument(program, argument, &info));
  float *values = calloc((size_t)info.bytes + 1, 1);
  if (!values)
    exit(1);
  if (info.dtype == MEMPLAN_F32)
    for (int64_t i = 0; i < info.bytes / 4; ++i)
      values[i] = (float)(i % 7 - 3) / 16;
  check(memplan_write_argument(step, argument, values, info.bytes));
  free(values);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: run-c PROGRAM.mpp\n");
    return 1;
  }
  memplan_program_t *program = NULL;
  memplan_session_t *session = NULL;
  memplan_executable_t *step = NULL;
  check(memplan_program_load_file(argv[1], &program));
  check(memplan_session_create("cpu", 0, 1, &session));
  check(memplan_compile(session, program, &step));
  for (int32_t i = 0; i < memplan_program_argument_count(program); ++i)
    fill(step, program, i);
  for (int run = 0; run < 3; ++run) {
    check(memplan_run(step));
    memplan_value_info_t info;
    float value = 0;
    check(memplan_program_output(program, 0, &info));
    if (info.bytes == (int64_t)sizeof(value)) {
      check(memplan_read_output(step, 0, &value, info.bytes));
      printf("%s %g\n", info.name, value);
    } else {
      printf("%s: %lld bytes\n", info.name, (long long)info.bytes);
    }
  }
  printf("arena of %lld bytes\n",
         (long long)memplan_program_arena_bytes(program));
  memplan_executable_destroy(step);
  memplan_session_destroy(session);
  memplan_program_destroy(program);
  return 0;
}
