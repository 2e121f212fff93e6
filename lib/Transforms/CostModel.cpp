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

void mlir::memplan::applyCostModel(const core::CostModel &model,
                                   func::FuncOp function) {
  using Kind = core::CostModel::Kind;
  if (model.kind() == Kind::AsItStands)
    return;
  Builder builder(function.getContext());
  int64_t missing = 0, asked = 0;
  for (Operation &op : function.front().without_terminator()) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm())
      continue;
    op.removeAttr(names::cost);
    op.removeAttr(names::variants);
    if (plannable.getBytesMoved() == 0)
      continue; // a view
    if (model.kind() != Kind::Profile) {
      op.setAttr(names::cost,
                 builder.getF64FloatAttr(model.estimate(
                     plannable.getFlops(), plannable.getBytesMoved())));
      continue;
    }
    ++asked;
    // Profiles are of memplan's own kernels.
    std::optional<std::string> key = isa<MemplanDialect>(op.getDialect())
                                         ? profileKey(plannable)
                                         : std::nullopt;
    if (const core::ProfileEntry *entry = key ? model.find(*key) : nullptr)
      writeVariants(plannable, *entry);
    else
      ++missing;
  }
  if (missing != 0)
    emitRemark(function.getLoc())
        << "the profile lacks " << missing << " of " << asked
        << " operations; the roofline stands in for them";
}
