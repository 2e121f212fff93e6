//===- CompileTool.cpp - .mlir files for memplan-run ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/CompileTool.h"

#include "Flags.h"
#include "memplan/Compiler/StepCompiler.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Profile/CostModel.h"
#include "memplan/Runtime/Data/Feed.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Tools/PlanSummary.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/ReportFiles.h"
#include "memplan/Tools/StopSignals.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>

using namespace memplan;
using runtime::Program;
using runtime::Result;
using runtime::Status;

namespace {

/// One input file of memplan-run on its way to programs.
class CompileTool {
public:
  CompileTool(const RunOptions &options, const CompileFlags &flags)
      : options(options), flags(flags), context(compilerDialects()),
        diagnostics(sources, &context) {}

  Result<std::optional<RunPrograms>> run();

private:
  CompileOptions compileOptions();
  Status checkOutputs() const;
  ReportFiles reportFiles() const {
    ReportFiles files;
    files.page = options.reportFile;
    return files;
  }
  /// What --report draws once the step has run.
  Status prepareReport(StepCompiler &compiler, RunPrograms &programs) const;
  Status checkFeed(StepCompiler &compiler) const;
  /// A dynamic run is given a plan of this step, and not a planned program.
  bool followsPlan() const {
    return !flags.plan.planFile.empty() &&
           !llvm::StringRef(flags.plan.planFile).ends_with(".mpp");
  }
  Status compile(StepCompiler &compiler, RunPrograms &programs);
  Result<Program> compileUnplanned(StepCompiler &compiler,
                                   const Program &planned);
  Status emit(StepCompiler &compiler, const RunPrograms &programs);
  Result<std::vector<double>> nodeCosts(StepCompiler &compiler,
                                        const Program &program);

  const RunOptions &options;
  const CompileFlags &flags;
  mlir::MLIRContext context;
  /// Empty: the handler opens the files that diagnostics point into.
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  /// Until the step is planned.
  std::optional<ProgressLine> progress;
};

} // namespace

CompileOptions CompileTool::compileOptions() {
  CompileOptions compile;
  compile.plan = flags.plan;
  compile.budgetOfDevice = flags.budgetOfDevice;
  // A Ctrl-C while planning is for the planning: the best plan so far is run.
  compile.plan.limits.stop = &StopSignals::asked();
  // What lies in place is not run, or runs in no time: a profile is of the step
  // as it stands.
  if (!options.profileFile.empty() && compile.plan.parts == "auto")
    compile.plan.parts = "off";
  if (progress)
    compile.plan.limits.progress = progressOn(*progress);
  compile.planFile = flags.planFile;
  compile.backend = options.backend;
  compile.device = options.device;
  compile.threads = options.threads;
  compile.function = flags.function;
  return compile;
}

Status CompileTool::checkOutputs() const {
  if (!options.reportFile.empty() &&
      (flags.emitsOnly() || !flags.irFile.empty()))
    return runtime::invalid(
        "--report shows a run, and with --emit-ir, "
        "--emit-plan and their like nothing runs; "
        "memplan-opt --report=FILE.html shows a plan alone");
  if (llvm::Error error = reportFiles().check())
    return runtime::invalid(llvm::toString(std::move(error)));
  for (const std::string &path :
       {flags.irFile, flags.planFile, flags.programFile,
        flags.unplannedProgramFile, flags.libraryFile})
    if (Status status = runtime::checkWritable(path); !status.ok())
      return status;
  return Status::success();
}

/// What the step is fed with is read before the step is planned, which takes
/// longer.
Status CompileTool::checkFeed(StepCompiler &compiler) const {
  if (compiler.isPlanned() ||
      (options.feed.paramsFile.empty() && options.feed.data.empty()))
    return Status::success();
  Result<Program> unplanned = compiler.unplannedProgram();
  if (!unplanned)
    return unplanned.error();
  Result<runtime::Feed> feed = runtime::Feed::create(*unplanned, options.feed);
  return feed ? Status::success() : feed.error();
}

Result<Program> CompileTool::compileUnplanned(StepCompiler &compiler,
                                              const Program &planned) {
  const std::string &file = options.unplannedFile;
  if (file.empty())
    return compiler.unplannedProgram();
  if (!llvm::StringRef(file).ends_with(".mlir"))
    return runtime::readProgramFile(file);
  CompileOptions others = compileOptions();
  others.budgetOfDevice.reset(); // Nothing of it is planned.
  // Other kernels would round differently, so a program without workspaces is
  // compared with one without.
  bool hasWorkspaces = llvm::any_of(
      planned.instructions, [](const runtime::Instruction &instruction) {
        return instruction.workspace.has_value();
      });
  if (!hasWorkspaces)
    others.backend = "none";
  StepCompiler other(context, others);
  if (Status status = other.readFile(file); !status.ok())
    return status;
  return other.unplannedProgram();
}

/// What --cost-model says of each node: the clock of dynamic runs.
Result<std::vector<double>> CompileTool::nodeCosts(StepCompiler &compiler,
                                                   const Program &program) {
  std::vector<double> costs;
  if (flags.plan.costModel.empty())
    return costs;
  llvm::Expected<CostModel> model = CostModel::parse(flags.plan.costModel);
  if (!model)
    return runtime::invalid(llvm::toString(model.takeError()));
  Result<Graph> graph = compiler.graph();
  if (!graph)
    return graph.error();
  const bool isMeasured = model->kind() == CostModel::Kind::Profile;
  if (!isMeasured)
    if (llvm::Error error = model->apply(*graph))
      return runtime::invalid("--cost-model: " +
                              llvm::toString(std::move(error)));
  for (const Node &node : graph->nodes)
    costs.push_back(node.cost);
  for (const runtime::Instruction &instruction : program.instructions)
    if (isMeasured && instruction.node >= 0 &&
        size_t(instruction.node) < costs.size())
      if (const ProfileEntry *entry = model->find(profileKey(instruction));
          entry && !entry->empty())
        costs[size_t(instruction.node)] = entry->front().micros;
  return costs;
}

Status CompileTool::compile(StepCompiler &compiler, RunPrograms &programs) {
  if (!options.dynamic.policy.empty()) {
    Result<Program> unplanned = compiler.unplannedProgram();
    if (!unplanned)
      return unplanned.error();
    programs.planned = std::move(*unplanned);
    auto costs = nodeCosts(compiler, programs.planned);
    if (!costs)
      return costs.error();
    programs.nodeCosts = std::move(*costs);
    if (!followsPlan())
      return Status::success();
    Result<Program> planned = compiler.program();
    if (!planned)
      return planned.error();
    programs.unplanned = std::exchange(programs.planned, std::move(*planned));
    return Status::success();
  }
  auto begin = std::chrono::steady_clock::now();
  Result<mlir::func::FuncOp> step = compiler.planned();
  progress.reset();
  if (!step)
    return step.error();
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin;
  if (const char *signal = StopSignals::name())
    std::fprintf(stderr,
                 "memplan-run: planning was stopped by %s; this is the best "
                 "plan so far\n",
                 signal);
  if (!compiler.isPlanned() && !options.quiet)
    printPlanSummary(*step, "memplan-run", passed.count(), llvm::errs());
  Result<Program> planned = compiler.program();
  if (!planned)
    return planned.error();
  programs.planned = std::move(*planned);
  if (Status status = prepareReport(compiler, programs); !status.ok())
    return status;
  if (!options.check && flags.unplannedProgramFile.empty() &&
      options.unplannedFile.empty())
    return Status::success();
  Result<Program> unplanned = compileUnplanned(compiler, programs.planned);
  if (!unplanned)
    return unplanned.error();
  programs.unplanned = std::move(*unplanned);
  if (!options.unplannedFile.empty())
    return Status::success();
  auto encoded = compiler.unplannedEncodedProgram();
  if (!encoded)
    return encoded.error();
  if (*encoded) {
    programs.lossless = std::move(programs.unplanned);
    programs.unplanned = std::move(*encoded);
  }
  return Status::success();
}

Status CompileTool::prepareReport(StepCompiler &compiler,
                                  RunPrograms &programs) const {
  if (options.reportFile.empty() || compiler.isPlanned())
    return Status::success();
  Result<Graph> graph = compiler.graph();
  if (!graph)
    return graph.error();
  Result<Plan> plan = compiler.plan();
  if (!plan)
    return plan.error();
  programs.drawReport = [files = reportFiles(), graph = std::move(*graph),
                         plan = std::move(*plan), sources = compiler.sources()](
                            const std::string &measured) mutable {
    files.measured = measured;
    llvm::Error error = files.write(graph, plan, llvm::errs(), sources);
    return error ? runtime::invalid(llvm::toString(std::move(error)))
                 : Status::success();
  };
  return Status::success();
}

Status CompileTool::emit(StepCompiler &compiler, const RunPrograms &programs) {
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
    return compiler.writeLibrary(flags.libraryFile);
  return Status::success();
}

Result<std::optional<RunPrograms>> CompileTool::run() {
  if (Status status = checkOutputs(); !status.ok())
    return status;
  if (options.dynamic.policy.empty() && flags.plan.planFile.empty())
    progress.emplace("planning", flags.plan.limits.timeLimitSeconds);
  StepCompiler compiler(context, compileOptions());
  if (Status status = compiler.readFile(options.file); !status.ok())
    return status;
  if (!options.dynamic.policy.empty() && flags.emitsOnly())
    return runtime::invalid("--dynamic runs a step and emits nothing");
  bool unplannedToo = options.check || !flags.unplannedProgramFile.empty() ||
                      !options.dynamic.policy.empty();
  if (compiler.isPlanned() && unplannedToo && options.unplannedFile.empty())
    return runtime::invalid(
        "'" + options.file +
        "' is planned already, so the unplanned program cannot be made from "
        "it; give the tensor form, here or by --unplanned=FILE");
  if (!flags.irFile.empty()) {
    llvm::Error error = writeFile(flags.irFile, [&](llvm::raw_ostream &os) {
      compiler.prepared().print(os);
    });
    if (error)
      return runtime::invalid(llvm::toString(std::move(error)));
    if (!flags.emitsOnly())
      return std::optional<RunPrograms>();
  }
  if (!flags.emitsOnly())
    if (Status status = checkFeed(compiler); !status.ok())
      return status;
  RunPrograms programs;
  if (Status status = compile(compiler, programs); !status.ok())
    return status;
  if (flags.emitsOnly()) {
    if (Status status = emit(compiler, programs); !status.ok())
      return status;
    return std::optional<RunPrograms>();
  }
  if (flags.jit) {
    Result<StepCode> code = compiler.code();
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
  runtime::registerBuiltInBackends();
  Result<std::optional<RunPrograms>> programs =
      CompileTool(options, *flags).run();
  StopSignals::forgetInterrupt();
  return programs;
}
} // namespace memplan
