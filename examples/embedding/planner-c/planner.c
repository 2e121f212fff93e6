//===- planner.c - A compiler without MLIR plans a step -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills a graph of a small training step, plans it within a budget, and prints
// what runs when and where each value lies.
//
//===----------------------------------------------------------------------===//

#include <memplan-c/Planner.h>
#include <stdio.h>
#include <stdlib.h>

enum { layers = 6, megabyte = 1 << 20 };

static void check(memplan_status_t status) {
  if (status == MEMPLAN_OK)
    return;
  fprintf(stderr, "error: %s\n", memplan_last_error());
  exit(1);
}

static int32_t add_tensor(memplan_graph_t *graph, int32_t kind) {
  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  tensor.kind = kind;
  tensor.bytes = megabyte;
  int32_t number = 0;
  check(memplan_graph_add_tensor(graph, &tensor, &number));
  return number;
}

static void add_node(memplan_graph_t *graph, const char *name, double micros,
                     const int32_t *inputs, int64_t input_count,
                     int32_t output) {
  memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
  node.name = name;
  node.cost = micros;
  node.inputs = inputs;
  node.input_count = input_count;
  node.outputs = &output;
  node.output_count = 1;
  check(memplan_graph_add_node(graph, &node, NULL));
}

/// Each backward node reads the gradient that comes in and what its forward
/// node has read.
static memplan_graph_t *build_step(void) {
  memplan_graph_t *graph = NULL;
  check(memplan_graph_create("example", &graph));
  int32_t values[layers + 1] = {add_tensor(graph, MEMPLAN_INPUT)};
  for (int i = 0; i < layers; ++i) {
    values[i + 1] = add_tensor(graph, MEMPLAN_ACTIVATION);
    add_node(graph, "forward", 10, &values[i], 1, values[i + 1]);
  }
  int32_t gradient = values[layers];
  for (int i = layers - 1; i >= 0; --i) {
    const int32_t inputs[] = {gradient, values[i]};
    gradient = add_tensor(graph, i ? MEMPLAN_GRADIENT : MEMPLAN_OUTPUT);
    add_node(graph, "backward", 20, inputs, 2, gradient);
  }
  return graph;
}

static void print_plan(const memplan_plan_t *plan) {
  memplan_plan_info_t info = MEMPLAN_PLAN_INFO_INIT;
  const memplan_action_t *actions = NULL;
  const memplan_arena_t *arenas = NULL;
  int64_t action_count = 0, arena_count = 0;
  check(memplan_plan_get_info(plan, &info));
  check(memplan_plan_actions(plan, &actions, &action_count));
  check(memplan_plan_arenas(plan, &arenas, &arena_count));
  printf("cost %g, peak %lld bytes, by %s\norder:", info.cost,
         (long long)info.peak_bytes, info.solver);
  for (int64_t i = 0; i < action_count; ++i)
    if (actions[i].kind == MEMPLAN_COMPUTE)
      printf(" %d", actions[i].node);
  printf("\narena of %lld bytes:\n", (long long)arenas[0].bytes);
  for (int64_t i = 0; i < arenas[0].placement_count; ++i) {
    const memplan_placement_t *place = &arenas[0].placements[i];
    printf("  tensor %d at %lld from action %d to %d\n", place->tensor,
           (long long)place->offset, place->begin, place->end);
  }
}

int main(int argc, char **argv) {
  memplan_graph_t *graph = build_step();
  memplan_options_t *options = NULL;
  memplan_plan_t *plan = NULL;
  check(memplan_options_create(&options));
  check(memplan_options_set(options, "budget", argc > 1 ? argv[1] : "6M"));
  check(memplan_plan_step(graph, options, &plan));
  print_plan(plan);
  memplan_plan_destroy(plan);
  memplan_options_destroy(options);
  memplan_graph_destroy(graph);
  return 0;
}
