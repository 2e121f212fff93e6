//===- MemplanOpt.cpp - The body of memplan-opt ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/MemplanOpt.h"
#include "OneFunction.h"
#include "Sugar.h"
#include "Summary.h"
#include "memplan/Compiler/Passes.h"
#include "memplan/Compiler/SourcePositions.h"
#include "memplan/InitAll.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Support/Version.h"
#include "memplan/Tools/StopSignals.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

template <typename Solver>
static void listTable(StringRef problem, std::span<const Solver> solvers) {
  llvm::outs() << problem << "\n";
  for (const Solver &solver : solvers)
    llvm::outs() << "  " << llvm::left_justify(solver.name, 20)
                 << solver.summary << "\n";
}

static int listSolvers() {
  listTable("remat", ::memplan::rematSolvers());
  listTable("order", ::memplan::orderSolvers());
  listTable("swap", ::memplan::swapSolvers());
  listTable("sharing", ::memplan::sharingSolvers());
  listTable("arena", ::memplan::arenaSolvers());
  return 0;
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "memplan-opt: error: " << message << "\n";
  return 1;
}

/// Runs the driver. A file gets what it prints only if nothing failed; standard
/// output as it comes.
static int runDriver(std::unique_ptr<llvm::MemoryBuffer> input,
                     const std::string &outputName, DialectRegistry &registry,
                     const MlirOptMainConfig &config) {
  if (outputName == "-") {
    LogicalResult result =
        MlirOptMain(llvm::outs(), std::move(input), registry, config);
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return asMainReturnCode(result);
    std::string reason = llvm::outs().error().message();
    llvm::outs().clear_error();
    return fail("cannot write to standard output: " + reason);
  }
  if (llvm::Error error = ::memplan::checkWritable(outputName))
    return fail(llvm::toString(std::move(error)));
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(input), registry, config)))
    return 1;
  if (llvm::Error error = ::memplan::writeFile(outputName, StringRef(text)))
    return fail(llvm::toString(std::move(error)));
  return 0;
}

/// What Ctrl-C has led to.
static void sayStop() {
  if (const char *signal = ::memplan::StopSignals::name()) {
    ::memplan::ProgressLine::Pause pause;
    llvm::errs() << "memplan-opt: stopped by " << signal
                 << "; this is the best so far\n";
  }
}

/// Runs the pipeline that the planning flags build. JSON goes where the IR
/// would.
static int runSugar(::memplan::Sugar &sugar, MlirOptMainConfig config,
                    DialectRegistry &registry,
                    std::unique_ptr<llvm::MemoryBuffer> input,
                    const std::string &outputName) {
  using Emit = ::memplan::Sugar::Emit;
  auto begin = std::chrono::steady_clock::now();
  ::memplan::StopSignals signals;
  sugar.watch(::memplan::StopSignals::asked());
  // The driver takes the input away.
  std::unique_ptr<llvm::MemoryBuffer> text =
      llvm::MemoryBuffer::getMemBufferCopy(input->getBuffer(),
                                           input->getBufferIdentifier());
  if (sugar.wantsMaxBatch())
    if (llvm::Error error =
            sugar.findMaxBatch(text->getMemBufferRef(), registry, llvm::errs()))
      return fail(llvm::toString(std::move(error)));
  if (sugar.wantsBatches()) {
    llvm::Error error = sugar.writeBatchPlan(text->getMemBufferRef(), registry,
                                             outputName, llvm::errs());
    sayStop();
    return error ? fail(llvm::toString(std::move(error))) : 0;
  }
  if (sugar.wantsCurve()) {
    llvm::Error error = sugar.writeCurveOf(text->getMemBufferRef(), registry,
                                           outputName, llvm::errs());
    sayStop();
    return error ? fail(llvm::toString(std::move(error))) : 0;
  }
  ::memplan::ProgressLine line("planning", sugar.limitSeconds());
  sugar.tell(line);
  auto others = std::make_shared<::memplan::OtherFunctions>();
  std::string failure;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    pm.addPass(::memplan::createSourcePositionsPass(text->getMemBufferRef()));
    if (!sugar.function().empty())
      pm.addPass(::memplan::createTakeOthersPass(sugar.function(), others));
    else if (sugar.needsOneFunction())
      pm.addPass(::memplan::createSingleFunctionPass());
    else
      pm.addPass(::memplan::createAnyFunctionPass());
    sugar.buildPipeline(pm, outputName, failure);
    if (sugar.wantsLine())
      pm.addPass(::memplan::createSummaryPass(llvm::errs(), begin));
    pm.addPass(::memplan::createPutOthersBackPass(others));
    return success();
  });
  const int status =
      sugar.emits() != Emit::IR
          ? failed(
                MlirOptMain(llvm::nulls(), std::move(input), registry, config))
          : runDriver(std::move(input), outputName, registry, config);
  if (status == 0)
    sayStop();
  return failure.empty() ? status : fail(failure);
}

int ::memplan::memplanOptMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ::memplan::runtime::registerBuiltInBackends();
  DialectRegistry registry;
  mlir::memplan::registerAllDialects(registry);
  mlir::memplan::registerAllExtensions(registry);
  mlir::memplan::registerAllPasses();
  mlir::memplan::registerMemplanCompilerPasses();
  llvm::cl::SetVersionPrinter([](raw_ostream &os) {
    os << versionText() << "  MLIR " LLVM_VERSION_STRING "\n";
  });
  Sugar sugar;
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "memplan-opt: plans the memory of training steps\n",
      registry);
  if (sugar.listSolvers)
    return listSolvers();

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // What prints and reads nothing is left to the driver as it is.
  if (!sugar.isUsed() &&
      (config.shouldShowDialects() || config.shouldListPasses()))
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputName, outputName, registry));
  std::string reason;
  if (!sugar.isUsed()) {
    std::unique_ptr<llvm::MemoryBuffer> input =
        openInputFile(inputName, &reason);
    return input ? runDriver(std::move(input), outputName, registry, config)
                 : fail(reason);
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  PassManager passFlags(&context);
  if (failed(config.setupPassPipeline(passFlags)))
    return 1;
  if (llvm::Error error = sugar.check(passFlags.size() != 0))
    return fail(llvm::toString(std::move(error)));
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &reason);
  if (!input)
    return fail(reason);
  return runSugar(sugar, std::move(config), registry, std::move(input),
                  outputName);
}
