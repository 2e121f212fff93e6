//===- planner.c - Plans from C11 -----------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Planner.h"
#include "Check.h"
#include <math.h>

/// Forward nodes 0 .. n-1, a loss n, backward nodes n+1 .. 2n, all of cost 1
/// and 1024 bytes; node 2n - i also reads value i.
static memplan_graph_t *make_chain(int32_t n) {
  memplan_graph_t *graph = NULL;
  CHECK(memplan_graph_create("chain", &graph) == MEMPLAN_OK);
  for (int32_t i = 0; i <= 2 * n; ++i) {
    memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
    tensor.bytes = 1024;
    if (i == 2 * n)
      tensor.kind = MEMPLAN_OUTPUT;
    int32_t made = -1;
    CHECK(memplan_graph_add_tensor(graph, &tensor, &made) == MEMPLAN_OK);
    CHECK(made == i);
    int32_t inputs[2] = {i - 1, 2 * n - i};
    memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
    node.cost = 1;
    node.inputs = inputs;
    node.input_count = (i > 0) + (i > n + 1);
    node.outputs = &made;
    node.output_count = 1;
    node.backward = i > n;
    CHECK(memplan_graph_add_node(graph, &node, NULL) == MEMPLAN_OK);
  }
  CHECK(memplan_graph_check(graph) == MEMPLAN_OK);
  CHECK(memplan_graph_tensor_count(graph) == 2 * n + 1);
  CHECK(memplan_graph_node_count(graph) == 2 * n + 1);
  return graph;
}

static memplan_plan_info_t info_of(const memplan_plan_t *plan) {
  memplan_plan_info_t info = MEMPLAN_PLAN_INFO_INIT;
  CHECK(memplan_plan_get_info(plan, &info) == MEMPLAN_OK);
  return info;
}

/// The arrays say what the plan is: every node runs, placements lie inside, and
/// none that overlap in time overlap in space.
static void check_arrays(const memplan_graph_t *graph,
                         const memplan_plan_t *plan) {
  const memplan_action_t *actions = NULL;
  int64_t count = 0, runs = 0;
  CHECK(memplan_plan_actions(plan, &actions, &count) == MEMPLAN_OK);
  for (int64_t i = 0; i < count; ++i)
    runs += actions[i].kind == MEMPLAN_COMPUTE && actions[i].node >= 0;
  CHECK(runs >= memplan_graph_node_count(graph));
  const memplan_arena_t *arenas = NULL;
  int64_t arena_count = 0;
  CHECK(memplan_plan_arenas(plan, &arenas, &arena_count) == MEMPLAN_OK);
  CHECK(arena_count == 1 && strcmp(arenas[0].space, "device") == 0);
  for (int64_t i = 0; i < arenas[0].placement_count; ++i) {
    const memplan_placement_t *a = &arenas[0].placements[i];
    CHECK(a->kind == MEMPLAN_PLACE_TENSOR && a->begin < a->end);
    CHECK(a->offset >= 0 && a->offset + 1024 <= arenas[0].bytes);
    for (int64_t j = 0; j < i; ++j) {
      const memplan_placement_t *b = &arenas[0].placements[j];
      CHECK(a->end <= b->begin || b->end <= a->begin ||
            a->offset + 1024 <= b->offset || b->offset + 1024 <= a->offset);
    }
  }
}

// A host that fills a graph gets a plan that keeps its budget.
static void plans_within_a_budget(void) {
  memplan_graph_t *graph = make_chain(8);
  memplan_plan_t *unlimited = NULL, *tight = NULL;
  CHECK(memplan_plan_step(graph, NULL, &unlimited) == MEMPLAN_OK);
  memplan_options_t *options = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  CHECK(memplan_options_set(options, "budget", "7K") == MEMPLAN_OK);
  CHECK(memplan_plan_step(graph, options, &tight) == MEMPLAN_OK);
  CHECK(info_of(unlimited).status == MEMPLAN_OPTIMAL);
  CHECK(info_of(unlimited).cost == 17);
  CHECK(info_of(tight).status <= MEMPLAN_FEASIBLE);
  CHECK(info_of(tight).cost > 17);
  CHECK(info_of(tight).peak_bytes <= 7 * 1024);
  CHECK(info_of(tight).budget_bytes == 7 * 1024);
  CHECK(info_of(tight).witness_node == -1);
  CHECK(info_of(unlimited).gap == 0 && info_of(unlimited).time == 17);
  CHECK(info_of(tight).gap >= 0 && info_of(tight).gap < 1);
  int64_t device_bytes = 0;
  CHECK(memplan_plan_device_bytes(graph, tight, &device_bytes) == MEMPLAN_OK);
  CHECK(device_bytes >= info_of(tight).peak_bytes && device_bytes <= 7 * 1024);
  check_arrays(graph, unlimited);
  check_arrays(graph, tight);
  CHECK(memplan_plan_verify(graph, tight, options) == MEMPLAN_OK);
  CHECK_FAILS(memplan_plan_verify(graph, unlimited, options),
              MEMPLAN_CHECK_FAILED, "budget");

  // Live bytes need no arena, and are no more than one takes.
  memplan_plan_t *live = NULL;
  CHECK(memplan_options_set(options, "arena", "none") == MEMPLAN_OK);
  CHECK(memplan_plan_step(graph, options, &live) == MEMPLAN_OK);
  const memplan_arena_t *arenas = NULL;
  int64_t arena_count = -1;
  CHECK(memplan_plan_arenas(live, &arenas, &arena_count) == MEMPLAN_OK);
  CHECK(arena_count == 0);
  CHECK(memplan_plan_device_bytes(graph, live, &device_bytes) == MEMPLAN_OK);
  CHECK(device_bytes == info_of(live).peak_bytes && device_bytes <= 7 * 1024);
  CHECK(memplan_plan_verify(graph, live, options) == MEMPLAN_OK);
  memplan_plan_destroy(live);
  CHECK(memplan_options_set(options, "arena", "auto") == MEMPLAN_OK);

  CHECK(memplan_options_set(options, "budget", "2K") == MEMPLAN_OK);
  memplan_plan_t *none = NULL;
  CHECK(memplan_plan_step(graph, options, &none) == MEMPLAN_OK);
  CHECK(info_of(none).status == MEMPLAN_INFEASIBLE);
  CHECK(info_of(none).bound_bytes > 2 * 1024);
  CHECK(info_of(none).minimum_budget_bytes >= info_of(none).bound_bytes);
  CHECK(isnan(info_of(none).bound) && isnan(info_of(none).gap));
  CHECK(info_of(none).witness_tensor_count > 0);
  CHECK_FAILS(memplan_plan_device_bytes(graph, none, &device_bytes),
              MEMPLAN_INVALID_ARGUMENT, "takes no bytes");
  memplan_plan_destroy(none);
  memplan_plan_destroy(tight);
  memplan_plan_destroy(unlimited);
  memplan_options_destroy(options);
  memplan_graph_destroy(graph);
}

// Files of the command-line tools and the C interface are the same things.
static void reads_what_it_writes(void) {
  memplan_graph_t *graph = make_chain(4), *again = NULL;
  char *text = NULL, *text_again = NULL;
  int64_t bytes = 0;
  CHECK(memplan_graph_json(graph, &text, &bytes) == MEMPLAN_OK);
  CHECK((int64_t)strlen(text) == bytes);
  CHECK(memplan_graph_read_json(text, bytes, &again) == MEMPLAN_OK);
  CHECK(memplan_graph_json(again, &text_again, NULL) == MEMPLAN_OK);
  CHECK(strcmp(text, text_again) == 0);
  memplan_text_destroy(text);
  memplan_text_destroy(text_again);

  memplan_plan_t *plan = NULL, *plan_again = NULL;
  CHECK(memplan_plan_step(graph, NULL, &plan) == MEMPLAN_OK);
  CHECK(memplan_plan_json(graph, plan, &text, &bytes) == MEMPLAN_OK);
  CHECK(memplan_plan_read_json(again, text, bytes, &plan_again) == MEMPLAN_OK);
  CHECK(memplan_plan_verify(again, plan_again, NULL) == MEMPLAN_OK);
  CHECK(memplan_plan_json(again, plan_again, &text_again, NULL) == MEMPLAN_OK);
  CHECK(strcmp(text, text_again) == 0);
  memplan_text_destroy(text);
  memplan_text_destroy(text_again);
  CHECK(memplan_plan_report_json(graph, plan, NULL, &text, &bytes) ==
        MEMPLAN_OK);
  CHECK((int64_t)strlen(text) == bytes && strstr(text, "\"verdict\""));
  memplan_text_destroy(text);
  CHECK(memplan_plan_perfetto(graph, plan, NULL, &text, NULL) == MEMPLAN_OK);
  CHECK(strstr(text, "\"traceEvents\""));
  memplan_text_destroy(text);
  memplan_plan_destroy(plan);
  memplan_plan_destroy(plan_again);

  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  CHECK(memplan_graph_get_tensor(again, 8, &tensor) == MEMPLAN_OK);
  CHECK(tensor.kind == MEMPLAN_OUTPUT && tensor.bytes == 1024);
  CHECK(tensor.external_id == 8 && tensor.view_of == -1);
  memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
  CHECK(memplan_graph_get_node(again, 6, &node) == MEMPLAN_OK);
  CHECK(node.input_count == 2 && node.inputs[0] == 5 && node.inputs[1] == 2);
  CHECK(node.output_count == 1 && node.outputs[0] == 6 && node.backward == 1);
  CHECK(node.cost == 1 && node.variant_count == 0 && node.external_id == 6);
  CHECK_FAILS(memplan_graph_get_node(again, 9, &node), MEMPLAN_INVALID_ARGUMENT,
              "no node 9 of 9");
  memplan_graph_info_t said = MEMPLAN_GRAPH_INFO_INIT;
  CHECK(memplan_graph_get_info(again, &said) == MEMPLAN_OK);
  CHECK(strcmp(said.name, "chain") == 0 && said.fixed_bytes == 0);
  CHECK(said.host_budget_bytes == -1 && said.copy_latency == -1);
  int64_t unplanned = 0;
  CHECK(memplan_graph_unplanned_bytes(again, &unplanned) == MEMPLAN_OK);
  CHECK(unplanned == 5 * 1024); // Values 0 to 2 beside two of the middle.
  memplan_graph_destroy(graph);
  memplan_graph_destroy(again);
}

// Graphs that are built can say all that graph files say.
static void builds_views_and_parts(void) {
  memplan_graph_t *graph = NULL, *again = NULL;
  CHECK(memplan_graph_create("parts", &graph) == MEMPLAN_OK);
  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  tensor.name = "whole";
  tensor.bytes = 64;
  tensor.kind = MEMPLAN_INPUT;
  tensor.donated = 1;
  tensor.external_id = 40;
  CHECK(memplan_graph_add_tensor(graph, &tensor, NULL) == MEMPLAN_OK);
  memplan_graph_tensor_t view = MEMPLAN_GRAPH_TENSOR_INIT;
  view.view_of = 0;
  view.external_id = 41;
  view.part = (memplan_graph_part_t){16, 8, 2, 16, 0, 0};
  CHECK(memplan_graph_add_tensor(graph, &view, NULL) == MEMPLAN_OK);
  char *text = NULL;
  int64_t bytes = 0;
  CHECK(memplan_graph_json(graph, &text, &bytes) == MEMPLAN_OK);
  CHECK(memplan_graph_read_json(text, bytes, &again) == MEMPLAN_OK);
  memplan_graph_tensor_t read = MEMPLAN_GRAPH_TENSOR_INIT;
  CHECK(memplan_graph_get_tensor(again, 0, &read) == MEMPLAN_OK);
  CHECK(strcmp(read.name, "whole") == 0 && read.donated == 1);
  CHECK(read.external_id == 40 && read.part.row_bytes == 0);
  CHECK(memplan_graph_get_tensor(again, 1, &read) == MEMPLAN_OK);
  CHECK(read.view_of == 0 && read.bytes == 0);
  CHECK(memcmp(&read.part, &view.part, sizeof(read.part)) == 0);
  memplan_text_destroy(text);
  memplan_graph_destroy(graph);
  memplan_graph_destroy(again);
}

// The options of C are those of the one table, with its checks.
static void takes_options_by_name(void) {
  memplan_options_t *options = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  CHECK(memplan_option_count() > 5);
  for (int32_t i = 0; i < memplan_option_count(); ++i) {
    memplan_option_info_t info = MEMPLAN_OPTION_INFO_INIT;
    CHECK(memplan_option(i, &info) == MEMPLAN_OK);
    CHECK(info.is_switch == (strlen(info.value) == 0) && strlen(info.help) > 0);
    char *value = NULL;
    CHECK(memplan_options_get(options, info.name, &value) == MEMPLAN_OK);
    CHECK(memplan_options_set(options, info.name, value) == MEMPLAN_OK);
    memplan_text_destroy(value);
  }
  CHECK_FAILS(memplan_options_set(options, "budget", "much"),
              MEMPLAN_INVALID_ARGUMENT, "budget: ");
  CHECK_FAILS(memplan_options_set(options, "remat", "magic"),
              MEMPLAN_INVALID_ARGUMENT, "'greedy'");
  CHECK_FAILS(memplan_options_set(options, "plan", "x"),
              MEMPLAN_INVALID_ARGUMENT, "there are 'remat'");
  char *value = NULL;
  CHECK(memplan_options_get(options, "budget", &value) == MEMPLAN_OK);
  CHECK(strcmp(value, "") == 0);
  memplan_text_destroy(value);
  memplan_options_destroy(options);
  int64_t bytes = 0;
  CHECK(memplan_parse_size("6GiB", &bytes) == MEMPLAN_OK);
  CHECK(bytes == (int64_t)6 << 30);
  CHECK_FAILS(memplan_parse_size("80%", &bytes), MEMPLAN_INVALID_ARGUMENT,
              "'80%'");
  CHECK(memplan_version_text(&value) == MEMPLAN_OK);
  CHECK(strncmp(value, "memplan ", 8) == 0);
  memplan_text_destroy(value);
}

typedef struct watcher {
  int calls;
  int answer;
} watcher_t;

static int32_t watch(void *user, const memplan_progress_t *progress) {
  watcher_t *watcher = user;
  CHECK(progress->struct_bytes == (int32_t)sizeof(*progress));
  CHECK(strlen(progress->solver) > 0);
  ++watcher->calls;
  return watcher->answer;
}

// A host can look on, and stop what takes too long.
static void reports_progress_and_stops(void) {
  memplan_graph_t *graph = make_chain(12);
  memplan_options_t *options = NULL;
  watcher_t watcher = {0, 0};
  memplan_plan_t *plan = NULL, *stopped = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  CHECK(memplan_options_set(options, "budget", "8K") == MEMPLAN_OK);
  CHECK(memplan_options_set_progress(options, watch, &watcher) == MEMPLAN_OK);
  CHECK(memplan_plan_step(graph, options, &plan) == MEMPLAN_OK);
  CHECK(watcher.calls > 0);
  const int calls = watcher.calls;
  watcher = (watcher_t){0, 1};
  CHECK(memplan_plan_step(graph, options, &stopped) == MEMPLAN_OK);
  CHECK(watcher.calls <= calls);
  CHECK(info_of(stopped).status != MEMPLAN_INFEASIBLE);
  memplan_plan_destroy(stopped);
  memplan_options_cancel(options, 0);
  watcher = (watcher_t){0, 0};
  CHECK(memplan_plan_step(graph, options, &stopped) == MEMPLAN_OK);
  CHECK(watcher.calls == calls);
  CHECK(info_of(stopped).cost == info_of(plan).cost);
  memplan_plan_destroy(stopped);
  memplan_plan_destroy(plan);
  memplan_options_destroy(options);
  memplan_graph_destroy(graph);
}

// Wrong calls are answered, not obeyed.
static void refuses_what_is_wrong(void) {
  memplan_graph_t *graph = NULL;
  CHECK_FAILS(memplan_graph_read_json("{", 1, &graph), MEMPLAN_INVALID_ARGUMENT,
              "");
  CHECK(graph == NULL);
  CHECK_FAILS(memplan_graph_create("x", NULL), MEMPLAN_INVALID_ARGUMENT,
              "null pointer");
  CHECK(memplan_graph_create(NULL, &graph) == MEMPLAN_OK);
  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  tensor.struct_bytes = 0;
  CHECK_FAILS(memplan_graph_add_tensor(graph, &tensor, NULL),
              MEMPLAN_INVALID_ARGUMENT, "struct_bytes");
  const int32_t nowhere = 7;
  memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
  node.input_count = 1;
  CHECK_FAILS(memplan_graph_add_node(graph, &node, NULL),
              MEMPLAN_INVALID_ARGUMENT, "without an array");
  node.inputs = &nowhere;
  CHECK(memplan_graph_add_node(graph, &node, NULL) == MEMPLAN_OK);
  memplan_plan_t *plan = NULL;
  CHECK_FAILS(memplan_graph_check(graph), MEMPLAN_INVALID_ARGUMENT, "node 0");
  CHECK_FAILS(memplan_plan_step(graph, NULL, &plan), MEMPLAN_INVALID_ARGUMENT,
              "node 0");
  CHECK(plan == NULL);
  memplan_graph_t *chain = make_chain(2);
  CHECK(memplan_plan_step(chain, NULL, &plan) == MEMPLAN_OK);
  memplan_graph_t *small = make_chain(1);
  char *text = NULL;
  CHECK_FAILS(memplan_plan_verify(small, plan, NULL), MEMPLAN_INVALID_ARGUMENT,
              "another graph");
  CHECK_FAILS(memplan_plan_json(small, plan, &text, NULL),
              MEMPLAN_INVALID_ARGUMENT, "another graph");
  CHECK_FAILS(memplan_plan_report_json(small, plan, NULL, &text, NULL),
              MEMPLAN_INVALID_ARGUMENT, "another graph");
  CHECK_FAILS(memplan_plan_perfetto(small, NULL, NULL, &text, NULL),
              MEMPLAN_INVALID_ARGUMENT, "null pointer");
  memplan_graph_destroy(small);
  memplan_graph_destroy(chain);
  memplan_graph_destroy(graph);
  memplan_plan_destroy(plan);
  memplan_plan_destroy(NULL);
  memplan_options_destroy(NULL);
  memplan_graph_destroy(NULL);
  memplan_text_destroy(NULL);
  CHECK(memplan_graph_node_count(NULL) == 0);
}

// Whoever has live ranges already needs no graph.
static void packs_buffers(void) {
  const memplan_buffer_t buffers[] = {
      {100, 0, 2, 0, -1}, {50, 1, 3, 0, -1}, {100, 2, 4, 64, -1}};
  int64_t offsets[3] = {-1, -1, -1};
  memplan_packing_t packing = MEMPLAN_PACKING_INIT;
  memplan_options_t *options = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  CHECK(memplan_options_set(options, "alignment", "1") == MEMPLAN_OK);
  CHECK(memplan_pack_buffers(buffers, 3, options, offsets, &packing) ==
        MEMPLAN_OK);
  CHECK(packing.status == MEMPLAN_OPTIMAL && packing.peak_bytes == 150);
  CHECK(packing.lower_bound_bytes == 150 && offsets[2] % 64 == 0);
  CHECK(offsets[0] + 100 <= offsets[1] || offsets[1] + 50 <= offsets[0]);
  CHECK(memplan_options_set(options, "budget", "149") == MEMPLAN_OK);
  CHECK(memplan_pack_buffers(buffers, 3, options, offsets, &packing) ==
        MEMPLAN_OK);
  CHECK(packing.status == MEMPLAN_INFEASIBLE);
  CHECK(memplan_options_set(options, "arena", "none") == MEMPLAN_OK);
  CHECK_FAILS(memplan_pack_buffers(buffers, 3, options, offsets, &packing),
              MEMPLAN_INVALID_ARGUMENT, "unknown arena solver 'none'");
  const memplan_buffer_t wrong = {-1, 0, 2, 0, -1};
  CHECK_FAILS(memplan_pack_buffers(&wrong, 1, NULL, offsets, NULL),
              MEMPLAN_INVALID_ARGUMENT, "'0'");
  CHECK(memplan_pack_buffers(NULL, 0, NULL, NULL, &packing) == MEMPLAN_OK);
  CHECK(packing.peak_bytes == 0);
  memplan_options_destroy(options);
}

/// Rising budgets, falling costs, plans that hold; wrong calls are refused.
static void plans_for_all_budgets(void) {
  memplan_graph_t *graph = make_chain(8);
  memplan_options_t *options = NULL;
  CHECK(memplan_options_create(&options) == MEMPLAN_OK);
  memplan_curve_t *curve = NULL;
  memplan_plan_t *one = NULL;
  CHECK(memplan_plan_curve(graph, options, &curve) == MEMPLAN_INVALID_ARGUMENT);
  CHECK(strstr(memplan_last_error(), "pareto"));
  CHECK(memplan_options_set(options, "pareto", "5") == MEMPLAN_OK);
  CHECK(memplan_plan_step(graph, options, &one) == MEMPLAN_INVALID_ARGUMENT);
  CHECK(strstr(memplan_last_error(), "memplan_plan_curve"));
  CHECK(memplan_plan_curve(graph, options, &curve) == MEMPLAN_OK);
  CHECK(memplan_curve_count(curve) == 5);
  const memplan_plan_t *plan = NULL;
  memplan_plan_info_t last = MEMPLAN_PLAN_INFO_INIT;
  for (int64_t i = 0; i < 5; ++i) {
    CHECK(memplan_curve_plan(curve, i, &plan) == MEMPLAN_OK);
    const memplan_plan_info_t info = info_of(plan);
    CHECK(memplan_plan_verify(graph, plan, NULL) == MEMPLAN_OK);
    check_arrays(graph, plan);
    CHECK(i == 0 || (info.budget_bytes > last.budget_bytes &&
                     info.cost <= last.cost && info.cost < 2 * 17));
    last = info;
  }
  CHECK(last.cost == 17);
  CHECK(memplan_curve_plan(curve, 5, &plan) == MEMPLAN_INVALID_ARGUMENT);
  CHECK(!plan);
  char *text = NULL;
  memplan_curve_info_t about = MEMPLAN_CURVE_INFO_INIT;
  CHECK(memplan_curve_get_info(curve, &about) == MEMPLAN_OK);
  CHECK(about.least_cost == 17 && about.unplanned_bytes >= last.budget_bytes);
  CHECK(memplan_curve_json(graph, curve, &text, NULL) == MEMPLAN_OK);
  CHECK(strstr(text, "\"points\""));
  memplan_text_destroy(text);
  memplan_curve_destroy(curve);
  CHECK(memplan_options_set(options, "budget", "6K") == MEMPLAN_OK);
  CHECK(memplan_plan_curve(graph, options, &curve) == MEMPLAN_INVALID_ARGUMENT);
  CHECK(!curve);
  memplan_options_destroy(options);
  memplan_graph_destroy(graph);
}

int main(void) {
  plans_within_a_budget();
  reads_what_it_writes();
  builds_views_and_parts();
  takes_options_by_name();
  reports_progress_and_stops();
  refuses_what_is_wrong();
  packs_buffers();
  plans_for_all_budgets();
  puts("ok");
  return 0;
}
