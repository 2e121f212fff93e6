//===- DnnEngines.cpp - Implementations of convolutions in cuDNN ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DnnEngines.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace memplan::runtime::cuda {

using kernels::Conv2dGeometry;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static DnnDescriptor describeTensor(const DnnLibrary &library, int64_t number,
                                    const DnnPrecision &precision,
                                    bool channelsLast,
                                    std::vector<int64_t> shape) {
  const auto [n, c, h, w] =
      kernels::denseStrides(shape[1], shape[2], shape[3], channelsLast);
  DnnDescriptor tensor(library, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor
      .set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1,
           &precision.type)
      .ints(CUDNN_ATTR_TENSOR_DIMENSIONS, shape)
      .ints(CUDNN_ATTR_TENSOR_STRIDES, {n, c, h, w})
      .ints(CUDNN_ATTR_TENSOR_UNIQUE_ID, {number})
      .ints(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {precision.alignmentBytes()})
      .finalize();
  return tensor;
}

/// A value between two operations, in f32.
static DnnDescriptor describeVirtual(const DnnLibrary &library, int64_t number,
                                     const Conv2dGeometry &g) {
  const auto [n, c, h, w] =
      kernels::denseStrides(g.o, g.ho, g.wo, g.channelsLast);
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  const bool isVirtual = true;
  DnnDescriptor tensor(library, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type)
      .ints(CUDNN_ATTR_TENSOR_DIMENSIONS, {g.n, g.o, g.ho, g.wo})
      .ints(CUDNN_ATTR_TENSOR_STRIDES, {n, c, h, w})
      .ints(CUDNN_ATTR_TENSOR_UNIQUE_ID, {number})
      .ints(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {int64_t(sizeof(float))})
      .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &isVirtual)
      .finalize();
  return tensor;
}

static DnnDescriptor describeFunction(const DnnLibrary &library,
                                      cudnnPointwiseMode_t mode) {
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  DnnDescriptor function(library, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  function.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &type)
      .finalize();
  return function;
}

static DnnDescriptor describeConvolution(const DnnLibrary &library,
                                         const Conv2dGeometry &g) {
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  DnnDescriptor convolution(library, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  convolution
      .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1,
           &mode)
      .ints(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2})
      .ints(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {g.strides.h, g.strides.w})
      .ints(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {g.padding.h, g.padding.w})
      .ints(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {g.padding.h, g.padding.w})
      .ints(CUDNN_ATTR_CONVOLUTION_DILATIONS, {g.dilation.h, g.dilation.w})
      .finalize();
  return convolution;
}

namespace {
/// What an operation is made of, by direction.
struct OperationNames {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t alpha, beta, convolution, image, filter, result;
};
} // namespace

static const OperationNames &namesOf(Direction direction) {
  static constexpr OperationNames names[] = {
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
       CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY}};
  return names[direction == Direction::ForwardBiasRelu ? 0 : int(direction)];
}

DnnGraph::DnnGraph(const DnnLibrary &library, const Conv2dGeometry &g,
                   Direction direction, const DnnPrecision &precision)
    : precision(precision),
      image(describeTensor(library, 1, precision, g.channelsLast,
                           {g.n, g.c, g.h, g.w})),
      filter(describeTensor(library, 2, precision, g.channelsLast,
                            {g.o, g.channelsPerGroup(), g.kh, g.kw})),
      result(describeTensor(library, 3, precision, g.channelsLast,
                            {g.n, g.o, g.ho, g.wo})),
      convolution(describeConvolution(library, g)),
      operation(library, namesOf(direction).type),
      graph(library, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR) {
  const bool isWhole = direction == Direction::ForwardBiasRelu;
  if (isWhole)
    epilogue.push_back(describeVirtual(library, 5, g));
  const OperationNames &names = namesOf(direction);
  const float one = 1, zero = 0;
  operation.set(names.alpha, CUDNN_TYPE_FLOAT, 1, &one)
      .set(names.beta, CUDNN_TYPE_FLOAT, 1, &zero)
      .link(names.convolution, convolution)
      .link(names.image, image)
      .link(names.filter, filter)
      .link(names.result, isWhole ? epilogue[0] : result)
      .finalize();
  if (isWhole)
    addEpilogue(library, g);
  else
    graph.link(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation).finalize();
}

void DnnGraph::addEpilogue(const DnnLibrary &library, const Conv2dGeometry &g) {
  DnnDescriptor bias = describeTensor(library, 4, precision, g.channelsLast,
                                      {1, g.o, 1, 1}),
                sums = describeVirtual(library, 6, g),
                add = describeFunction(library, CUDNN_POINTWISE_ADD),
                relu = describeFunction(library, CUDNN_POINTWISE_RELU_FWD),
                adding(library, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR),
                last(library, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  adding.link(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, add)
      .link(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, epilogue[0])
      .link(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, bias)
      .link(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, sums)
      .finalize();
  last.link(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, relu)
      .link(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, sums)
      .link(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, result)
      .finalize();
  const cudnnBackendDescriptor_t operations[] = {operation.raw(), adding.raw(),
                                                 last.raw()};
  graph.require(operation)
      .require(adding)
      .require(last)
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 3,
           operations)
      .finalize();
  for (DnnDescriptor *made : {&bias, &sums, &add, &relu, &adding, &last})
    epilogue.push_back(std::move(*made));
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
struct Knob {
  int64_t type, value;
};
/// What a name says.
struct EngineChoice {
  int64_t engine = -1;
  std::vector<Knob> knobs;
};
} // namespace

static constexpr std::string_view namePrefix = "cudnn:";

static std::string nameOf(const EngineChoice &choice) {
  std::string name =
      std::string(namePrefix) + std::to_string(choice.engine) + ":";
  for (size_t i = 0; i < choice.knobs.size(); ++i)
    name += (i ? "," : "") + std::to_string(choice.knobs[i].type) + "=" +
            std::to_string(choice.knobs[i].value);
  return name;
}

/// Engine -1 where the name is none of these.
static EngineChoice parseName(std::string_view name) {
  if (name.substr(0, namePrefix.size()) != namePrefix)
    return {};
  name.remove_prefix(namePrefix.size());
  auto integer = [&](int64_t &value) {
    auto [end, code] =
        std::from_chars(name.data(), name.data() + name.size(), value);
    name.remove_prefix(size_t(end - name.data()));
    return code == std::errc();
  };
  auto skip = [&](char c) {
    const bool is = !name.empty() && name.front() == c;
    name.remove_prefix(is);
    return is;
  };
  EngineChoice choice;
  if (!integer(choice.engine) || !skip(':'))
    return {};
  while (!name.empty()) {
    Knob knob;
    if ((!choice.knobs.empty() && !skip(',')) || !integer(knob.type) ||
        !skip('=') || !integer(knob.value))
      return {};
    choice.knobs.push_back(knob);
  }
  return choice;
}

DnnPlan::DnnPlan(const DnnLibrary &library, const DnnDescriptor &device,
                 std::shared_ptr<const DnnGraph> ofGraph,
                 const std::string &name)
    : library(library), graph(std::move(ofGraph)), variant(name),
      engine(library, CUDNN_BACKEND_ENGINE_DESCRIPTOR),
      configuration(library, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR),
      plan(library, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  const EngineChoice choice = parseName(name);
  engine.link(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph->graph)
      .ints(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {choice.engine})
      .link(CUDNN_ATTR_ENGINE_DEVICEPROP, device)
      .finalize();
  std::vector<cudnnBackendDescriptor_t> raw;
  for (const Knob &chosen : choice.knobs) {
    const auto type = cudnnBackendKnobType_t(chosen.type);
    DnnDescriptor &knob =
        knobs.emplace_back(library, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type)
        .ints(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, {chosen.value})
        .finalize();
    raw.push_back(knob.raw());
  }
  configuration.link(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  if (!raw.empty())
    configuration.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                      CUDNN_TYPE_BACKEND_DESCRIPTOR, int64_t(raw.size()),
                      raw.data());
  configuration.finalize();
  plan.link(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration)
      .link(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device)
      .finalize();
  scratchBytes = plan.integer(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
}

cudnnStatus_t DnnPlan::run(cudnnHandle_t handle, const Operands &operands,
                           void *workspace) {
  if (!pack || operands != pointers || workspace != scratch) {
    std::vector<int64_t> numbers = {1, 2, 3};
    if (hasEpilogue())
      numbers.push_back(4);
    pack = std::make_unique<DnnDescriptor>(
        library, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack->ints(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, numbers)
        .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
             int64_t(numbers.size()), operands.data())
        .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1,
             &workspace)
        .finalize();
    pointers = operands;
    scratch = workspace;
  }
  return pack->isOk() ? library.execute(handle, plan.raw(), pack->raw())
                      : pack->status();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

cudnnStatus_t DnnEngines::take(int32_t number) {
  return device
      .set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, CUDNN_TYPE_INT32, 1, &number)
      .finalize()
      .status();
}

cudnnStatus_t DnnEngines::take(const std::string &text) {
  return device
      .set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
           int64_t(text.size()), text.data())
      .finalize()
      .status();
}

std::string DnnEngines::describe() const {
  int64_t bytes = 0;
  if (!device.isOk() ||
      library.getAttribute(
          device.raw(), CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
          CUDNN_TYPE_CHAR, 0, &bytes, nullptr) != CUDNN_STATUS_SUCCESS)
    return "";
  std::string text(size_t(bytes), '\0');
  bytes = device.get(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                     bytes, text.data());
  text.resize(std::min(size_t(bytes), text.find('\0')));
  return text;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// More are never better: the first eight of a convolution span its scratch.
static constexpr size_t mostVariants = 8;
/// What one place in cuDNN's order costs, and the gap to what it does not rank:
/// guesses that keep the order until times are measured.
static constexpr double placeSlowdown = 0.05, unrankedSlowdown = 0.5;

/// Whether an engine multiplies elements as they stand, or as TF32 where that
/// is allowed, and adds them in f32, in equal bits each time.
static bool isAllowed(const DnnDescriptor &engine,
                      const DnnPrecision &precision) {
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
  const int64_t count =
      engine.get(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                 CUDNN_NUMERICAL_NOTE_TYPE_COUNT, notes);
  for (int64_t i = 0; i < count; ++i) {
    if (notes[i] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE &&
        !precision.allowsTensorCores())
      return false;
    if (notes[i] == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS ||
        notes[i] == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)
      return false;
    if (notes[i] == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC &&
        !isSet("MEMPLAN_CUDA_NONDETERMINISTIC"))
      return false;
  }
  cudnnBackendBehaviorNote_t behavior[CUDNN_BEHAVIOR_NOTE_TYPE_COUNT];
  const int64_t behaviors =
      engine.get(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE,
                 CUDNN_BEHAVIOR_NOTE_TYPE_COUNT, behavior);
  return std::none_of(behavior, behavior + behaviors, [](auto note) {
    return note == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION ||
           note == CUDNN_BEHAVIOR_NOTE_CUBLASLT_DEPENDENCY;
  });
}

/// What cuDNN's heuristics propose, as names of variants that are allowed.
static std::vector<std::string> ranked(const DnnLibrary &library,
                                       const DnnGraph &graph,
                                       const DnnDescriptor &device,
                                       cudnnBackendHeurMode_t mode) {
  DnnDescriptor heuristics(library, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.link(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode)
      .link(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device)
      .finalize();
  const int64_t count = heuristics.get(
      CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr);
  std::vector<std::string> names;
  for (const DnnDescriptor &proposal :
       heuristics.children(CUDNN_ATTR_ENGINEHEUR_RESULTS,
                           CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, count)) {
    std::vector<DnnDescriptor> engine = proposal.children(
        CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
    if (engine.empty() || !isAllowed(engine[0], graph.precision))
      continue;
    EngineChoice choice;
    choice.engine = engine[0].integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    for (const DnnDescriptor &knob : proposal.children(
             CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
             CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
      cudnnBackendKnobType_t type{};
      knob.get(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1,
               &type);
      choice.knobs.push_back(
          {int64_t(type), knob.integer(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE)});
    }
    names.push_back(nameOf(choice));
  }
  return names;
}

/// Every engine that is allowed, with the knobs that it has by itself.
static std::vector<std::string> unranked(const DnnLibrary &library,
                                         const DnnGraph &graph,
                                         const DnnDescriptor &device) {
  std::vector<std::string> names;
  const int64_t count =
      graph.graph.integer(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT);
  for (int64_t i = 0; i < count; ++i) {
    DnnDescriptor engine(library, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.link(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.graph)
        .ints(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {i})
        .link(CUDNN_ATTR_ENGINE_DEVICEPROP, device)
        .finalize();
    if (engine.isOk() && isAllowed(engine, graph.precision))
      names.push_back(nameOf({i, {}}));
  }
  return names;
}

/// A name without knobs of an engine that occurs with some: the same
/// engine once more.
static bool repeats(const std::string &name,
                    const std::vector<DnnVariant> &variants) {
  return std::any_of(variants.begin(), variants.end(),
                     [&](const DnnVariant &variant) {
                       return variant.name == name ||
                              (name.back() == ':' &&
                               variant.name.substr(0, name.size()) == name);
                     });
}

std::vector<DnnVariant>
DnnEngines::list(const std::shared_ptr<const DnnGraph> &graph) const {
  std::vector<DnnVariant> variants;
  auto add = [&](const std::vector<std::string> &names, double step) {
    for (const std::string &name : names) {
      if (variants.size() == mostVariants || repeats(name, variants))
        continue;
      // What is listed is what a launch builds from the name.
      DnnPlan plan(library, device, graph, name);
      if (plan.status() == CUDNN_STATUS_SUCCESS)
        variants.push_back(
            {name, plan.workspaceBytes(),
             variants.empty() ? 1 : variants.back().slowdown + step});
    }
  };
  add(ranked(library, *graph, device, CUDNN_HEUR_MODE_A), placeSlowdown);
  add(ranked(library, *graph, device, CUDNN_HEUR_MODE_FALLBACK),
      unrankedSlowdown);
  add(unranked(library, *graph, device), unrankedSlowdown);
  return variants;
}

const std::vector<DnnVariant> &
DnnEngines::variants(const Conv2dGeometry &g, Direction direction,
                     const DnnPrecision &precision) {
  const std::vector<int64_t> key = {int64_t(direction),
                                    int64_t(precision.type),
                                    precision.allowsTf32,
                                    g.channelsLast,
                                    g.n,
                                    g.c,
                                    g.h,
                                    g.w,
                                    g.o,
                                    g.kh,
                                    g.kw,
                                    g.groups,
                                    g.strides.h,
                                    g.strides.w,
                                    g.padding.h,
                                    g.padding.w,
                                    g.dilation.h,
                                    g.dilation.w,
                                    g.ho,
                                    g.wo};
  auto [found, isNew] = listed.try_emplace(key);
  if (isNew)
    found->second =
        list(std::make_shared<DnnGraph>(library, g, direction, precision));
  return found->second;
}

std::unique_ptr<DnnPlan> DnnEngines::plan(const Conv2dGeometry &g,
                                          Direction direction,
                                          const DnnPrecision &precision,
                                          const std::string &name) {
  return std::make_unique<DnnPlan>(
      library, device,
      std::make_shared<DnnGraph>(library, g, direction, precision), name);
}

} // namespace memplan::runtime::cuda
