//===- StreamMock.cpp - Streams that hold their work back -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamMock.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace {
/// What is captured, or was.
struct Graph {
  struct Node {
    void (*run)(const void *body);
    std::vector<std::byte> body;
    std::vector<int> inputs; ///< nodes that come before
  };
  std::vector<Node> nodes;
  bool isOpen = true;  ///< streams still add to it
  bool isValid = true; ///< nothing was asked for that no capture allows
};

struct Stream;
struct Event;

/// One entry of a stream: a body, or a wait for `until` entries of another one.
struct Entry {
  void (*run)(const void *body) = nullptr;
  size_t place = 0; ///< of the body in Stream::bodies
  bool isKernel = false;
  const Stream *other = nullptr;
  int64_t until = 0;
  Event *read = nullptr; ///< takes the time
};

/// Its number comes first: handles are read as numbers.
struct Stream {
  explicit Stream(int number) : number(number) {}

  int number;
  bool isOpen = true;
  std::vector<Entry> entries;
  std::vector<std::byte> bodies;
  size_t next = 0; ///< of `entries`
  int64_t issued = 0, done = 0;
  Graph *capture = nullptr;  ///< what is recorded instead of queued
  std::vector<int> frontier; ///< nodes that its next one waits for

  bool canRun() const {
    return next < entries.size() &&
           (!entries[next].other ||
            entries[next].other->done >= entries[next].until);
  }
};

struct Event {
  int number = 0;
  const Stream *stream = nullptr; ///< null: not recorded yet
  int64_t at = 0;
  Graph *capture = nullptr; ///< in which it was recorded
  std::vector<int> frontier;
  bool hasTime = false;
  double micros = 0; ///< of the clock when its stream came to it
};
} // namespace

/// Of the device: what kernels take, one after the other.
static double clockMicros = 0;

/// At most one capture is open.
static Graph *openCapture = nullptr;

/// Never freed: an event may name a stream that is gone.
static std::vector<Stream *> &streams() {
  static auto &all = *new std::vector<Stream *>;
  return all;
}

static Stream &streamOf(cudaStream_t stream) {
  // The legacy default stream, which the plugin must not use.
  static Stream &legacy = []() -> Stream & {
    streams().push_back(new Stream(-1));
    return *streams().back();
  }();
  if (!stream)
    ++cudaMock().misuses;
  return stream ? *reinterpret_cast<Stream *>(stream) : legacy;
}

static Stream &issue(cudaStream_t handle, const Entry &entry) {
  Stream &stream = streamOf(handle);
  stream.entries.push_back(entry);
  ++stream.issued;
  return stream;
}

/// Runs the next entry, whose wait is over.
static void step(Stream &stream) {
  const Entry entry = stream.entries[stream.next++];
  if (entry.run && cudaMock().lost == 0) {
    entry.run(stream.bodies.data() + entry.place);
    clockMicros += entry.isKernel ? cudaMock().kernelMicros : 0;
    if (entry.isKernel && --cudaMock().kernelsUntilFault == 0)
      cudaMock().lost = cudaMock().fault;
  }
  if (entry.read)
    entry.read->micros = clockMicros;
  ++stream.done;
  if (stream.next == stream.entries.size()) {
    stream.entries.clear();
    stream.bodies.clear();
    stream.next = 0;
  }
}

/// Any stream that can run, or null.
static Stream *pickAny() {
  static std::mt19937 random(1);
  const std::vector<Stream *> &all = streams();
  const size_t first = random() % all.size();
  for (size_t i = 0; i < all.size(); ++i)
    if (Stream *stream = all[(first + i) % all.size()]; stream->canRun())
      return stream;
  return nullptr;
}

static void force(Stream &stream, int64_t until) {
  while (stream.done < until) {
    Stream *next = &stream;
    if (cudaMock().order == CudaMock::AnyOrder)
      next = pickAny();
    else if (!stream.canRun())
      force(const_cast<Stream &>(*stream.entries[stream.next].other),
            stream.entries[stream.next].until);
    step(*next);
  }
}

/// What may happen before anything is forced.
static void runEarly() {
  const CudaMock &mock = cudaMock();
  static int64_t turn = 0;
  if (mock.order == CudaMock::AnyOrder && ++turn % 3 == 0)
    if (Stream *stream = pickAny())
      step(*stream);
  if (mock.order != CudaMock::OneLate)
    return;
  for (bool ran = true; ran;) {
    ran = false;
    for (Stream *stream : streams())
      for (; stream->number != mock.lateStream && stream->canRun(); ran = true)
        step(*stream);
  }
}

void mock::hold(cudaStream_t handle, const void *body, size_t bytes,
                void (*run)(const void *body), bool isKernel) {
  Stream &stream = streamOf(handle);
  if (stream.capture) {
    const auto *first = static_cast<const std::byte *>(body);
    stream.capture->nodes.push_back(
        {run, {first, first + bytes}, stream.frontier});
    stream.frontier = {int(stream.capture->nodes.size()) - 1};
    return;
  }
  const size_t place = (stream.bodies.size() + 15) / 16 * 16;
  stream.bodies.resize(place + bytes);
  std::memcpy(stream.bodies.data() + place, body, bytes);
  Entry entry;
  entry.run = run;
  entry.place = place;
  entry.isKernel = isKernel;
  issue(handle, entry);
  runEarly();
}

void mock::synchronize(cudaStream_t handle) {
  Stream &stream = streamOf(handle);
  force(stream, stream.issued);
}

void mock::synchronizeAll() {
  for (Stream *stream : streams())
    force(*stream, stream->issued);
}

int mock::numberOf(const void *handle) {
  return handle ? *static_cast<const int *>(handle) : -1;
}

/// The stream joins the capture of the event.
static cudaError_t join(Stream &stream, const Event &event, bool isDropped) {
  if (!event.capture)
    return cudaErrorStreamCaptureIsolation;
  if (!event.capture->isOpen ||
      (stream.capture && stream.capture != event.capture))
    return cudaErrorCapturedEvent;
  stream.capture = event.capture;
  if (!isDropped)
    stream.frontier.insert(stream.frontier.end(), event.frontier.begin(),
                           event.frontier.end());
  return cudaSuccess;
}

bool mock::refusesInCapture() {
  if (!openCapture)
    return false;
  openCapture->isValid = false;
  mock::give(cudaErrorStreamCaptureUnsupported);
  return true;
}

/// Whether everything that other streams recorded comes before the end of the
/// first one.
static bool isJoined(const Graph &graph, const std::vector<int> &frontier) {
  std::vector<bool> seen(graph.nodes.size());
  std::vector<int> open(frontier);
  while (!open.empty()) {
    const auto node = size_t(open.back());
    open.pop_back();
    if (seen[node])
      continue;
    seen[node] = true;
    open.insert(open.end(), graph.nodes[node].inputs.begin(),
                graph.nodes[node].inputs.end());
  }
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

/// All nodes, in an order that their edges allow.
static void runInRandomOrder(const Graph &graph) {
  static std::mt19937 random(2);
  std::vector<bool> done(graph.nodes.size());
  std::vector<size_t> order;
  for (size_t left = graph.nodes.size(); left > 0; --left) {
    std::vector<size_t> ready;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const std::vector<int> &inputs = graph.nodes[n].inputs;
      if (!done[n] && std::all_of(inputs.begin(), inputs.end(), [&](int input) {
            return done[size_t(input)];
          }))
        ready.push_back(n);
    }
    const size_t next = ready[random() % ready.size()];
    graph.nodes[next].run(graph.nodes[next].body.data());
    done[next] = true;
    order.push_back(next);
  }
  cudaMock().replayedOrders.insert(std::move(order));
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  Stream &stream = streamOf(handle);
  if (openCapture)
    return mock::give(cudaErrorIllegalState);
  stream.capture = openCapture = new Graph;
  stream.frontier.clear();
  return mock::give(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *result) {
  Graph *graph = streamOf(handle).capture;
  *result = nullptr;
  if (!graph)
    return mock::give(cudaErrorIllegalState);
  const bool joined = isJoined(*graph, streamOf(handle).frontier);
  for (Stream *stream : streams()) {
    stream->capture = nullptr;
    stream->frontier.clear();
  }
  openCapture = nullptr;
  graph->isOpen = false;
  if (!graph->isValid || !joined)
    return mock::give(joined ? cudaErrorStreamCaptureInvalidated
                             : cudaErrorStreamCaptureUnjoined);
  cudaMock().graphInputs.clear();
  for (const Graph::Node &node : graph->nodes)
    cudaMock().graphInputs.push_back(node.inputs);
  ++cudaMock().liveHandles;
  *result = reinterpret_cast<cudaGraph_t>(graph);
  return mock::give(cudaSuccess);
}

// Graphs are never freed: an event may name one.

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *result, cudaGraph_t graph,
                                 unsigned long long) {
  ++cudaMock().liveHandles;
  *result = reinterpret_cast<cudaGraphExec_t>(graph);
  return mock::give(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t) {
  --cudaMock().liveHandles;
  return mock::give(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  --cudaMock().liveHandles;
  return mock::give(cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  ++cudaMock().replays;
  const auto *graph = reinterpret_cast<const Graph *>(handle);
  mock::hold(stream, [graph] { runInRandomOrder(*graph); });
  return mock::give(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned) {
  CudaMock &mock = cudaMock();
  if (mock.streams == mock.mostStreams)
    return mock::give(cudaErrorMemoryAllocation);
  ++mock.liveHandles;
  streams().push_back(new Stream(int(mock.streams++)));
  *handle = reinterpret_cast<cudaStream_t>(streams().back());
  return mock::give(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Stream &stream = streamOf(handle);
  if (!stream.isOpen)
    return mock::give(cudaErrorInvalidResourceHandle);
  mock::synchronize(handle);
  --cudaMock().liveHandles;
  stream.isOpen = false;
  stream.number = -1;
  std::erase(streams(), &stream);
  return mock::give(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  if (mock::refusesInCapture())
    return cudaErrorStreamCaptureUnsupported;
  ++cudaMock().synchronizations;
  mock::note("synchronize " + std::to_string(mock::numberOf(handle)));
  mock::synchronize(handle);
  return mock::give(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags) {
  ++cudaMock().liveHandles;
  auto *event = new Event;
  event->number = int(cudaMock().events++);
  event->hasTime = (flags & cudaEventDisableTiming) == 0;
  *handle = reinterpret_cast<cudaEvent_t>(event);
  return mock::give(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  --cudaMock().liveHandles;
  delete reinterpret_cast<Event *>(handle);
  return mock::give(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  mock::note("record " + std::to_string(mock::numberOf(handle)) + " on " +
             std::to_string(mock::numberOf(stream)));
  Event &event = *reinterpret_cast<Event *>(handle);
  event.capture = streamOf(stream).capture;
  if (event.capture) {
    event.frontier = streamOf(stream).frontier;
    return mock::give(cudaSuccess);
  }
  Entry entry;
  entry.read = event.hasTime ? &event : nullptr;
  event.stream = &issue(stream, entry);
  event.at = event.stream->issued;
  runEarly();
  return mock::give(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float *millis, cudaEvent_t begin,
                                 cudaEvent_t end) {
  const Event &first = *reinterpret_cast<Event *>(begin);
  const Event &last = *reinterpret_cast<Event *>(end);
  for (const Event *event : {&first, &last})
    if (!event->hasTime || !event->stream)
      return mock::give(cudaErrorInvalidResourceHandle);
    else if (event->stream->done < event->at)
      return mock::give(cudaErrorNotReady);
  *millis = float((last.micros - first.micros) / 1000);
  return mock::give(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle,
                                unsigned) {
  mock::note("wait " + std::to_string(mock::numberOf(handle)) + " on " +
             std::to_string(mock::numberOf(stream)));
  const Event &event = *reinterpret_cast<Event *>(handle);
  Entry entry;
  entry.other = event.stream;
  entry.until = event.at;
  const bool isDropped = cudaMock().waits++ == cudaMock().droppedWait;
  if (event.capture || streamOf(stream).capture)
    return mock::give(join(streamOf(stream), event, isDropped));
  if (isDropped)
    entry.other = nullptr;
  issue(stream, entry);
  runEarly();
  return mock::give(cudaSuccess);
}

} // extern "C"
