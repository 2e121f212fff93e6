//===- ChunkLoss.cpp - A loss by rows, without all logits at once ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: chunked cross entropy, as Hsu et al., "Liger Kernel", 2024, and
// torchtune have it. A row of logits meets others only in sums, so each chunk
// of rows can have its logits, their gradient, and what products make of that,
// before the next chunk begins. No product is computed twice.
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_CHUNKLOSSPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;
using ops::shapeOf;
using ops::tensorOf;

//===----------------------------------------------------------------------===//
// What can be chunked
//===----------------------------------------------------------------------===//

namespace {
/// What an operation makes of the gradient of the logits, [R,V].
enum class Use {
  Rows,    ///< A product of each row: the gradient of the hidden states.
  Weights, ///< A product over all rows: the gradient of the weights.
  Sum      ///< The sum of rows: the gradient of a bias.
};

struct GradientUse {
  Use kind;
  Operation *op;
};

/// Logits that only their loss and its gradient read.
struct Head {
  MatmulOp product;
  CrossEntropyOp loss;
  CrossEntropyGradOp gradient;
  SmallVector<GradientUse> uses;
  /// What chunks read and stands behind the loss, in program order.
  SmallVector<Operation *> moves;
  /// Reshapes of the logits and of their gradient, in program order.
  SmallVector<ReshapeOp> views;

  int64_t rows() { return shapeOf(loss.getLogits())[0]; }
  int64_t width() { return shapeOf(loss.getLogits())[1]; }
};
} // namespace

/// Every use of `value`, or of a view of it with the same last dimension.
static void findUses(Value value, SmallVectorImpl<OpOperand *> &uses,
                     SmallVectorImpl<ReshapeOp> &views) {
  for (OpOperand &use : value.getUses()) {
    auto view = dyn_cast<ReshapeOp>(use.getOwner());
    if (!view || shapeOf(view.getResult(0)).back() != shapeOf(value).back()) {
      uses.push_back(&use);
      continue;
    }
    views.push_back(view);
    findUses(view.getResult(0), uses, views);
  }
}

/// What `value` is a view of.
static Value sourceOf(Value value) {
  while (auto view = value.getDefiningOp<ReshapeOp>())
    value = view.getInput();
  return value;
}

static bool isBefore(Value value, Operation *place) {
  Operation *made = value.getDefiningOp();
  return !made || made->isBeforeInBlock(place);
}

/// Adds what makes `value` and stands behind `place`, in an order in which it
/// can move before it. False where that depends on `place` or overwrites
/// anything.
static bool findMoves(Value value, Operation *place,
                      SmallVectorImpl<Operation *> &moves) {
  Operation *made = value.getDefiningOp();
  if (isBefore(value, place) || llvm::is_contained(moves, made))
    return true;
  auto plannable = dyn_cast<PlannableOpInterface>(made);
  if (made == place || !plannable || !isMemoryEffectFree(made))
    return false;
  for (unsigned i = 0, e = plannable.getNumOutputs(); i < e; ++i)
    if (plannable.getWrittenOperand(i))
      return false;
  if (!llvm::all_of(made->getOperands(), [&](Value operand) {
        return findMoves(operand, place, moves);
      }))
    return false;
  moves.push_back(made);
  return true;
}

/// A product that reads the gradient as its operand `number`.
static std::optional<Use> useOf(MatmulOp product, unsigned number,
                                Operation *place,
                                SmallVectorImpl<Operation *> &moves) {
  Value other = product->getOperand(1 - number);
  if (product.getBias() || !findMoves(other, place, moves) ||
      shapeOf(product.getRhs()).size() != 2)
    return std::nullopt;
  if (number == 0 && !product.getTransposeLhs())
    return Use::Rows;
  const bool sumsRows = product.getTransposeLhs() &&
                        !product.getTransposeRhs() &&
                        shapeOf(product.getLhs()).size() == 2;
  return sumsRows ? std::optional(Use::Weights) : std::nullopt;
}

static std::optional<Use> useOf(OpOperand &use, Operation *place,
                                SmallVectorImpl<Operation *> &moves) {
  if (auto product = dyn_cast<MatmulOp>(use.getOwner()))
    return use.getOperandNumber() < 2 && product.getLhs() != product.getRhs()
               ? useOf(product, use.getOperandNumber(), place, moves)
               : std::nullopt;
  auto sum = dyn_cast<ReduceSumOp>(use.getOwner());
  const auto rank = int64_t(shapeOf(use.get()).size());
  if (sum && llvm::equal(sum.getDims(), llvm::seq<int64_t>(0, rank - 1)))
    return Use::Sum;
  return std::nullopt;
}

/// Fills `head` from its loss; false where the loss cannot be chunked.
static bool findHead(CrossEntropyOp loss, Head &head) {
  head.loss = loss;
  head.product = sourceOf(loss.getLogits()).getDefiningOp<MatmulOp>();
  if (!head.product || head.product.getTransposeLhs() ||
      shapeOf(head.product.getRhs()).size() != 2 ||
      shapeOf(head.product.getResult(0)).back() != head.width())
    return false;
  SmallVector<OpOperand *> uses;
  findUses(head.product.getResult(0), uses, head.views);
  for (OpOperand *use : uses)
    if (auto gradient = dyn_cast<CrossEntropyGradOp>(use->getOwner()))
      head.gradient = gradient;
  if (uses.size() != 2 || !head.gradient ||
      !llvm::all_of(uses, [&](OpOperand *use) {
        return use->getOwner() == loss || use->getOwner() == head.gradient;
      }))
    return false;
  CrossEntropyGradOp gradient = head.gradient;
  if (gradient.getLabels() != loss.getLabels() ||
      gradient.getLogsumexp() != loss.getOutputAt(1) ||
      !loss.getOutputAt(1).hasOneUse() ||
      gradient.getIgnoreIndex() != loss.getIgnoreIndex() ||
      gradient.getSum() != loss.getSum() ||
      !findMoves(gradient.getLossGrad(), loss, head.moves))
    return false;
  uses.clear();
  findUses(gradient.getResult(0), uses, head.views);
  for (OpOperand *use : uses) {
    std::optional<Use> kind = useOf(*use, loss, head.moves);
    if (!kind)
      return false;
    head.uses.push_back({*kind, use->getOwner()});
  }
  llvm::sort(head.uses, [](const GradientUse &a, const GradientUse &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  return true;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
class LossChunks {
public:
  explicit LossChunks(Head &head) : head(head), builder(head.loss) {}

  /// Replaces the head by `count` chunks of equal rows, or one row less.
  void run(int64_t count);

private:
  /// `made` in the pass of `op`.
  template <typename Made> Value like(Made made, Operation *op) {
    setPassOf(made, op);
    return made->getResult(0);
  }
  MatmulOp product(MatmulOp of, Value lhs, Value rhs, Value bias);
  Value rowsOf(Value value, Operation *op);
  Value slice(Value value, int64_t begin, int64_t end, Operation *op);
  Value map(ValueRange inputs, StringRef expression, Value type, Operation *op);
  void countRows();
  void addChunk(int64_t begin, int64_t end);
  Value useRows(const GradientUse &use, Value grad, int64_t begin, int64_t end);
  void collect(SmallVectorImpl<Value> &parts, Use kind, Value value,
               Operation *op);
  void replaceAll();

  Head &head;
  OpBuilder builder;
  Value counted;  ///< Rows that count, f32; null where the loss is a sum.
  Value lossGrad; ///< Gradient of the sum over all rows that count.
  Value loss;     ///< Sum over the chunks so far, f32.
  DenseMap<Value, Value> rowViews;
  /// For each use: a value for each chunk of kind Rows, else the sum so far.
  SmallVector<SmallVector<Value>> results;
};
} // namespace

MatmulOp LossChunks::product(MatmulOp of, Value lhs, Value rhs, Value bias) {
  auto made = MatmulOp::create(builder, of.getLoc(), lhs, rhs, bias,
                               of.getTransposeLhs(), of.getTransposeRhs());
  made.setTf32(of.getTf32());
  setPassOf(made, of);
  return made;
}

/// `value` with one dimension for all rows.
Value LossChunks::rowsOf(Value value, Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(value);
  if (shape.size() == 2)
    return value;
  Value &known = rowViews[value];
  if (!known)
    known =
        like(ReshapeOp::create(builder, op->getLoc(), value,
                               ArrayRef<int64_t>{head.rows(), shape.back()}),
             op);
  return known;
}

Value LossChunks::slice(Value value, int64_t begin, int64_t end,
                        Operation *op) {
  return like(SliceOp::create(builder, op->getLoc(), value, /*dim=*/0, begin,
                              end - begin),
              op);
}

/// An expression with elements as `type` has them; null: f32.
Value LossChunks::map(ValueRange inputs, StringRef expression, Value type,
                      Operation *op) {
  return like(MapOp::create(builder, op->getLoc(), inputs, expression,
                            type ? ops::realNameOf(type) : "f32",
                            ArrayRef<int64_t>()),
              op);
}

/// The mean is over the rows of all chunks, of which one may have none that
/// counts: chunks have sums.
void LossChunks::countRows() {
  for (Operation *op : head.moves)
    op->moveBefore(head.loss);
  const std::string counts =
      "x0 " + std::to_string(head.loss.getIgnoreIndex()) + " ne";
  lossGrad = head.gradient.getLossGrad();
  if (head.loss.getSum())
    return;
  Value every = map(head.loss.getLabels(), counts, Value(), head.loss);
  counted = like(ReduceSumOp::create(builder, head.loss.getLoc(), every,
                                     ArrayRef<int64_t>{0}, /*keepdims=*/false),
                 head.loss);
  lossGrad = map({lossGrad, counted}, "x0 x1 div", Value(), head.gradient);
}

Value LossChunks::useRows(const GradientUse &use, Value grad, int64_t begin,
                          int64_t end) {
  if (auto sum = dyn_cast<ReduceSumOp>(use.op))
    return like(ReduceSumOp::create(builder, sum.getLoc(), grad,
                                    ArrayRef<int64_t>{0}, /*keepdims=*/false),
                sum);
  auto of = cast<MatmulOp>(use.op);
  if (use.kind == Use::Rows)
    return product(of, grad, of.getRhs(), Value()).getResult(0);
  const bool isLhs = sourceOf(of.getLhs()) == head.gradient.getResult(0);
  Value other =
      slice(rowsOf(isLhs ? of.getRhs() : of.getLhs(), of), begin, end, of);
  return (isLhs ? product(of, grad, other, Value())
                : product(of, other, grad, Value()))
      .getResult(0);
}

/// Sums of chunks are f32, so that 16 bits are rounded once.
void LossChunks::collect(SmallVectorImpl<Value> &parts, Use kind, Value value,
                         Operation *op) {
  if (kind == Use::Rows) {
    parts.push_back(value);
    return;
  }
  if (!tensorOf(value).getElementType().isF32())
    value = like(CastOp::create(builder, op->getLoc(), value, "f32"), op);
  if (parts.empty())
    parts.push_back(value);
  else
    parts[0] =
        like(AccumulateOp::create(builder, op->getLoc(), parts[0], value), op);
}

void LossChunks::addChunk(int64_t begin, int64_t end) {
  MatmulOp of = head.product;
  Value hidden = slice(rowsOf(of.getLhs(), of), begin, end, of);
  Value logits = product(of, hidden, of.getRhs(), of.getBias()).getResult(0);
  Value labels = slice(head.loss.getLabels(), begin, end, head.loss);
  auto made = CrossEntropyOp::create(builder, head.loss.getLoc(), logits,
                                     labels, head.loss.getIgnoreIndex());
  made.setSum(true);
  made.setWideLoss(!tensorOf(logits).getElementType().isF32());
  // The type of the loss follows from that of the setting.
  made->getResult(0).setType(RankedTensorType::get({}, builder.getF32Type()));
  setPassOf(made, head.loss);
  loss = loss ? like(AccumulateOp::create(builder, head.loss.getLoc(), loss,
                                          made->getResult(0)),
                     head.loss)
              : made->getResult(0);
  auto gradient = CrossEntropyGradOp::create(
      builder, head.gradient.getLoc(), logits, labels, made->getResult(1),
      lossGrad, head.loss.getIgnoreIndex());
  gradient.setSum(true);
  setPassOf(gradient, head.gradient);
  for (auto [use, parts] : llvm::zip_equal(head.uses, results))
    collect(parts, use.kind, useRows(use, gradient->getResult(0), begin, end),
            use.op);
}

void LossChunks::replaceAll() {
  Value made = counted ? map({loss, counted}, "x0 x1 div",
                             head.loss.getOutputAt(0), head.loss)
                       : loss;
  if (made.getType() != head.loss.getOutputAt(0).getType())
    made = map(made, "x0", head.loss.getOutputAt(0), head.loss);
  head.loss.getOutputAt(0).replaceAllUsesWith(made);
  for (auto [use, parts] : llvm::zip_equal(head.uses, results)) {
    Value old = use.op->getResult(0), value = parts[0];
    if (parts.size() > 1)
      value = like(ConcatOp::create(builder, use.op->getLoc(), parts,
                                    /*dim=*/0),
                   use.op);
    if (tensorOf(value).getElementType() != tensorOf(old).getElementType())
      value = like(CastOp::create(builder, use.op->getLoc(), value,
                                  ops::realNameOf(old)),
                   use.op);
    if (value.getType() != old.getType())
      value = like(
          ReshapeOp::create(builder, use.op->getLoc(), value, shapeOf(old)),
          use.op);
    old.replaceAllUsesWith(value);
    use.op->erase();
  }
}

void LossChunks::run(int64_t count) {
  results.resize(head.uses.size());
  countRows();
  const int64_t rows = head.rows();
  for (int64_t k = 0; k < count; ++k)
    addChunk(rows * k / count, rows * (k + 1) / count);
  replaceAll();
  // Users before what they use.
  SmallVector<Operation *> old(head.views.begin(), head.views.end());
  old.append({head.product, head.loss, head.gradient});
  llvm::sort(old,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : old)
    op->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ChunkLossPass : mlir::memplan::impl::ChunkLossPassBase<ChunkLossPass> {
  using ChunkLossPassBase::ChunkLossPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (chunks < 1) {
      function.emitError() << "memplan-chunk-loss: 'chunks' must be at least "
                              "1, but is "
                           << int64_t(chunks);
      return signalPassFailure();
    }
    if (function.isExternal() || !function.getBody().hasOneBlock() ||
        function->hasAttr("memplan.planned") || chunks == 1)
      return;
    int64_t found = 0;
    for (auto loss :
         llvm::to_vector(function.front().getOps<CrossEntropyOp>())) {
      Head head;
      if (!findHead(loss, head))
        continue;
      LossChunks(head).run(std::min<int64_t>(chunks, head.rows()));
      ++found;
    }
    chunked += found;
    if (found == 0)
      emitWarning(function.getLoc())
          << "memplan-chunk-loss finds no cross entropy "
             "whose logits are a product that nothing but "
             "the loss and its gradient reads";
  }
};
} // namespace
