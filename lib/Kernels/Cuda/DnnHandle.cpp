//===- DnnHandle.cpp - cuDNN, opened --------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DnnHandle.h"

#include "DnnEngines.h"
#include "Symbols.h"

#include <fstream>
#include <sstream>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace memplan::runtime::cuda {

std::string loadDnn(DnnLibrary &f) {
  SharedLibrary library(MEMPLAN_CUDNN_FILE, "cudnnCreate");
  library.symbol("cudnnCreate", f.create);
  library.symbol("cudnnDestroy", f.destroy);
  library.symbol("cudnnGetProperty", f.property);
  library.symbol("cudnnSetStream", f.setStream);
  library.symbol("cudnnGetErrorString", f.text);
  library.symbol("cudnnCreateTensorDescriptor", f.createTensor);
  library.symbol("cudnnSetTensor4dDescriptor", f.setTensor);
  library.symbol("cudnnDestroyTensorDescriptor", f.destroyTensor);
  library.symbol("cudnnCreateFilterDescriptor", f.createFilter);
  library.symbol("cudnnSetFilter4dDescriptor", f.setFilter);
  library.symbol("cudnnDestroyFilterDescriptor", f.destroyFilter);
  library.symbol("cudnnCreateConvolutionDescriptor", f.createConvolution);
  library.symbol("cudnnSetConvolution2dDescriptor", f.setConvolution);
  library.symbol("cudnnSetConvolutionGroupCount", f.setGroups);
  library.symbol("cudnnSetConvolutionMathType", f.setMath);
  library.symbol("cudnnDestroyConvolutionDescriptor", f.destroyConvolution);
  library.symbol("cudnnGetConvolutionForwardWorkspaceSize", f.forwardBytes);
  library.symbol("cudnnGetConvolutionBackwardDataWorkspaceSize", f.dataBytes);
  library.symbol("cudnnGetConvolutionBackwardFilterWorkspaceSize",
                 f.filterBytes);
  library.symbol("cudnnConvolutionForward", f.forward);
  library.symbol("cudnnConvolutionBackwardData", f.backwardData);
  library.symbol("cudnnConvolutionBackwardFilter", f.backwardFilter);
  const std::string why = library.reason();
  // Whether there is a backend interface shows when a device is described.
  library.symbol("cudnnBackendCreateDescriptor", f.createDescriptor);
  library.symbol("cudnnBackendDestroyDescriptor", f.destroyDescriptor);
  library.symbol("cudnnBackendSetAttribute", f.setAttribute);
  library.symbol("cudnnBackendGetAttribute", f.getAttribute);
  library.symbol("cudnnBackendFinalize", f.finalize);
  library.symbol("cudnnBackendExecute", f.execute);
  if (!library.complete())
    f.createDescriptor = nullptr;
  return why;
}

DnnHandle::~DnnHandle() {
  engines.reset();
  if (handle)
    library.destroy(handle);
}

cudnnHandle_t DnnHandle::on(cudaStream_t wanted) {
  // It fails only for handles that are none.
  if (stream != wanted)
    library.setStream(handle, wanted);
  stream = wanted;
  return handle;
}

static void addVersion(Device &device, const DnnLibrary &library) {
  int major = 0, minor = 0, patch = 0;
  library.property(MAJOR_VERSION, &major);
  library.property(MINOR_VERSION, &minor);
  library.property(PATCH_LEVEL, &patch);
  device.addVersion("cuDNN", major, minor, patch);
}

memplan_status_t openDnn(Device &device) {
  if (!mayUseLibrary("cudnn"))
    return MEMPLAN_OK;
  auto dnn = std::make_shared<DnnHandle>();
  const DnnLibrary &library = dnn->library;
  if (std::string why = loadDnn(dnn->library); !why.empty())
    return device.noLibrary("cuDNN", "cudnn", why);
  cudnnStatus_t code = library.create(&dnn->handle);
  if (code == CUDNN_STATUS_SUCCESS)
    code = library.setStream(dnn->handle, device.stream);
  if (code != CUDNN_STATUS_SUCCESS)
    return device.noLibrary("cuDNN", "cudnn",
                            std::string("cudnnCreate: ") + library.text(code));
  addVersion(device, library);
  dnn->stream = device.stream;
  if (library.createDescriptor) {
    auto engines = std::make_shared<DnnEngines>(library);
    if (engines->take(device.number) == CUDNN_STATUS_SUCCESS)
      dnn->engines = std::move(engines);
  }
  device.dnn = std::move(dnn);
  return MEMPLAN_OK;
}

memplan_status_t openDescribed(Device &device, const std::string &file) {
  auto failed = [&](const std::string &why) {
    return device.fail(MEMPLAN_UNAVAILABLE,
                       "MEMPLAN_CUDA_DEVICE=%s cannot be planned for: %s",
                       file.c_str(), why.c_str());
  };
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in)
    return failed("the file cannot be read");
  device.nameDescribed(text.str());
  if (!mayUseLibrary("cudnn"))
    return MEMPLAN_OK;
  auto dnn = std::make_shared<DnnHandle>();
  const DnnLibrary &library = dnn->library;
  if (std::string why = loadDnn(dnn->library); !why.empty())
    return failed("cuDNN cannot be used: " + why);
  addVersion(device, library);
  if (!library.createDescriptor)
    return failed("it takes cuDNN 9.8 or newer, and there is " +
                  device.versions);
  auto engines = std::make_shared<DnnEngines>(library);
  if (cudnnStatus_t code = engines->take(text.str());
      code != CUDNN_STATUS_SUCCESS)
    return failed(std::string("cuDNN refuses the description: ") +
                  library.text(code) +
                  "; --emit-device records one, and it takes cuDNN 9.8 or "
                  "newer");
  dnn->engines = std::move(engines);
  device.dnn = std::move(dnn);
  return MEMPLAN_OK;
}

memplan_status_t describeByDnn(Device &device, std::string &text) {
  text =
      device.dnn && device.dnn->engines ? device.dnn->engines->describe() : "";
  return text.empty()
             ? device.fail(MEMPLAN_UNAVAILABLE,
                           "a device is described by cuDNN 9.8 or newer, and "
                           "there is %s",
                           device.versions.c_str())
             : MEMPLAN_OK;
}

} // namespace memplan::runtime::cuda
