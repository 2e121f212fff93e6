//===- memplan-c/Planner.h - Plan the memory of a step from C -----*- C -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph is built or read, planned with options, and the plan is read as plain
// arrays or as JSON. No file, no IR, no global. Calls on different handles may
// run on different threads at once. Any number of threads may read one graph or
// one plan, or plan with one set of options, that nothing changes.
//
// A call that fails returns a status other than MEMPLAN_OK, leaves a text in
// memplan_last_error() and sets what it would have made to null. A call with an
// allocation that fails is MEMPLAN_OUT_OF_MEMORY; nothing is thrown and nothing
// aborts. For that, the first call tells LLVM to throw where an allocation of
// its own fails (llvm::install_bad_alloc_error_handler). A host that links LLVM
// statically too and has a handler of its own sets it again afterwards.
//
// Handles are made and destroyed in pairs; destroying null does nothing.
// Tensors and nodes are numbered from 0 in the order in which they are added or
// stand in the file. Structs begin with their size, which the caller sets, as
// the MEMPLAN_X_INIT macros do.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_C_PLANNER_H
#define MEMPLAN_C_PLANNER_H

#include "memplan-c/Status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct memplan_graph memplan_graph_t;
typedef struct memplan_options memplan_options_t;
typedef struct memplan_plan memplan_plan_t;

/// Destroys a text that a call below has made; the caller owns such texts.
void memplan_text_destroy(char *text);

/// What tools print for --version: the version, and which features are built
/// in.
memplan_status_t memplan_version_text(char **text);
/// Bytes of a size as the option `budget` takes it ("16G", "6GiB", "1.5GB"),
/// but no share.
memplan_status_t memplan_parse_size(const char *text, int64_t *bytes);

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Owner of a tensor, and how long it lives; include/memplan/Graph/Graph.h.
typedef enum memplan_tensor_kind {
  MEMPLAN_PARAMETER = 0,
  MEMPLAN_STATE = 1,
  MEMPLAN_INPUT = 2,
  MEMPLAN_ACTIVATION = 3,
  MEMPLAN_GRADIENT = 4,
  MEMPLAN_OUTPUT = 5
} memplan_tensor_kind_t;

/// Which bytes of its base a view takes: `rows` runs of `row_bytes`, each
/// `stride` bytes after the one before. row_bytes 0: not asked for.
typedef struct memplan_graph_part {
  int64_t offset;
  int64_t row_bytes;
  int64_t rows;
  int64_t stride;
  int32_t written; ///< the node that makes the view writes these bytes
  int32_t reserved;
} memplan_graph_part_t;

typedef struct memplan_graph_tensor {
  int32_t struct_bytes;
  int32_t kind;              ///< memplan_tensor_kind_t
  int64_t bytes;             ///< of its own; 0 for a view
  const char *name;          ///< may be null
  int64_t external_id;       ///< in files and messages, unique; -1: its number
  int32_t view_of;           ///< the tensor whose storage it uses, or -1
  int32_t donated;           ///< inputs: the step may free or overwrite it
  memplan_graph_part_t part; ///< views only
} memplan_graph_tensor_t;
#define MEMPLAN_GRAPH_TENSOR_INIT                                              \
  {(int32_t)sizeof(memplan_graph_tensor_t),                                    \
   MEMPLAN_ACTIVATION,                                                         \
   0,                                                                          \
   0,                                                                          \
   -1,                                                                         \
   -1,                                                                         \
   0,                                                                          \
   {0, 0, 1, 0, 0, 0}}

/// `output` may take the storage of `input`, if the node is its last user.
typedef struct memplan_graph_in_place {
  int32_t output;
  int32_t input;
} memplan_graph_in_place_t;

/// Another implementation of a node.
typedef struct memplan_graph_variant {
  double cost;
  int64_t workspace_bytes;
} memplan_graph_variant_t;

typedef struct memplan_graph_node {
  int32_t struct_bytes;
  int32_t run_once;    ///< may not be computed again
  const char *name;    ///< may be null
  int64_t external_id; ///< in files and messages, unique; -1: its number
  double cost;         ///< microseconds, or any unit
  int64_t workspace_bytes;
  const int32_t *inputs;
  int64_t input_count;
  const int32_t *outputs;
  int64_t output_count;
  const int32_t *writes; ///< tensors overwritten with their next version
  int64_t write_count;
  const memplan_graph_in_place_t *in_place;
  int64_t in_place_count;
  const memplan_graph_variant_t *variants; ///< besides cost and workspace_bytes
  int64_t variant_count;
  int64_t flops; ///< for the option cost-model
  int64_t bytes_moved;
  int32_t collective; ///< keeps its place among collective and opaque nodes
  int32_t opaque;
  int32_t backward;     ///< of the backward pass or the update
  int32_t communicates; ///< runs on the communication stream, beside others
} memplan_graph_node_t;
#define MEMPLAN_GRAPH_NODE_INIT                                                \
  {(int32_t)sizeof(memplan_graph_node_t),                                      \
   0,                                                                          \
   0,                                                                          \
   -1,                                                                         \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0}

/// An empty graph. `name` may be null.
memplan_status_t memplan_graph_create(const char *name,
                                      memplan_graph_t **graph);
/// Reads and checks the text of a `*.graph.json`, which may go afterwards.
memplan_status_t memplan_graph_read_json(const char *text, int64_t byte_count,
                                         memplan_graph_t **graph);
void memplan_graph_destroy(memplan_graph_t *graph);

/// Adds a copy of what the struct holds and gives its number; `number` may be
/// null. Inputs are made by nodes added before or belong to the caller of the
/// step. What only the whole graph shows is left to memplan_graph_check().
memplan_status_t memplan_graph_add_tensor(memplan_graph_t *graph,
                                          const memplan_graph_tensor_t *tensor,
                                          int32_t *number);
memplan_status_t memplan_graph_add_node(memplan_graph_t *graph,
                                        const memplan_graph_node_t *node,
                                        int32_t *number);
/// Device bytes that are always there and in no tensor.
memplan_status_t memplan_graph_set_fixed_bytes(memplan_graph_t *graph,
                                               int64_t bytes);

/// MEMPLAN_INVALID_ARGUMENT with the first thing that is wrong. Planning does
/// the same first.
memplan_status_t memplan_graph_check(const memplan_graph_t *graph);
/// 0 for null.
int32_t memplan_graph_tensor_count(const memplan_graph_t *graph);
int32_t memplan_graph_node_count(const memplan_graph_t *graph);
/// Fills the struct in, as far as its struct_bytes; its pointers live until the
/// graph is changed or destroyed.
memplan_status_t memplan_graph_get_tensor(const memplan_graph_t *graph,
                                          int32_t number,
                                          memplan_graph_tensor_t *tensor);
/// The same for a node. Arrays live as long as the graph is left alone.
memplan_status_t memplan_graph_get_node(const memplan_graph_t *graph,
                                        int32_t number,
                                        memplan_graph_node_t *node);

/// What a graph says besides its tensors and nodes. A number that it does not
/// say is -1.
typedef struct memplan_graph_info {
  int32_t struct_bytes;
  int32_t reserved;
  const char *name; ///< lives until the graph is changed or destroyed
  int64_t fixed_bytes;
  int64_t host_budget_bytes;
  double host_to_device; ///< bytes a cost unit
  double device_to_host;
  double copy_latency; ///< cost units a copy
} memplan_graph_info_t;
#define MEMPLAN_GRAPH_INFO_INIT                                                \
  {(int32_t)sizeof(memplan_graph_info_t), 0, 0, 0, 0, 0, 0, 0}
memplan_status_t memplan_graph_get_info(const memplan_graph_t *graph,
                                        memplan_graph_info_t *info);
/// Peak of the source order without recomputation and without outputs over
/// inputs, in live bytes: what "80%" is a share of. The graph must pass
/// memplan_graph_check().
memplan_status_t memplan_graph_unplanned_bytes(const memplan_graph_t *graph,
                                               int64_t *bytes);
/// The graph as `*.graph.json`, ended by a zero byte that byte_count, which may
/// be null, does not count. The graph must pass memplan_graph_check().
memplan_status_t memplan_graph_json(const memplan_graph_t *graph, char **text,
                                    int64_t *byte_count);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Options of planning by name: those of docs/Options.md that `memplan-solve
/// remat` takes. All at their defaults.
memplan_status_t memplan_options_create(memplan_options_t **options);
void memplan_options_destroy(memplan_options_t *options);
/// Reads `value` as the command line would: ("budget", "16G").
memplan_status_t memplan_options_set(memplan_options_t *options,
                                     const char *name, const char *value);
/// The value as memplan_options_set() would read it back.
memplan_status_t memplan_options_get(const memplan_options_t *options,
                                     const char *name, char **value);

/// One option; the texts live as long as the process.
typedef struct memplan_option_info {
  int32_t struct_bytes;
  int32_t is_switch; ///< takes "true" or "false"
  const char *name;  ///< "time-limit"
  const char *value; ///< "SECONDS"; "" for a switch
  const char *help;  ///< one line
} memplan_option_info_t;
#define MEMPLAN_OPTION_INFO_INIT                                               \
  {(int32_t)sizeof(memplan_option_info_t), 0, 0, 0, 0}
int32_t memplan_option_count(void);
memplan_status_t memplan_option(int32_t number, memplan_option_info_t *info);

/// How far planning is. A number that is not known is NaN.
typedef struct memplan_progress {
  int32_t struct_bytes;
  int32_t reserved;
  const char *solver; ///< lives as long as the call
  double incumbent;   ///< cost of the best plan so far
  double bound;       ///< no plan costs less
  double seconds;
} memplan_progress_t;
/// Called now and then by the thread that plans, while it plans. Anything but 0
/// is memplan_options_cancel(options, 1). It must throw nothing and leave the
/// options alone.
typedef int32_t (*memplan_progress_callback_t)(
    void *user, const memplan_progress_t *progress);
/// Null: no callback. `user` must live as long as the callback is set.
memplan_status_t
memplan_options_set_progress(memplan_options_t *options,
                             memplan_progress_callback_t callback, void *user);

/// With `cancelled` 1, plannings with these options return soon, with the best
/// plan so far or with none, until it is called with 0. May be called by any
/// thread at any time before the options are destroyed, and by signal handlers.
void memplan_options_cancel(memplan_options_t *options, int32_t cancelled);

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

typedef enum memplan_plan_status {
  MEMPLAN_OPTIMAL = 0,
  MEMPLAN_FEASIBLE = 1,
  MEMPLAN_INFEASIBLE = 2, ///< proved; the plan has no actions
  MEMPLAN_NO_PLAN = 3     ///< none found, which proves nothing; no actions
} memplan_plan_status_t;

/// Plans one step; null options are the defaults. A budget that cannot be met
/// is a plan without actions whose info says why, not a failure. The plan has
/// been verified, and refers to the graph in no way. Every plan is the same for
/// the same graph and options, unless a time limit or a cancellation cut it
/// short. For the option `pareto` there is memplan_plan_curve().
memplan_status_t memplan_plan_step(const memplan_graph_t *graph,
                                   const memplan_options_t *options,
                                   memplan_plan_t **plan);
/// Reads the text of a `*.plan.json` for this graph. It is not verified.
memplan_status_t memplan_plan_read_json(const memplan_graph_t *graph,
                                        const char *text, int64_t byte_count,
                                        memplan_plan_t **plan);
/// Reads the text of a `*.trace.json` of a run of this graph as a plan. It has
/// what ran, in the sequence in which it ran, at offsets that are chosen for
/// it. Of the options the costs, the bandwidth, the host budget, the arena
/// solver and the alignment count. It is not verified.
memplan_status_t memplan_plan_read_trace(const memplan_graph_t *graph,
                                         const memplan_options_t *options,
                                         const char *text, int64_t byte_count,
                                         memplan_plan_t **plan);
void memplan_plan_destroy(memplan_plan_t *plan);

/// MEMPLAN_CHECK_FAILED if the plan breaks a rule, with the action and the
/// numbers. Of the options the budget, the order, the bandwidth and the host
/// budget count; null: the plan's own budget. Shares no code with planners.
memplan_status_t memplan_plan_verify(const memplan_graph_t *graph,
                                     const memplan_plan_t *plan,
                                     const memplan_options_t *options);

/// Numbers that a plan does not have are -1 (bytes, node) or NaN (bound). Texts
/// live with the plan and are "" where there is nothing to say.
typedef struct memplan_plan_info {
  int32_t struct_bytes;
  int32_t status; ///< memplan_plan_status_t
  double cost;
  double bound; ///< no plan of bound_space costs less
  int64_t peak_bytes;
  int64_t budget_bytes;
  int64_t bound_bytes;          ///< no budget below works
  int64_t minimum_budget_bytes; ///< the least budget known to work
  int32_t witness_node;         ///< the node that cannot fit
  int32_t reserved;
  const char *solver;
  const char *bound_space;
  const char *proof;
  const char *note;
  double gap;  ///< share of the time that a better plan could save at most
  double time; ///< when the last queue is done; the cost on one stream
  double time_bound; ///< no plan of time_bound_space on one stream ends earlier
  const char *time_bound_space;
  const char *graph_hash;
  const int32_t *witness_tensors; ///< what must be live beside witness_node
  int64_t witness_tensor_count;
} memplan_plan_info_t;
#define MEMPLAN_PLAN_INFO_INIT                                                 \
  {(int32_t)sizeof(memplan_plan_info_t),                                       \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0}
memplan_status_t memplan_plan_get_info(const memplan_plan_t *plan,
                                       memplan_plan_info_t *info);

typedef enum memplan_action_kind {
  MEMPLAN_COMPUTE = 0,
  MEMPLAN_FREE = 1,
  MEMPLAN_EVICT = 2,
  MEMPLAN_FETCH = 3,
  MEMPLAN_WAIT = 4,
  MEMPLAN_DROP_HOST = 5
} memplan_action_kind_t;

/// One action, in the order in which they are issued; docs/Formats.md.
typedef struct memplan_action {
  int32_t kind;    ///< memplan_action_kind_t
  int32_t node;    ///< compute, else -1
  int32_t variant; ///< compute: 0 is the node's own cost and workspace
  int32_t stream;
  int64_t event;          ///< -1: none
  const int32_t *tensors; ///< free, evict, fetch, drop_host
  int64_t tensor_count;
  const memplan_graph_in_place_t *in_place; ///< compute: the pairs taken
  int64_t in_place_count;
  const int32_t *discards; ///< compute: outputs that nothing wants
  int64_t discard_count;
} memplan_action_t;
/// All actions; they live with the plan.
memplan_status_t memplan_plan_actions(const memplan_plan_t *plan,
                                      const memplan_action_t **actions,
                                      int64_t *count);

typedef enum memplan_placement_kind {
  MEMPLAN_PLACE_TENSOR = 0,
  MEMPLAN_PLACE_WORKSPACE = 1,
  MEMPLAN_PLACE_DISCARD = 2
} memplan_placement_kind_t;

/// Where bytes lie in an arena from action `begin` up to before action `end`.
typedef struct memplan_placement {
  int32_t kind;   ///< memplan_placement_kind_t
  int32_t tensor; ///< tensor, discard, else -1
  int32_t node;   ///< workspace, else -1
  int32_t begin;
  int32_t end;
  int32_t reserved;
  int64_t offset;
} memplan_placement_t;

typedef struct memplan_arena {
  const char *space; ///< "device", "host"
  int64_t bytes;
  int64_t alignment_bytes;
  const memplan_placement_t *placements;
  int64_t placement_count;
  const int32_t *owns; ///< the caller's tensors that lie in it after all
  int64_t owns_count;
} memplan_arena_t;
/// All arenas; they live with the plan.
memplan_status_t memplan_plan_arenas(const memplan_plan_t *plan,
                                     const memplan_arena_t **arenas,
                                     int64_t *count);
/// Device bytes of a plan with actions: fixed bytes, the caller's tensors and
/// the arena, or the peak of a plan without one. What the budget limits.
memplan_status_t memplan_plan_device_bytes(const memplan_graph_t *graph,
                                           const memplan_plan_t *plan,
                                           int64_t *bytes);
/// The plan as `*.plan.json`, for the graph that it was made for.
memplan_status_t memplan_plan_json(const memplan_graph_t *graph,
                                   const memplan_plan_t *plan, char **text,
                                   int64_t *byte_count);

/// What a report of the plan shows, as `*.report.json`. Of the options the
/// costs, the bandwidth and the host budget count; null: the graph's own.
/// MEMPLAN_CHECK_FAILED where the plan breaks a rule.
memplan_status_t memplan_plan_report_json(const memplan_graph_t *graph,
                                          const memplan_plan_t *plan,
                                          const memplan_options_t *options,
                                          char **text, int64_t *byte_count);
/// The plan as a trace that Perfetto opens; options and status as above.
memplan_status_t memplan_plan_perfetto(const memplan_graph_t *graph,
                                       const memplan_plan_t *plan,
                                       const memplan_options_t *options,
                                       char **text, int64_t *byte_count);

//===----------------------------------------------------------------------===//
// Curves: what bytes cost in time
//===----------------------------------------------------------------------===//

typedef struct memplan_curve memplan_curve_t;

/// Plans for as many budgets as the option `pareto` says, two at least. They
/// are at equal steps from the smallest plan found to the one without
/// recomputation. It takes about the time of two plans. The options name no
/// budget. Each plan has been verified; none costs more than one of fewer
/// bytes. A step that has no plan with any budget is a curve without plans, not
/// a failure.
memplan_status_t memplan_plan_curve(const memplan_graph_t *graph,
                                    const memplan_options_t *options,
                                    memplan_curve_t **curve);
void memplan_curve_destroy(memplan_curve_t *curve);
/// 0 for null.
int64_t memplan_curve_count(const memplan_curve_t *curve);
/// By rising budget; the plan lives with the curve, which destroys it.
memplan_status_t memplan_curve_plan(const memplan_curve_t *curve,
                                    int64_t number,
                                    const memplan_plan_t **plan);
/// What overheads and shares of bytes refer to.
typedef struct memplan_curve_info {
  int32_t struct_bytes;
  int32_t reserved;
  double least_cost; ///< each node once in its cheapest variant
  int64_t unplanned_bytes;
} memplan_curve_info_t;
#define MEMPLAN_CURVE_INFO_INIT {(int32_t)sizeof(memplan_curve_info_t), 0, 0, 0}
memplan_status_t memplan_curve_get_info(const memplan_curve_t *curve,
                                        memplan_curve_info_t *info);
/// The curve as `*.curve.json`, for the graph that it was made for.
memplan_status_t memplan_curve_json(const memplan_graph_t *graph,
                                    const memplan_curve_t *curve, char **text,
                                    int64_t *byte_count);

//===----------------------------------------------------------------------===//
// Buffers without a graph
//===----------------------------------------------------------------------===//

/// Live at the times [begin, end).
typedef struct memplan_buffer {
  int64_t bytes;
  int64_t begin;
  int64_t end;
  int64_t alignment_bytes; ///< 0: that of the options
  int64_t fixed_offset;    ///< -1: anywhere
} memplan_buffer_t;

typedef struct memplan_packing {
  int32_t struct_bytes;
  int32_t status; ///< memplan_plan_status_t
  int64_t peak_bytes;
  int64_t lower_bound_bytes; ///< no packing is smaller
} memplan_packing_t;
#define MEMPLAN_PACKING_INIT {(int32_t)sizeof(memplan_packing_t), 0, 0, 0}

/// Gives `count` buffers offsets so that two that are live at one time share no
/// byte, and writes them to `offsets`. Of the options arena, alignment, effort,
/// time-limit and budget (in bytes) count. Where the budget is not met the
/// status says so and `offsets` stays as it was. `packing` may be null.
memplan_status_t memplan_pack_buffers(const memplan_buffer_t *buffers,
                                      int64_t count,
                                      const memplan_options_t *options,
                                      int64_t *offsets,
                                      memplan_packing_t *packing);

#ifdef __cplusplus
}
#endif

#endif // MEMPLAN_C_PLANNER_H
