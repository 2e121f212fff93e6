//===- CudaBackend.cpp - The backend cuda ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"
#include "Graphs.h"
#include "Kernel.h"
#include "Memory.h"
#include "Queues.h"
#include "Widened.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace memplan::runtime;
using namespace memplan::runtime::cuda;

/// Text of the last device_count or create that failed.
static thread_local char openError[1024] = "";

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// No driver, no GPU, or the toolkit's stand-in for the driver: no devices, and
/// no error.
static memplan_status_t deviceCount(int32_t *count) {
  openError[0] = 0;
  if (planningOnly()) {
    *count = 1;
    return MEMPLAN_OK;
  }
  int devices = 0;
  cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess) {
    cudaGetLastError();
    devices = 0;
    std::snprintf(openError, sizeof(openError), "no CUDA device: %s",
                  cudaGetErrorString(code));
  }
  *count = devices;
  return MEMPLAN_OK;
}

static memplan_status_t create(int32_t number, int32_t,
                               memplan_device_t **result) {
  int32_t count = 0;
  deviceCount(&count);
  if (number < 0 || number >= count) {
    std::snprintf(openError, sizeof(openError),
                  "there are %d CUDA devices, no number %d", count, number);
    return MEMPLAN_UNAVAILABLE;
  }
  auto device = std::make_unique<Device>(number, planningOnly());
  if (memplan_status_t status = device->open(); status != MEMPLAN_OK) {
    std::memcpy(openError, device->error, sizeof(openError));
    return status;
  }
  *result = reinterpret_cast<memplan_device_t *>(device.release());
  return MEMPLAN_OK;
}

static void destroy(memplan_device_t *device) { delete &self(device); }

static const char *lastError(memplan_device_t *device) {
  return device ? self(device).error : openError;
}

static const char *deviceName(memplan_device_t *device) {
  return self(device).name;
}

static const char *versions(memplan_device_t *device) {
  return self(device).versions.c_str();
}

static const char *deviceModel(memplan_device_t *device) {
  return self(device).model.c_str();
}

static memplan_status_t overheadBytes(memplan_device_t *device,
                                      memplan_overhead_t *overhead) {
  *overhead = self(device).overhead;
  return MEMPLAN_OK;
}

static memplan_status_t usableBytes(memplan_device_t *device, int64_t *bytes) {
  size_t available = 0, total = 0;
  if (memplan_status_t status = self(device).enter(); status != MEMPLAN_OK)
    return status;
  memplan_status_t status =
      self(device).check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  *bytes = int64_t(available);
  return status;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// All kernels; of equal names, those of libraries come first. Never destroyed:
/// a program may release what it prepared while it ends.
static const std::vector<Kernel> &kernelTable() {
  static const std::vector<Kernel> &table =
      []() -> const std::vector<Kernel> & {
    auto &all = *new std::vector<Kernel>;
    for (KernelTable list : {fusedMatmulKernels(),
                             blasKernels(),
                             dnnKernels(),
                             activationKernels(),
                             arithmeticKernels(),
                             flashAttentionKernels(),
                             attentionKernels(),
                             batchNormKernels(),
                             broadcastKernels(),
                             castKernels(),
                             directConvolutionKernels(),
                             embeddingKernels(),
                             generatorKernels(),
                             indexKernels(),
                             layerNormKernels(),
                             lossKernels(),
                             mapKernels(),
                             movementKernels(),
                             ncclKernels(),
                             plainMatmulKernels(),
                             poolKernels(),
                             reduceKernels(),
                             softmaxKernels(),
                             updateKernels()})
      all.insert(all.end(), list.begin(), list.end());
    return all;
  }();
  return table;
}

/// The checks that every backend makes: counts, types, shapes, attributes,
/// aliases.
static memplan_status_t checkDescription(Device &cuda,
                                         const memplan_launch_t *description) {
  const kernels::Signature *signature =
      kernels::findSignature(description->kernel);
  if (!signature)
    return cuda.fail(MEMPLAN_UNAVAILABLE, "no kernel '%s' in this backend",
                     description->kernel);
  if (const memplan_in_place_t *alias =
          kernels::forbiddenAlias(description, signature->inPlace))
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT,
                     "kernel '%s' cannot write output %d over input %d",
                     description->kernel, alias->output, alias->input);
  memplan_launch_t mine = *description;
  mine.error = cuda.error;
  mine.error_bytes = sizeof(cuda.error);
  return signature->check(&mine);
}

namespace {
/// What prepare leaves: which kernel, and that kernel's own state.
struct PreparedKernel {
  const Kernel *kernel;
  void *state;
  std::unique_ptr<WideLaunch> wide; ///< null: operands are as the kernel's

  /// Copies in f32 read what waiting updates write.
  bool joinsUpdates() const { return kernel->joinsUpdates && !wide; }
  /// `start` is the kernel's launch or load.
  memplan_status_t run(const Call &call,
                       memplan_status_t (*start)(const Call &call)) const {
    if (wide)
      return wide->launch(call, state, start);
    memplan_launch_t mine = *call.launch;
    mine.state = state;
    return start({&mine, call.device});
  }
};
} // namespace

/// The kernels of a name in the order in which they are tried.
static std::vector<const Kernel *> candidates(const char *name) {
  std::vector<const Kernel *> found;
  for (const Kernel &kernel : kernelTable())
    if (std::strcmp(kernel.name, name) == 0)
      found.push_back(&kernel);
  return found;
}

void cuda::releaseStage(void *state) {
  auto *prepared = static_cast<PreparedKernel *>(state);
  if (prepared && prepared->kernel->destroy)
    prepared->kernel->destroy(prepared->state);
  delete prepared;
}

/// Loads the code that a launch starts, on operands that are somewhere.
static memplan_status_t load(Device &cuda, const PreparedKernel &prepared,
                             const memplan_launch_t *description) {
  if (cuda.planOnly)
    return MEMPLAN_OK;
  std::vector<memplan_tensor_t> tensors(
      description->inputs, description->inputs + description->input_count);
  tensors.insert(tensors.end(), description->outputs,
                 description->outputs + description->output_count);
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i].data = reinterpret_cast<void *>((i + 1) * 256);
  memplan_launch_t mine = *description;
  mine.inputs = tensors.data();
  mine.outputs = mine.inputs + mine.input_count;
  mine.workspace = reinterpret_cast<void *>((tensors.size() + 1) * 256);
  const Kernel &kernel = *prepared.kernel;
  const int64_t before = cuda.freeBytes();
  cuda.loads = true;
  cuda.loadStatus = MEMPLAN_OK;
  memplan_status_t status =
      prepared.run({&mine, cuda}, kernel.load ? kernel.load : kernel.launch);
  cuda.loads = false;
  cuda.overhead.code_bytes += before - cuda.freeBytes();
  return status == MEMPLAN_OK ? cuda.loadStatus : status;
}

/// The launch in f32, where elements are of 16 bits and the kernel's are not.
static std::unique_ptr<WideLaunch>
widenFor(const Kernel &kernel, const memplan_launch_t *description) {
  return kernel.takesHalves || !firstHalf(description)
             ? nullptr
             : std::make_unique<WideLaunch>(description);
}

memplan_status_t cuda::prepareStage(Device &cuda,
                                    const memplan_launch_t *description,
                                    memplan_prepared_t *prepared) {
  memplan_status_t status = checkDescription(cuda, description);
  if (status != MEMPLAN_OK)
    return status;
  std::vector<const Kernel *> found = candidates(description->kernel);
  for (const Kernel *kernel : found) {
    if (description->variant && !kernel->variants)
      continue;
    memplan_prepared_t own = {};
    std::unique_ptr<WideLaunch> wide = widenFor(*kernel, description);
    const memplan_launch_t *seen = wide ? wide->description() : description;
    status = kernel->prepare ? kernel->prepare(cuda, seen, &own) : MEMPLAN_OK;
    const int64_t copies = wide ? wide->copyBytes() : 0;
    if (own.wanted_workspace_bytes > 0)
      own.wanted_workspace_bytes += copies;
    // What the first, fastest kernel or algorithm would have taken.
    int64_t &wanted = prepared->wanted_workspace_bytes;
    wanted = wanted ? wanted : own.wanted_workspace_bytes;
    if (status == MEMPLAN_UNAVAILABLE)
      continue;
    if (status != MEMPLAN_OK)
      return status;
    own.workspace_bytes += copies;
    // A plan that gives no scratch runs on the plugin's own kernels, slower.
    if (own.workspace_bytes > description->workspace_bytes &&
        kernel != found.back() && !description->variant) {
      if (kernel->destroy)
        kernel->destroy(own.state);
      wanted = wanted ? wanted : own.workspace_bytes;
      continue;
    }
    auto *made = new PreparedKernel{kernel, own.state, std::move(wide)};
    prepared->state = made;
    prepared->workspace_bytes = own.workspace_bytes;
    prepared->variant = own.variant;
    // Copies in f32 are aligned.
    prepared->operand_alignment = made->wide ? 0 : own.operand_alignment;
    status = load(cuda, *made, description);
    if (status != MEMPLAN_OK)
      releaseStage(std::exchange(prepared->state, nullptr));
    return status;
  }
  if (description->variant)
    return cuda.fail(MEMPLAN_UNAVAILABLE,
                     "no kernel '%s' in this backend has the variant '%s' that "
                     "was planned: plan again for this device",
                     description->kernel, description->variant);
  return cuda.fail(MEMPLAN_UNAVAILABLE,
                   "no kernel '%s' in this backend takes these operands",
                   description->kernel);
}

memplan_status_t cuda::launchStage(const Call &call) {
  const auto *prepared =
      static_cast<const PreparedKernel *>(call.launch->state);
  return prepared->run(call, prepared->kernel->launch);
}

static void release(memplan_device_t *, void *state) { releaseStage(state); }

static memplan_status_t prepare(memplan_device_t *device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.planOnly ? MEMPLAN_OK : cuda.enter();
  return status == MEMPLAN_OK ? prepareStage(cuda, description, prepared)
                              : status;
}

static memplan_status_t listVariants(memplan_device_t *device,
                                     const memplan_launch_t *description,
                                     const memplan_variant_t **variants,
                                     int32_t *count) {
  Device &cuda = self(device);
  cuda.variants.clear();
  memplan_status_t status = checkDescription(cuda, description);
  for (const Kernel *kernel : candidates(description->kernel)) {
    if (status != MEMPLAN_OK || !cuda.variants.empty() || !kernel->variants)
      continue;
    const std::unique_ptr<WideLaunch> wide = widenFor(*kernel, description);
    status = kernel->variants(cuda, wide ? wide->description() : description,
                              cuda.variants);
    for (memplan_variant_t &variant : cuda.variants)
      variant.workspace_bytes += wide ? wide->copyBytes() : 0;
  }
  *variants = cuda.variants.data();
  *count = int32_t(cuda.variants.size());
  return status;
}

static memplan_status_t describeDevice(memplan_device_t *device,
                                       const char **text) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.planOnly ? MEMPLAN_OK : cuda.enter();
  if (status == MEMPLAN_OK)
    status = describeByDnn(cuda, cuda.description);
  *text = cuda.description.c_str();
  return status;
}

static int32_t onlyPlans(memplan_device_t *device) {
  return self(device).planOnly;
}

static const char *faultText(int32_t fault) {
  switch (fault) {
  case LabelOutOfRange:
    return "a label of a cross entropy is neither ignored nor a class";
  case IdOutOfRange:
    return "an id of an embedding is not a row of the table, or an index of a "
           "gather or scatter is outside of its line";
  case PoolIndexOutOfRange:
    return "an index of a max pool lies outside of its window or of the image";
  default:
    return "the step of an Adam update is below 1; updates are counted from 1";
  }
}

/// Waits for a stream, and reports what kernels found wrong in their data since
/// the last time.
static memplan_status_t waitFor(Device &cuda, cudaStream_t stream,
                                const char *what) {
  memplan_status_t status =
      cuda.check(cudaMemcpyAsync(cuda.faultOnHost, cuda.fault, sizeof(int32_t),
                                 cudaMemcpyDeviceToHost, stream),
                 what);
  if (status == MEMPLAN_OK)
    status = cuda.check(cudaStreamSynchronize(stream), what);
  if (status != MEMPLAN_OK || *cuda.faultOnHost == NoFault)
    return status;
  status = cuda.check(cudaMemsetAsync(cuda.fault, 0, sizeof(int32_t), stream),
                      "cudaMemsetAsync");
  return status != MEMPLAN_OK ? status
                              : cuda.fail(MEMPLAN_INVALID_ARGUMENT, "%s",
                                          faultText(*cuda.faultOnHost));
}

static memplan_status_t launch(memplan_device_t *device,
                               const memplan_launch_t *launch) {
  Device &cuda = self(device);
  const auto *prepared = static_cast<const PreparedKernel *>(launch->state);
  if (memplan_status_t status = cuda.enter(prepared->joinsUpdates());
      status != MEMPLAN_OK)
    return status;
  if (launch->stream < 0 ||
      (cuda.inQueues && size_t(launch->stream) >= cuda.streams.size()))
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT, "no stream %d", launch->stream);
  memplan_launch_t mine = *launch;
  // Outside of queues launches are in order, whatever streams they name.
  cuda.stream = cuda.streams[cuda.inQueues ? size_t(launch->stream) : 0];
  mine.stream_handle = cuda.stream;
  memplan_status_t status =
      prepared->run({&mine, cuda}, prepared->kernel->launch);
  cuda.stream = cuda.streams[0];
  // A library that fails may have found the context gone.
  if (!cuda.lost)
    if (cudaError_t code = cudaGetLastError(); code != cudaSuccess)
      status = cuda.check(code, launch->kernel);
  if (status == MEMPLAN_OK && cuda.waits)
    status = waitFor(cuda, static_cast<cudaStream_t>(mine.stream_handle),
                     "the wait");
  return status;
}

static memplan_status_t synchronize(memplan_device_t *device) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  if (status == MEMPLAN_OK)
    status = joinQueues(cuda);
  return status == MEMPLAN_OK
             ? waitFor(cuda, cuda.stream, "the wait for a step")
             : status;
}

/// On the first stream, between two events.
static memplan_status_t timeLaunches(memplan_device_t *device,
                                     const memplan_launch_t *timed,
                                     int32_t count, double *micros) {
  Device &cuda = self(device);
  memplan_status_t status = synchronize(device);
  for (cudaEvent_t &event : cuda.clock)
    if (status == MEMPLAN_OK && !event)
      status = cuda.check(cudaEventCreateWithFlags(&event, cudaEventDefault),
                          "cudaEventCreateWithFlags");
  auto read = [&](cudaEvent_t event) {
    if (status == MEMPLAN_OK)
      status = cuda.check(cudaEventRecord(event, cuda.streams[0]),
                          "cudaEventRecord");
  };
  read(cuda.clock[0]);
  for (int32_t i = 0; i < count && status == MEMPLAN_OK; ++i)
    status = launch(device, timed);
  if (status == MEMPLAN_OK)
    status = cuda.enter(); // what waits is timed too
  read(cuda.clock[1]);
  if (status == MEMPLAN_OK)
    status = synchronize(device);
  float millis = 0;
  if (status == MEMPLAN_OK)
    status =
        cuda.check(cudaEventElapsedTime(&millis, cuda.clock[0], cuda.clock[1]),
                   "cudaEventElapsedTime");
  *micros = double(millis) * 1e3;
  return status;
}

/// Sorted, without repetition.
static const std::vector<const char *> &kernelNames() {
  static const std::vector<const char *> names = [] {
    std::set<std::string_view> sorted;
    for (const Kernel &kernel : kernelTable())
      sorted.insert(kernel.name);
    std::vector<const char *> names;
    for (std::string_view name : sorted)
      names.push_back(name.data());
    return names;
  }();
  return names;
}

static int32_t kernelCount(memplan_device_t *) {
  return int32_t(kernelNames().size());
}

static const char *kernelName(memplan_device_t *, int32_t kernel) {
  return kernel >= 0 && kernel < kernelCount(nullptr)
             ? kernelNames()[size_t(kernel)]
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static memplan_backend_t makeTable() {
  // Needs no driver.
  static const std::string version = [] {
    int number = 0;
    cudaRuntimeGetVersion(&number);
    return "CUDA " + std::to_string(number / 1000) + "." +
           std::to_string(number % 1000 / 10);
  }();
  memplan_backend_t table = {};
  table.abi_version = MEMPLAN_BACKEND_ABI_VERSION;
  table.struct_bytes = int32_t(sizeof(memplan_backend_t));
  table.name = "cuda";
  table.version = version.c_str();
  table.device_count = deviceCount;
  table.create = create;
  table.destroy = destroy;
  table.last_error = lastError;
  table.device_name = deviceName;
  table.usable_bytes = usableBytes;
  table.alloc = allocateBlock;
  table.free = freeBlock;
  table.check_guards = checkGuards;
  table.copy_in = copyIn;
  table.copy_out = copyOut;
  table.copy = copyOnDevice;
  table.fill = fillBytes;
  table.prepare = prepare;
  table.launch = launch;
  table.release = release;
  table.synchronize = synchronize;
  table.kernel_count = kernelCount;
  table.kernel_name = kernelName;
  table.event_record = recordEvent;
  table.event_wait = waitForEvent;
  table.begin_queues = beginQueues;
  table.copy_async = copyAsync;
  table.alloc_host = allocateHostBlock;
  table.free_host = freeHostBlock;
  table.versions = versions;
  table.overhead_bytes = overheadBytes;
  table.allocation_bytes = 2 << 20;
  table.begin_capture = beginCapture;
  table.end_capture = endCapture;
  table.replay = replay;
  table.release_graph = releaseGraph;
  table.list_variants = listVariants;
  table.describe_device = describeDevice;
  table.only_plans = onlyPlans;
  table.time_launches = timeLaunches;
  table.device_model = deviceModel;
  return table;
}

extern "C" __attribute__((visibility("default"))) const memplan_backend_t *
memplan_backend_v1(void) {
  static const memplan_backend_t table = makeTable();
  return &table;
}
