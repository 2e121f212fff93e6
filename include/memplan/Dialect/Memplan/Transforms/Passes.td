//===- Passes.td - Passes on the memplan dialect alone -----*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_TRANSFORMS_PASSES_TD
#define MEMPLAN_DIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SetBatchPass : Pass<"memplan-set-batch", "::mlir::func::FuncOp"> {
  let summary = "Infer a training step anew for another batch size";
  let description = [{
    Gives the dimension `memplan.batch` of every argument that carries this attribute the size `batch` and infers all other types from
    there, in program order. Functions without such an argument stay as they are. A batch set there and back gives the same bytes.

    ```mlir
    // Before: %x is one image. After `memplan-set-batch=batch=32`: tensor<32x3x8x8xf32>, and 32 rows of logits.
    func.func @step(%x: tensor<1x3x8x8xf32> {memplan.batch = 0 : i64}, %w: tensor<10x192xf32>) -> tensor<1x10xf32> {
      %rows = memplan.reshape %x {shape = [-1, 192]} : (tensor<1x3x8x8xf32>) -> tensor<1x192xf32>
      %logits = memplan.matmul %rows, %w {transpose_rhs} : (tensor<1x192xf32>, tensor<10x192xf32>) -> tensor<1x10xf32>
      return %logits : tensor<1x10xf32>
    }
    ```

    Fails at the operation that cannot be inferred anew and says why: a reshape whose -1 does not stand for the batch, an opaque operation, an operation of another dialect
    or in planned form, and, in a step with a backward, a reduction over the batch, whose gradient holds its size as a constant.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", /*default=*/"0", "New size of the batch dimension, at least 1.">,
  ];
}

def AutocastPass : Pass<"memplan-autocast", "::mlir::func::FuncOp"> {
  let summary = "Mixed precision: casts in front of operations, as torch.autocast chooses them";
  let description = [{
    Gives each operation of a forward pass the element type that a table names for it. Products, convolutions and attention compute in `dtype`. Losses compute in f32. All others compute
    in the type of their operands, or in f32 where these differ. For `device=cuda`, `layer_norm`, `softmax`, sums and exponentials compute in f32, as torch has them there.
    Parameters, arguments and results keep their types. A value is cast once to a type, and the scale and bias of a norm not at all.

    With `dtype=tf32` nothing is cast: products, convolutions and attention of f32, those of a backward pass too, get `tf32`.

    Runs before `memplan-autodiff`, which casts each gradient back to the type of its parameter.

    ```mlir
    // Before
    %h = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %y = memplan.relu %h : (tensor<4x2xf32>) -> tensor<4x2xf32>
    // After
    %x16 = memplan.cast %x {element = "bf16"} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %w16 = memplan.cast %w {element = "bf16"} : (tensor<8x2xf32>) -> tensor<8x2xbf16>
    %h = memplan.matmul %x16, %w16 : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
    %y = memplan.relu %h : (tensor<4x2xbf16>) -> tensor<4x2xbf16>
    ```

    Planned functions stay as they are. Fails on a function with several blocks, and in 16 bits on one with a backward pass already.
  }];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"bf16\"", "`bf16`, `f16` or `tf32`.">,
    Option<"device", "device", "std::string", /*default=*/"\"cpu\"", "Whose table of torch: `cpu` or `cuda`.">,
  ];
}

def AutodiffPass : Pass<"memplan-autodiff", "::mlir::func::FuncOp"> {
  let summary = "Add explicit backward and update operations to a function with a loss";
  let description = [{
    Differentiates the result marked `memplan.kind = "loss"` with respect to the arguments marked `"parameter"`, in reverse order of the forward operations. A value with several uses
    sums its gradients by `memplan.accumulate` as they come, so that two of them are alive at most. Backward operations carry `memplan.backward`.

    Parameters are updated as the function's attribute `memplan.optimizer` says: `{name = "sgd", lr = 0.1 : f64}` with optional `momentum`, `nesterov` and `weight_decay`, or `"adam"` and `"adamw"` with
    optional `beta1`, `beta2`, `epsilon` and `weight_decay`, `"rmsprop"` with optional `alpha`, `epsilon`, `momentum` and `weight_decay`, `"adagrad"` with optional `epsilon` and `weight_decay`,
    `"adafactor"` with optional `epsilon1`, `epsilon2`, `beta2_decay`, `clip_threshold` and `weight_decay`, or
    `"lion"` with optional `beta1`, `beta2` and `weight_decay`. With `max_norm`, any of them scales all gradients so that their global norm is at most that; every update then waits for all
    gradients. With `loss_scale` the gradient of the loss is that scale instead of 1, a state that begins with this number: gradients are divided by it before anything
    else, a step in which one of them is infinite or NaN updates nothing and multiplies the scale by `backoff_factor` (0.5), and `growth_interval` (2000.0) good steps in a row multiply it by
    `growth_factor` (2.0), as `torch.amp.GradScaler` does. With the option `ranks`, each complete gradient goes through `memplan.all_reduce` first, so that all ranks update with the
    mean over all of them. State that an optimizer needs becomes further arguments, and new versions become results marked `memplan.updates`.

    A function that brings its own backward pass returns its gradients as results with `memplan.kind = "gradient"` and the name `{parameter}.grad`: they are replaced by the updates and nothing else is
    added.

    ```mlir
    // Before
    func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {memplan.kind = "parameter"}, %t: tensor<4x2xf32>)
        -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
      %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
      return %loss : tensor<f32>
    }
    // After: the function also returns %new, marked memplan.updates = 1.
    %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %dy = memplan.mse_loss_grad %y, %t, %one : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %dw = memplan.matmul %x, %dy {transpose_lhs} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %new = memplan.sgd_update %w, %dw {lr = 0.1 : f64} : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    ```

    Functions without a loss, those that have a backward already, and planned ones stay as they are. Fails on a loss that is not a scalar float tensor or depends on no parameter, on an operation without
    a gradient on the way from a parameter to the loss, on an unknown optimizer, and on a setting that the optimizer does not have or that is not of its type.
  }];
  let options = [
    Option<"updates", "updates", "std::string", /*default=*/"\"eager\"",
           "`eager`: a parameter is updated as soon as its gradient is complete, so that the gradient can die; `end`: after the whole backward pass.">,
    Option<"lossScale", "loss-scale", "double", /*default=*/"0.0",
           "First scale of the loss, in the place of `loss_scale` of `memplan.optimizer`; 0: as that says.">,
    Option<"ranks", "ranks", "int64_t", /*default=*/"1",
           "Processes that share the batch: gradients become their means over all ranks.">,
    Option<"gradients", "gradients", "bool", /*default=*/"false", "Return the gradients as outputs instead of updating.">,
  ];
}

def ChunkLossPass : Pass<"memplan-chunk-loss", "::mlir::func::FuncOp"> {
  let summary = "Logits, loss and their gradients by chunks of rows";
  let description = [{
    A cross entropy of logits that a product makes is computed for one chunk of rows after the other: the logits, the loss, the gradient of the logits, and what products and sums
    make of that. The logits of a chunk are gone before the next one begins, so that no more than one chunk of them is in memory, where a language model has [batch * tokens, words] of them. The
    gradients of the weights and of a bias are added up over the chunks, in f32. No product is computed twice; the mean is over the rows of all chunks that count.

    Runs after `memplan-autodiff`, on the whole step. The gradient of the loss must not depend on the loss.

    ```mlir
    // Before
    %z = memplan.matmul %h, %w {transpose_rhs} : (tensor<8x4xf32>, tensor<6x4xf32>) -> tensor<8x6xf32>
    %loss, %lse = memplan.cross_entropy %z, %labels {sum} : (tensor<8x6xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>)
    %dz = memplan.cross_entropy_grad %z, %labels, %lse, %dl {sum} : (tensor<8x6xf32>, tensor<8xi64>, tensor<8xf32>, tensor<f32>) -> tensor<8x6xf32>
    %dw = memplan.matmul %dz, %h {transpose_lhs} : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    // After `chunks=2`: the first chunk, and the same again for rows 4 to 7, whose loss and gradient are added to these.
    %h0 = memplan.slice %h {dim = 0, size = 4, start = 0} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %z0 = memplan.matmul %h0, %w {transpose_rhs} : (tensor<4x4xf32>, tensor<6x4xf32>) -> tensor<4x6xf32>
    %labels0 = memplan.slice %labels {dim = 0, size = 4, start = 0} : (tensor<8xi64>) -> tensor<4xi64>
    %loss0, %lse0 = memplan.cross_entropy %z0, %labels0 {sum} : (tensor<4x6xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
    %dz0 = memplan.cross_entropy_grad %z0, %labels0, %lse0, %dl {sum} : (tensor<4x6xf32>, tensor<4xi64>, tensor<4xf32>, tensor<f32>) -> tensor<4x6xf32>
    %dw0 = memplan.matmul %dz0, %h0 {transpose_lhs} : (tensor<4x6xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
    ```

    Planned functions and those with several blocks stay as they are, and so do losses whose logits something else reads. Warns where there is no loss to change. Fails where `chunks` is below 1.
  }];
  let options = [
    Option<"chunks", "chunks", "int64_t", /*default=*/"8", "Chunks of equal rows; 1: the step stays as it is.">,
  ];
  let statistics = [
    Statistic<"chunked", "chunked", "Losses that are computed by chunks">,
  ];
}

def FusePass : Pass<"memplan-fuse", "::mlir::func::FuncOp"> {
  let summary = "Products and convolutions take what follows them";
  let description = [{
    A product with a bias takes the GELU that follows, by the formula with tanh; a product whose result is the gradient of such a GELU takes that gradient and the sum that is the bias's.
    The product that is the gradient of a linear layer's weights takes the sum that is its bias's. A convolution with a bias takes the ReLU behind it, where nothing else reads it.
    Backends run each as one kernel, or as the operations that it stands for.

    Runs after `memplan-autodiff` and `memplan-channels-last`. The pass `memplan-split` takes apart what this one has fused, so that a plan may recompute a GELU without its product.

    ```mlir
    // Before
    %h = memplan.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %y = memplan.gelu %h {approximate = "tanh"} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    // After
    %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
    ```

    Planned functions and those with several blocks stay as they are.
  }];
  let statistics = [
    Statistic<"fused", "fused", "Operations that took what follows them">,
  ];
}

def SplitPass : Pass<"memplan-split", "::mlir::func::FuncOp"> {
  let summary = "Take apart what memplan-fuse has fused";
  let description = [{
    Fused operations become the operations that they stand for: a product, and a GELU, its gradient, a sum or a ReLU.

    ```mlir
    // Before
    %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
    // After
    %h = memplan.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %y = memplan.gelu %h {approximate = "tanh"} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    ```

    Planned functions and those with several blocks stay as they are.
  }];
}

def ChannelsLastPass : Pass<"memplan-channels-last", "::mlir::func::FuncOp"> {
  let summary = "Images as [N,H,W,C] from convolution to convolution";
  let description = [{
    Gives every convolution and its gradients `channels_last`: images are [N,H,W,C] and filters [O,kh,kw,C]. What lies between them follows: pooling, batch normalization,
    functions of elements, concatenation and slices, and reductions whose result has its dimensions in the same order. All other operations, arguments and results stay as they are.

    A value changes its layout by `memplan.transpose`, once for all users, or by `memplan.reshape`, a view, where it has one channel or one pixel. These are operations that planning
    sees: their results have bytes, and may be recomputed. Batch normalization is of [N*H*W,C], a view. A dropout stays as it is, for it drops by the place of an element.

    Runs after `memplan-autodiff`, on the whole step. A convolution that has `channels_last` already stays, and so does what follows it.

    ```mlir
    // Before
    %h = memplan.conv2d %x, %w : (tensor<8x3x32x32xf32>, tensor<16x3x1x1xf32>) -> tensor<8x16x32x32xf32>
    %y = memplan.relu %h : (tensor<8x16x32x32xf32>) -> tensor<8x16x32x32xf32>
    // After
    %xl = memplan.transpose %x {perm = [0, 2, 3, 1]} : (tensor<8x3x32x32xf32>) -> tensor<8x32x32x3xf32>
    %wl = memplan.reshape %w {shape = [-1, 1, 1, 3]} : (tensor<16x3x1x1xf32>) -> tensor<16x1x1x3xf32>
    %h = memplan.conv2d %xl, %wl {channels_last} : (tensor<8x32x32x3xf32>, tensor<16x1x1x3xf32>) -> tensor<8x32x32x16xf32>
    %yl = memplan.relu %h : (tensor<8x32x32x16xf32>) -> tensor<8x32x32x16xf32>
    %y = memplan.transpose %yl {perm = [0, 3, 1, 2]} : (tensor<8x32x32x16xf32>) -> tensor<8x16x32x32xf32>
    ```

    Planned functions stay as they are. Warns where there is no convolution to change. Fails on a function with several blocks.
  }];
  let statistics = [
    Statistic<"changed", "changed", "Operations on images with channels last">,
    Statistic<"copies", "copies", "Copies into the other layout">,
  ];
}

def UnrollPass : Pass<"memplan-unroll", "::mlir::func::FuncOp"> {
  let summary = "Replace loops of known trip count by the operations of all iterations";
  let description = [{
    A loop `scf.for` over layers or time becomes its iterations, one after the other, since planning decides on each value by itself. Outer loops come first; what is
    computed of the induction variable is folded. `tensor.extract_slice` at what is then a constant place becomes `memplan.slice` and `memplan.reshape`, so that
    layers can take their parameters from one tensor, at no bytes.

    ```mlir
    // Before
    func.func @layers(%x: tensor<4x8xf32>, %all: tensor<2x8x8xf32>) -> tensor<4x8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %x) -> (tensor<4x8xf32>) {
        %w = tensor.extract_slice %all[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<2x8x8xf32> to tensor<8x8xf32>
        %next = memplan.matmul %h, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
        scf.yield %next : tensor<4x8xf32>
      }
      return %y : tensor<4x8xf32>
    }
    // After
    %s0 = memplan.slice %all {dim = 0, size = 1, start = 0} : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %w0 = memplan.reshape %s0 {shape = [8, 8]} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %h1 = memplan.matmul %x, %w0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %s1 = memplan.slice %all {dim = 0, size = 1, start = 1} : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %w1 = memplan.reshape %s1 {shape = [8, 8]} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %y = memplan.matmul %h1, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    ```

    Planned functions stay as they are. Fails at a loop with a bound or step that is no constant, at a step below 1, and where more than a million operations would come of it.
  }];
  let dependentDialects = ["::mlir::memplan::MemplanDialect", "::mlir::arith::ArithDialect"];
}

#endif // MEMPLAN_DIALECT_TRANSFORMS_PASSES_TD
