//===- Passes.td - Planning of buffers in any dialect ------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_MEMREF_PASSES
#define MEMPLAN_MEMREF_PASSES

include "mlir/Pass/PassBase.td"

def PrintLivenessPass : Pass<"memplan-print-liveness"> {
  let summary = "Draw when the memrefs and tensors of functions are live";
  let description = [{
    A picture in text of `LivenessAnalysis`, for any dialect: a row for each buffer with its bytes, a column for each program point, then what each point is and how
    many bytes are live at it. The IR stays as it is.

    ```mlir
    func.func @f(%x: memref<64xf32>) {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32>
      %b = memref.alloc() : memref<64xf32>
      memref.copy %a, %b : memref<64xf32> to memref<64xf32>
      memref.dealloc %a : memref<64xf32>
      memref.copy %b, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %b : memref<64xf32>
      return
    }
    ```

    gives

    ```text
    @f: 3 buffers, 10 points, peak of 512 bytes at point 4
          bytes |0123456789|
    %arg0   256 |==========|
    %alloc  256 |  ###     |
    %alloc_0 256 |    ###   |
    ```

    `#` is live, `=` the caller's, which the sums leave out, `?` live in an operation that may keep the buffer, or after it. Columns stand for several points where there are more than
    `columns`.
  }];
  let options = [
    Option<"columns", "columns", "unsigned", "100", "Most columns of the picture.">,
    Option<"points", "points", "bool", "true", "List the points with their operations and live bytes.">,
    Option<"file", "file", "std::string", "\"-\"", "Where to; `-` is stdout.">,
  ];
}

#endif // MEMPLAN_MEMREF_PASSES
