//===- BuildersTest.cpp - Making operations from C++ ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {
class Builders : public testing::Test {
protected:
  Builders() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<MemplanDialect>();
    module = ModuleOp::create(builder, loc);
    builder.setInsertionPointToStart(module->getBody());
  }

  /// A tensor of zeros.
  Value zeros(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, builder.getF32Type());
    return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, 0.0f))
        .getOutput();
  }

  RankedTensorType f32(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};
} // namespace

// Builders infer types; an optional input that is missing is a null value, and
// the named getters find the right output.
TEST_F(Builders, infer_types_and_skip_missing_inputs) {
  Value x = zeros({2, 3, 8, 8}), w = zeros({4, 3, 3, 3});
  auto conv = Conv2DOp::create(builder, loc, x, w, Value(), {2, 2}, {1, 1},
                               {1, 1}, 1, false);
  EXPECT_EQ(conv.getOutput().getType(), f32({2, 4, 4, 4}));
  EXPECT_FALSE(conv.getBias());
  EXPECT_EQ(conv.getNumInputs(), 2u);
  auto biased = Conv2DOp::create(builder, loc, x, w, zeros({4}), {2, 2}, {1, 1},
                                 {1, 1}, 1, false);
  EXPECT_TRUE(biased.getBias());
  auto norm = BatchNormOp::create(builder, loc, conv.getOutput(), zeros({4}),
                                  zeros({4}), 1e-5);
  EXPECT_EQ(norm.getVariance(), norm->getResult(3));
  EXPECT_EQ(norm.getVariance().getType(), f32({4}));
  auto relu = ReluOp::create(builder, loc, norm.getOutput());
  auto joined = ConcatOp::create(
      builder, loc, ValueRange{relu.getOutput(), conv.getOutput()}, 1);
  EXPECT_EQ(joined.getOutput().getType(), f32({2, 8, 4, 4}));
  auto parts = SplitOp::create(builder, loc, joined.getOutput(), 1,
                               ArrayRef<int64_t>{3, 5});
  EXPECT_EQ(parts->getResult(1).getType(), f32({2, 5, 4, 4}));
  EXPECT_TRUE(succeeded(verify(*module)));
}

// An opaque operation takes its types from the caller.
TEST_F(Builders, opaque_takes_types) {
  Type type = f32({3});
  auto opaque =
      OpaqueOp::create(builder, loc, TypeRange{type, type},
                       ValueRange{zeros({2}), zeros({5})}, "my.kernel");
  EXPECT_EQ(opaque.getKernelName(), "my.kernel");
  EXPECT_EQ(opaque.getNumOutputs(), 2u);
  EXPECT_TRUE(opaque.isRecomputable());
  EXPECT_TRUE(succeeded(verify(*module)));
}
