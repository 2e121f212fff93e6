//===- MemplanToRuntime.h - Planned IR to programs --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CONVERSION_MEMPLANTORUNTIME_H
#define MEMPLAN_CONVERSION_MEMPLANTORUNTIME_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Runtime/Program/Program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::memplan {

/// Writes a planned function (memref form, one arena, constant offsets) as a
/// program table. The table passes Program::check(), or a diagnostic says which
/// operation cannot be expressed. Examples: an operand that is not a view of an
/// arena or an argument, an element type without kernels, an op of another
/// dialect.
FailureOr<::memplan::runtime::Program> buildProgram(func::FuncOp planned);

/// The launch of an operation in either form, with types and attributes but no
/// places: what a backend is asked about before anything is planned.
FailureOr<::memplan::runtime::Instruction>
describeLaunch(PlannableOpInterface op);

/// The text under which the operation's launch is measured, in either form:
/// what the runtime writes into profiles. Nothing for an operation that no
/// kernel can take.
std::optional<std::string> profileKey(PlannableOpInterface op);

/// Names of what a module made by buildStepModule() exports.
inline constexpr llvm::StringLiteral kStepSymbol = "memplan_step";
inline constexpr llvm::StringLiteral kProgramSymbol = "memplan_program";
inline constexpr llvm::StringLiteral kProgramBytesSymbol =
    "memplan_program_bytes";

/// The same table as code in the LLVM dialect:
///
///   i32 memplan_step(ptr context, ptr launch, ptr arenas, ptr arguments,
///                    ptr constants)
///
/// calls `launch(context, instruction, operands)` for each instruction in order
/// and returns the first status that is not 0. `operands` holds base + constant
/// offset of every input, output and workspace. `arenas` and `arguments` are
/// arrays of base pointers. The module needs no symbol from outside. It carries
/// the table itself as `memplan_program`, so that a library made of it is
/// complete.
OwningOpRef<ModuleOp>
buildStepModule(MLIRContext *context,
                const ::memplan::runtime::Program &program);

} // namespace mlir::memplan

#endif // MEMPLAN_CONVERSION_MEMPLANTORUNTIME_H
