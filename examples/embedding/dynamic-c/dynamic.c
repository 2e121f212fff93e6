//===- dynamic.c - Steps that differ, within a budget ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trains a layer that each step applies a different number of times, behind
// relu or tanh as the step chooses. Nothing is known beforehand, so ops are
// submitted one by one; a small pool holds them all. The same steps run in a
// large pool beside it, and in one for which the program itself says what is
// evicted and what is swapped, and give the same bits.
//
//===----------------------------------------------------------------------===//

#include <memplan-c/Dynamic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 128, width = 64, most_layers = 24, steps = 24 };

static void check(memplan_status_t status) {
  if (status == MEMPLAN_OK)
    return;
  fprintf(stderr, "error: %s\n", memplan_last_error());
  exit(1);
}

static memplan_handle_t put(memplan_dynamic_t *dynamic, int64_t height,
                            float scale) {
  const int64_t shape[] = {height, width};
  const int64_t count = height * width;
  float *values = malloc(sizeof(float) * (size_t)count);
  if (!values)
    exit(1);
  for (int64_t i = 0; i < count; ++i)
    values[i] = (float)(i * 37 % 101 - 50) / 50 * scale;
  memplan_handle_t tensor;
  check(memplan_dynamic_put(dynamic, MEMPLAN_F32, 2, shape, values, &tensor));
  free(values);
  return tensor;
}

/// Runs a kernel with up to three inputs and one output of two dimensions (one
/// number where height is 0), which lies over input `over` unless that is -1.
static memplan_handle_t apply(memplan_dynamic_t *dynamic, const char *kernel,
                              int32_t inputs, const memplan_handle_t *input,
                              int64_t height, int32_t over, int32_t attributes,
                              const memplan_attribute_t *attribute) {
  const int64_t shape[] = {height, width};
  const memplan_dynamic_output_t output = {MEMPLAN_F32, height ? 2 : 0, shape,
                                           over};
  memplan_dynamic_op_t op = MEMPLAN_DYNAMIC_OP_INIT;
  op.kernel = kernel;
  op.input_count = inputs;
  op.inputs = input;
  op.output_count = 1;
  op.outputs = &output;
  op.attribute_count = attributes;
  op.attributes = attribute;
  memplan_handle_t made;
  check(memplan_dynamic_apply(dynamic, &op, &made));
  return made;
}

static memplan_handle_t simple(memplan_dynamic_t *dynamic, const char *kernel,
                               int64_t height, memplan_handle_t a,
                               memplan_handle_t b, memplan_handle_t c) {
  const memplan_handle_t inputs[] = {a, b, c};
  return apply(dynamic, kernel, 1 + (b != 0) + (c != 0), inputs, height, -1, 0,
               NULL);
}

static memplan_handle_t matmul(memplan_dynamic_t *dynamic, int64_t height,
                               memplan_handle_t a, memplan_handle_t b,
                               const char *transposed) {
  memplan_attribute_t attribute;
  memset(&attribute, 0, sizeof(attribute));
  attribute.name = transposed;
  attribute.kind = MEMPLAN_ATTRIBUTE_INT;
  attribute.int_value = 1;
  const memplan_handle_t inputs[] = {a, b};
  return apply(dynamic, "memplan.matmul", 2, inputs, height, -1,
               transposed != NULL, &attribute);
}

/// One step, and its loss. The weight is updated in place. `by_hand`: the step
/// itself says what leaves on the way forward, every other layer to the host,
/// and brings it back before it is read.
static float train(memplan_dynamic_t *d, int step, memplan_handle_t x,
                   memplan_handle_t target, memplan_handle_t weight,
                   memplan_handle_t one, int by_hand) {
  // Three steps one way, three steps another.
  const int layers = step % 6 < 3 ? most_layers : 7;
  const int relu = step % 12 < 9;
  memplan_handle_t behind[most_layers + 1];
  behind[0] = x;
  for (int i = 1; i <= layers; ++i) {
    memplan_handle_t before = matmul(d, rows, behind[i - 1], weight, NULL);
    behind[i] =
        simple(d, relu ? "memplan.relu" : "memplan.tanh", rows, before, 0, 0);
    check(memplan_dynamic_drop(d, before));
    if (by_hand && i > 2)
      check(i % 2 ? memplan_dynamic_swap_out(d, behind[i - 1])
                  : memplan_dynamic_evict(d, behind[i - 1]));
  }
  memplan_handle_t loss =
      simple(d, "memplan.mse_loss", 0, behind[layers], target, 0);
  memplan_handle_t gradient =
      simple(d, "memplan.mse_loss_grad", rows, behind[layers], target, one);
  memplan_handle_t sum = 0; // of the gradients of the weight
  for (int i = layers; i >= 1; --i) {
    if (by_hand && i > 2)
      check(memplan_dynamic_swap_in(d, behind[i - 1]));
    memplan_handle_t inner =
        simple(d, relu ? "memplan.relu_grad" : "memplan.tanh_grad", rows,
               behind[i], gradient, 0);
    check(memplan_dynamic_drop(d, gradient));
    memplan_handle_t part =
        matmul(d, width, behind[i - 1], inner, "transpose_lhs");
    gradient = matmul(d, rows, inner, weight, "transpose_rhs");
    check(memplan_dynamic_drop(d, inner));
    check(memplan_dynamic_drop(d, behind[i]));
    if (sum) {
      const memplan_handle_t inputs[] = {sum, part};
      apply(d, "memplan.accumulate", 2, inputs, width, 0, 0, NULL);
      check(memplan_dynamic_drop(d, part));
    } else {
      sum = part;
    }
  }
  memplan_attribute_t rate[2];
  memset(rate, 0, sizeof(rate));
  rate[0].name = "lr";
  rate[0].kind = rate[1].kind = MEMPLAN_ATTRIBUTE_FLOAT;
  rate[0].float_value = 0.01;
  rate[1].name = "weight_decay";
  const memplan_handle_t inputs[] = {weight, sum};
  apply(d, "memplan.sgd_update", 2, inputs, width, 0, 2, rate);
  float value = 0;
  check(memplan_dynamic_read(d, loss, &value, sizeof(value)));
  check(memplan_dynamic_drop(d, loss));
  check(memplan_dynamic_drop(d, gradient));
  check(memplan_dynamic_drop(d, sum));
  return value;
}

static void run(memplan_session_t *session, int64_t budget, int by_hand,
                float *losses) {
  memplan_dynamic_options_t options = MEMPLAN_DYNAMIC_OPTIONS_INIT;
  options.budget_bytes = budget;
  options.host_bytes = by_hand ? budget : 0;
  memplan_dynamic_t *dynamic = NULL;
  check(memplan_dynamic_create(session, &options, &dynamic));
  const float number = 1;
  memplan_handle_t one;
  check(memplan_dynamic_put(dynamic, MEMPLAN_F32, 0, NULL, &number, &one));
  memplan_handle_t x = put(dynamic, rows, 1), target = put(dynamic, rows, 0.5f);
  memplan_handle_t weight = put(dynamic, width, 0.3f);
  memplan_dynamic_stats_t stats = MEMPLAN_DYNAMIC_STATS_INIT;
  for (int step = 0; step < steps; ++step) {
    check(memplan_dynamic_begin_step(dynamic));
    losses[step] = train(dynamic, step, x, target, weight, one, by_hand);
    check(memplan_dynamic_get_stats(dynamic, &stats));
    printf("step %d: loss %.9g, %lld calls as in a step before%s\n", step,
           (double)losses[step], (long long)stats.followed_calls,
           stats.deviated ? ", then another way" : "");
  }
  printf("pool %lld bytes, at most %lld in use: %lld ops, %lld of them ran "
         "again, %lld evictions, %lld paths left\n",
         (long long)stats.pool_bytes, (long long)stats.most_used_bytes,
         (long long)stats.ops, (long long)stats.recomputed_ops,
         (long long)stats.evictions, (long long)stats.paths);
  if (by_hand)
    printf("by hand: %lld copies to the host, %lld back\n",
           (long long)stats.copies_out, (long long)stats.copies_in);
  memplan_dynamic_destroy(dynamic);
}

int main(void) {
  memplan_session_t *session = NULL;
  check(memplan_session_create("cpu", 0, 1, &session));
  float wide[steps], narrow[steps], by_hand[steps];
  run(session, 8 << 20, 0, wide);
  run(session, 512 << 10, 0, narrow);
  run(session, 768 << 10, 1, by_hand);
  memplan_session_destroy(session);
  if (memcmp(wide, narrow, sizeof(wide)) != 0 ||
      memcmp(wide, by_hand, sizeof(wide)) != 0) {
    fprintf(stderr, "error: a small pool gives other losses\n");
    return 1;
  }
  printf("the same bits in all pools\n");
  return 0;
}
