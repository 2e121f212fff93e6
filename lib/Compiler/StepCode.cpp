//===- StepCode.cpp - Machine code of a step ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/StepCode.h"

#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/ReplaceFile.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace memplan;
using runtime::Status;

static Status failed(const llvm::Twine &message) {
  return {MEMPLAN_FAILED, message.str()};
}

/// Prepares the module's context, and this process, for machine code.
static void prepareTarget(mlir::ModuleOp lowered) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  lowered.getContext()->appendDialectRegistry(registry);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

runtime::Result<StepCode> memplan::compileStep(mlir::ModuleOp lowered) {
  prepareTarget(lowered);
  mlir::ExecutionEngineOptions options;
  // The step is a list of calls: nothing in it gains from optimization.
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::None;
  llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>> engine =
      mlir::ExecutionEngine::create(lowered, options);
  if (!engine)
    return failed("cannot compile the step: " +
                  llvm::toString(engine.takeError()));
  llvm::Expected<void *> symbol = (*engine)->lookup(mlir::memplan::kStepSymbol);
  if (!symbol)
    return failed("the compiled step has no entry: " +
                  llvm::toString(symbol.takeError()));
  StepCode code;
  code.step = reinterpret_cast<runtime::StepFunction>(*symbol);
  code.owner = std::move(*engine);
  return code;
}

/// Position-independent code of `module` for this machine's architecture.
static Status writeObject(llvm::Module &module, llvm::raw_fd_ostream &os) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return failed("no code generator for " + triple.str() + ": " + message);
  // The plain architecture, not this processor: the library goes elsewhere.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::None));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return failed("no object files for " + triple.str());
  passes.run(module);
  return Status::success();
}

/// A file that only this process knows, removed with it.
static Status makeTemporaryFile(llvm::StringRef suffix, int &descriptor,
                                llvm::SmallString<128> &path) {
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "memplan-step", suffix, descriptor, path))
    return failed("no temporary file: " + error.message());
  return Status::success();
}

static Status linkLibrary(llvm::StringRef object, llvm::StringRef library) {
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName("cc");
  if (!compiler)
    return {MEMPLAN_UNAVAILABLE,
            "a step library is linked by 'cc', which is not on the PATH; "
            "install a C compiler, or use --emit-program"};
  std::string message;
  llvm::StringRef arguments[] = {
      *compiler, "-shared", "-nostdlib", "-Wl,-z,noexecstack",
      "-o",      library,   object};
  int status = llvm::sys::ExecuteAndWait(*compiler, arguments, std::nullopt, {},
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                         &message);
  if (status != 0)
    return failed("linking the step library failed with status " +
                  llvm::Twine(status) + (message.empty() ? "" : ": ") +
                  message);
  return Status::success();
}

Status memplan::writeStepLibrary(mlir::ModuleOp lowered,
                                 const std::string &path) {
  prepareTarget(lowered);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(lowered, llvmContext, "memplan_step");
  if (!code)
    return failed("cannot translate the step to LLVM IR");
  int descriptor;
  llvm::SmallString<128> object, library;
  if (Status status = makeTemporaryFile("so", descriptor, library);
      !status.ok())
    return status;
  llvm::FileRemover libraryRemover(library);
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  if (Status status = makeTemporaryFile("o", descriptor, object); !status.ok())
    return status;
  llvm::FileRemover objectRemover(object);
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    if (Status status = writeObject(*code, os); !status.ok())
      return status;
  }
  if (Status status = linkLibrary(object, library); !status.ok())
    return status;
  // The linker writes in place, and processes may have the old one loaded.
  runtime::Result<std::vector<std::byte>> bytes =
      runtime::readFile(library.str().str());
  if (!bytes)
    return bytes.error();
  std::string error = replaceFile(path, *bytes, FileUse::Execute);
  return error.empty() ? Status::success() : runtime::invalid(error);
}
