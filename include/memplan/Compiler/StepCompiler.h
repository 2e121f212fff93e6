//===- StepCompiler.h - From MLIR to what runs ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler as a library. It prints nothing and keeps nothing outside its
// objects. What is wrong with a program is a diagnostic of the caller's
// MLIRContext, whose handlers see it. What is wrong with anything else is the
// status. A program that links built-in backends registers them first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_STEPCOMPILER_H
#define MEMPLAN_COMPILER_STEPCOMPILER_H

#include "memplan/Compiler/Passes.h"
#include "memplan/Compiler/StepCode.h"
#include "memplan/Graph/Graph.h"
#include "memplan/Plan/Plan.h"
#include "memplan/Planner/Options.h"
#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Program/Program.h"
#include "memplan/Runtime/Support/Status.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <optional>
#include <string>

namespace memplan {

/// What a step is compiled for, and how it is planned.
struct CompileOptions {
  PlanOptions plan;
  /// The budget as a share of the bytes that are free on the backend's device
  /// when the step is read. That is before anything of it lies there. Unset:
  /// plan's.
  std::optional<Percentage> budgetOfDevice;
  /// Where the plan is written; empty: nowhere.
  std::string planFile;
  /// Backend whose scratch memory the plan holds, a name for Device::open();
  /// "none": of no library.
  std::string backend = "none";
  int32_t device = 0;
  int32_t threads = 1; ///< of the kernels, on which their scratch depends
  /// The step, where the module has several public functions.
  std::string function;
  /// A pipeline that runs on the module first, of passes that are registered;
  /// empty: none.
  std::string passes;
};

/// What a context needs in which steps are compiled.
mlir::DialectRegistry compilerDialects();

/// One step on its way. Each form is made when it is asked for first.
class StepCompiler {
public:
  /// `context` has compilerDialects() and must outlive the compiler.
  StepCompiler(mlir::MLIRContext &context, CompileOptions options)
      : context(context), options(std::move(options)) {}

  /// Reads a module and prepares its step: calls inlined, the backward pass
  /// added where there is a loss, the scratch of the backend set. To be called
  /// once, and before all others.
  runtime::Status readFile(const std::string &path);
  /// The same from text, which diagnostics call `name`.
  runtime::Status readText(llvm::StringRef text, llvm::StringRef name);

  /// The step was planned when it was read. It is run as it is.
  bool isPlanned() const;
  /// The prepared module, for printing.
  mlir::ModuleOp prepared() const { return *module; }
  /// The graph that planners see. Once a plan was made it is the one that the
  /// plan is of, with its costs and parts. An error for a planned step.
  runtime::Result<Graph> graph();

  /// The planned function, which has been verified.
  runtime::Result<mlir::func::FuncOp> planned();
  /// The plan that it follows; an error for a step that was planned when it was
  /// read.
  runtime::Result<Plan> plan();
  /// By node of graph(): the file and line that its operation's location names,
  /// "model.py:17", or "". Empty for a planned step.
  std::vector<std::string> sources();
  /// The plan without steps that says why none was made, once that was tried;
  /// null where there is a plan, or where something else failed.
  const Plan *refusal() const;
  runtime::Result<runtime::Program> program();
  /// The same step without a plan, every value with bytes of its own; an error
  /// for a step that was planned when it was read.
  runtime::Result<runtime::Program> unplannedProgram();
  /// The same with what a codec put into the step when it was planned. Its
  /// values are those of the plan, bit for bit. Nothing where no codec did.
  runtime::Result<std::optional<runtime::Program>> unplannedEncodedProgram();
  /// Code of the planned step in this process, which calls the runtime for
  /// every launch.
  runtime::Result<StepCode> code();
  /// The same code and its table as a shared library.
  runtime::Status writeLibrary(const std::string &path);

private:
  runtime::Status read(std::unique_ptr<llvm::MemoryBuffer> source);
  runtime::Status prepare();
  /// Where scratch and variants of kernels come from.
  mlir::memplan::SetWorkspacesPassOptions workspaces() const;
  /// Plans the prepared module.
  runtime::Result<mlir::OwningOpRef<mlir::ModuleOp>> makePlan();
  runtime::Status takeBudgetOf(const runtime::Device &device);
  /// A status for what a diagnostic has explained.
  runtime::Status explained() const;
  /// The one function of `searched` that is the step.
  runtime::Result<mlir::func::FuncOp> findStep(mlir::ModuleOp searched) const;
  /// A copy of `from`, after `pass` on its step.
  runtime::Result<mlir::OwningOpRef<mlir::ModuleOp>>
  runOnCopyOf(mlir::ModuleOp from, std::unique_ptr<mlir::Pass> pass);
  runtime::Result<runtime::Program> unplannedProgramOf(mlir::ModuleOp from);
  runtime::Result<runtime::Program> lower(mlir::ModuleOp from) const;
  runtime::Result<mlir::OwningOpRef<mlir::ModuleOp>> lowerToLLVM();

  mlir::MLIRContext &context;
  CompileOptions options;
  std::string name; ///< of the source
  mlir::OwningOpRef<mlir::ModuleOp> module, plannedModule;
  mlir::OwningOpRef<mlir::ModuleOp> encodedModule; ///< none without a codec
  std::optional<Graph> plannedGraph;
  std::optional<Plan> madePlan;
};

} // namespace memplan

#endif // MEMPLAN_COMPILER_STEPCOMPILER_H
