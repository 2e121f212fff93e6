//===- Convolution.cpp - Convolutions through oneDNN ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

#include <algorithm>
#include <optional>

using namespace memplan::runtime;
using namespace memplan::runtime::onednn;
using dnnl::memory;
using dnnl::prop_kind;

namespace {

/// A convolution from `image` [N,C,H,W] to `result` [N,O,Ho,Wo], whichever of
/// its three directions a kernel computes and wherever channels lie in memory.
struct Geometry {
  memory::dims image, filter, result;
  memory::dims strides, dilation, padding, paddingEnd;
  memory::data_type type; ///< of all operands
  bool channelsLast;      ///< in memory; the sizes above are n, c, h, w
  /// Images stay as they lie. Few input channels waste most of a blocked
  /// layout, and with channels last the kernels are as fast as on blocks;
  /// neither takes copies then.
  bool plain = false;

  Geometry(const memplan_launch_t *launch, const memplan_tensor_t &imageTensor,
           const memplan_tensor_t &filterTensor,
           const memplan_tensor_t &resultTensor)
      : type(typeOf(imageTensor)), channelsLast(cpu::hasChannelsLast(launch)) {
    image = sizesOf(imageTensor);
    filter = sizesOf(filterTensor);
    result = sizesOf(resultTensor);
    plain = channelsLast || image[1] < 8;
    cpu::Pair s = cpu::pairAttribute(launch, "strides", 1);
    cpu::Pair p = cpu::pairAttribute(launch, "padding", 0);
    cpu::Pair d = cpu::pairAttribute(launch, "dilation", 1);
    strides = {s.h, s.w};
    padding = {p.h, p.w};
    dilation = {d.h - 1, d.w - 1}; // oneDNN counts the skipped elements
    for (int i = 0; i < 2; ++i) {
      // Rows at the far end that no window reaches count as less padding.
      int64_t extent = (dilation[i] + 1) * (filter[2 + i] - 1) + 1;
      paddingEnd.push_back((result[2 + i] - 1) * strides[i] + extent -
                           image[2 + i] - padding[i]);
    }
    int64_t groups = cpu::intAttribute(launch, "groups", 1);
    if (groups > 1) {
      filter.insert(filter.begin(), groups);
      filter[1] /= groups;
    }
  }

  memory::dims sizesOf(const memplan_tensor_t &tensor) const {
    const int64_t *s = tensor.shape;
    return channelsLast ? memory::dims{s[0], s[3], s[1], s[2]}
                        : memory::dims{s[0], s[1], s[2], s[3]};
  }
  /// The layout in memory of an image or filter; the four last of `dims` are
  /// n, c, h and w.
  memory::desc dense(const memory::dims &dims) const {
    memory::dims strides = plainDesc(dims, type).get_strides();
    if (channelsLast) {
      const size_t at = dims.size() - 4;
      const int64_t c = dims[at + 1], w = dims[at + 3];
      strides[at + 1] = 1;
      strides[at + 2] = w * c;
      strides[at + 3] = c;
    }
    return {dims, type, strides};
  }
  /// The same with the gaps of an operand between its samples.
  memory::desc operand(const memplan_launch_t *launch, int number,
                       const memory::dims &dims) const {
    memory::dims strides = dense(dims).get_strides();
    strides[0] = cpu::strideOf(launch, number, 0);
    return {dims, type, strides};
  }
  memory::desc activation(const memory::dims &dims) const {
    return plain ? dense(dims) : anyDesc(dims, type);
  }

  /// Whether each pixel of the result is of one pixel of the image, in f32: a
  /// product then reads images as they lie, where a convolution copies them
  /// into blocks and back. For fewer pixels blocks are faster.
  bool isProduct(int64_t leastPixels) const {
    return type == memory::data_type::f32 && !plain && filter.size() == 4 &&
           filter[2] == 1 && filter[3] == 1 && image == sameAs(result) &&
           strides == memory::dims{1, 1} && image[2] * image[3] >= leastPixels;
  }
  /// The image's sizes, if those of `result` are it with other channels.
  memory::dims sameAs(const memory::dims &result) const {
    return {result[0], image[1], result[2], result[3]};
  }
  /// An image as matrices [channels, pixels], one for each sample, with the
  /// gaps of an operand.
  memory::desc matrices(const memplan_launch_t *launch, int number,
                        const memory::dims &dims) const {
    const int64_t pixels = dims[2] * dims[3];
    return {{dims[0], dims[1], pixels},
            type,
            {cpu::strideOf(launch, number, 0), pixels, 1}};
  }

  /// What `make` describes, by an implementation that takes all its scratch
  /// from the caller; none where oneDNN has no such implementation.
  template <typename Make>
  auto choose(const Make &make) -> std::optional<decltype(make())> {
    if (plain) {
      auto desc = make();
      if (keepToScratch(desc))
        return desc;
      plain = false;
    }
    auto desc = make();
    return keepToScratch(desc) ? std::optional(desc) : std::nullopt;
  }

  dnnl::convolution_forward::primitive_desc forward(bool bias,
                                                    bool relu) const {
    memory::desc none;
    return {cpuEngine(),
            prop_kind::forward_training,
            dnnl::algorithm::convolution_direct,
            activation(image),
            anyDesc(filter, type),
            bias ? plainDesc({result[1]}, type) : none,
            activation(result),
            strides,
            dilation,
            padding,
            paddingEnd,
            attributesOf(relu)};
  }
  static dnnl::primitive_attr attributesOf(bool relu) {
    dnnl::primitive_attr attributes = plannedScratch();
    if (relu) {
      dnnl::post_ops after;
      after.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
      attributes.set_post_ops(after);
    }
    return attributes;
  }
};

/// An operand under the description that a product takes.
struct Matrix {
  Recipe::Slot slot;
  memory::desc desc;
};

/// Measured with the images of ResNet-50 and MobileNet-v2, 7 x 7 to 112 x 112:
/// at 14 x 14 the product is the faster one, at 7 x 7 the convolution.
constexpr int64_t leastPixelsOfProduct = 128;
/// Gradients of filters are faster as products at 7 x 7 too. Fewer pixels leave
/// products of little depth.
constexpr int64_t leastPixelsOfFilterGrad = 32;

} // namespace

/// Adds the product to `recipe`; false where there is none that takes all its
/// scratch from the caller.
static bool addProduct(Recipe &recipe, const Matrix &lhs, const Matrix &rhs,
                       const Matrix &result,
                       const dnnl::primitive_attr &attributes) {
  dnnl::matmul::primitive_desc desc(cpuEngine(), lhs.desc, rhs.desc,
                                    result.desc, attributes);
  if (!keepToScratch(desc))
    return false;
  recipe.run(dnnl::matmul(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_SRC, lhs.slot},
              {DNNL_ARG_WEIGHTS, rhs.slot},
              {DNNL_ARG_DST, result.slot}});
  return true;
}

static bool buildForward(const memplan_launch_t *launch, Recipe &recipe) {
  Geometry geometry(launch, launch->inputs[0], launch->inputs[1],
                    launch->outputs[0]);
  bool bias = launch->input_count > 2;
  const bool relu = cpu::intAttribute(launch, "relu", 0) != 0;
  if (!bias && geometry.isProduct(leastPixelsOfProduct)) {
    const int64_t o = geometry.filter[0], c = geometry.filter[1];
    const memory::desc filter = plainDesc({1, o, c}, geometry.type),
                       image = geometry.matrices(launch, 0, geometry.image),
                       result = geometry.matrices(launch, launch->input_count,
                                                  geometry.result);
    if (addProduct(recipe, {recipe.input(1, filter), filter},
                   {recipe.input(0, image), image},
                   {recipe.output(0, result), result},
                   Geometry::attributesOf(relu)))
      return true;
  }
  auto chosen = geometry.choose([&] { return geometry.forward(bias, relu); });
  if (!chosen)
    return false;
  auto &desc = *chosen;
  Recipe::Slot image =
      recipe.input(0, geometry.operand(launch, 0, geometry.image));
  Recipe::Slot filter = recipe.input(1, geometry.dense(geometry.filter));
  Recipe::Slot result = recipe.output(
      0, geometry.operand(launch, launch->input_count, geometry.result));
  std::vector<Recipe::Argument> arguments = {
      {DNNL_ARG_SRC, recipe.inLayout(image, desc.src_desc())},
      {DNNL_ARG_WEIGHTS, recipe.inLayout(filter, desc.weights_desc())},
      {DNNL_ARG_DST, recipe.forLayout(result, desc.dst_desc())}};
  if (bias)
    arguments.push_back(
        {DNNL_ARG_BIAS,
         recipe.input(2, plainDesc({geometry.result[1]}, geometry.type))});
  recipe.run(dnnl::convolution_forward(desc), desc.scratchpad_desc(),
             arguments);
  return true;
}

/// What a gradient is described with. oneDNN looks at it again when it goes on
/// to the next implementation, so it lives as long as the description.
using Forward = std::optional<dnnl::convolution_forward::primitive_desc>;

/// Both gradients are described alike: what one of them makes, the other reads.
template <typename Gradient>
static auto chooseGradient(Geometry &geometry, Forward &forward) {
  return geometry.choose([&] {
    forward = geometry.forward(/*bias=*/false, /*relu=*/false);
    return typename Gradient::primitive_desc(
        cpuEngine(), dnnl::algorithm::convolution_direct,
        geometry.activation(geometry.image),
        anyDesc(geometry.filter, geometry.type),
        geometry.activation(geometry.result), geometry.strides,
        geometry.dilation, geometry.padding, geometry.paddingEnd, *forward,
        plannedScratch());
  });
}

static bool buildInputGrad(const memplan_launch_t *launch, Recipe &recipe) {
  Geometry geometry(launch, launch->outputs[0], launch->inputs[1],
                    launch->inputs[0]);
  if (geometry.isProduct(leastPixelsOfProduct)) {
    const int64_t o = geometry.filter[0], c = geometry.filter[1];
    const memory::desc filter = {{1, c, o}, geometry.type, {o * c, 1, c}},
                       result = geometry.matrices(launch, 0, geometry.result),
                       image = geometry.matrices(launch, launch->input_count,
                                                 geometry.image);
    if (addProduct(recipe, {recipe.input(1, filter), filter},
                   {recipe.input(0, result), result},
                   {recipe.output(0, image), image}, plannedScratch()))
      return true;
  }
  Forward forward;
  auto chosen =
      chooseGradient<dnnl::convolution_backward_data>(geometry, forward);
  if (!chosen)
    return false;
  auto &desc = *chosen;
  Recipe::Slot result =
      recipe.input(0, geometry.operand(launch, 0, geometry.result));
  Recipe::Slot filter = recipe.input(1, geometry.dense(geometry.filter));
  Recipe::Slot image = recipe.output(
      0, geometry.operand(launch, launch->input_count, geometry.image));
  recipe.run(
      dnnl::convolution_backward_data(desc), desc.scratchpad_desc(),
      {{DNNL_ARG_DIFF_DST, recipe.inLayout(result, desc.diff_dst_desc())},
       {DNNL_ARG_WEIGHTS, recipe.inLayout(filter, desc.weights_desc())},
       {DNNL_ARG_DIFF_SRC, recipe.forLayout(image, desc.diff_src_desc())}});
  return true;
}

/// The filter gradient of windows that lie beside each other, as those that cut
/// an image into patches do: one product of the result's gradient [O, windows]
/// and the image [windows, C kh kw]. oneDNN itself has no fast one for large
/// windows of few channels.
static bool buildPatchGrad(const memplan_launch_t *launch,
                           const Geometry &geometry, Recipe &recipe) {
  if (geometry.filter.size() > 4 || geometry.padding != memory::dims{0, 0} ||
      geometry.dilation != memory::dims{0, 0} ||
      geometry.strides != memory::dims{geometry.filter[2], geometry.filter[3]})
    return false;
  const memory::dims &f = geometry.filter, &r = geometry.result;
  const memory::dims from =
      geometry.operand(launch, 0, geometry.image).get_strides();
  memory::dims sizes = {r[0], r[2], r[3], f[1], f[2], f[3]};
  memory::dims steps = {from[0], f[2] * from[2], f[3] * from[3],
                        from[1], from[2],        from[3]};
  if (geometry.channelsLast) { // the order of a filter's elements in memory
    std::rotate(sizes.begin() + 3, sizes.begin() + 4, sizes.end());
    std::rotate(steps.begin() + 3, steps.begin() + 4, steps.end());
  }
  const memory::dims grads = geometry.operand(launch, 1, r).get_strides();
  const int64_t windows = r[0] * r[2] * r[3], size = f[1] * f[2] * f[3];
  const memory::desc lhs = plainDesc({1, f[0], windows}, geometry.type),
                     rhs = plainDesc({1, windows, size}, geometry.type),
                     result = plainDesc({1, f[0], size}, geometry.type);
  dnnl::matmul::primitive_desc desc(cpuEngine(), lhs, rhs, result,
                                    plannedScratch());
  if (!keepToScratch(desc))
    return false;
  const Recipe::Slot image =
      recipe.inLayout(recipe.input(0, {sizes, geometry.type, steps}),
                      plainDesc(sizes, geometry.type));
  const memory::dims gradSizes = {r[1], r[0], r[2], r[3]};
  const Recipe::Slot grad = recipe.inLayout(
      recipe.input(
          1,
          {gradSizes, geometry.type, {grads[1], grads[0], grads[2], grads[3]}}),
      plainDesc(gradSizes, geometry.type));
  recipe.run(dnnl::matmul(desc), desc.scratchpad_desc(),
             {{DNNL_ARG_SRC, recipe.described(grad, lhs)},
              {DNNL_ARG_WEIGHTS, recipe.described(image, rhs)},
              {DNNL_ARG_DST, recipe.output(0, result)}});
  return true;
}

/// The filter gradient of single pixels: the sum over samples, one after the
/// other, of the products of the result's gradient [O, pixels] and the
/// transposed image [pixels, C].
static bool buildPixelGrad(const memplan_launch_t *launch,
                           const Geometry &geometry, Recipe &recipe) {
  if (!geometry.isProduct(leastPixelsOfFilterGrad))
    return false;
  const int64_t o = geometry.filter[0], c = geometry.filter[1];
  const int64_t pixels = geometry.image[2] * geometry.image[3];
  const memory::desc lhs = plainDesc({1, o, pixels}, geometry.type),
                     rhs = {{1, pixels, c},
                            geometry.type,
                            {pixels * c, 1, pixels}},
                     result = plainDesc({1, o, c}, geometry.type);
  dnnl::primitive_attr adding = plannedScratch();
  dnnl::post_ops sum;
  sum.append_sum();
  adding.set_post_ops(sum);
  dnnl::matmul::primitive_desc first(cpuEngine(), lhs, rhs, result,
                                     plannedScratch()),
      next(cpuEngine(), lhs, rhs, result, adding);
  if (!keepToScratch(first) || !keepToScratch(next))
    return false;
  const Recipe::Slot image = recipe.input(0, rhs), grad = recipe.input(1, lhs),
                     filter = recipe.output(0, result);
  // One after the other: all write the same scratch.
  const Recipe::Slot scratch = recipe.scratch(
      plainDesc({int64_t(std::max(first.scratchpad_desc().get_size(),
                                  next.scratchpad_desc().get_size()))},
                memory::data_type::u8));
  for (int64_t n = 0; n < geometry.image[0]; ++n) {
    const auto &desc = n == 0 ? first : next;
    const int64_t element = sizeof(float);
    recipe.run(dnnl::matmul(desc), memory::desc(),
               {{DNNL_ARG_SRC,
                 recipe.described(grad, lhs,
                                  n * cpu::strideOf(launch, 1, 0) * element)},
                {DNNL_ARG_WEIGHTS,
                 recipe.described(image, rhs,
                                  n * cpu::strideOf(launch, 0, 0) * element)},
                {DNNL_ARG_DST, filter},
                {DNNL_ARG_SCRATCHPAD,
                 recipe.described(scratch, desc.scratchpad_desc())}});
  }
  return true;
}

static bool buildFilterGrad(const memplan_launch_t *launch, Recipe &recipe) {
  Geometry geometry(launch, launch->inputs[0], launch->outputs[0],
                    launch->inputs[1]);
  if (buildPixelGrad(launch, geometry, recipe))
    return true;
  Forward forward;
  auto chosen =
      chooseGradient<dnnl::convolution_backward_weights>(geometry, forward);
  if (!chosen)
    return buildPatchGrad(launch, geometry, recipe);
  auto &desc = *chosen;
  Recipe::Slot image =
      recipe.input(0, geometry.operand(launch, 0, geometry.image));
  Recipe::Slot result =
      recipe.input(1, geometry.operand(launch, 1, geometry.result));
  Recipe::Slot filter = recipe.output(0, geometry.dense(geometry.filter));
  recipe.run(
      dnnl::convolution_backward_weights(desc), desc.scratchpad_desc(),
      {{DNNL_ARG_SRC, recipe.inLayout(image, desc.src_desc())},
       {DNNL_ARG_DIFF_DST, recipe.inLayout(result, desc.diff_dst_desc())},
       {DNNL_ARG_DIFF_WEIGHTS,
        recipe.forLayout(filter, desc.diff_weights_desc())}});
  return true;
}

static bool buildTranspose(const memplan_launch_t *launch, Recipe &recipe) {
  // The result of the convolution that this transposes is our input.
  Geometry geometry(launch, launch->outputs[0], launch->inputs[1],
                    launch->inputs[0]);
  bool bias = launch->input_count > 2;
  // oneDNN's deconvolution wants the filter as [groups,O,C,kh,kw] where memory
  // holds [groups,C,O,kh,kw]: the same bytes with two strides exchanged.
  memory::dims filterDims = geometry.filter;
  memory::dims filterStrides = geometry.dense(filterDims).get_strides();
  size_t channels = filterDims.size() - 4;
  std::swap(filterDims[channels], filterDims[channels + 1]);
  std::swap(filterStrides[channels], filterStrides[channels + 1]);
  memory::desc none;
  auto chosen = geometry.choose([&] {
    return dnnl::deconvolution_forward::primitive_desc(
        cpuEngine(), prop_kind::forward_training,
        dnnl::algorithm::deconvolution_direct,
        geometry.activation(geometry.result),
        anyDesc(filterDims, geometry.type),
        bias ? plainDesc({geometry.image[1]}, geometry.type) : none,
        geometry.activation(geometry.image), geometry.strides,
        geometry.dilation, geometry.padding, geometry.paddingEnd,
        plannedScratch());
  });
  if (!chosen)
    return false;
  auto &desc = *chosen;
  Recipe::Slot input =
      recipe.input(0, geometry.operand(launch, 0, geometry.result));
  Recipe::Slot filter =
      recipe.input(1, memory::desc(filterDims, geometry.type, filterStrides));
  Recipe::Slot output = recipe.output(
      0, geometry.operand(launch, launch->input_count, geometry.image));
  std::vector<Recipe::Argument> arguments = {
      {DNNL_ARG_SRC, recipe.inLayout(input, desc.src_desc())},
      {DNNL_ARG_WEIGHTS, recipe.inLayout(filter, desc.weights_desc())},
      {DNNL_ARG_DST, recipe.forLayout(output, desc.dst_desc())}};
  if (bias)
    arguments.push_back(
        {DNNL_ARG_BIAS,
         recipe.input(2, plainDesc({geometry.image[1]}, geometry.type))});
  recipe.run(dnnl::deconvolution_forward(desc), desc.scratchpad_desc(),
             arguments);
  return true;
}

KernelList onednn::convolutionKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      recipeKernel<buildForward>("memplan.conv2d"),
      recipeKernel<buildFilterGrad>("memplan.conv2d_filter_grad"),
      recipeKernel<buildInputGrad>("memplan.conv2d_input_grad"),
      recipeKernel<buildTranspose>("memplan.conv_transpose2d")};
  return kernels;
}
