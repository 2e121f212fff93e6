//===- StepCompiler.cpp - From MLIR to what runs --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/StepCompiler.h"

#include "memplan/Bridge/GraphView.h"
#include "memplan/Compiler/SourcePositions.h"
#include "memplan/Compiler/Workspaces.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Conversion/Passes.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/InitAll.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Profile/CostModel.h"
#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Support/JsonWriter.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ::memplan;
using ::memplan::runtime::Program;
using ::memplan::runtime::Result;
using ::memplan::runtime::Status;

namespace memplan {
DialectRegistry compilerDialects() {
  DialectRegistry registry;
  mlir::memplan::registerAllDialects(registry);
  mlir::memplan::registerAllExtensions(registry);
  return registry;
}
} // namespace memplan

Status StepCompiler::explained() const {
  return runtime::invalid("'" + name + "' was not compiled, see above");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Status StepCompiler::readFile(const std::string &path) {
  name = path;
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(path, &reason);
  return source ? read(std::move(source)) : runtime::invalid(reason);
}

Status StepCompiler::readText(llvm::StringRef text, llvm::StringRef textName) {
  name = textName.str();
  return read(llvm::MemoryBuffer::getMemBufferCopy(text, textName));
}

Status StepCompiler::read(std::unique_ptr<llvm::MemoryBuffer> source) {
  llvm::MemoryBufferRef text = source->getMemBufferRef();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return explained();
  if (!isBytecode(text))
    addSourcePositions(*module, text);
  return prepare();
}

Status StepCompiler::takeBudgetOf(const runtime::Device &device) {
  const memplan_backend_t &table = device.backend();
  if (table.only_plans && table.only_plans(device.handle()))
    return runtime::invalid("a budget of the device is a share of its free "
                            "bytes, and " +
                            device.name() + " only plans: give bytes");
  int64_t freeBytes = 0;
  if (Status status = device.status(
          table.usable_bytes(device.handle(), &freeBytes), "its free bytes");
      !status.ok())
    return status;
  if (freeBytes <= 0)
    return runtime::invalid("backend '" + options.backend +
                            "' does not say how many bytes are free: give "
                            "the budget in bytes");
  options.plan.budgetBytes = options.budgetOfDevice->ofBytes(freeBytes);
  mlir::emitRemark(findStep(*module)->getLoc())
      << "the budget is " << *options.plan.budgetBytes << " bytes, "
      << printNumber(options.budgetOfDevice->percent) << "% of " << freeBytes
      << " that are free on " << device.name();
  return Status::success();
}

/// Says where times were measured on another device or with other libraries
/// than those that the step is compiled for.
static Status comparePriced(const runtime::Device &device,
                            const std::string &costModel, Location location) {
  llvm::Expected<CostModel> model = CostModel::parse(costModel);
  if (!model)
    return runtime::invalid(llvm::toString(model.takeError()));
  const DeviceProfile *profile = model->measured();
  if (!profile)
    return Status::success();
  const std::string versions = device.versions();
  const bool isOther =
      profile->plannedFor.empty()
          ? profile->device != device.name() ||
                (!profile->versions.empty() && profile->versions != versions)
          : !device.differenceFrom(profile->plannedFor).empty();
  if (isOther)
    mlir::emitWarning(location)
        << "times are those of " << profile->device << " with "
        << (profile->versions.empty() ? "unknown versions" : profile->versions)
        << ", and the step is compiled for " << device.name() << " with "
        << versions << ": measure again by --profile";
  return Status::success();
}

Status StepCompiler::prepare() {
  PassManager passes(&context);
  std::string wrong;
  llvm::raw_string_ostream errors(wrong);
  if (!options.passes.empty() &&
      mlir::failed(parsePassPipeline(options.passes, passes, errors)))
    return runtime::invalid("the passes '" + options.passes + "': " + wrong);
  if (options.plan.batch > 0) {
    mlir::memplan::SetBatchPassOptions batch;
    batch.batch = options.plan.batch;
    passes.addNestedPass<func::FuncOp>(
        mlir::memplan::createSetBatchPass(batch));
  }
  mlir::memplan::buildPreparePipeline(passes, options.plan);
  if (mlir::failed(passes.run(*module)))
    return explained();
  Result<func::FuncOp> step = findStep(*module);
  if (!step)
    return step.error();
  if (options.backend == "none" || isPlanned())
    return options.budgetOfDevice
               ? runtime::invalid("a budget of the device needs a backend, and "
                                  "a step that is not planned yet")
               : Status::success();
  Result<runtime::Device> device =
      runtime::Device::open(options.backend, options.device, options.threads);
  if (!device)
    return device.error();
  const memplan_backend_t &table = device->backend();
  if (table.only_plans && table.only_plans(device->handle()))
    mlir::emitRemark(step->getLoc())
        << "scratch and variants are those of " << device->name();
  if (Status status =
          comparePriced(*device, options.plan.costModel, (*step)->getLoc());
      !status.ok())
    return status;
  if (options.budgetOfDevice)
    if (Status status = takeBudgetOf(*device); !status.ok())
      return status;
  if (const std::string named = device->plannedFor(); !named.empty())
    (*step)->setAttr(mlir::memplan::kDeviceAttrName,
                     StringAttr::get(&context, named));
  if (options.plan.parts == "auto" && !device->backend().takes_strides)
    options.plan.parts = "dense";
  return mlir::succeeded(
             mlir::memplan::setWorkspaces(*step, *device, workspaces().rows))
             ? Status::success()
             : explained();
}

mlir::memplan::SetWorkspacesPassOptions StepCompiler::workspaces() const {
  return {options.backend, options.device, options.threads,
          options.plan.parts == "auto" || options.plan.parts == "on"};
}

Result<func::FuncOp> StepCompiler::findStep(ModuleOp searched) const {
  SmallVector<func::FuncOp> steps;
  std::string names;
  for (auto function : searched.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (!options.function.empty() && function.getName() != options.function)
      continue;
    steps.push_back(function);
    names += (names.empty() ? "'" : ", '") + function.getName().str() + "'";
  }
  if (steps.size() == 1)
    return steps.front();
  if (steps.empty())
    return runtime::invalid(
        "'" + name + "' has no public function" +
        (options.function.empty() ? "" : " '" + options.function + "'") +
        " with a body");
  return runtime::invalid("'" + name + "' has several functions, " + names +
                          "; choose one by --function=NAME");
}

bool StepCompiler::isPlanned() const {
  return (*findStep(*module))->hasAttr(mlir::memplan::names::planned);
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

Result<Graph> StepCompiler::graph() {
  if (isPlanned())
    return runtime::invalid("'" + name +
                            "' is planned already, and a graph is "
                            "made from the tensor form");
  if (plannedGraph)
    return *plannedGraph;
  FailureOr<mlir::memplan::GraphView> view =
      mlir::memplan::extractGraph(*findStep(*module));
  if (mlir::failed(view))
    return explained();
  return std::move(view->graph);
}

Result<OwningOpRef<ModuleOp>>
StepCompiler::runOnCopyOf(ModuleOp from, std::unique_ptr<Pass> pass) {
  OwningOpRef<ModuleOp> copy = from.clone();
  PassManager passes(&context, func::FuncOp::getOperationName());
  passes.addPass(std::move(pass));
  if (mlir::failed(passes.run(*findStep(*copy))))
    return explained();
  return copy;
}

/// The step in a module of its own where a codec is in it; else nothing.
static OwningOpRef<ModuleOp> copyEncoded(func::FuncOp step) {
  if (step.getOps<mlir::memplan::EncodeBF16Op>().empty())
    return nullptr;
  OwningOpRef<ModuleOp> copy = ModuleOp::create(step.getLoc());
  copy->push_back(step.clone());
  return copy;
}

Result<OwningOpRef<ModuleOp>> StepCompiler::makePlan() {
  // What comes in planned may have been changed since: trust nothing.
  if (isPlanned())
    return runOnCopyOf(*module, mlir::memplan::createVerifyPlanPass());
  const auto hear = [&](func::FuncOp step, const Graph &graph,
                        const Plan &plan) {
    plannedGraph = graph;
    madePlan = plan;
    encodedModule = copyEncoded(step);
    // Planning may have taken apart what was fused.
    if (options.plan.fuse && !encodedModule) {
      OwningOpRef<func::FuncOp> copy = step.clone();
      findStep(*module)->getBody().takeBody(copy->getBody());
    }
  };
  mlir::memplan::ScratchSetter setScratch;
  if (options.plan.fuse)
    setScratch = [&](func::FuncOp step) {
      return mlir::memplan::setWorkspaces(step, workspaces());
    };
  return runOnCopyOf(
      *module, mlir::memplan::createPlanPass(options.plan, options.planFile,
                                             hear, std::move(setScratch)));
}

Result<func::FuncOp> StepCompiler::planned() {
  if (!plannedModule) {
    Result<OwningOpRef<ModuleOp>> made = makePlan();
    if (!made)
      return made.error();
    plannedModule = std::move(*made);
  }
  return findStep(*plannedModule);
}

Result<Plan> StepCompiler::plan() {
  if (isPlanned())
    return runtime::invalid("'" + name +
                            "' is planned already, and its plan is not known");
  if (Result<func::FuncOp> step = planned(); !step)
    return step.error();
  return *madePlan;
}

std::vector<std::string> StepCompiler::sources() {
  if (isPlanned())
    return {};
  Result<Graph> found = graph();
  return found
             ? mlir::memplan::sourcesOf(
                   *findStep(encodedModule ? *encodedModule : *module), *found)
             : std::vector<std::string>();
}

const Plan *StepCompiler::refusal() const {
  return madePlan && !hasSteps(madePlan->status) ? &*madePlan : nullptr;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

Result<Program> StepCompiler::lower(ModuleOp from) const {
  FailureOr<Program> program = mlir::memplan::buildProgram(*findStep(from));
  if (mlir::failed(program))
    return explained();
  return std::move(*program);
}

Result<Program> StepCompiler::program() {
  if (Result<func::FuncOp> step = planned(); !step)
    return step.error();
  return lower(*plannedModule);
}

/// Gives operations the implementations in which the plan runs them first, so
/// that the step without a plan computes the same bits.
static LogicalResult adoptVariants(func::FuncOp step, const Graph &graph,
                                   const Plan &plan) {
  auto isOther = [](const PlanAction &action) {
    return action.action == ActionKind::Compute && action.variant != 0;
  };
  if (llvm::none_of(plan.steps, isOther))
    return success();
  FailureOr<mlir::memplan::GraphView> view = mlir::memplan::extractGraph(step);
  if (mlir::failed(view))
    return failure();
  // A codec adds nodes; the step without one is compared by a tolerance.
  if (view->nodes.size() != graph.nodes.size())
    return success();
  Builder builder(step.getContext());
  for (const PlanAction &action : llvm::reverse(plan.steps)) {
    if (action.action != ActionKind::Compute)
      continue;
    Operation *op = view->nodes[action.node.index];
    auto list = op->getAttrOfType<ArrayAttr>(mlir::memplan::names::variants);
    if (!list || !isa<mlir::memplan::MemplanDialect>(op->getDialect()))
      continue;
    // The loop ends at the first run.
    const Node &node = view->graph[action.node];
    op->setAttr(
        "workspace_bytes",
        builder.getI64IntegerAttr(node.variant(action.variant).workspaceBytes));
    if (action.variant == 0)
      continue;
    auto chosen = cast<DictionaryAttr>(list[action.variant - 1]);
    if (auto name = chosen.getAs<StringAttr>("name"))
      op->setAttr(mlir::memplan::kVariantAttrName, name);
  }
  return success();
}

Result<Program> StepCompiler::unplannedProgramOf(ModuleOp from) {
  if (isPlanned())
    return runtime::invalid("'" + name +
                            "' is planned already, so the "
                            "unplanned program cannot be made from it");
  OwningOpRef<ModuleOp> same;
  if (madePlan && plannedGraph) {
    same = from.clone();
    if (mlir::failed(adoptVariants(*findStep(*same), *plannedGraph, *madePlan)))
      return explained();
  }
  Result<OwningOpRef<ModuleOp>> naive =
      runOnCopyOf(same ? *same : from, mlir::memplan::createNaivePlanPass());
  return naive ? lower(**naive) : Result<Program>(naive.error());
}

Result<Program> StepCompiler::unplannedProgram() {
  return unplannedProgramOf(*module);
}

Result<std::optional<Program>> StepCompiler::unplannedEncodedProgram() {
  if (Result<func::FuncOp> step = planned(); !step)
    return step.error();
  if (!encodedModule)
    return std::optional<Program>();
  Result<Program> program = unplannedProgramOf(*encodedModule);
  if (!program)
    return program.error();
  return std::optional<Program>(std::move(*program));
}

Result<OwningOpRef<ModuleOp>> StepCompiler::lowerToLLVM() {
  Result<func::FuncOp> step = planned();
  if (!step)
    return step.error();
  OwningOpRef<ModuleOp> copy = plannedModule->clone();
  mlir::memplan::LowerToRuntimePassOptions lowering;
  lowering.function = step->getName().str();
  PassManager passes(&context);
  passes.addPass(mlir::memplan::createLowerToRuntimePass(lowering));
  if (mlir::failed(passes.run(*copy)))
    return explained();
  return copy;
}

Result<StepCode> StepCompiler::code() {
  Result<OwningOpRef<ModuleOp>> lowered = lowerToLLVM();
  return lowered ? compileStep(**lowered) : Result<StepCode>(lowered.error());
}

Status StepCompiler::writeLibrary(const std::string &path) {
  Result<OwningOpRef<ModuleOp>> lowered = lowerToLLVM();
  return lowered ? writeStepLibrary(**lowered, path) : lowered.error();
}
