//===- PlanningInterfaceTest.cpp - What operations tell planners ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanningCases.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {
class PlanningInterface : public testing::Test {
protected:
  PlanningInterface() {
    context.loadDialect<MemplanDialect, func::FuncDialect>();
  }

  /// A function whose arguments are the operands of one operation.
  OwningOpRef<ModuleOp> parse(const PlanningCase &test) {
    SmallVector<StringRef> types;
    // No type of a case has a comma inside.
    StringRef(test.inputs).split(types, ", ", -1, /*KeepEmpty=*/false);
    std::string arguments, operands;
    for (auto [index, type] : llvm::enumerate(types)) {
      std::string name = "%x" + std::to_string(index);
      arguments += (index ? ", " : "") + name + ": " + type.str();
      operands += (index ? ", " : "") + name;
    }
    size_t results = StringRef(test.outputs).count(", ") + 1;
    std::string text =
        "func.func @f(" + arguments + ") {\n  %y:" + std::to_string(results) +
        " = memplan." + test.op + " " + operands + " " + test.attributes +
        " : (" + test.inputs + ") -> (" + test.outputs + ")\n  return\n}\n";
    return parseSourceString<ModuleOp>(text, &context);
  }

  static PlannableOpInterface operationOf(ModuleOp module) {
    auto function = cast<func::FuncOp>(module.getBody()->front());
    return cast<PlannableOpInterface>(function.getBody().front().front());
  }

  static std::string inPlaceText(PlannableOpInterface op) {
    std::string text;
    for (unsigned output = 0; output < op.getNumOutputs(); ++output)
      for (unsigned operand : op.getInPlaceOperands(output))
        text += (text.empty() ? "" : " ") + std::to_string(output) + "<-" +
                std::to_string(operand);
    return text;
  }

  static std::string viewText(PlannableOpInterface op) {
    std::string text;
    for (unsigned output = 0; output < op.getNumOutputs(); ++output)
      if (std::optional<ViewSource> view = op.getViewSource(output))
        text += (text.empty() ? "" : " ") + std::to_string(output) + "@" +
                std::to_string(view->operand) + "+" +
                std::to_string(view->byteOffset);
    return text;
  }

  static std::string writesText(PlannableOpInterface op) {
    std::string text;
    for (unsigned output = 0; output < op.getNumOutputs(); ++output)
      if (std::optional<unsigned> operand = op.getWrittenOperand(output))
        text += (text.empty() ? "" : " ") + std::to_string(output) + "=" +
                std::to_string(*operand);
    return text;
  }

  /// Adds the memref form of `op` to a function whose arguments are its
  /// operands and destinations.
  PlannableOpInterface addMemrefForm(ModuleOp module, PlannableOpInterface op) {
    auto memrefOf = [](Type type) -> Type {
      auto tensor = cast<RankedTensorType>(type);
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    };
    SmallVector<Type> types =
        llvm::map_to_vector(op->getOperandTypes(), memrefOf);
    llvm::append_range(types, llvm::map_range(op->getResultTypes(), memrefOf));
    types.push_back(MemRefType::get({64}, IntegerType::get(&context, 8)));
    OpBuilder builder(module.getBody(), module.getBody()->end());
    auto function = func::FuncOp::create(builder, op.getLoc(), "planned",
                                         builder.getFunctionType(types, {}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    SmallVector<Value> arguments(body->getArguments());
    SmallVector<Value> outs;
    for (unsigned output = 0; output < op.getNumOutputs(); ++output) {
      std::optional<unsigned> written = op.getWrittenOperand(output);
      outs.push_back(
          arguments[written ? *written : op.getNumInputs() + output]);
    }
    Operation *planned = op.createMemrefForm(
        builder, ArrayRef(arguments).take_front(op.getNumInputs()), outs,
        arguments.back(), op.isRecomputable() ? 3 : 0);
    func::ReturnOp::create(builder, op.getLoc());
    return cast<PlannableOpInterface>(planned);
  }

  MLIRContext context;
};
} // namespace

// A new operation without a case here would be planned by numbers that nobody
// has checked.
TEST_F(PlanningInterface, every_operation_has_a_case) {
  llvm::StringSet<> tested;
  for (const PlanningCase &test : planningCases)
    tested.insert((StringRef("memplan.") + test.op).str());
  size_t registered = 0;
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("memplan")) {
    if (!name.hasInterface<PlannableOpInterface>())
      continue; // What only planned functions have.
    EXPECT_TRUE(tested.contains(name.getStringRef()))
        << name.getStringRef().str();
    ++registered;
  }
  EXPECT_EQ(registered, tested.size());
}

// Wrong figures or a wrong permission to overwrite make plans that cost more
// than they say, or that destroy values.
TEST_F(PlanningInterface, tensor_form_tells_the_truth) {
  for (const PlanningCase &test : planningCases) {
    SCOPED_TRACE(test.op);
    OwningOpRef<ModuleOp> module = parse(test);
    ASSERT_TRUE(module);
    PlannableOpInterface op = operationOf(*module);
    EXPECT_EQ(op.getFlops(), test.flops);
    EXPECT_EQ(op.getBytesMoved(), test.bytesMoved);
    EXPECT_EQ(inPlaceText(op), test.inPlace);
    EXPECT_EQ(viewText(op), test.views);
    EXPECT_EQ(writesText(op), test.writes);
    EXPECT_EQ(op.isRecomputable(), test.recompute);
    EXPECT_EQ(op.getNumInputs(), op->getNumOperands());
    EXPECT_EQ(op.getNumOutputs(), op->getNumResults());
    EXPECT_EQ(op.getWorkspaceBytes(), 0);
    EXPECT_EQ(op.getRunIndex(), 0);
    EXPECT_FALSE(op.isMemrefForm());
    EXPECT_EQ(op.getKernelName(), test.op == StringRef("opaque")
                                      ? StringRef("k")
                                      : op->getName().getStringRef());
  }
}

// What planning leaves must say the same as what it was made of, except that a
// view has become a copy.
TEST_F(PlanningInterface, memref_form_keeps_the_figures) {
  for (const PlanningCase &test : planningCases) {
    SCOPED_TRACE(test.op);
    OwningOpRef<ModuleOp> module = parse(test);
    ASSERT_TRUE(module);
    PlannableOpInterface op = operationOf(*module);
    PlannableOpInterface planned = addMemrefForm(*module, op);
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_TRUE(planned.isMemrefForm());
    EXPECT_EQ(planned.getFlops(), test.flops);
    EXPECT_EQ(inPlaceText(planned), test.inPlace);
    EXPECT_EQ(viewText(planned), "");
    EXPECT_EQ(writesText(planned), test.writes);
    EXPECT_EQ(planned.getNumInputs(), op.getNumInputs());
    EXPECT_EQ(planned.getNumOutputs(), op.getNumOutputs());
    EXPECT_EQ(planned.getWorkspaceBytes(), 64);
    EXPECT_EQ(planned.getRunIndex(), test.recompute ? 3 : 0);
    if (test.views.empty())
      EXPECT_EQ(planned.getBytesMoved(), test.bytesMoved);
    else
      EXPECT_GT(planned.getBytesMoved(), 0);
  }
}

// MLIR's own passes move and remove operations by these effects.
TEST_F(PlanningInterface, effects_are_on_memrefs_only) {
  for (const PlanningCase &test : planningCases) {
    SCOPED_TRACE(test.op);
    OwningOpRef<ModuleOp> module = parse(test);
    ASSERT_TRUE(module);
    PlannableOpInterface op = operationOf(*module);
    // What all ranks do at once is ordered by its effects.
    bool isUnknown =
        StringRef(test.attributes).contains("unknown") || op.isCollective();
    EXPECT_EQ(isMemoryEffectFree(op), !isUnknown);
    PlannableOpInterface planned = addMemrefForm(*module, op);
    for (Value input :
         planned->getOperands().take_front(planned.getNumInputs()))
      EXPECT_TRUE(hasEffect<MemoryEffects::Read>(planned, input));
    for (unsigned output = 0; output < planned.getNumOutputs(); ++output)
      EXPECT_TRUE(hasEffect<MemoryEffects::Write>(planned,
                                                  planned.getOutputAt(output)));
    EXPECT_TRUE(hasEffect<MemoryEffects::Write>(planned,
                                                planned->getOperands().back()));
    // An input that is not overwritten is only read.
    if (test.writes.empty())
      for (Value input :
           planned->getOperands().take_front(planned.getNumInputs()))
        EXPECT_FALSE(hasEffect<MemoryEffects::Write>(planned, input));
  }
}

// A recomputation must be the same operation under another number, or
// recomputation would compute something else.
TEST_F(PlanningInterface, recomputation_differs_by_its_number_only) {
  for (const PlanningCase &test : planningCases) {
    SCOPED_TRACE(test.op);
    OwningOpRef<ModuleOp> module = parse(test);
    ASSERT_TRUE(module);
    PlannableOpInterface op = operationOf(*module);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *second = op.createRecomputation(builder, op->getOperands(), 2);
    EXPECT_EQ(cast<PlannableOpInterface>(second).getRunIndex(), 2);
    EXPECT_EQ(succeeded(verify(second)), test.recompute);
    Operation *again = cast<PlannableOpInterface>(second).createRecomputation(
        builder, op->getOperands(), 0);
    EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
        op, again, OperationEquivalence::Flags::IgnoreLocations));
    EXPECT_FALSE(OperationEquivalence::isEquivalentTo(
        op, second, OperationEquivalence::Flags::IgnoreLocations));
  }
}

// A kernel may read a second operand after it has written the first: an operand
// used twice is not overwritten.
TEST_F(PlanningInterface, operand_used_twice_is_not_overwritten) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<8xf32>) {
      %y = memplan.mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      return
    }
  )",
                                                             &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(inPlaceText(operationOf(*module)), "");
}

// Sizes near the end of int64_t must not wrap around to small or negative
// costs.
TEST_F(PlanningInterface, figures_saturate) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: tensor<500000000x1000000000xf32>, %b: tensor<1000000000x500000000xf32>) {
      %y = memplan.matmul %a, %b : (tensor<500000000x1000000000xf32>, tensor<1000000000x500000000xf32>) -> tensor<500000000x500000000xf32>
      return
    }
  )",
                                                             &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(operationOf(*module).getFlops(),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(operationOf(*module).getBytesMoved(), 5000000000000000000);
}
