//===- DnnGraphMock.cpp - The backend interface of cuDNN ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors hold what was set, as bytes. Five configurations of four engines
// stand in for cuDNN's: one rounds its operands, one adds in no fixed order,
// the others differ in scratch. All compute the same.
//
//===----------------------------------------------------------------------===//

#include "DnnMock.h"
#include "StreamMock.h"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {
struct Descriptor;
struct Attribute {
  cudnnBackendAttributeType_t type{};
  int64_t count = 0;
  std::vector<char> bytes;
  std::vector<std::shared_ptr<Descriptor>> children;
};
struct Descriptor {
  cudnnBackendDescriptorType_t type{};
  bool isFinal = false;
  std::map<int, Attribute> attributes;

  const Attribute &at(int name) const { return attributes.at(name); }
  bool has(int name) const { return attributes.count(name) != 0; }
  template <typename T = int64_t> T value(int name, size_t i = 0) const {
    T value;
    std::memcpy(&value, at(name).bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  const Descriptor &child(int name) const { return *at(name).children.at(0); }
};
/// What the C interface hands out.
struct Handle {
  std::shared_ptr<Descriptor> descriptor;
};

struct Knob {
  int64_t type, value;
};
struct Configuration {
  int64_t engine;
  std::vector<Knob> knobs;
  size_t scratchTimes; ///< multiples of the filter's scratch
};
struct Engine {
  int64_t index;
  std::vector<cudnnBackendNumericalNote_t> notes;
};
} // namespace

static const std::vector<Configuration> proposed = {{40, {{2, 1}}, 4},
                                                    {42, {{2, 1}, {18, 0}}, 2},
                                                    {41, {}, 0},
                                                    {42, {{2, 3}, {18, 0}}, 1},
                                                    {43, {}, 0}};
static const std::vector<Engine> engines = {
    {40, {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
    {41, {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}},
    {42, {}},
    {43, {CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP}}};
static constexpr int64_t engineCount = 44;

static Handle *handleOf(cudnnBackendDescriptor_t raw) {
  return static_cast<Handle *>(raw);
}
static Descriptor &of(cudnnBackendDescriptor_t raw) {
  return *handleOf(raw)->descriptor;
}

static size_t sizeOf(cudnnBackendAttributeType_t type) {
  switch (type) {
  case CUDNN_TYPE_BOOLEAN:
  case CUDNN_TYPE_CHAR:
    return 1;
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_DOUBLE:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_HANDLE:
    return 8;
  default:
    return 4; // enumerations
  }
}

template <typename T>
static void put(Descriptor &descriptor, int name,
                cudnnBackendAttributeType_t type, const std::vector<T> &list) {
  Attribute &attribute = descriptor.attributes[name];
  attribute.type = type;
  attribute.count = int64_t(list.size());
  attribute.bytes.resize(list.size() * sizeof(T));
  if (!list.empty())
    std::memcpy(attribute.bytes.data(), list.data(), attribute.bytes.size());
}

static std::shared_ptr<Descriptor> make(cudnnBackendDescriptorType_t type) {
  auto made = std::make_shared<Descriptor>();
  made->type = type;
  return made;
}

static void adopt(Descriptor &parent, int name,
                  std::vector<std::shared_ptr<Descriptor>> children) {
  Attribute &attribute = parent.attributes[name];
  attribute.type = CUDNN_TYPE_BACKEND_DESCRIPTOR;
  attribute.count = int64_t(children.size());
  attribute.children = std::move(children);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
struct Described {
  mock::Sums sums;
  cudnnTensorStruct x, w, y;
  cudnnConvolutionStruct convolution;
  int64_t numbers[3]; ///< of x, w, y
  bool isPlain;       ///< dense in either layout, alpha 1 and beta 0
  int64_t bias;       ///< number of a bias with a ReLU behind it; or 0
  int64_t alignment;  ///< of operands, in bytes
};
} // namespace

static cudnnTensorStruct shapeOf(const Descriptor &tensor, bool &isPlain) {
  auto size = [&](size_t d) {
    return int(tensor.value(CUDNN_ATTR_TENSOR_DIMENSIONS, d));
  };
  // From the innermost dimension on. Where there is one channel or one pixel
  // the layouts are the same bytes.
  auto isDense = [&](std::vector<size_t> order) {
    int64_t stride = 1;
    for (size_t d : order) {
      if (tensor.value(CUDNN_ATTR_TENSOR_STRIDES, d) != stride)
        return false;
      stride *= size(d);
    }
    return true;
  };
  const bool isFirst = isDense({3, 2, 1, 0}), isLast = isDense({1, 3, 2, 0});
  isPlain &= isFirst || isLast;
  const auto type = tensor.value<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
  isPlain &= type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_BFLOAT16 ||
             type == CUDNN_DATA_HALF;
  return {size(0),
          size(1),
          size(2),
          size(3),
          type == CUDNN_DATA_BFLOAT16 ? mock::Element::Bf16
          : type == CUDNN_DATA_HALF   ? mock::Element::F16
                                      : mock::Element::F32,
          !isFirst && isLast};
}

static Described describe(const Descriptor &operation) {
  Described d{};
  int first = 0;
  switch (operation.type) {
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    d.sums = mock::Sums::X;
    first = CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA;
    break;
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
    d.sums = mock::Sums::W;
    first = CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA;
    break;
  default:
    d.sums = mock::Sums::Y;
    first = CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA;
  }
  // Behind alpha, beta and the convolution come filter, image and result, in
  // all three.
  const Descriptor &convolution = operation.child(first + 2);
  const Descriptor *tensors[] = {&operation.child(first + 4),
                                 &operation.child(first + 3),
                                 &operation.child(first + 5)};
  d.isPlain = operation.value<float>(first) == 1 &&
              operation.value<float>(first + 1) == 0;
  cudnnTensorStruct *shapes[] = {&d.x, &d.w, &d.y};
  for (int t = 0; t < 3; ++t) {
    *shapes[t] = shapeOf(*tensors[t], d.isPlain);
    d.numbers[t] = tensors[t]->value(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  }
  auto pair = [&](int name, size_t i) {
    return int(convolution.value(name, i));
  };
  d.convolution = {pair(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0),
                   pair(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 1),
                   pair(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 0),
                   pair(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1),
                   pair(CUDNN_ATTR_CONVOLUTION_DILATIONS, 0),
                   pair(CUDNN_ATTR_CONVOLUTION_DILATIONS, 1),
                   d.w.c ? d.x.c / d.w.c : 0,
                   d.x.element == mock::Element::F32 ? CUDNN_FMA_MATH
                                                     : CUDNN_TENSOR_OP_MATH};
  d.alignment = tensors[0]->value(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
  return d;
}

static bool isFunction(const Descriptor &operation, cudnnPointwiseMode_t mode) {
  return operation.type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR &&
         operation.child(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR)
                 .value<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE) ==
             mode;
}

/// A convolution, alone or with a bias and a ReLU behind it.
static Described describeGraph(const Descriptor &graph) {
  const auto &operations = graph.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).children;
  Described d = describe(*operations[0]);
  if (operations.size() == 1)
    return d;
  const Descriptor &add = *operations[1], &relu = *operations[2];
  auto tensor = [](const Descriptor &operation, int name) {
    return &operation.child(name);
  };
  auto number = [](const Descriptor *of) {
    return of->value(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  };
  const Descriptor *between = tensor(add, CUDNN_ATTR_OPERATION_POINTWISE_XDESC),
                   *bias = tensor(add, CUDNN_ATTR_OPERATION_POINTWISE_BDESC),
                   *result = tensor(relu, CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
  const cudnnTensorStruct shape = shapeOf(*bias, d.isPlain);
  d.isPlain &= isFunction(add, CUDNN_POINTWISE_ADD) &&
               isFunction(relu, CUDNN_POINTWISE_RELU_FWD) &&
               number(between) == d.numbers[2] &&
               between->has(CUDNN_ATTR_TENSOR_IS_VIRTUAL) &&
               number(tensor(add, CUDNN_ATTR_OPERATION_POINTWISE_YDESC)) ==
                   number(tensor(relu, CUDNN_ATTR_OPERATION_POINTWISE_XDESC)) &&
               shape.c == d.y.c && shape.n == 1 && shape.h == 1 && shape.w == 1;
  d.y = shapeOf(*result, d.isPlain);
  d.numbers[2] = number(result);
  d.bias = number(bias);
  return d;
}

//===----------------------------------------------------------------------===//
// Finalizing
//===----------------------------------------------------------------------===//

static std::vector<Knob> knobsOf(const Descriptor &configuration) {
  std::vector<Knob> knobs;
  if (configuration.has(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES))
    for (const auto &knob :
         configuration.at(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES).children)
      knobs.push_back({int64_t(knob->value<cudnnBackendKnobType_t>(
                           CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE)),
                       knob->value(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE)});
  return knobs;
}

static const Engine *engineOf(const Descriptor &engine) {
  for (const Engine &known : engines)
    if (known.index == engine.value(CUDNN_ATTR_ENGINE_GLOBAL_INDEX))
      return &known;
  return nullptr;
}

static bool usesTensorCores(const Descriptor &engine) {
  const auto &notes = engineOf(engine)->notes;
  return !notes.empty() && notes[0] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
}

static void fillEngine(Descriptor &engine) {
  const std::vector<cudnnBackendNumericalNote_t> notes =
      engineOf(engine)->notes;
  put(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
      notes);
  put(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE,
      std::vector<cudnnBackendBehaviorNote_t>{});
}

static std::shared_ptr<Descriptor>
configurationOf(const Configuration &proposal) {
  auto engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  put(*engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64,
      std::vector<int64_t>{proposal.engine});
  fillEngine(*engine);
  std::vector<std::shared_ptr<Descriptor>> knobs;
  for (const Knob &chosen : proposal.knobs) {
    knobs.push_back(make(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
    put(*knobs.back(), CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE,
        std::vector<int32_t>{int32_t(chosen.type)});
    put(*knobs.back(), CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64,
        std::vector<int64_t>{chosen.value});
  }
  auto made = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  adopt(*made, CUDNN_ATTR_ENGINECFG_ENGINE, {engine});
  adopt(*made, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, std::move(knobs));
  return made;
}

static cudnnStatus_t finishPlan(Descriptor &plan) {
  ++cudaMock().workspaceQueries;
  if (cudaMock().refuseConvolutions || cudaMock().refuseGraphs ||
      !plan.has(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP))
    return CUDNN_STATUS_NOT_SUPPORTED;
  const Descriptor &configuration =
      plan.child(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  const Descriptor &engine = configuration.child(CUDNN_ATTR_ENGINECFG_ENGINE);
  const Described d =
      describeGraph(engine.child(CUDNN_ATTR_ENGINE_OPERATION_GRAPH));
  // Tensor cores read 16 bytes at once.
  const bool isFast = usesTensorCores(engine);
  if ((isFast && d.alignment < 16) ||
      (!isFast && !engineOf(engine)->notes.empty() &&
       engineOf(engine)->notes[0] != CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP))
    ++cudaMock().misuses;
  const std::vector<Knob> knobs = knobsOf(configuration);
  for (const Configuration &known : proposed) {
    bool isSame = known.engine == engineOf(engine)->index &&
                  known.knobs.size() == knobs.size();
    for (size_t i = 0; isSame && i < knobs.size(); ++i)
      isSame = known.knobs[i].type == knobs[i].type &&
               known.knobs[i].value == knobs[i].value;
    if (!isSame)
      continue;
    put(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64,
        std::vector<int64_t>{
            int64_t(known.scratchTimes * mock::scratchOf(d.w))});
    return CUDNN_STATUS_SUCCESS;
  }
  return CUDNN_STATUS_NOT_SUPPORTED;
}

static cudnnStatus_t finish(Descriptor &d) {
  switch (d.type) {
  case CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR:
    if (cudaMock().dnnVersion < 90800)
      return CUDNN_STATUS_BAD_PARAM;
    if (!d.has(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION)) {
      const std::string text = "{\"deviceName\": \"a mock\"}";
      put(d, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
          std::vector<char>(text.begin(), text.end()));
      return d.has(CUDNN_ATTR_DEVICEPROP_DEVICE_ID) ? CUDNN_STATUS_SUCCESS
                                                    : CUDNN_STATUS_BAD_PARAM;
    }
    return d.at(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION).bytes[0] == '{'
               ? CUDNN_STATUS_SUCCESS
               : CUDNN_STATUS_BAD_PARAM;
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: {
    const Described op = describeGraph(d);
    put(d, CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, CUDNN_TYPE_INT64,
        std::vector<int64_t>{engineCount});
    return op.isPlain && mock::isSound(op.x, op.w, op.convolution, op.y)
               ? CUDNN_STATUS_SUCCESS
               : CUDNN_STATUS_BAD_PARAM;
  }
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR: {
    std::vector<std::shared_ptr<Descriptor>> results;
    if (d.value<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE) ==
        CUDNN_HEUR_MODE_A)
      for (const Configuration &proposal : proposed)
        results.push_back(configurationOf(proposal));
    adopt(d, CUDNN_ATTR_ENGINEHEUR_RESULTS, std::move(results));
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
    if (!engineOf(d))
      return CUDNN_STATUS_NOT_SUPPORTED;
    fillEngine(d);
    return CUDNN_STATUS_SUCCESS;
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
    return finishPlan(d);
  default:
    return CUDNN_STATUS_SUCCESS;
  }
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

extern "C" {

cudnnStatus_t
cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                             cudnnBackendDescriptor_t *descriptor) {
  ++cudaMock().liveHandles;
  *descriptor = new Handle{make(type)};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t raw) {
  --cudaMock().liveHandles;
  delete handleOf(raw);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t raw,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type,
                                       int64_t count, const void *data) {
  Descriptor &d = of(raw);
  if (d.isFinal || count < 1)
    return CUDNN_STATUS_BAD_PARAM;
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    std::vector<std::shared_ptr<Descriptor>> children;
    for (int64_t i = 0; i < count; ++i) {
      children.push_back(
          handleOf(static_cast<const cudnnBackendDescriptor_t *>(data)[i])
              ->descriptor);
      if (!children.back()->isFinal)
        return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
    }
    adopt(d, name, std::move(children));
    return CUDNN_STATUS_SUCCESS;
  }
  const char *bytes = static_cast<const char *>(data);
  put(d, name, type,
      std::vector<char>(bytes, bytes + size_t(count) * sizeOf(type)));
  d.attributes[name].count = count;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t raw) {
  Descriptor &d = of(raw);
  const cudnnStatus_t code = finish(d);
  d.isFinal = code == CUDNN_STATUS_SUCCESS;
  return code;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t raw,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type,
                                       int64_t most, int64_t *count,
                                       void *data) {
  const Descriptor &d = of(raw);
  if (!d.has(name) || d.at(name).type != type)
    return CUDNN_STATUS_BAD_PARAM;
  const Attribute &attribute = d.at(name);
  *count = attribute.count;
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    for (int64_t i = 0; i < std::min(most, *count); ++i)
      handleOf(static_cast<cudnnBackendDescriptor_t *>(data)[i])->descriptor =
          attribute.children[size_t(i)];
    return CUDNN_STATUS_SUCCESS;
  }
  if (most > 0 && !attribute.bytes.empty())
    std::memcpy(data, attribute.bytes.data(),
                size_t(std::min(most, *count)) * sizeOf(type));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle,
                                  cudnnBackendDescriptor_t rawPlan,
                                  cudnnBackendDescriptor_t rawPack) {
  const Descriptor &plan = of(rawPlan), &pack = of(rawPack);
  if (!handle || !plan.isFinal || !pack.isFinal)
    return CUDNN_STATUS_BAD_PARAM;
  const Descriptor &engine = plan.child(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)
                                 .child(CUDNN_ATTR_ENGINECFG_ENGINE);
  const Described d =
      describeGraph(engine.child(CUDNN_ATTR_ENGINE_OPERATION_GRAPH));
  const int64_t numbers[4] = {d.numbers[0], d.numbers[1], d.numbers[2], d.bias};
  void *data[4] = {};
  const Attribute &given = pack.at(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  for (size_t i = 0; i < size_t(given.count); ++i)
    for (int t = 0; t < 4; ++t)
      if (pack.value(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i) == numbers[t])
        data[t] = pack.value<void *>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i);
  if (d.bias && !data[3])
    return CUDNN_STATUS_BAD_PARAM;
  std::string name = std::to_string(engineOf(engine)->index) + ":";
  for (const Knob &knob :
       knobsOf(plan.child(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)))
    name += (name.back() == ':' ? "" : ",") + std::to_string(knob.type) + "=" +
            std::to_string(knob.value);
  cudaMock().engines.push_back(name);
  auto *workspace = pack.value<void *>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  const auto needed =
      size_t(plan.value(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
  const int target = int(d.sums);
  mock::convolve(handle,
                 {d.sums, d.x, d.w, d.y, d.convolution,
                  data[target == 0 ? 1 : 0], data[target == 2 ? 1 : 2],
                  data[target], workspace, needed,
                  d.x.element == mock::Element::F32 && usesTensorCores(engine)
                      ? mock::Element::Tf32
                      : d.x.element,
                  data[3]},
                 needed);
  return CUDNN_STATUS_SUCCESS;
}

} // extern "C"
