//===- Compile.cpp - From MLIR files to running programs ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/Compile.h"

#include "Flags.h"
#include "StepCode.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/InitAll.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Tools/PlanSummary.h"
#include "memplan/Tools/SourcePositions.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>

using namespace mlir;
using ::memplan::runtime::Program;
using ::memplan::runtime::Result;
using ::memplan::runtime::Status;
using namespace ::memplan;

/// The diagnostic on stderr has said what is wrong.
static Status reported(const std::string &file) {
  return runtime::invalid("'" + file + "' was not compiled, see above");
}

namespace {

/// One input file on its way to programs.
class Compiler {
public:
  Compiler(const RunOptions &options, const CompileFlags &flags)
      : options(options), flags(flags), context(registry()),
        diagnostics(sources, &context) {}

  Result<std::optional<RunPrograms>> run();

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    mlir::memplan::registerAllDialects(registry);
    mlir::memplan::registerAllExtensions(registry);
    return registry;
  }
  Status prepare();
  Result<func::FuncOp> findStep(ModuleOp searched);
  /// Asks the backend what scratch each operation wants, so that the plan has
  /// it.
  Status addWorkspaces(func::FuncOp function);
  /// Plans a copy of the module by one pass and lowers it.
  Result<Program> lower(std::unique_ptr<Pass> planner);
  Status emit(const RunPrograms &programs);
  Status emitIR();
  /// The program of --unplanned, on the same kernels as `planned`.
  Result<Program> readUnplanned(const Program &planned);

  const RunOptions &options;
  const CompileFlags &flags;
  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics;
  OwningOpRef<ModuleOp> module;
};

} // namespace

Result<func::FuncOp> Compiler::findStep(ModuleOp searched) {
  SmallVector<func::FuncOp> steps;
  std::string names;
  for (auto function : searched.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (!flags.function.empty() && function.getName() != flags.function)
      continue;
    steps.push_back(function);
    names += (names.empty() ? "'" : ", '") + function.getName().str() + "'";
  }
  if (steps.size() == 1)
    return steps.front();
  if (steps.empty())
    return runtime::invalid(
        "'" + options.file + "' has no public function" +
        (flags.function.empty() ? "" : " '" + flags.function + "'") +
        " with a body");
  return runtime::invalid("'" + options.file + "' has several functions, " +
                          names + "; choose one by --function=NAME");
}

Status Compiler::prepare() {
  module = parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return reported(options.file);
  addSourcePositions(
      *module,
      sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef());
  PassManager passes(&context);
  if (flags.batch) {
    mlir::memplan::SetBatchPassOptions batch;
    batch.batch = *flags.batch;
    passes.addNestedPass<func::FuncOp>(
        mlir::memplan::createSetBatchPass(batch));
  }
  mlir::memplan::buildPreparePipeline(passes);
  if (mlir::failed(passes.run(*module)))
    return reported(options.file);
  return Status::success();
}

Status Compiler::addWorkspaces(func::FuncOp function) {
  runtime::registerBuiltInBackends();
  Result<runtime::Device> device =
      runtime::Device::open(options.backend, options.device, options.threads);
  if (!device)
    return device.error();
  Builder builder(&context);
  for (Operation &op : function.front()) {
    auto plannable = dyn_cast<mlir::memplan::PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm() ||
        plannable.getWorkspaceBytes() != 0)
      continue;
    FailureOr<runtime::Instruction> launch =
        mlir::memplan::describeLaunch(plannable);
    if (mlir::failed(launch))
      return reported(options.file);
    Result<int64_t> bytes = runtime::queryWorkspaceBytes(*device, *launch);
    if (!bytes) {
      op.emitOpError() << "cannot run on this backend: "
                       << bytes.error().message;
      return reported(options.file);
    }
    if (*bytes > 0)
      op.setAttr("workspace_bytes", builder.getI64IntegerAttr(*bytes));
  }
  return Status::success();
}

Result<Program> Compiler::lower(std::unique_ptr<Pass> planner) {
  OwningOpRef<ModuleOp> copy = module->clone();
  Result<func::FuncOp> step = findStep(*copy);
  if (!step)
    return step.error();
  if (planner) {
    PassManager passes(&context, func::FuncOp::getOperationName());
    passes.addPass(std::move(planner));
    auto begin = std::chrono::steady_clock::now();
    if (mlir::failed(passes.run(*step)))
      return reported(options.file);
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    printPlanSummary(*step, "memplan-run", passed.count(), llvm::errs());
  }
  FailureOr<Program> program = mlir::memplan::buildProgram(*step);
  if (mlir::failed(program))
    return reported(options.file);
  return std::move(*program);
}

Status Compiler::emit(const RunPrograms &programs) {
  if (!flags.programFile.empty())
    if (Status status =
            runtime::writeProgramFile(programs.planned, flags.programFile);
        !status.ok())
      return status;
  if (!flags.unplannedProgramFile.empty())
    if (Status status = runtime::writeProgramFile(*programs.unplanned,
                                                  flags.unplannedProgramFile);
        !status.ok())
      return status;
  if (!flags.libraryFile.empty())
    return writeStepLibrary(context, programs.planned, flags.libraryFile);
  return Status::success();
}

Status Compiler::emitIR() {
  llvm::Error error = writeFile(
      flags.irFile, [&](llvm::raw_ostream &os) { module->print(os); });
  return error ? runtime::invalid(llvm::toString(std::move(error)))
               : Status::success();
}

Result<Program> Compiler::readUnplanned(const Program &planned) {
  if (!StringRef(options.unplannedFile).ends_with(".mlir"))
    return runtime::readProgramFile(options.unplannedFile);
  RunOptions other = options;
  other.file = options.unplannedFile;
  Compiler compiler(other, flags);
  if (Status status = compiler.prepare(); !status.ok())
    return status;
  Result<func::FuncOp> step = compiler.findStep(*compiler.module);
  if (!step)
    return step.error();
  // Other kernels would round differently, so a program without workspaces is
  // compared with one without.
  bool hasWorkspaces = llvm::any_of(
      planned.instructions, [](const runtime::Instruction &instruction) {
        return instruction.workspace.has_value();
      });
  if (hasWorkspaces)
    if (Status status = compiler.addWorkspaces(*step); !status.ok())
      return status;
  return compiler.lower(mlir::memplan::createNaivePlanPass());
}

Result<std::optional<RunPrograms>> Compiler::run() {
  for (const std::string &path :
       {flags.irFile, flags.plan.emitPlan, flags.programFile,
        flags.unplannedProgramFile, flags.libraryFile})
    if (Status status = runtime::checkWritable(path); !status.ok())
      return status;
  if (Status status = prepare(); !status.ok())
    return status;
  Result<func::FuncOp> step = findStep(*module);
  if (!step)
    return step.error();
  bool planned = (*step)->hasAttr(mlir::memplan::names::planned);
  bool unplannedToo = options.check || !flags.unplannedProgramFile.empty();
  if (planned && unplannedToo && options.unplannedFile.empty())
    return runtime::invalid(
        "'" + options.file +
        "' is planned already, so the unplanned program cannot be made from "
        "it; give the tensor form, here or by --unplanned=FILE");
  if (!planned)
    if (Status status = addWorkspaces(*step); !status.ok())
      return status;
  if (!flags.irFile.empty()) {
    if (Status status = emitIR(); !status.ok())
      return status;
    if (!flags.emitsOnly())
      return std::optional<RunPrograms>();
  }

  RunPrograms programs;
  Result<Program> program =
      lower(planned ? nullptr : mlir::memplan::createPlanPass(flags.plan));
  if (!program)
    return program.error();
  programs.planned = std::move(*program);
  if (!options.unplannedFile.empty()) {
    Result<Program> unplanned = readUnplanned(programs.planned);
    if (!unplanned)
      return unplanned.error();
    programs.unplanned = std::move(*unplanned);
  } else if (unplannedToo) {
    Result<Program> unplanned = lower(mlir::memplan::createNaivePlanPass());
    if (!unplanned)
      return unplanned.error();
    programs.unplanned = std::move(*unplanned);
  }
  if (flags.emitsOnly()) {
    if (Status status = emit(programs); !status.ok())
      return status;
    return std::optional<RunPrograms>();
  }
  if (flags.jit) {
    Result<StepCode> code = compileStep(context, programs.planned);
    if (!code)
      return code.error();
    programs.step = code->step;
    programs.code = code->owner;
  }
  return std::optional<RunPrograms>(std::move(programs));
}

namespace memplan {
Result<std::optional<RunPrograms>> compilePrograms(const RunOptions &options) {
  Result<CompileFlags> flags = parseCompileFlags(options.sourceFlags);
  if (!flags)
    return flags.error();
  return Compiler(options, *flags).run();
}
} // namespace memplan
