//===- Passes.td - Passes on the memplan dialect alone ---------------------===//

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

#endif // MEMPLAN_DIALECT_TRANSFORMS_PASSES_TD
