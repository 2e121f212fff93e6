//===- Autocast.cpp - Mixed precision by a table of operations ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What torch.autocast does to a forward pass: parameters stay f32, and casts in
// front of operations choose what each computes in. Autodiff then casts the
// gradients back. test_autocast.py holds the table against torch.
//
//===----------------------------------------------------------------------===//

#include "InferAgain.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_AUTOCASTPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// The types that the real operands of an operation are cast to.
enum class Policy {
  Low,   ///< the type of the pass
  Single ///< f32
};
struct Row {
  StringLiteral operation;
  std::optional<Policy> cpu, cuda; ///< none: the widest among them
};
} // namespace

static constexpr Row table[] = {
    {"memplan.attention", Policy::Low, Policy::Low},
    {"memplan.attention_dropout", Policy::Low, Policy::Low},
    {"memplan.bce_with_logits", Policy::Single, Policy::Single},
    {"memplan.conv2d", Policy::Low, Policy::Low},
    {"memplan.conv_transpose2d", Policy::Low, Policy::Low},
    {"memplan.cross_entropy", Policy::Single, Policy::Single},
    {"memplan.layer_norm", std::nullopt, Policy::Single},
    {"memplan.matmul", Policy::Low, Policy::Low},
    {"memplan.mse_loss", Policy::Single, Policy::Single},
    {"memplan.reduce_sum", std::nullopt, Policy::Single},
    {"memplan.softmax", std::nullopt, Policy::Single},
};

static std::optional<Policy> policyOf(Operation *op, bool cuda) {
  for (const Row &row : table)
    if (row.operation == op->getName().getStringRef())
      return cuda ? row.cuda : row.cpu;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Caster {
public:
  Caster(func::FuncOp function, FloatType low, bool cuda)
      : function(function), low(low), cuda(cuda),
        single(Float32Type::get(function.getContext())) {}

  LogicalResult run();

private:
  LogicalResult castOperands(PlannableOpInterface op);
  /// What operations without a row compute in: the widest type among those
  /// operands that must agree.
  FloatType widest(PlannableOpInterface op, StringRef letters) const;
  /// `value` in `type`, by one cast for all users.
  Value inType(Value value, FloatType type, Operation *user);

  func::FuncOp function;
  FloatType low;
  bool cuda;
  FloatType single;
  DenseMap<std::pair<Value, Type>, Value> casts;
};
} // namespace

/// The real element type of a tensor, or null.
static FloatType realTypeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && ops::isRealType(type.getElementType())
             ? cast<FloatType>(type.getElementType())
             : nullptr;
}

Value Caster::inType(Value value, FloatType type, Operation *user) {
  if (ops::tensorOf(value).getElementType() == type)
    return value;
  Value &known = casts[{value, type}];
  if (!known) {
    OpBuilder builder(user);
    StringRef name = type.isF32() ? "f32" : type.isBF16() ? "bf16" : "f16";
    known = CastOp::create(builder, user->getLoc(), value, name).getResult(0);
  }
  return known;
}

FloatType Caster::widest(PlannableOpInterface op, StringRef letters) const {
  FloatType found;
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i) {
    FloatType type = realTypeOf(op->getOperand(i));
    if (!type || letters[std::min<size_t>(i, letters.size() - 1)] != 'T')
      continue;
    if (found && found != type)
      return single;
    found = type;
  }
  return found;
}

/// Letters of Memplan_OpBase, which tell parameters and statistics.
static StringRef lettersOf(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<AttentionOp, AttentionDropoutOp, BatchNormOp,
            BatchNormUpdateStatsOp, LayerNormOp>(
          [](auto norm) { return norm.getInfo().elementTypes; })
      .Default([](Operation *) { return "T"; });
}

/// Whether torch gives an expression to autocast's list of f32 on CUDA.
static bool needsSingle(MapOp map, bool cuda) {
  if (!cuda)
    return false;
  SmallVector<StringRef> words;
  map.getExpression().split(words, ' ', -1, false);
  return llvm::any_of(words, [](StringRef word) {
    word = word.rtrim(';');
    return llvm::is_contained({"exp", "expm1", "log", "log1p", "pow", "rsqrt"},
                              word);
  });
}

LogicalResult Caster::castOperands(PlannableOpInterface op) {
  // Their shapes do not follow from their operands, nor do their types.
  const bool isForeign = !isa<MemplanDialect>(op->getDialect()) ||
                         !isa<InferTypeOpInterface>(op.getOperation());
  if (auto map = dyn_cast<MapOp>(op.getOperation())) {
    // The operands may be of any types; the output is as wide as they are.
    FloatType type = widest(op, "T");
    if (type && type != single && map.getElement() == "f32" &&
        !needsSingle(map, cuda))
      map.setElement(type.isBF16() ? "bf16" : "f16");
    return inferAgain(op);
  }
  const std::optional<Policy> policy = policyOf(op, cuda);
  const StringRef letters = isForeign ? "T" : lettersOf(op);
  const FloatType wanted = isForeign                  ? single
                           : policy == Policy::Low    ? low
                           : policy == Policy::Single ? single
                                                      : widest(op, letters);
  bool changed = false;
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i) {
    Value input = op->getOperand(i);
    const char letter = letters[std::min<size_t>(i, letters.size() - 1)];
    // Parameters of a norm stay f32, and so do statistics.
    if (!realTypeOf(input) || (letter != 'T' && policy != Policy::Low))
      continue;
    Value cast = letter == 'f' ? input : inType(input, wanted, op);
    op->setOperand(i, cast);
    changed = true;
  }
  return changed && !isForeign ? inferAgain(op) : success();
}

LogicalResult Caster::run() {
  Block &body = function.front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (op.hasAttr(kBackwardAttrName))
      return op.emitOpError()
             << "belongs to a backward pass, and casts are chosen before there "
                "is one: export the module under torch.autocast instead";
    if (auto plannable = dyn_cast<PlannableOpInterface>(op);
        plannable && failed(castOperands(plannable)))
      return failure();
  }
  // The signature stays: callers hold these buffers.
  Operation *terminator = body.getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    Type wanted = function.getResultTypes()[operand.getOperandNumber()];
    if (operand.get().getType() != wanted)
      operand.set(inType(
          operand.get(),
          cast<FloatType>(cast<RankedTensorType>(wanted).getElementType()),
          terminator));
  }
  return success();
}

/// Products, convolutions and attention of f32 may be multiplied in TF32.
static void allowTf32(func::FuncOp function) {
  function.walk([&](Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case<MatmulOp, Conv2DOp, Conv2DInputGradOp, Conv2DFilterGradOp,
              ConvTranspose2DOp, AttentionOp, AttentionGradOp,
              AttentionDropoutOp, AttentionDropoutGradOp>([&](auto product) {
          if (ops::realNameOf(product->getOperand(0)) == "f32")
            product.setTf32(true);
        });
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AutocastPass : mlir::memplan::impl::AutocastPassBase<AutocastPass> {
  using AutocastPassBase::AutocastPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (dtype != "bf16" && dtype != "f16" && dtype != "tf32")
      return emitError(UnknownLoc::get(context))
             << "memplan-autocast: unknown value '" << dtype
             << "' of option 'dtype'; valid are bf16, f16, tf32";
    if (device != "cpu" && device != "cuda")
      return emitError(UnknownLoc::get(context))
             << "memplan-autocast: unknown value '" << device
             << "' of option 'device'; valid are cpu, cuda";
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    if (dtype == "tf32")
      return allowTf32(function);
    if (!function.getBody().hasOneBlock()) {
      function.emitError() << getArgument()
                           << ": the function has several blocks; casts are "
                              "chosen in program order";
      return signalPassFailure();
    }
    if (failed(Caster(function, ops::realTypeOf(&getContext(), dtype),
                      device == "cuda")
                   .run()))
      signalPassFailure();
  }
};
} // namespace
