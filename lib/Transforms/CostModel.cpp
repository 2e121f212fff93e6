//===- CostModel.cpp - Costs that options ask for -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostModel.h"
#include "memplan/Bridge/ProfileKey.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::memplan;

llvm::Expected<CostModel> CostModel::parse(StringRef text) {
  CostModel model;
  if (text.empty())
    return model;
  if (text == "roofline") {
    model.kind = Kind::Roofline;
    return model;
  }
  if (text == "flops") {
    model.kind = Kind::Flops;
    return model;
  }
  StringRef path = text;
  if (!path.consume_front("profile:"))
    return llvm::createStringError(
        "unknown cost model '" + text.str() +
        "'; there are 'flops', 'roofline', 'profile:FILE'");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot read the profile '" + path.str() +
                                   "': " + file.getError().message());
  llvm::Expected<core::DeviceProfile> profile =
      core::parseDeviceProfile((*file)->getBuffer());
  if (!profile)
    return llvm::createStringError("profile '" + path.str() +
                                   "': " + llvm::toString(profile.takeError()));
  model.kind = Kind::Profile;
  model.profile = std::move(*profile);
  return model;
}

void CostModel::apply(func::FuncOp function) const {
  if (kind == Kind::AsItStands)
    return;
  Builder builder(function.getContext());
  int64_t missing = 0, asked = 0;
  for (Operation &op : function.front().without_terminator()) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm())
      continue;
    op.removeAttr(names::cost);
    if (plannable.getBytesMoved() == 0)
      continue; // a view
    if (kind == Kind::Flops) {
      op.setAttr(names::cost, builder.getF64FloatAttr(
                                  rooflineMicros(plannable.getFlops(), 0)));
    } else if (kind == Kind::Profile) {
      ++asked;
      const core::ProfileEntry *entry = profile.find(profileKey(plannable));
      if (!entry) {
        ++missing;
        continue;
      }
      op.setAttr(names::cost, builder.getF64FloatAttr(entry->micros));
      if (entry->workspaceBytes != plannable.getWorkspaceBytes())
        op.setAttr("workspace_bytes",
                   builder.getI64IntegerAttr(entry->workspaceBytes));
    }
  }
  if (missing != 0)
    emitRemark(function.getLoc())
        << "the profile lacks " << missing << " of " << asked
        << " operations; the roofline stands in for them";
}
