//===- MlirFuzzTest.cpp - Programs that were tampered with ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IrTampering.h"
#include "memplan/InitAll.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace memplan::fuzz;
using namespace mlir;

namespace {

/// What is right, and what went wrong once.
std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const char *folder :
       {"Fuzz/corpus/mlir", "Bridge/Models/Inputs", "Transforms/Inputs"})
    for (const auto &entry : std::filesystem::directory_iterator(
             std::filesystem::path(MEMPLAN_TEST_DIR) / folder))
      if (entry.path().extension() == ".mlir")
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const std::filesystem::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in),
                       std::istreambuf_iterator<char>());
  }
  return files;
}

/// Roads from a function on tensors to the planned form, each of which extracts
/// graphs, plans, applies the plan and verifies what it wrote.
constexpr const char *annotated =
    "memplan-in-place,memplan-share{solver=counter},memplan-assign-offsets,"
    "memplan-apply";
const std::string roads[] = {
    "memplan-naive-plan",
    "memplan-plan{remat=checkpoint-all arena=greedy-by-size sharing=none}",
    "memplan-plan{remat=greedy budget=85% arena=greedy-by-size sharing=none "
    "parts=off}",
    annotated,
    std::string("memplan-remat{solver=greedy budget=90%},") + annotated};

class MlirFuzz : public ::testing::Test {
protected:
  MlirFuzz() {
    static const bool isRegistered = [] {
      mlir::memplan::registerAllPasses();
      return true;
    }();
    (void)isRegistered;
    DialectRegistry registry;
    mlir::memplan::registerAllDialects(registry);
    mlir::memplan::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      if (diag.getSeverity() == DiagnosticSeverity::Error)
        lastError = diag.str();
    });
  }

  std::string tamper(uint64_t seed, const std::vector<std::string> &files);
  void plan(const std::string &text, const std::string &road);
  bool run(ModuleOp module, const std::string &passes);

  MLIRContext context;
  std::string lastError;
  size_t planned = 0, refused = 0, notParsed = 0;
};

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

} // namespace

std::string MlirFuzz::tamper(uint64_t seed,
                             const std::vector<std::string> &files) {
  Tampering tampering(seed);
  std::string text = files[tampering.below(files.size())];
  if (tampering.below(4) == 0)
    return tampering.change(std::move(text), files);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return text;
  for (size_t i = 0, count = 1 + tampering.below(4); i < count; ++i)
    for (auto function : module->getOps<func::FuncOp>())
      if (!function.isExternal())
        IrTampering(tampering, function).changeOnce();
  return textOf(*module);
}

bool MlirFuzz::run(ModuleOp module, const std::string &passes) {
  PassManager manager(&context, ModuleOp::getOperationName());
  EXPECT_TRUE(
      succeeded(parsePassPipeline("func.func(" + passes + ")", manager)))
      << passes;
  lastError.clear();
  return succeeded(manager.run(module));
}

/// Either refused with a text, or planned, and then what was printed can be
/// read and verified by whoever gets it.
void MlirFuzz::plan(const std::string &text, const std::string &road) {
  lastError.clear();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ++notParsed;
    EXPECT_NE(lastError, "");
    return;
  }
  if (!run(*module, road)) {
    ++refused;
    EXPECT_NE(lastError, "") << "failed without a text:\n" << text;
    return;
  }
  ++planned;
  const std::string result = textOf(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(result, &context);
  ASSERT_TRUE(again) << lastError << "\n" << text << result;
  for (auto function : again->getOps<func::FuncOp>())
    if (!function.isExternal())
      EXPECT_TRUE(function->hasAttr("memplan.planned")) << text << result;
  EXPECT_TRUE(run(*again, "memplan-verify-plan")) << lastError << "\n"
                                                  << text << result;
}

// A program that somebody sends must never crash the planner, nor be planned
// wrongly. Runs MEMPLAN_FUZZ_COUNT programs, 300 by default, from
// MEMPLAN_FUZZ_SEED on.
TEST_F(MlirFuzz, plans_or_refuses_any_program) {
  const std::vector<std::string> files = corpus();
  ASSERT_FALSE(files.empty());
  for (const std::string &file : files)
    plan(file, roads[0]);
  ASSERT_EQ(planned, files.size()) << lastError;
  const char *count = std::getenv("MEMPLAN_FUZZ_COUNT");
  const char *first = std::getenv("MEMPLAN_FUZZ_SEED");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 1;
  const uint64_t end =
      begin + (count ? std::strtoull(count, nullptr, 10) : 300);
  for (uint64_t seed = begin; seed < end && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (std::getenv("MEMPLAN_FUZZ_VERBOSE"))
      fprintf(stderr, "mlir seed %llu\n", (unsigned long long)seed);
    plan(tamper(seed, files), roads[seed % std::size(roads)]);
  }
  printf("%zu planned, %zu refused, %zu not parsed\n", planned, refused,
         notParsed);
  // It would test nothing if hardly any program came through.
  if (end - begin >= 100)
    EXPECT_GT(planned * 8, end - begin);
}
