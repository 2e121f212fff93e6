//===- Case.h - One call of a kernel and what it must give ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_CONFORMANCE_CASE_H
#define MEMPLAN_TEST_CONFORMANCE_CASE_H

#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Program/Program.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace memplan::runtime::conformance {

using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

/// A tensor by its values; integers are exact in double.
struct TestTensor {
  Shape shape;
  Values values;
  DType dtype = DType::F32;
};

struct Case {
  std::string kernel;  ///< "memplan.relu"
  std::string variant; ///< what is special: "stride 2, groups"
  std::vector<TestTensor> inputs;
  std::vector<TestTensor> outputs; ///< with the expected values
  std::vector<Attribute> attributes;
  /// Largest |found - expected| over 1 + |expected|.
  double tolerance = 2e-5;
  /// Set where any output shape is legal, so that none can be refused.
  bool anyOutputShape = false;
};

int64_t count(const Shape &shape);

/// Reproducible values in [low, high), as f32 holds them.
TestTensor random(const Shape &shape, uint64_t seed, double low = -1,
                  double high = 1);
/// Reproducible integers in [0, high).
TestTensor randomInts(const Shape &shape, uint64_t seed, int64_t high);
/// The value as f32 holds it.
double rounded(double value);
/// The nearest number of a real type, ties to even: by arithmetic in double,
/// where the kernels work on bits.
double nearest(double value, DType type);

/// A kernel's formula in double: all outputs from all inputs.
using Formula =
    std::function<std::vector<TestTensor>(const std::vector<TestTensor> &)>;

/// The same on images and filters whose channels come last.
Case withChannelsLast(Case test);

/// The case that `formula` says is right.
Case makeCase(std::string kernel, std::string variant,
              std::vector<TestTensor> inputs, std::vector<Attribute> attributes,
              const Formula &formula);

/// The gradient of sum(outputGrad * output 0 of forward) by input `wanted`, by
/// central differences in double: independent of every gradient kernel.
TestTensor numericGradient(const Formula &forward,
                           std::vector<TestTensor> inputs, size_t wanted,
                           const TestTensor &outputGrad);

Attribute attribute(std::string name, AttributeValue value);

/// All cases, by family. Every kernel of the plain table has at least one.
const std::vector<Case> &allCases();
/// Those of kernels that the device's backend has.
std::vector<Case> casesOf(const Device &device);

void addActivationCases(std::vector<Case> &cases);
void addArithmeticCases(std::vector<Case> &cases);
void addAttentionCases(std::vector<Case> &cases);
void addCastCases(std::vector<Case> &cases);
void addCodecCases(std::vector<Case> &cases);
void addCollectiveCases(std::vector<Case> &cases);
void addConvolutionCases(std::vector<Case> &cases);
void addEmbeddingCases(std::vector<Case> &cases);
void addGeneratorCases(std::vector<Case> &cases);
void addIndexCases(std::vector<Case> &cases);
void addLossCases(std::vector<Case> &cases);
void addMapCases(std::vector<Case> &cases);
void addMatmulCases(std::vector<Case> &cases);
void addMovementCases(std::vector<Case> &cases);
void addNormalizationCases(std::vector<Case> &cases);
void addPoolingCases(std::vector<Case> &cases);
void addReductionCases(std::vector<Case> &cases);
void addSoftmaxCases(std::vector<Case> &cases);
void addUpdateCases(std::vector<Case> &cases);

} // namespace memplan::runtime::conformance

#endif // MEMPLAN_TEST_CONFORMANCE_CASE_H
