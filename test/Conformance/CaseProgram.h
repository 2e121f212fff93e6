//===- CaseProgram.h - Programs that run one case ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_CONFORMANCE_CASEPROGRAM_H
#define MEMPLAN_TEST_CONFORMANCE_CASEPROGRAM_H

#include "Case.h"

#include "memplan/Runtime/Execute/Executor.h"

namespace memplan::runtime::conformance {

/// The instruction of a case: inputs are arguments, outputs lie one after the
/// other in arena 0, except that output alias.output lies on input alias.input.
/// Each begins `shift` elements after a multiple of 256 bytes.
Program caseProgram(const Case &test, const memplan_in_place_t *alias = nullptr,
                    int64_t shift = 0);

/// Gives each instruction the scratch that the device wants, in arena 0.
Status addWorkspace(const Device &device, Program &program);

/// Runs the case; the outputs as bytes, in order. Unwritten output bytes would
/// show as NaN.
Result<std::vector<std::vector<std::byte>>>
runCase(const Device &device, const Case &test,
        const memplan_in_place_t *alias = nullptr, int64_t shift = 0);

std::vector<std::byte> toBytes(const TestTensor &tensor);
Values toValues(const std::vector<std::byte> &bytes, DType dtype);

} // namespace memplan::runtime::conformance

#endif // MEMPLAN_TEST_CONFORMANCE_CASEPROGRAM_H
