// Which values leave is chosen by the locations of the operations that make them: in the pass, in the tool, and from a graph file.
// RUN: memplan-opt %s --memplan-swap=tflms=incl_scopes=encoder | FileCheck %s --check-prefix=ENCODER
// RUN: memplan-opt %s --memplan-swap=tflms=excl_scopes=encoder/relu | FileCheck %s --check-prefix=REST
// RUN: not memplan-opt %s --memplan-swap=tflms=incl_scopes=enc 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: memplan-opt %s --swap=tflms --remat=checkpoint-all --tflms=incl_scopes=encoder | FileCheck %s --check-prefix=ENCODER
// RUN: memplan-opt %s --emit=graph -o %t.json
// RUN: memplan-solve remat %t.json --remat=checkpoint-all --swap=tflms --tflms=incl_scopes=encoder -o - | FileCheck %s --check-prefix=PLAN

// ENCODER:     memplan.evict
// ENCODER-NOT: memplan.evict
// ENCODER:     return

// The other value leaves behind its own operation.
// REST:     memplan.relu
// REST-NOT: memplan.evict
// REST:     memplan.sigmoid
// REST:     memplan.evict

// A scope ends where a name does.
// NONE: error: swap_i5: incl_scopes=enc matches no node; there are 'decoder', 'encoder', 'memplan.mul', 'memplan.tanh'

// PLAN:     {"compute": 0}
// PLAN:     {"evict": 1
// PLAN-NOT: "evict"
func.func @f(%x: tensor<64xf32> {memplan.kind = "input"}) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32> loc("encoder/relu")
  %1 = memplan.sigmoid %0 : (tensor<64xf32>) -> tensor<64xf32> loc("decoder/sigmoid")
  %2 = memplan.tanh %1 : (tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.tanh %2 : (tensor<64xf32>) -> tensor<64xf32>
  %4 = memplan.tanh %3 {memplan.backward} : (tensor<64xf32>) -> tensor<64xf32>
  %5 = memplan.mul %4, %1 {memplan.backward} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %6 = memplan.mul %5, %0 {memplan.backward} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %6 : tensor<64xf32>
}
