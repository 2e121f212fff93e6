//===- DnnEngines.h - Implementations of convolutions in cuDNN --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuDNN has many engines for a convolution, each with knobs. Its backend
// interface lists them with their exact scratch for a device that is described
// by a text, so that a plan for a GPU needs none. A name of a variant says all
// that builds it again: "cudnn:70:2=4,18=0" is engine 70 with knobs 2 and 18.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_DNNENGINES_H
#define MEMPLAN_LIB_KERNELS_CUDA_DNNENGINES_H

#include "../Conv2dGeometry.h"
#include "DnnDescriptor.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace memplan::runtime::cuda {

/// Which of the three tensors of a convolution a launch computes; the result
/// also with its bias and the ReLU behind it.
enum class Direction { Forward, InputGrad, FilterGrad, ForwardBiasRelu };

struct DnnVariant {
  std::string name;
  int64_t workspaceBytes = 0;
  double slowdown = 1; ///< over the first
};

/// How elements are stored, and whether f32 may be multiplied as TF32. Sums are
/// f32.
struct DnnPrecision {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  bool allowsTf32 = false;

  bool isHalf() const { return type != CUDNN_DATA_FLOAT; }
  /// Whether engines may use tensor cores.
  bool allowsTensorCores() const { return isHalf() || allowsTf32; }
  /// What the address of each operand must be a multiple of. Tensor cores read
  /// 16 bytes at once; what multiplies f32 takes a view that begins at any
  /// element.
  int64_t alignmentBytes() const {
    constexpr int64_t vector = 16;
    return allowsTensorCores() ? vector : int64_t(sizeof(float));
  }
};

/// One convolution, dense in either layout, as cuDNN's graph of one operation,
/// or of three with what follows. The numbers of its tensors are 1 image, 2
/// filter, 3 result, 4 bias.
struct DnnGraph {
  DnnGraph(const DnnLibrary &library, const kernels::Conv2dGeometry &g,
           Direction direction, const DnnPrecision &precision);
  DnnPrecision precision;
  DnnDescriptor image, filter, result, convolution, operation, graph;
  /// Tensors, functions and operations of what follows.
  std::vector<DnnDescriptor> epilogue;

private:
  /// Links the sum with a bias and its ReLU behind the convolution's `sums`.
  void addEpilogue(const DnnLibrary &library, const kernels::Conv2dGeometry &g);
};

/// A variant of one convolution, ready to run.
class DnnPlan {
public:
  DnnPlan(const DnnLibrary &library, const DnnDescriptor &device,
          std::shared_ptr<const DnnGraph> graph, const std::string &name);

  /// What cuDNN says of it.
  cudnnStatus_t status() const { return plan.status(); }
  int64_t workspaceBytes() const { return scratchBytes; }
  const std::string &name() const { return variant; }
  const DnnPrecision &precision() const { return graph->precision; }
  /// Whether it adds the bias and takes the ReLU itself.
  bool hasEpilogue() const { return !graph->epilogue.empty(); }
  /// Image, filter and result, and the bias or null.
  using Operands = std::array<void *, 4>;
  /// Allocates nothing where the pointers are those of the launch before.
  cudnnStatus_t run(cudnnHandle_t handle, const Operands &operands,
                    void *workspace);

private:
  const DnnLibrary &library;
  std::shared_ptr<const DnnGraph> graph;
  std::string variant;
  DnnDescriptor engine, configuration, plan;
  std::vector<DnnDescriptor> knobs;
  int64_t scratchBytes = 0;
  Operands pointers = {};  ///< in `pack`
  void *scratch = nullptr; ///< likewise
  std::unique_ptr<DnnDescriptor> pack;
};

/// The engines for one device.
struct DnnEngines {
  explicit DnnEngines(const DnnLibrary &library)
      : library(library), device(library, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR) {
  }

  /// Takes GPU `number`, or the device that `text` describes.
  cudnnStatus_t take(int32_t number);
  cudnnStatus_t take(const std::string &text);
  /// The description of the device that was taken; "" where cuDNN gives none.
  std::string describe() const;

  /// What may run the convolution, from the one that cuDNN ranks first on;
  /// empty where it has none. Engines that add in no fixed order, round their
  /// operands more than `precision` allows or are compiled when they are first
  /// run are left out, the first unless MEMPLAN_CUDA_NONDETERMINISTIC is set.
  /// Listed once for each shape.
  const std::vector<DnnVariant> &variants(const kernels::Conv2dGeometry &g,
                                          Direction direction,
                                          const DnnPrecision &precision);
  std::unique_ptr<DnnPlan> plan(const kernels::Conv2dGeometry &g,
                                Direction direction,
                                const DnnPrecision &precision,
                                const std::string &name);

private:
  std::vector<DnnVariant>
  list(const std::shared_ptr<const DnnGraph> &graph) const;

  const DnnLibrary &library;
  DnnDescriptor device;
  std::map<std::vector<int64_t>, std::vector<DnnVariant>> listed;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_DNNENGINES_H
