//===- compiler.c - Steps compiled from C11 -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Compiler.h"
#include "Check.h"

static const char relu[] =
    "func.func @step(%x: tensor<4xf32> {memplan.kind = \"input\"})\n"
    "    -> (tensor<4xf32> {memplan.kind = \"output\"}) {\n"
    "  %0 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  %1 = memplan.scale %0 {factor = 2.0 : f64} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  return %1 : tensor<4xf32>\n"
    "}\n";

typedef struct heard {
  int errors;
  int notes;
  int32_t line;
  char message[256];
  char file[64];
} heard_t;

static void hear(void *user, const memplan_diagnostic_t *diagnostic) {
  heard_t *heard = user;
  heard->notes += diagnostic->severity == MEMPLAN_NOTE;
  if (diagnostic->severity != MEMPLAN_ERROR)
    return;
  ++heard->errors;
  heard->line = diagnostic->line;
  snprintf(heard->message, sizeof(heard->message), "%s", diagnostic->message);
  snprintf(heard->file, sizeof(heard->file), "%s", diagnostic->file);
}

static memplan_step_t *read_step(memplan_compiler_t *compiler, const char *text,
                                 const memplan_options_t *options) {
  memplan_step_t *step = NULL;
  CHECK(memplan_step_read(compiler, text, (int64_t)strlen(text), "step.mlir",
                          options, &step) == MEMPLAN_OK);
  return step;
}

/// What a program makes of four numbers.
static void run(const memplan_program_t *program, float *result) {
  const float values[4] = {-1, 2, -3, 4};
  memplan_session_t *session = NULL;
  memplan_executable_t *executable = NULL;
  CHECK(memplan_session_create("reference", 0, 1, &session) == MEMPLAN_OK);
  CHECK(memplan_compile(session, program, &executable) == MEMPLAN_OK);
  CHECK(memplan_write_argument(executable, 0, values, 16) == MEMPLAN_OK);
  CHECK(memplan_run(executable) == MEMPLAN_OK);
  CHECK(memplan_read_output(executable, 0, result, 16) == MEMPLAN_OK);
  memplan_executable_destroy(executable);
  memplan_session_destroy(session);
}

// One text gives everything that a host may want of a step, and the pieces fit
// together.
static void goes_from_text_to_everything(void) {
  memplan_compiler_t *compiler = NULL;
  CHECK(memplan_compiler_create(&compiler) == MEMPLAN_OK);
  memplan_step_t *step = read_step(compiler, relu, NULL);
  CHECK(!memplan_step_is_planned(step));
  memplan_plan_t *refusal = NULL;
  CHECK(memplan_step_refusal(step, &refusal) == MEMPLAN_OK && !refusal);
  memplan_graph_t *graph = NULL;
  memplan_plan_t *plan = NULL;
  CHECK(memplan_step_graph(step, &graph) == MEMPLAN_OK);
  CHECK(memplan_graph_node_count(graph) == 2);
  CHECK(memplan_step_plan(step, &plan) == MEMPLAN_OK);
  CHECK(memplan_plan_verify(graph, plan, NULL) == MEMPLAN_OK);
  char *prepared = NULL, *planned = NULL, *bytes = NULL;
  int64_t byte_count = 0;
  CHECK(memplan_step_prepared_ir(step, &prepared, NULL) == MEMPLAN_OK);
  CHECK(strstr(prepared, "memplan.relu"));
  CHECK(memplan_step_planned_ir(step, &planned, &byte_count) == MEMPLAN_OK);
  CHECK((int64_t)strlen(planned) == byte_count);
  CHECK(strstr(planned, "memplan.planned"));

  memplan_program_t *program = NULL, *again = NULL;
  CHECK(memplan_step_program(step, &program) == MEMPLAN_OK);
  CHECK(memplan_step_program_bytes(step, &bytes, &byte_count) == MEMPLAN_OK);
  CHECK(memplan_program_load(bytes, byte_count, &again) == MEMPLAN_OK);
  memplan_step_destroy(step);
  const float expected[4] = {0, 4, 0, 8};
  float first[4], second[4];
  run(program, first);
  run(again, second);
  CHECK(memcmp(first, expected, 16) == 0 && memcmp(second, expected, 16) == 0);

  // What came out planned goes in planned.
  memplan_step_t *same = read_step(compiler, planned, NULL);
  CHECK(memplan_step_is_planned(same));
  memplan_plan_t *unknown = NULL;
  CHECK_FAILS(memplan_step_plan(same, &unknown), MEMPLAN_INVALID_ARGUMENT,
              "planned already");
  CHECK(unknown == NULL);
  memplan_step_destroy(same);
  memplan_program_destroy(program);
  memplan_program_destroy(again);
  memplan_text_destroy(prepared);
  memplan_text_destroy(planned);
  memplan_text_destroy(bytes);
  memplan_plan_destroy(plan);
  memplan_graph_destroy(graph);
  memplan_compiler_destroy(compiler);
}

/// Reads a shared library back and runs it.
static void run_library(const char *path, float *result) {
  memplan_program_t *program = NULL;
  CHECK(memplan_program_load_library(path, &program) == MEMPLAN_OK);
  run(program, result);
  memplan_program_destroy(program);
}

// Code that was written as a library computes what the table computes.
static void writes_a_library(const char *path) {
  memplan_compiler_t *compiler = NULL;
  CHECK(memplan_compiler_create(&compiler) == MEMPLAN_OK);
  memplan_step_t *step = read_step(compiler, relu, NULL);
  CHECK_FAILS(memplan_step_write_library(NULL, path), MEMPLAN_INVALID_ARGUMENT,
              "null pointer");
  CHECK_FAILS(memplan_step_write_library(step, NULL), MEMPLAN_INVALID_ARGUMENT,
              "null pointer");
  CHECK_FAILS(memplan_step_write_library(step, "no-such-folder/step.so"),
              MEMPLAN_INVALID_ARGUMENT, "no-such-folder");
  remove(path);
  CHECK(memplan_step_write_library(step, path) == MEMPLAN_OK);
  memplan_step_destroy(step);
  memplan_compiler_destroy(compiler);

  const float expected[4] = {0, 4, 0, 8};
  float result[4] = {0, 0, 0, 0};
  run_library(path, result);
  CHECK(memcmp(result, expected, 16) == 0);

  memplan_program_t *none = NULL;
  CHECK_FAILS(memplan_program_load_library("no-such-library.so", &none),
              MEMPLAN_INVALID_ARGUMENT, "no-such-library.so");
  CHECK_FAILS(memplan_program_load_library(NULL, &none),
              MEMPLAN_INVALID_ARGUMENT, "null pointer");
  CHECK(none == NULL);
  remove(path);
}

// A host hears of mistakes with their places, and of nothing else.
static void reports_mistakes_with_their_places(void) {
  heard_t heard = {0, 0, 0, "", ""};
  memplan_compiler_t *compiler = NULL;
  memplan_step_t *step = NULL;
  CHECK(memplan_compiler_create(&compiler) == MEMPLAN_OK);
  CHECK(memplan_compiler_set_diagnostics(compiler, hear, &heard) == MEMPLAN_OK);
  const char wrong[] = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "  %0 = memplan.abacus %x\n"
                       "  return %x : tensor<4xf32>\n}\n";
  CHECK_FAILS(memplan_step_read(compiler, wrong, (int64_t)strlen(wrong),
                                "wrong.mlir", NULL, &step),
              MEMPLAN_INVALID_ARGUMENT, "wrong.mlir:2:");
  CHECK(step == NULL && heard.errors == 1 && heard.line == 2);
  CHECK(strcmp(heard.file, "wrong.mlir") == 0);
  CHECK(strstr(heard.message, "abacus"));

  memplan_options_t *options = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  CHECK(memplan_options_set(options, "budget", "8") == MEMPLAN_OK);
  step = read_step(compiler, relu, options);
  char *text = NULL;
  CHECK_FAILS(memplan_step_planned_ir(step, &text, NULL),
              MEMPLAN_INVALID_ARGUMENT, "budget of 8 bytes");
  CHECK(text == NULL && heard.errors == 2 && heard.notes > 0);
  memplan_plan_t *refusal = NULL;
  memplan_plan_info_t info = MEMPLAN_PLAN_INFO_INIT;
  CHECK(memplan_step_refusal(step, &refusal) == MEMPLAN_OK && refusal);
  CHECK(memplan_plan_get_info(refusal, &info) == MEMPLAN_OK);
  CHECK(info.status == MEMPLAN_INFEASIBLE && info.minimum_budget_bytes > 8);
  memplan_plan_destroy(refusal);
  memplan_step_destroy(step);
  memplan_options_destroy(options);

  CHECK(memplan_compiler_set_passes(compiler, "no-such-pass") == MEMPLAN_OK);
  CHECK_FAILS(memplan_step_read(compiler, relu, (int64_t)strlen(relu), NULL,
                                NULL, &step),
              MEMPLAN_INVALID_ARGUMENT, "no-such-pass");
  CHECK(memplan_compiler_set_passes(compiler, "canonicalize,cse") ==
        MEMPLAN_OK);
  memplan_step_destroy(read_step(compiler, relu, NULL));
  CHECK_FAILS(memplan_step_read(NULL, relu, 1, NULL, NULL, &step),
              MEMPLAN_INVALID_ARGUMENT, "null pointer");
  memplan_compiler_destroy(compiler);
  memplan_compiler_destroy(NULL);
  memplan_step_destroy(NULL);
}

int main(int argc, char **argv) {
  CHECK(argc > 0);
  char path[4096];
  snprintf(path, sizeof(path), "%s-step.so", argv[0]);
  goes_from_text_to_everything();
  writes_a_library(path);
  reports_mistakes_with_their_places();
  puts("ok");
  return 0;
}
