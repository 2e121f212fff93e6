//===- PrintLiveness.cpp - A picture of what is live ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/MemRef/LivenessAnalysis.h"
#include "memplan/MemRef/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_PRINTLIVENESSPASS
#include "memplan/MemRef/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// The picture of one function.
class Picture {
public:
  Picture(FunctionOpInterface function, unsigned columns, raw_ostream &os)
      : function(function), state(function), liveness(function),
        live(liveness.liveBytes()), os(os) {
    perColumn = std::max<int64_t>(
        1, llvm::divideCeil(liveness.pointCount(), std::max(1u, columns)));
  }

  void print(bool withPoints) {
    auto peak = llvm::max_element(live);
    os << "@" << function.getName() << ": " << liveness.buffers().size()
       << " buffers, " << liveness.pointCount() << " points, peak of " << *peak
       << " bytes at point " << peak - live.begin() << "\n";
    for (const LiveBuffer &buffer : liveness.buffers())
      width = std::max(width, nameOf(buffer).size());
    printRuler();
    for (const LiveBuffer &buffer : liveness.buffers())
      printRow(buffer);
    if (withPoints)
      printPoints();
    os << "\n";
  }

private:
  std::string nameOf(const LiveBuffer &buffer) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    buffer.origin.printAsOperand(stream, state);
    return name;
  }

  int64_t columnCount() const {
    return llvm::divideCeil(liveness.pointCount(), perColumn);
  }

  void printRuler() {
    os << std::string(width, ' ') << "       bytes |";
    for (int64_t column = 0; column < columnCount(); ++column)
      os << column % 10;
    os << "|";
    if (perColumn > 1)
      os << " a column is " << perColumn << " points";
    os << "\n";
  }

  void printRow(const LiveBuffer &buffer) {
    std::string name = nameOf(buffer);
    os << name << std::string(width - name.size(), ' ')
       << (buffer.bytes ? llvm::formatv("{0,12}", *buffer.bytes).str()
                        : "           ?")
       << " |";
    int64_t kept = buffer.capture ? liveness.pointsOf(buffer.capture).begin
                                  : liveness.pointCount();
    for (int64_t column = 0; column < columnCount(); ++column) {
      PointRange at = {column * perColumn, (column + 1) * perColumn};
      os << (!buffer.live.meets(at) ? ' '
             : buffer.isCallers()   ? '='
             : kept < at.end        ? '?'
                                    : '#');
    }
    os << "|\n";
  }

  void printPoints() {
    int64_t peak = *llvm::max_element(live);
    SmallVector<Operation *> open;
    for (int64_t point = 0; point < liveness.pointCount(); ++point) {
      Operation *op = liveness.opAt(point);
      bool ends = !open.empty() && open.back() == op;
      if (ends)
        open.pop_back();
      os << llvm::formatv("{0,6}", point) << "  "
         << std::string(2 * open.size(), ' ') << (ends ? "end of " : "")
         << op->getName() << ": " << live[size_t(point)] << " bytes"
         << (live[size_t(point)] == peak ? ", the peak" : "") << "\n";
      if (!ends && liveness.pointsOf(op).end > point + 1)
        open.push_back(op);
    }
  }

  FunctionOpInterface function;
  AsmState state;
  LivenessAnalysis liveness;
  std::vector<int64_t> live;
  raw_ostream &os;
  int64_t perColumn = 1;
  size_t width = 0;
};

struct PrintLiveness
    : mlir::memplan::impl::PrintLivenessPassBase<PrintLiveness> {
  using PrintLivenessPassBase::PrintLivenessPassBase;

  void runOnOperation() override {
    std::string error;
    std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(file, &error);
    if (!output) {
      emitError(getOperation()->getLoc()) << getArgument() << ": " << error;
      return signalPassFailure();
    }
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](FunctionOpInterface function) {
          if (!function.isExternal())
            Picture(function, columns, output->os()).print(points);
        });
    output->keep();
    markAllAnalysesPreserved();
  }
};

} // namespace
