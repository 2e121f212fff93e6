//===- Nccl.cpp - Sums over the GPUs of all ranks -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One communicator a device, opened with it where the environment names ranks:
// rank 0 makes its id and hands it to the others over sockets. Each rank has a
// GPU of its own. NCCL chooses the order of a sum; it is the same in each step.
//
//===----------------------------------------------------------------------===//

#include "../Ranks/Ranks.h"
#include "../Signature.h"
#include "Kernel.h"
#include "Symbols.h"

#include <nccl.h>

namespace memplan::runtime::cuda {

namespace {
struct NcclLibrary {
  decltype(ncclGetVersion) *version;
  decltype(ncclGetUniqueId) *makeId;
  decltype(ncclCommInitRank) *create;
  decltype(ncclCommDestroy) *destroy;
  decltype(ncclGetErrorString) *text;
  decltype(ncclAllReduce) *allReduce;
};
} // namespace

/// Why NCCL cannot be used; "" if it can.
static std::string load(NcclLibrary &f) {
  SharedLibrary library(MEMPLAN_NCCL_FILE, "ncclCommInitRank");
  library.symbol("ncclGetVersion", f.version);
  library.symbol("ncclGetUniqueId", f.makeId);
  library.symbol("ncclCommInitRank", f.create);
  library.symbol("ncclCommDestroy", f.destroy);
  library.symbol("ncclGetErrorString", f.text);
  library.symbol("ncclAllReduce", f.allReduce);
  return library.reason();
}

struct NcclHandle {
  NcclLibrary library = {};
  ncclComm_t communicator = nullptr;
  int ranks = 1;

  NcclHandle() = default;
  NcclHandle(const NcclHandle &) = delete;
  ~NcclHandle() {
    if (communicator)
      library.destroy(communicator);
  }
};

memplan_status_t openNccl(Device &device) {
  if (!ranks::Place::isGiven())
    return MEMPLAN_OK;
  std::string error;
  ranks::Ranks *ranks = ranks::ranksOfProcess(error);
  if (!ranks)
    return device.fail(MEMPLAN_INVALID_ARGUMENT, "%s", error.c_str());
  if (ranks->count() == 1)
    return MEMPLAN_OK;
  auto nccl = std::make_shared<NcclHandle>();
  const NcclLibrary &library = nccl->library;
  auto refuse = [&](const std::string &why) {
    return device.fail(MEMPLAN_UNAVAILABLE,
                       "NCCL cannot be used: %s. MEMPLAN_CUDA_LIBRARIES lists "
                       "folders to look in",
                       why.c_str());
  };
  if (std::string why = load(nccl->library); !why.empty())
    return refuse(why);
  ncclUniqueId id = {};
  ncclResult_t code = ranks->rank() == 0 ? library.makeId(&id) : ncclSuccess;
  if (code != ncclSuccess)
    return refuse(library.text(code));
  if (!ranks->broadcast(std::as_writable_bytes(std::span(id.internal))))
    return device.fail(MEMPLAN_FAILED, "%s", ranks->error().c_str());
  nccl->ranks = ranks->count();
  code = library.create(&nccl->communicator, ranks->count(), id, ranks->rank());
  if (code != ncclSuccess)
    return refuse(std::string("ncclCommInitRank: ") + library.text(code));
  int version = 0;
  library.version(&version);
  // 22809 is 2.28.9.
  device.addVersion("NCCL", version / 10000, version / 100 % 100,
                    version % 100);
  device.nccl = std::move(nccl);
  return MEMPLAN_OK;
}

static ncclDataType_t typeOf(const memplan_tensor_t &tensor) {
  return tensor.dtype == MEMPLAN_BF16  ? ncclBfloat16
         : tensor.dtype == MEMPLAN_F16 ? ncclFloat16
                                       : ncclFloat32;
}

static memplan_status_t refuseRanks(Device &device, int64_t wanted) {
  if (!device.nccl)
    return device.fail(MEMPLAN_INVALID_ARGUMENT,
                       "the program is for %lld ranks: start as many processes "
                       "with MEMPLAN_RANKS=%lld, MEMPLAN_RANK=0 and so on, and "
                       "MEMPLAN_RENDEZVOUS=HOST:PORT",
                       static_cast<long long>(wanted),
                       static_cast<long long>(wanted));
  return device.fail(MEMPLAN_INVALID_ARGUMENT,
                     "the program is for %lld ranks, but MEMPLAN_RANKS is %d",
                     static_cast<long long>(wanted), device.nccl->ranks);
}

/// A process that only plans has no ranks.
static memplan_status_t prepare(Device &device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *) {
  const int64_t wanted = intAttribute(description, "ranks", 1);
  return wanted == 1 || !device.nccl || device.nccl->ranks == wanted
             ? MEMPLAN_OK
             : refuseRanks(device, wanted);
}

static memplan_status_t loadNothing(const Call &) { return MEMPLAN_OK; }

static memplan_status_t allReduce(const Call &call) {
  const memplan_tensor_t &x = call.input(0), &y = call.output(0);
  const int64_t wanted = intAttribute(call.launch, "ranks", 1);
  if (wanted == 1)
    return x.data == y.data
               ? MEMPLAN_OK
               : call.device.copyAsync(y.data, x.data,
                                       elements(x) * elementBytes(x));
  if (!call.device.nccl || call.device.nccl->ranks != wanted)
    return refuseRanks(call.device, wanted);
  const NcclHandle &nccl = *call.device.nccl;
  const ncclResult_t code = nccl.library.allReduce(
      x.data, y.data, size_t(elements(x)), typeOf(x),
      kernels::takesMean(call.launch) ? ncclAvg : ncclSum, nccl.communicator,
      call.device.stream);
  if (code != ncclSuccess)
    return call.device.fail(MEMPLAN_FAILED, "ncclAllReduce: %s",
                            nccl.library.text(code));
  call.device.forgetLibraryError();
  return MEMPLAN_OK;
}

KernelTable ncclKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.all_reduce",
       .launch = allReduce,
       .prepare = prepare,
       .load = loadNothing,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
