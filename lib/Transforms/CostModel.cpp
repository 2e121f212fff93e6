//===- CostModel.cpp - Costs that options ask for, in the IR --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostModel.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::memplan;

/// The call as it was measured: the fastest variant is the operation's own.
static void writeVariants(PlannableOpInterface op,
                          const core::ProfileEntry &entry) {
  Builder builder(op->getContext());
  op->setAttr(names::cost, builder.getF64FloatAttr(entry.front().micros));
  if (entry.front().workspaceBytes != op.getWorkspaceBytes())
    op->setAttr("workspace_bytes",
                builder.getI64IntegerAttr(entry.front().workspaceBytes));
  SmallVector<Attribute> others;
  for (const core::ProfileVariant &variant : llvm::drop_begin(entry))
    others.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("cost", builder.getF64FloatAttr(variant.micros)),
         builder.getNamedAttr(
             "workspace_bytes",
             builder.getI64IntegerAttr(variant.workspaceBytes))}));
  if (!others.empty())
    op->setAttr(names::variants, builder.getArrayAttr(others));
}

namespace {
/// What measured calls took, beside their roofline.
struct Measured {
  double micros = 0, estimate = 0;
  /// 1 where nothing says otherwise.
  double scale() const {
    return micros > 0 && estimate > 0 ? micros / estimate : 1;
  }
};

/// Costs of one function by a profile.
class ProfiledCosts {
public:
  explicit ProfiledCosts(const core::CostModel &model) : model(model) {}

  void add(PlannableOpInterface op);
  /// Costs for the calls that were not measured, and a remark about them.
  void estimateOthers(func::FuncOp function);

private:
  double estimateOf(PlannableOpInterface op) const {
    return model.estimate(op.getFlops(), op.getBytesMoved());
  }

  const core::CostModel &model;
  int64_t asked = 0;
  Measured all;
  llvm::StringMap<Measured> byKernel;
  SmallVector<PlannableOpInterface> missing;
};
} // namespace

void ProfiledCosts::add(PlannableOpInterface op) {
  ++asked;
  // Profiles are of memplan's own kernels.
  std::optional<std::string> key =
      isa<MemplanDialect>(op->getDialect()) ? profileKey(op) : std::nullopt;
  const core::ProfileEntry *entry = key ? model.find(*key) : nullptr;
  if (!entry)
    return missing.push_back(op);
  writeVariants(op, *entry);
  for (Measured *sum : {&all, &byKernel[op->getName().getStringRef()]}) {
    sum->micros += entry->front().micros;
    sum->estimate += estimateOf(op);
  }
}

/// The roofline of another device beside measured times would make what was
/// measured look slow or fast. Calls of a kernel that was measured in other
/// shapes are scaled as those are, others as all that was measured.
void ProfiledCosts::estimateOthers(func::FuncOp function) {
  if (missing.empty())
    return;
  Builder builder(function.getContext());
  llvm::MapVector<StringRef, int64_t> kernels;
  for (PlannableOpInterface op : missing) {
    const StringRef kernel = op->getName().getStringRef();
    const auto known = byKernel.find(kernel);
    const Measured &like = known == byKernel.end() ? all : known->second;
    op->setAttr(names::cost,
                builder.getF64FloatAttr(estimateOf(op) * like.scale()));
    ++kernels[kernel];
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "the profile lacks " << missing.size() << " of " << asked
     << " operations; the roofline stands in for them, ";
  if (all.micros > 0)
    os << llvm::format("scaled to what was measured (%.3g times over all)",
                       all.scale());
  else
    os << "as nothing was measured";
  const char *separator = ": ";
  for (const auto &[kernel, count] : kernels) {
    os << separator << count << ' ' << kernel;
    separator = ", ";
  }
  emitRemark(function.getLoc()) << text;
}

void mlir::memplan::applyCostModel(const core::CostModel &model,
                                   func::FuncOp function) {
  using Kind = core::CostModel::Kind;
  if (model.kind() == Kind::AsItStands)
    return;
  Builder builder(function.getContext());
  ProfiledCosts profiled(model);
  for (Operation &op : function.front().without_terminator()) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm())
      continue;
    op.removeAttr(names::cost);
    op.removeAttr(names::variants);
    if (plannable.getBytesMoved() == 0)
      continue; // a view
    if (model.kind() == Kind::Profile)
      profiled.add(plannable);
    else
      op.setAttr(names::cost,
                 builder.getF64FloatAttr(model.estimate(
                     plannable.getFlops(), plannable.getBytesMoved())));
  }
  profiled.estimateOthers(function);
}
