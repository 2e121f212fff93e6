//===- Compiler.cpp - The compiler from C ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Compiler.h"
#include "PlannerHandles.h"
#include "RuntimeHandles.h"
#include "memplan/Compiler/StepCompiler.h"
#include "memplan/InitAll.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "mlir/IR/Diagnostics.h"
#include <mutex>

using namespace memplan;
using namespace memplan::capi;
using runtime::Result;
using runtime::Status;

//===----------------------------------------------------------------------===//
// Compilers
//===----------------------------------------------------------------------===//

struct memplan_compiler {
  /// In a context of its own, or in the caller's.
  explicit memplan_compiler(mlir::MLIRContext *given);
  ~memplan_compiler() { context->getDiagEngine().eraseHandler(handler); }

  /// What a failing call leaves behind: its first error, else its own text.
  memplan_status_t report(const Status &status);

  std::unique_ptr<mlir::MLIRContext> owned;
  mlir::MLIRContext *context;
  mlir::DiagnosticEngine::HandlerID handler;
  memplan_diagnostic_callback_t callback = nullptr;
  void *user = nullptr;
  std::string passes;
  std::string backend = "none";
  int32_t threads = 1;
  bool fuses = false;
  std::string firstError; ///< of the call that is under way

private:
  void tell(mlir::Diagnostic &diagnostic);
};

static int32_t severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return MEMPLAN_NOTE;
  case mlir::DiagnosticSeverity::Remark:
    return MEMPLAN_REMARK;
  case mlir::DiagnosticSeverity::Warning:
    return MEMPLAN_WARNING;
  case mlir::DiagnosticSeverity::Error:
    break;
  }
  return MEMPLAN_ERROR;
}

/// The first place in a file that the location names.
static mlir::FileLineColLoc placeOf(mlir::Location location) {
  mlir::FileLineColLoc found;
  location->walk([&](mlir::Location part) {
    found = mlir::dyn_cast<mlir::FileLineColLoc>(part);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

void memplan_compiler::tell(mlir::Diagnostic &diagnostic) {
  const std::string message = diagnostic.str();
  const mlir::FileLineColLoc place = placeOf(diagnostic.getLocation());
  const std::string file = place ? place.getFilename().str() : "";
  const int32_t line = place ? int32_t(place.getLine()) : 0;
  const int32_t column = place ? int32_t(place.getColumn()) : 0;
  const int32_t severity = severityOf(diagnostic.getSeverity());
  if (severity == MEMPLAN_ERROR && firstError.empty())
    firstError = (place ? file + ":" + std::to_string(line) + ":" +
                              std::to_string(column) + ": "
                        : "") +
                 message;
  if (callback) {
    const memplan_diagnostic_t said = {int32_t(sizeof(memplan_diagnostic_t)),
                                       severity,
                                       message.c_str(),
                                       file.c_str(),
                                       line,
                                       column};
    callback(user, &said);
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    tell(note);
}

memplan_compiler::memplan_compiler(mlir::MLIRContext *given)
    : owned(given ? nullptr
                  : std::make_unique<mlir::MLIRContext>(
                        compilerDialects(),
                        mlir::MLIRContext::Threading::DISABLED)),
      context(given ? given : owned.get()) {
  if (given)
    given->appendDialectRegistry(compilerDialects());
  handler = context->getDiagEngine().registerHandler(
      [this](mlir::Diagnostic &diagnostic) { tell(diagnostic); });
}

memplan_status_t memplan_compiler::report(const Status &status) {
  if (status.ok())
    return MEMPLAN_OK;
  return memplan_set_last_error(status.code, firstError.empty()
                                                 ? status.message.c_str()
                                                 : firstError.c_str());
}

memplan_status_t
memplan_compiler_create_in_context(void *mlir_context,
                                   memplan_compiler_t **compiler) {
  clear(compiler);
  return guardLlvm([&] {
    if (!compiler)
      return refuse("memplan_compiler_create got a null pointer");
    // MLIR has one table of passes for the process, with no lock.
    static std::once_flag once;
    std::call_once(once, [] {
      mlir::memplan::registerAllPasses();
      runtime::registerBuiltInBackends();
    });
    *compiler =
        new memplan_compiler(static_cast<mlir::MLIRContext *>(mlir_context));
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_compiler_create(memplan_compiler_t **compiler) {
  return memplan_compiler_create_in_context(nullptr, compiler);
}

void memplan_compiler_destroy(memplan_compiler_t *compiler) { delete compiler; }

memplan_status_t
memplan_compiler_set_diagnostics(memplan_compiler_t *compiler,
                                 memplan_diagnostic_callback_t callback,
                                 void *user) {
  return guardLlvm([&] {
    if (!compiler)
      return refuse("memplan_compiler_set_diagnostics got a null pointer");
    compiler->callback = callback;
    compiler->user = user;
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_compiler_set_passes(memplan_compiler_t *compiler,
                                             const char *pipeline) {
  return guardLlvm([&] {
    if (!compiler || !pipeline)
      return refuse("memplan_compiler_set_passes got a null pointer");
    compiler->passes = pipeline;
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_compiler_set_backend(memplan_compiler_t *compiler,
                                              const char *backend,
                                              int32_t threads) {
  return guardLlvm([&] {
    if (!compiler || !backend || threads < 0)
      return refuse("memplan_compiler_set_backend got a null pointer or a "
                    "negative number of threads");
    compiler->backend = backend;
    compiler->threads = std::max(threads, 1);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_compiler_set_fusion(memplan_compiler_t *compiler,
                                             int32_t fuses) {
  return guardLlvm([&] {
    if (!compiler)
      return refuse("memplan_compiler_set_fusion got a null pointer");
    compiler->fuses = fuses != 0;
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

struct memplan_step {
  memplan_compiler *owner;
  StepCompiler compiler;
};

memplan_status_t memplan_step_read(memplan_compiler_t *compiler,
                                   const char *bytes, int64_t byte_count,
                                   const char *name,
                                   const memplan_options_t *options,
                                   memplan_step_t **step) {
  clear(step);
  return guardLlvm([&] {
    if (!compiler || !bytes || byte_count < 0 || !step)
      return refuse("memplan_step_read got a null pointer or a negative size");
    CompileOptions compile;
    if (options)
      compile.plan = options->forPlanning();
    compile.plan.fuse = compiler->fuses;
    compile.passes = compiler->passes;
    compile.backend = compiler->backend;
    compile.threads = compiler->threads;
    std::unique_ptr<memplan_step> made(new memplan_step{
        compiler, StepCompiler(*compiler->context, std::move(compile))});
    compiler->firstError.clear();
    Status status = made->compiler.readText(
        llvm::StringRef(bytes, size_t(byte_count)), name ? name : "step.mlir");
    if (!status.ok())
      return compiler->report(status);
    *step = made.release();
    return MEMPLAN_OK;
  });
}

void memplan_step_destroy(memplan_step_t *step) { delete step; }

int32_t memplan_step_is_planned(const memplan_step_t *step) {
  return step && step->compiler.isPlanned();
}

/// Checks the pointers, and hands what `make` makes of the step to `give`.
template <typename Make, typename Give>
static memplan_status_t make(memplan_step_t *step, const void *to,
                             const char *function, Make make,
                             Give give) noexcept {
  return guardLlvm([&] {
    if (!step || !to)
      return refuse((std::string(function) + " got a null pointer").c_str());
    step->owner->firstError.clear();
    auto made = make(step->compiler);
    return made ? give(*made) : step->owner->report(made.error());
  });
}

memplan_status_t memplan_step_prepared_ir(memplan_step_t *step, char **text,
                                          int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return guardLlvm([&] {
    if (!step || !text)
      return refuse("memplan_step_prepared_ir got a null pointer");
    return giveText(textOf([&](llvm::raw_ostream &os) {
                      step->compiler.prepared().print(os);
                    }),
                    text, byte_count);
  });
}

memplan_status_t memplan_step_planned_ir(memplan_step_t *step, char **text,
                                         int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return make(
      step, text, "memplan_step_planned_ir",
      [](StepCompiler &compiler) { return compiler.planned(); },
      [&](mlir::func::FuncOp function) {
        return giveText(textOf([&](llvm::raw_ostream &os) {
                          function->getParentOfType<mlir::ModuleOp>().print(os);
                        }),
                        text, byte_count);
      });
}

memplan_status_t memplan_step_graph(memplan_step_t *step,
                                    memplan_graph_t **graph) {
  clear(graph);
  return make(
      step, graph, "memplan_step_graph",
      [](StepCompiler &compiler) { return compiler.graph(); },
      [&](Graph &made) {
        *graph = new memplan_graph{std::move(made)};
        return MEMPLAN_OK;
      });
}

memplan_status_t memplan_step_plan(memplan_step_t *step,
                                   memplan_plan_t **plan) {
  clear(plan);
  return make(
      step, plan, "memplan_step_plan",
      [](StepCompiler &compiler) { return compiler.plan(); },
      [&](Plan &made) {
        *plan = new memplan_plan(std::move(made));
        return MEMPLAN_OK;
      });
}

memplan_status_t memplan_step_refusal(memplan_step_t *step,
                                      memplan_plan_t **plan) {
  clear(plan);
  return guardLlvm([&] {
    if (!step || !plan)
      return refuse("memplan_step_refusal got a null pointer");
    if (const Plan *refusal = step->compiler.refusal())
      *plan = new memplan_plan(*refusal);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_step_program(memplan_step_t *step,
                                      memplan_program_t **program) {
  clear(program);
  return make(
      step, program, "memplan_step_program",
      [](StepCompiler &compiler) { return compiler.program(); },
      [&](runtime::Program &made) {
        *program = new memplan_program{std::move(made)};
        return MEMPLAN_OK;
      });
}

memplan_status_t memplan_step_program_bytes(memplan_step_t *step, char **bytes,
                                            int64_t *byte_count) {
  clear(bytes);
  clear(byte_count);
  return make(
      step, bytes, "memplan_step_program_bytes",
      [](StepCompiler &compiler) { return compiler.program(); },
      [&](const runtime::Program &made) {
        const std::vector<std::byte> file = runtime::serializeProgram(made);
        return giveText(
            {reinterpret_cast<const char *>(file.data()), file.size()}, bytes,
            byte_count);
      });
}

memplan_status_t memplan_step_write_library(memplan_step_t *step,
                                            const char *path) {
  return guardLlvm([&] {
    if (!step || !path)
      return refuse("memplan_step_write_library got a null pointer");
    step->owner->firstError.clear();
    return step->owner->report(step->compiler.writeLibrary(path));
  });
}
