//===- PlanSummary.cpp - What a planned function says of itself -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/PlanSummary.h"

#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Support/ByteSize.h"
#include "llvm/Support/Format.h"

using namespace mlir;
namespace names = mlir::memplan::names;

/// Bytes that an attribute promises; 0 where there is none.
static int64_t bytesOf(func::FuncOp function, StringRef name) {
  auto attribute = function->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

namespace memplan {
void printPlanSummary(func::FuncOp function, StringRef tool, double seconds,
                      raw_ostream &os) {
  auto facts = function->getAttrOfType<DictionaryAttr>("memplan.plan");
  if (!facts)
    return;
  auto number = [&](StringRef name) {
    return facts.getAs<FloatAttr>(name)
               ? facts.getAs<FloatAttr>(name).getValueAsDouble()
               : 0;
  };
  auto text = [&](StringRef name) {
    return facts.getAs<StringAttr>(name)
               ? facts.getAs<StringAttr>(name).getValue()
               : StringRef();
  };
  int64_t before = facts.getAs<IntegerAttr>("unplanned_peak_bytes").getInt();
  int64_t arena = bytesOf(function, names::arenaBytes),
          device = arena + mlir::memplan::residentBytes(function);
  double cost = function->getAttrOfType<FloatAttr>(names::planCost)
                    .getValueAsDouble(),
         unplanned = number("unplanned_cost");
  os << tool << ": @" << function.getName() << ": peak "
     << ::memplan::describeByteSize(before) << " -> "
     << ::memplan::describeByteSize(bytesOf(function, names::peakBytes))
     << ", device " << device << " bytes (arena " << arena << ")";
  if (int64_t budget = bytesOf(function, names::budget))
    os << " of budget " << budget;
  else
    os << ", no budget";
  auto share = [&](double part) {
    return llvm::format("%.2f", ::memplan::overheadPercent(part, unplanned));
  };
  os << ", overhead " << share(cost) << " %";
  // What copies hold up, and what streams save, is not in the cost.
  auto makespan = function->getAttrOfType<FloatAttr>(names::planTime);
  const double time = makespan ? makespan.getValueAsDouble() : cost;
  if (time != cost)
    os << " of work and " << share(time) << " % of time";
  os << ", " << ::memplan::describeStatus(text("status"), text("bound_space"))
     << " by " << text("solver");
  // The other bound is one of work.
  if (facts.get("time_bound") && number("time_bound") > 0) {
    os << ", time at most "
       << llvm::format("%.2f", 100 * (time / number("time_bound") - 1))
       << " % above any "
       << ::memplan::describeTimeSpace(text("time_bound_space"));
  } else if (facts.get("bound") && time == cost) {
    double gap = cost > 0 ? 100 * (cost - number("bound")) / cost : 0;
    os << ", gap " << llvm::format("%.2f", gap) << " % (" << text("bound_space")
       << ", " << text("proof") << ")";
  } else {
    os << (time == cost ? ", no bound" : ", no bound of its time");
  }
  if (auto live = facts.getAs<IntegerAttr>("live_bytes");
      live && live.getInt() > 0)
    os << ", arena "
       << llvm::format("%.4f", double(arena) / double(live.getInt()))
       << " of its live bytes";
  int64_t encoded = 0;
  function.walk([&](mlir::memplan::EncodeBF16Op) { ++encoded; });
  if (encoded > 0)
    os << ", LOSSY: " << encoded << " copied values are encoded as bf16";
  os << ", " << llvm::format("%.2f", seconds) << " s\n";
}
} // namespace memplan
