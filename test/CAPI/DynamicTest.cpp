//===- DynamicTest.cpp - memplan-c/Dynamic.h ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Dynamic.h"
#include "../Unit/Runtime/TinyStep.h"
#include "FailingAllocator.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "gmock/gmock.h"
#include <random>

using testing::HasSubstr;

namespace {

constexpr int64_t shape[] = {128}; // 512 bytes of f32

class DynamicInC : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(memplan_session_create("reference", 0, 1, &session), MEMPLAN_OK);
    numbers.resize(128);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = float(i) - 64;
  }
  void TearDown() override {
    memplan_dynamic_destroy(dynamic);
    memplan_session_destroy(session);
  }
  memplan_status_t create(int64_t units, int64_t hostUnits = 0) {
    memplan_dynamic_options_t options = MEMPLAN_DYNAMIC_OPTIONS_INIT;
    options.budget_bytes = units * 512;
    options.host_bytes = hostUnits * 512;
    return memplan_dynamic_create(session, &options, &dynamic);
  }
  memplan_status_t put(memplan_handle_t *tensor) {
    return memplan_dynamic_put(dynamic, MEMPLAN_F32, 1, shape, numbers.data(),
                               tensor);
  }
  memplan_status_t apply(const char *kernel,
                         std::initializer_list<memplan_handle_t> inputs,
                         memplan_handle_t *made, int32_t over = -1,
                         const int64_t *outputShape = shape) {
    memplan_dynamic_output_t output = {MEMPLAN_F32, 1, outputShape, over};
    memplan_dynamic_op_t op = MEMPLAN_DYNAMIC_OP_INIT;
    op.kernel = kernel;
    op.inputs = inputs.begin();
    op.input_count = int32_t(inputs.size());
    op.outputs = &output;
    op.output_count = 1;
    return memplan_dynamic_apply(dynamic, &op, made);
  }
  float read(memplan_handle_t tensor, size_t element) {
    std::vector<float> host(128);
    EXPECT_EQ(memplan_dynamic_read(dynamic, tensor, host.data(), 512),
              MEMPLAN_OK)
        << memplan_last_error();
    return host[element];
  }
  memplan_session_t *session = nullptr;
  memplan_dynamic_t *dynamic = nullptr;
  std::vector<float> numbers;
};

} // namespace

// Three tensors of memory: c = a + b, d = a * b, and both are printed. c is
// evicted for d, d for c again, and c for d again.
TEST_F(DynamicInC, evicts_and_makes_again_in_the_order_of_the_example) {
  ASSERT_EQ(create(3), MEMPLAN_OK);
  memplan_handle_t a, b, c, d;
  ASSERT_EQ(put(&a), MEMPLAN_OK);
  ASSERT_EQ(put(&b), MEMPLAN_OK);
  ASSERT_EQ(apply("memplan.add", {a, b}, &c), MEMPLAN_OK);
  ASSERT_EQ(apply("memplan.mul", {a, b}, &d), MEMPLAN_OK);
  int32_t resident = 1;
  ASSERT_EQ(memplan_dynamic_info(dynamic, c, nullptr, nullptr, &resident),
            MEMPLAN_OK);
  EXPECT_EQ(resident, 0);
  EXPECT_EQ(read(c, 0), -128);
  EXPECT_EQ(read(d, 0), 4096);
  memplan_dynamic_stats_t stats = MEMPLAN_DYNAMIC_STATS_INIT;
  ASSERT_EQ(memplan_dynamic_get_stats(dynamic, &stats), MEMPLAN_OK);
  EXPECT_EQ(stats.ops, 2);
  EXPECT_EQ(stats.recomputed_ops, 2);
  EXPECT_EQ(stats.evictions, 3);
  EXPECT_EQ(stats.most_used_bytes, 3 * 512);
}

// What the caller evicts or swaps would be lost, would stay in the pool, or
// would go where nothing can bring it back from.
TEST_F(DynamicInC, the_caller_evicts_and_swaps) {
  ASSERT_EQ(create(8, 1), MEMPLAN_OK);
  memplan_handle_t a, b, c;
  ASSERT_EQ(put(&a), MEMPLAN_OK);
  ASSERT_EQ(put(&b), MEMPLAN_OK);
  ASSERT_EQ(apply("memplan.add", {a, b}, &c), MEMPLAN_OK);
  memplan_dynamic_stats_t stats = MEMPLAN_DYNAMIC_STATS_INIT;
  auto isResident = [&](memplan_handle_t tensor) {
    int32_t resident = -1;
    EXPECT_EQ(
        memplan_dynamic_info(dynamic, tensor, nullptr, nullptr, &resident),
        MEMPLAN_OK);
    EXPECT_EQ(memplan_dynamic_get_stats(dynamic, &stats), MEMPLAN_OK);
    return resident;
  };
  ASSERT_EQ(memplan_dynamic_evict(dynamic, c), MEMPLAN_OK);
  EXPECT_EQ(isResident(c), 0);
  EXPECT_EQ(stats.used_bytes, 2 * 512);
  EXPECT_EQ(read(c, 0), -128);
  EXPECT_EQ(isResident(c), 1);
  EXPECT_EQ(stats.recomputed_ops, 1);
  EXPECT_EQ(stats.evictions, 0); // None to make room.
  // Nothing makes a tensor of the caller again, but the host has room for one.
  EXPECT_EQ(memplan_dynamic_evict(dynamic, a), MEMPLAN_INVALID_ARGUMENT);
  ASSERT_EQ(memplan_dynamic_swap_out(dynamic, a), MEMPLAN_OK);
  EXPECT_EQ(isResident(a), 0);
  EXPECT_EQ(stats.used_bytes, 2 * 512);
  EXPECT_EQ(stats.copies_out, 1);
  EXPECT_EQ(memplan_dynamic_swap_out(dynamic, b), MEMPLAN_OUT_OF_MEMORY);
  EXPECT_EQ(isResident(b), 1);
  EXPECT_EQ(memplan_dynamic_swap_out(dynamic, a), MEMPLAN_OK); // It is there.
  EXPECT_EQ(isResident(a), 0);
  ASSERT_EQ(memplan_dynamic_swap_in(dynamic, a), MEMPLAN_OK);
  EXPECT_EQ(isResident(a), 1);
  EXPECT_EQ(stats.copies_in, 1);
  EXPECT_EQ(read(a, 3), -61);
  // Evicted, it is made for the host, which gives up its copy of a.
  ASSERT_EQ(memplan_dynamic_evict(dynamic, c), MEMPLAN_OK);
  ASSERT_EQ(memplan_dynamic_swap_out(dynamic, c), MEMPLAN_OK);
  EXPECT_EQ(isResident(c), 0);
  EXPECT_EQ(stats.recomputed_ops, 2);
  EXPECT_EQ(read(c, 0), -128);
  EXPECT_EQ(isResident(c), 1);
  EXPECT_EQ(stats.recomputed_ops, 2);
  // Evicting goes for the host's copy as well.
  ASSERT_EQ(memplan_dynamic_evict(dynamic, c), MEMPLAN_OK);
  ASSERT_EQ(memplan_dynamic_swap_in(dynamic, c), MEMPLAN_OK);
  EXPECT_EQ(isResident(c), 1);
  EXPECT_EQ(stats.recomputed_ops, 3);
  ASSERT_EQ(memplan_dynamic_drop(dynamic, c), MEMPLAN_OK);
  for (auto *call : {memplan_dynamic_evict, memplan_dynamic_swap_out,
                     memplan_dynamic_swap_in}) {
    EXPECT_EQ(call(dynamic, c), MEMPLAN_INVALID_ARGUMENT);
    EXPECT_EQ(call(nullptr, a), MEMPLAN_INVALID_ARGUMENT);
  }
  memplan_dynamic_destroy(dynamic);
  dynamic = nullptr;
  ASSERT_EQ(create(8), MEMPLAN_OK);
  ASSERT_EQ(put(&a), MEMPLAN_OK);
  EXPECT_EQ(memplan_dynamic_swap_out(dynamic, a), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(memplan_last_error(), HasSubstr("no memory on the host"));
}

// Whatever the caller evicts and swaps, beside what the pool evicts itself,
// between ops that also overwrite: values are those of a plain model.
TEST_F(DynamicInC, values_do_not_depend_on_what_the_caller_evicts) {
  struct Held {
    memplan_handle_t handle;
    std::vector<float> content;
  };
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto below = [&](size_t count) { return size_t(random()) % count; };
    ASSERT_EQ(create(int64_t(5 + below(6)), int64_t(below(6))), MEMPLAN_OK);
    std::vector<Held> held;
    for (int i = 0; i < 3; ++i) {
      held.push_back({0, numbers});
      ASSERT_EQ(put(&held.back().handle), MEMPLAN_OK);
    }
    for (int call = 0; call < 120; ++call) {
      const size_t i = below(held.size()), j = below(held.size());
      Held &a = held[i], &b = held[j];
      memplan_status_t status = MEMPLAN_OK;
      switch (below(8)) {
      case 0:
        (void)memplan_dynamic_evict(dynamic, a.handle);
        break;
      case 1:
        (void)memplan_dynamic_swap_out(dynamic, a.handle);
        break;
      case 2:
        (void)memplan_dynamic_swap_in(dynamic, a.handle);
        break;
      case 3:
        if (held.size() > 3) {
          ASSERT_EQ(memplan_dynamic_drop(dynamic, a.handle), MEMPLAN_OK);
          held.erase(held.begin() + std::ptrdiff_t(i));
        }
        break;
      case 4: {
        memplan_handle_t same = 0;
        if (i == j)
          break;
        status = apply("memplan.accumulate", {a.handle, b.handle}, &same, 0);
        for (size_t e = 0; status == MEMPLAN_OK && e < 128; ++e)
          a.content[e] += b.content[e];
        break;
      }
      default: {
        Held made{0, a.content};
        const bool adds = below(2) == 0;
        status = apply(
            adds ? "memplan.add" : "memplan.relu",
            adds ? std::initializer_list<memplan_handle_t>{a.handle, b.handle}
                 : std::initializer_list<memplan_handle_t>{a.handle},
            &made.handle);
        for (size_t e = 0; e < 128; ++e)
          made.content[e] =
              adds ? a.content[e] + b.content[e] : std::max(a.content[e], 0.0f);
        if (status == MEMPLAN_OK)
          held.push_back(std::move(made));
      }
      }
      ASSERT_TRUE(status == MEMPLAN_OK || status == MEMPLAN_OUT_OF_MEMORY)
          << memplan_last_error();
      const Held &looked = held[below(held.size())];
      std::vector<float> host(128);
      status = memplan_dynamic_read(dynamic, looked.handle, host.data(), 512);
      ASSERT_TRUE(status == MEMPLAN_OK || status == MEMPLAN_OUT_OF_MEMORY)
          << memplan_last_error();
      if (status == MEMPLAN_OK)
        ASSERT_EQ(host, looked.content) << "after call " << call;
    }
    memplan_dynamic_destroy(dynamic);
    dynamic = nullptr;
  }
}

// All handles of a tensor see what an op writes over it, views too, and what
// was made from the old content keeps its value, evicted or not.
TEST_F(DynamicInC, writes_in_place_are_seen_by_views) {
  for (int64_t units : {3, 4, 16}) {
    ASSERT_EQ(create(units), MEMPLAN_OK);
    memplan_handle_t a, twice, product, same, view;
    const int64_t half[] = {64};
    ASSERT_EQ(put(&a), MEMPLAN_OK);
    ASSERT_EQ(memplan_dynamic_view(dynamic, a, 64, 1, half, &view), MEMPLAN_OK);
    ASSERT_EQ(apply("memplan.add", {a, a}, &twice), MEMPLAN_OK);
    ASSERT_EQ(apply("memplan.mul", {twice, twice}, &product), MEMPLAN_OK);
    ASSERT_EQ(apply("memplan.accumulate", {a, a}, &same, 0), MEMPLAN_OK)
        << memplan_last_error();
    EXPECT_EQ(same, a);
    float host[64];
    ASSERT_EQ(memplan_dynamic_read(dynamic, view, host, 256), MEMPLAN_OK);
    EXPECT_EQ(host[1], 2);
    EXPECT_EQ(read(twice, 0), -128);
    EXPECT_EQ(read(product, 0), 16384);
    // Written by the caller, what was made of it stays again.
    std::vector<float> zeros(128);
    ASSERT_EQ(memplan_dynamic_write(dynamic, a, zeros.data(), 512), MEMPLAN_OK);
    EXPECT_EQ(read(twice, 0), -128);
    ASSERT_EQ(memplan_dynamic_drop(dynamic, a), MEMPLAN_OK);
    ASSERT_EQ(memplan_dynamic_read(dynamic, view, host, 256), MEMPLAN_OK);
    EXPECT_EQ(host[1], 0);
    memplan_dynamic_destroy(dynamic);
    dynamic = nullptr;
  }
}

// What is wrong is said, and nothing happens.
TEST_F(DynamicInC, errors_name_what_is_wrong) {
  memplan_dynamic_options_t options = MEMPLAN_DYNAMIC_OPTIONS_INIT;
  options.heuristic = "best";
  EXPECT_EQ(memplan_dynamic_create(session, &options, &dynamic),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(memplan_last_error(), HasSubstr("'best'; there are h_dtr"));
  EXPECT_EQ(memplan_dynamic_create(nullptr, &options, &dynamic),
            MEMPLAN_INVALID_ARGUMENT);
  ASSERT_EQ(create(3), MEMPLAN_OK);
  memplan_handle_t a, b, made = 0;
  ASSERT_EQ(put(&a), MEMPLAN_OK);
  ASSERT_EQ(put(&b), MEMPLAN_OK);
  EXPECT_EQ(apply("memplan.no_such", {a}, &made), MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(memplan_last_error(), HasSubstr("memplan.no_such"));
  EXPECT_EQ(apply("memplan.add", {a, 12345}, &made), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(memplan_last_error(),
              HasSubstr("no tensor has the handle 12345"));
  EXPECT_EQ(apply("memplan.add", {a, b}, &made, 2), MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(memplan_last_error(), HasSubstr("lies over input 2"));
  const int64_t large[] = {1024};
  EXPECT_EQ(apply("memplan.add", {a, b}, &made, -1, large),
            MEMPLAN_INVALID_ARGUMENT);
  const int64_t wrong[] = {-1};
  EXPECT_EQ(apply("memplan.add", {a, b}, &made, -1, wrong),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_dynamic_put(dynamic, MEMPLAN_F32, 1, large, nullptr, &made),
            MEMPLAN_OUT_OF_MEMORY);
  EXPECT_EQ(made, 0);
  EXPECT_EQ(memplan_dynamic_view(dynamic, a, 100, 1, shape, &made),
            MEMPLAN_INVALID_ARGUMENT);
  EXPECT_EQ(memplan_dynamic_read(dynamic, a, numbers.data(), 4),
            MEMPLAN_INVALID_ARGUMENT);
  ASSERT_EQ(memplan_dynamic_drop(dynamic, a), MEMPLAN_OK);
  EXPECT_EQ(memplan_dynamic_drop(dynamic, a), MEMPLAN_INVALID_ARGUMENT);
  ASSERT_EQ(put(&a), MEMPLAN_OK);
  ASSERT_EQ(apply("memplan.add", {a, b}, &made), MEMPLAN_OK);
  EXPECT_EQ(memplan_dynamic_write(dynamic, made, numbers.data(), 512),
            MEMPLAN_INVALID_ARGUMENT);
  ASSERT_EQ(memplan_dynamic_detach(dynamic, made), MEMPLAN_OK);
  EXPECT_EQ(apply("memplan.add", {a, b}, &made), MEMPLAN_OUT_OF_MEMORY);
  EXPECT_THAT(memplan_last_error(),
              HasSubstr("(memplan.add): no room for 512 bytes in the pool of "
                        "1536: it reads 1024 bytes, makes 512"));
  EXPECT_EQ(memplan_dynamic_synchronize(dynamic), MEMPLAN_OK);
  EXPECT_EQ(memplan_dynamic_synchronize(nullptr), MEMPLAN_INVALID_ARGUMENT);
}

// Without memory from any point on each call is an error, and goes well the
// next time.
TEST_F(DynamicInC, survives_every_allocation_that_fails) {
  int64_t failures = 0;
  for (int64_t nth = 0;; ++nth) {
    bool failed = false;
    {
      FailingAllocator allocator(nth);
      auto insist = [&](auto call) {
        const memplan_status_t status = call();
        if (status == MEMPLAN_OK)
          return;
        FailingAllocator::Pause pause;
        ASSERT_EQ(status, MEMPLAN_OUT_OF_MEMORY) << memplan_last_error();
        ASSERT_EQ(call(), MEMPLAN_OK) << memplan_last_error();
      };
      memplan_handle_t a = 0, h[6] = {};
      insist([&] { return create(4); });
      insist([&] { return put(&a); });
      h[0] = a;
      for (int i = 0; i < 4; ++i)
        insist([&] { return apply("memplan.add", {h[i], a}, &h[i + 1]); });
      insist(
          [&] { return apply("memplan.accumulate", {h[2], h[1]}, &h[5], 0); });
      insist([&] { return apply("memplan.accumulate", {a, h[4]}, &h[5], 0); });
      float result[128] = {};
      for (int i = 1; i < 5; ++i) {
        insist(
            [&] { return memplan_dynamic_read(dynamic, h[i], result, 512); });
        FailingAllocator::Pause pause;
        ASSERT_EQ(result[0], (i == 2 ? 5 : i + 1) * -64) << i;
      }
      for (int i = 0; i < 5; ++i)
        insist([&] { return memplan_dynamic_drop(dynamic, h[i]); });
      memplan_dynamic_stats_t stats = MEMPLAN_DYNAMIC_STATS_INIT;
      insist([&] { return memplan_dynamic_get_stats(dynamic, &stats); });
      failed = allocator.hasFailed();
      FailingAllocator::Pause pause;
      ASSERT_EQ(stats.used_bytes, 0);
      ASSERT_EQ(stats.tensors, 0);
      ASSERT_EQ(stats.paths, 0);
      memplan_dynamic_destroy(dynamic);
      dynamic = nullptr;
    }
    if (!failed)
      break;
    ++failures;
  }
  EXPECT_GT(failures, 50);
}

// Steps that follow a planned program, another path every few steps.
namespace {
class PlannedHost {
public:
  PlannedHost(memplan_session_t *session, int64_t budget, const char *plan) {
    memplan_dynamic_options_t options = MEMPLAN_DYNAMIC_OPTIONS_INIT;
    options.budget_bytes = budget;
    check(memplan_dynamic_create(session, &options, &dynamic));
    std::vector<float> numbers(192);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = float(i % 17) / 8 - 1;
    const int64_t count = 0;
    x = put({64, 3}, numbers.data());
    t = put({64, 2}, numbers.data());
    w = put({3, 2}, numbers.data());
    counter = put({1}, &count, MEMPLAN_I64);
    if (plan)
      check(memplan_dynamic_load_plan(dynamic, plan));
  }
  ~PlannedHost() { memplan_dynamic_destroy(dynamic); }

  // The loss. The other way squares it.
  float step(bool other) {
    check(memplan_dynamic_begin_step(dynamic));
    const memplan_handle_t h = apply("memplan.matmul", {x, w}, {64, 2});
    const memplan_handle_t y = apply("memplan.relu", {h}, {64, 2}, {}, -1, 1);
    memplan_handle_t loss = apply("memplan.mse_loss", {y, t}, {});
    if (other)
      loss = apply("memplan.mul", {loss, loss}, {}, {}, -1, 1);
    const memplan_handle_t one =
        apply("memplan.constant", {}, {}, {real("value", 1)});
    const memplan_handle_t dy =
        apply("memplan.mse_loss_grad", {y, t, one}, {64, 2}, {}, -1, 4);
    const memplan_handle_t dh =
        apply("memplan.relu_grad", {y, dy}, {64, 2}, {}, -1, 3);
    const memplan_handle_t dw = apply("memplan.matmul", {x, dh}, {3, 2},
                                      {integer("transpose_lhs", 1)}, -1, 2);
    apply("memplan.sgd_update", {w, dw}, {3, 2},
          {real("lr", 0.1), real("weight_decay", 0)}, 0, 2);
    apply("memplan.increment", {counter}, {1}, {}, 0, 0, MEMPLAN_I64);
    float result = 0;
    check(memplan_dynamic_read(dynamic, loss, &result, 4));
    check(memplan_dynamic_drop(dynamic, loss));
    return result;
  }
  memplan_dynamic_stats_t stats() {
    memplan_dynamic_stats_t result = MEMPLAN_DYNAMIC_STATS_INIT;
    check(memplan_dynamic_get_stats(dynamic, &result));
    return result;
  }

private:
  static void check(memplan_status_t status) {
    ASSERT_EQ(status, MEMPLAN_OK) << memplan_last_error();
  }
  static memplan_attribute_t integer(const char *name, int64_t value) {
    memplan_attribute_t result = {};
    result.name = name;
    result.kind = MEMPLAN_ATTRIBUTE_INT;
    result.int_value = value;
    return result;
  }
  static memplan_attribute_t real(const char *name, double value) {
    memplan_attribute_t result = {};
    result.name = name;
    result.kind = MEMPLAN_ATTRIBUTE_FLOAT;
    result.float_value = value;
    return result;
  }
  memplan_handle_t put(std::vector<int64_t> size, const void *host,
                       int32_t dtype = MEMPLAN_F32) {
    memplan_handle_t made = 0;
    check(memplan_dynamic_put(dynamic, dtype, int32_t(size.size()), size.data(),
                              host, &made));
    return made;
  }
  memplan_handle_t apply(const char *kernel,
                         std::vector<memplan_handle_t> inputs,
                         std::vector<int64_t> size,
                         std::vector<memplan_attribute_t> attributes = {},
                         int32_t over = -1, uint64_t drop = 0,
                         int32_t dtype = MEMPLAN_F32) {
    memplan_dynamic_output_t output = {dtype, int32_t(size.size()), size.data(),
                                       over};
    memplan_dynamic_op_t op = MEMPLAN_DYNAMIC_OP_INIT;
    op.kernel = kernel;
    op.inputs = inputs.data();
    op.input_count = int32_t(inputs.size());
    op.outputs = &output;
    op.output_count = 1;
    op.attributes = attributes.data();
    op.attribute_count = int32_t(attributes.size());
    op.drop_inputs = drop;
    memplan_handle_t made = 0;
    check(memplan_dynamic_apply(dynamic, &op, &made));
    return made;
  }

  memplan_dynamic_t *dynamic = nullptr;
  memplan_handle_t x = 0, t = 0, w = 0, counter = 0;
};
} // namespace

// If this fails, a loaded plan is not followed, steps that go another way
// compute something else, or what they decide is not followed the next time.
TEST_F(DynamicInC, follows_a_plan_and_leaves_it) {
  const std::string path = testing::TempDir() + "dynamic-plan.mpp";
  const memplan::runtime::Program planned =
      memplan::runtime::test::tinyStep(true);
  ASSERT_TRUE(memplan::runtime::writeProgramFile(planned, path).ok());
  // x, t, w and the counter take 5 units, the plan 3.
  PlannedHost host(session, 9 * 512, path.c_str());
  PlannedHost free(session, 1 << 20, nullptr);
  for (int step = 0; step < 12; ++step) {
    const bool other = step / 3 % 2;
    ASSERT_EQ(host.step(other), free.step(other)) << "step " << step;
    const memplan_dynamic_stats_t stats = host.stats();
    EXPECT_EQ(stats.plan_ops, 9);
    EXPECT_EQ(stats.planned_ops, other ? 3 : 9) << "step " << step;
    EXPECT_EQ(stats.deviated, step == 3);
    if (step > 4)
      EXPECT_GE(stats.followed_calls, 9);
    EXPECT_LE(stats.high_water_bytes, 9 * 512);
  }
  memplan_dynamic_options_t options = MEMPLAN_DYNAMIC_OPTIONS_INIT;
  options.budget_bytes = 1024;
  ASSERT_EQ(memplan_dynamic_create(session, &options, &dynamic), MEMPLAN_OK);
  EXPECT_EQ(memplan_dynamic_load_plan(dynamic, path.c_str()),
            MEMPLAN_OUT_OF_MEMORY);
  EXPECT_THAT(memplan_last_error(),
              HasSubstr("the arenas of the plan take 1536 bytes, and the "
                        "largest hole of the pool has 1024"));
  EXPECT_NE(memplan_dynamic_load_plan(dynamic, "/no/such.mpp"), MEMPLAN_OK);
}
