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
#include "memplan/Dialect/Memplan/IR/VariantName.h"
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
  op->removeAttr(names::variants);
  op->removeAttr(kVariantAttrName);
  if (!entry.front().name.empty())
    op->setAttr(kVariantAttrName, builder.getStringAttr(entry.front().name));
  SmallVector<Attribute> others;
  for (const core::ProfileVariant &variant : llvm::drop_begin(entry)) {
    NamedAttrList fields;
    fields.set("cost", builder.getF64FloatAttr(variant.micros));
    fields.set("workspace_bytes",
               builder.getI64IntegerAttr(variant.workspaceBytes));
    if (!variant.name.empty())
      fields.set("name", builder.getStringAttr(variant.name));
    others.push_back(fields.getDictionary(op->getContext()));
  }
  if (!others.empty())
    op->setAttr(names::variants, builder.getArrayAttr(others));
}

/// Sets the cost of an operation; its variants keep theirs over it.
static void setCost(PlannableOpInterface op, double micros) {
  Builder builder(op->getContext());
  auto own = op->getAttrOfType<FloatAttr>(names::cost);
  const double before =
      own ? own.getValueAsDouble()
          : core::referenceDevice().micros(op.getFlops(), op.getBytesMoved());
  op->setAttr(names::cost, builder.getF64FloatAttr(micros));
  auto list = op->getAttrOfType<ArrayAttr>(names::variants);
  if (!list)
    return;
  const double scale = before > 0 ? micros / before : 0;
  SmallVector<Attribute> scaled;
  for (auto variant : list.getAsRange<DictionaryAttr>()) {
    const double cost = variant.getAs<FloatAttr>("cost").getValueAsDouble();
    NamedAttrList fields(variant);
    fields.set("cost", builder.getF64FloatAttr(cost * scale));
    scaled.push_back(fields.getDictionary(op->getContext()));
  }
  op->setAttr(names::variants, builder.getArrayAttr(scaled));
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
  llvm::MapVector<StringRef, int64_t> kernels;
  for (PlannableOpInterface op : missing) {
    const StringRef kernel = op->getName().getStringRef();
    const auto known = byKernel.find(kernel);
    const Measured &like = known == byKernel.end() ? all : known->second;
    setCost(op, estimateOf(op) * like.scale());
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
  ProfiledCosts profiled(model);
  for (Operation &op : function.front().without_terminator()) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm())
      continue;
    if (plannable.getBytesMoved() == 0) {
      op.removeAttr(names::cost);
      op.removeAttr(names::variants);
      continue; // a view
    }
    if (model.kind() == Kind::Profile)
      profiled.add(plannable);
    else
      setCost(plannable,
              model.estimate(plannable.getFlops(), plannable.getBytesMoved()));
  }
  profiled.estimateOthers(function);
}
