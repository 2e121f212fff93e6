//===- Markers.cpp - Where attributes stand, what they hold ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Markers.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::memplan;

void mlir::memplan::setPassOf(Operation *made, Operation *op) {
  if (Attribute backward = op->getAttr(kBackwardAttrName))
    made->setAttr(kBackwardAttrName, backward);
}

namespace {

enum Place : unsigned {
  OnFunction = 1,
  OnArgument = 2,
  OnResult = 4,
  OnOperation = 8
};

/// One attribute of the dialect.
struct Marker {
  StringRef name;
  unsigned places; ///< Any of Place.
  StringRef holds; ///< For messages: what `accepts` accepts.
  bool (*accepts)(Attribute);
};

} // namespace

/// Sums of a few such sizes cannot overflow.
static constexpr int64_t mostBytes = int64_t(1) << 61;
/// Programs number their nodes with 32 bits.
static constexpr int64_t mostNode = std::numeric_limits<int32_t>::max();

static bool isIn(Attribute attribute, int64_t least, int64_t most) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  return integer && integer.getType().isSignlessInteger(64) &&
         integer.getInt() >= least && integer.getInt() <= most;
}
static bool isBytes(Attribute attribute) {
  return isIn(attribute, 0, mostBytes);
}
static bool isCount(Attribute attribute) {
  return isIn(attribute, 0, std::numeric_limits<int64_t>::max());
}
static bool isNode(Attribute attribute) { return isIn(attribute, 0, mostNode); }
static bool isAlignment(Attribute attribute) {
  return isIn(attribute, 1, 4096) &&
         llvm::isPowerOf2_64(cast<IntegerAttr>(attribute).getInt());
}
static bool isMicros(Attribute attribute) {
  auto number = dyn_cast_or_null<FloatAttr>(attribute);
  return number && number.getType().isF64() &&
         std::isfinite(number.getValueAsDouble()) &&
         number.getValueAsDouble() >= 0;
}
static bool isVariants(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, [](Attribute element) {
           auto variant = dyn_cast<DictionaryAttr>(element);
           const Attribute name = variant ? variant.get("name") : nullptr;
           return variant && variant.size() == (name ? 3 : 2) &&
                  isMicros(variant.get("cost")) &&
                  isBytes(variant.get("workspace_bytes")) &&
                  (!name || isa<StringAttr>(name));
         });
}
template <typename T> static bool isA(Attribute attribute) {
  return isa<T>(attribute);
}

static ArrayRef<Marker> markers() {
  using D = MemplanDialect;
  constexpr unsigned boundary = OnArgument | OnResult;
  static const Marker table[] = {
      {D::KindAttrHelper::getNameStr(), boundary, "a string", isA<StringAttr>},
      {D::NameAttrHelper::getNameStr(), boundary, "a string", isA<StringAttr>},
      {D::BatchAttrHelper::getNameStr(), boundary, "an i64 of at least 0",
       isCount},
      {D::InitAttrHelper::getNameStr(), OnArgument, "a string",
       isA<StringAttr>},
      {D::HighAttrHelper::getNameStr(), OnArgument, "an i64 of at least 0",
       isCount},
      {D::DonatedAttrHelper::getNameStr(), OnArgument, "no value",
       isA<UnitAttr>},
      {D::UpdatesAttrHelper::getNameStr(), OnResult, "an i64 of at least 0",
       isCount},
      {D::ArenaAttrHelper::getNameStr(), OnArgument, "no value", isA<UnitAttr>},
      {D::AlignmentAttrHelper::getNameStr(), OnArgument | OnFunction,
       "an i64 that is a power of two up to 4096", isAlignment},
      {D::ArenaOffsetAttrHelper::getNameStr(), OnArgument,
       "an i64 from 0 to 2^61", isBytes},
      {D::HostOffsetAttrHelper::getNameStr(), OnArgument,
       "an i64 from 0 to 2^61", isBytes},
      {D::OptimizerAttrHelper::getNameStr(), OnFunction, "a dictionary",
       isA<DictionaryAttr>},
      {D::FixedBytesAttrHelper::getNameStr(), OnFunction,
       "an i64 from 0 to 2^61", isBytes},
      {kDeviceAttrName, OnFunction, "a string", isA<StringAttr>},
      {D::PlannedAttrHelper::getNameStr(), OnFunction, "no value",
       isA<UnitAttr>},
      {D::ArenaBytesAttrHelper::getNameStr(), OnFunction,
       "an i64 from 0 to 2^61", isBytes},
      {D::PeakBytesAttrHelper::getNameStr(), OnFunction,
       "an i64 from 0 to 2^61", isBytes},
      {D::BudgetAttrHelper::getNameStr(), OnFunction, "an i64 of at least 0",
       isCount},
      {D::ValueHashAttrHelper::getNameStr(), OnFunction, "an array of i64",
       isA<DenseI64ArrayAttr>},
      {D::PlanAttrHelper::getNameStr(), OnFunction, "a dictionary",
       isA<DictionaryAttr>},
      {D::StorageBytesAttrHelper::getNameStr(), OnFunction,
       "an i64 from 0 to 2^61", isBytes},
      {D::LivePeakBytesAttrHelper::getNameStr(), OnFunction,
       "an i64 from 0 to 2^61", isBytes},
      {D::CostAttrHelper::getNameStr(), OnFunction | OnOperation,
       "a finite f64 of at least 0", isMicros},
      {D::TimeAttrHelper::getNameStr(), OnFunction,
       "a finite f64 of at least 0", isMicros},
      {D::StreamAttrHelper::getNameStr(), OnOperation,
       "an i64 from 0 to 2147483647", isNode},
      {D::BackwardAttrHelper::getNameStr(), OnOperation, "no value",
       isA<UnitAttr>},
      {D::NodeAttrHelper::getNameStr(), OnOperation,
       "an i64 from 0 to 2147483647", isNode},
      {kVariantAttrName, OnOperation, "a string", isA<StringAttr>},
      {D::VariantsAttrHelper::getNameStr(), OnOperation,
       "a list of {cost = f64, workspace_bytes = i64}, neither negative, each "
       "with a string 'name' or none",
       isVariants},
      {D::InPlaceAttrHelper::getNameStr(), OnOperation, "a list",
       isA<ArrayAttr>},
      {D::StorageAttrHelper::getNameStr(), OnOperation, "an array of i64",
       isA<DenseI64ArrayAttr>},
      {D::OffsetAttrHelper::getNameStr(), OnOperation, "an array of i64",
       isA<DenseI64ArrayAttr>},
      {D::RunAttrHelper::getNameStr(), OnOperation,
       "an i64 from 0 to 2147483647", isNode},
      {D::WorkspaceOffsetAttrHelper::getNameStr(), OnOperation,
       "an i64 from 0 to 2^61", isBytes},
      {D::LiveBytesAttrHelper::getNameStr(), OnOperation,
       "an i64 from 0 to 2^61", isBytes},
      {D::PeakAttrHelper::getNameStr(), OnOperation, "no value", isA<UnitAttr>},
      {D::PartsAttrHelper::getNameStr(), OnOperation, "no value",
       isA<UnitAttr>},
      {D::PartOffsetAttrHelper::getNameStr(), OnOperation, "an array of i64",
       isA<DenseI64ArrayAttr>},
  };
  return table;
}

/// Checks the attribute at `place`, which messages call `where`.
static LogicalResult checkMarker(Operation *op, NamedAttribute attribute,
                                 Place place, const Twine &where) {
  StringRef name = attribute.getName();
  const Marker *marker =
      llvm::find_if(markers(), [&](const Marker &m) { return m.name == name; });
  if (marker == markers().end()) {
    std::string known;
    for (const Marker &m : markers())
      if (m.places & place)
        known += (known.empty() ? "'" : ", '") + m.name.str() + "'";
    return op->emitError("unknown attribute '")
           << name << "' on " << where << "; there are " << known;
  }
  if (!(marker->places & place))
    return op->emitError("attribute '")
           << name << "' cannot stand on " << where;
  if (!marker->accepts(attribute.getValue()))
    return op->emitError("attribute '")
           << name << "' on " << where << " must hold " << marker->holds
           << ", but is " << attribute.getValue();
  return success();
}

LogicalResult
MemplanDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (isa<FunctionOpInterface>(op))
    return checkMarker(op, attribute, OnFunction, "a function");
  return checkMarker(op, attribute, OnOperation, "an operation");
}

LogicalResult MemplanDialect::verifyRegionArgAttribute(
    Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  return checkMarker(op, attribute, OnArgument, "argument " + Twine(argument));
}

LogicalResult MemplanDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  return checkMarker(op, attribute, OnResult, "result " + Twine(result));
}
