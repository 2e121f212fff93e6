//===- DnnDescriptor.h - Descriptors of cuDNN's backend interface ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_DNNDESCRIPTOR_H
#define MEMPLAN_LIB_KERNELS_CUDA_DNNDESCRIPTOR_H

#include "DnnHandle.h"

#include <utility>
#include <vector>

namespace memplan::runtime::cuda {

/// One descriptor. Its first failure stays and makes later calls do nothing.
class DnnDescriptor {
public:
  DnnDescriptor(const DnnLibrary &library, cudnnBackendDescriptorType_t type)
      : library(&library), code(library.createDescriptor(type, &descriptor)) {}
  DnnDescriptor(DnnDescriptor &&other) noexcept
      : library(other.library),
        descriptor(std::exchange(other.descriptor, nullptr)), code(other.code) {
  }
  ~DnnDescriptor() {
    if (descriptor)
      library->destroyDescriptor(descriptor);
  }

  DnnDescriptor &set(cudnnBackendAttributeName_t name,
                     cudnnBackendAttributeType_t type, int64_t count,
                     const void *data) {
    if (isOk())
      code = library->setAttribute(descriptor, name, type, count, data);
    return *this;
  }
  DnnDescriptor &ints(cudnnBackendAttributeName_t name,
                      const std::vector<int64_t> &values) {
    return set(name, CUDNN_TYPE_INT64, int64_t(values.size()), values.data());
  }
  DnnDescriptor &link(cudnnBackendAttributeName_t name,
                      const DnnDescriptor &other) {
    return require(other).set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                              &other.descriptor);
  }
  /// Fails where `other` did.
  DnnDescriptor &require(const DnnDescriptor &other) {
    if (isOk())
      code = other.code;
    return *this;
  }
  DnnDescriptor &finalize() {
    if (isOk())
      code = library->finalize(descriptor);
    return *this;
  }

  /// Reads up to `most` entries; how many there were, 0 where it fails.
  int64_t get(cudnnBackendAttributeName_t name,
              cudnnBackendAttributeType_t type, int64_t most,
              void *data) const {
    int64_t count = 0;
    return isOk() && library->getAttribute(descriptor, name, type, most, &count,
                                           data) == CUDNN_STATUS_SUCCESS
               ? count
               : 0;
  }
  int64_t integer(cudnnBackendAttributeName_t name) const {
    int64_t value = 0;
    return get(name, CUDNN_TYPE_INT64, 1, &value) == 1 ? value : 0;
  }
  /// The descriptors in an attribute, up to `most` of them.
  std::vector<DnnDescriptor> children(cudnnBackendAttributeName_t name,
                                      cudnnBackendDescriptorType_t type,
                                      int64_t most) const {
    std::vector<DnnDescriptor> made;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (int64_t i = 0; i < most; ++i) {
      made.emplace_back(*library, type);
      raw.push_back(made.back().descriptor);
    }
    const int64_t count =
        get(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, raw.data());
    while (int64_t(made.size()) > count)
      made.pop_back();
    return made;
  }

  bool isOk() const { return code == CUDNN_STATUS_SUCCESS; }
  cudnnStatus_t status() const { return code; }
  cudnnBackendDescriptor_t raw() const { return descriptor; }

private:
  const DnnLibrary *library;
  cudnnBackendDescriptor_t descriptor = nullptr;
  cudnnStatus_t code;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_DNNDESCRIPTOR_H
