// RUN: memplan-opt %s --split-input-file --verify-diagnostics --memplan-lower-to-runtime

// expected-error @below {{memplan-lower-to-runtime: the module has no planned function; memplan-plan makes one}}
module {
  func.func @tensors(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
