//===- memplan-opt.cpp - MLIR's optimizer driver with memplan's passes ----===//

#include "memplan/InitAll.h"
#include "memplan/Support/Version.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << ::memplan::versionText(); });
  mlir::DialectRegistry registry;
  mlir::memplan::registerAllDialects(registry);
  mlir::memplan::registerAllExtensions(registry);
  mlir::memplan::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "memplan's optimizer driver\n", registry));
}
