// RUN: memplan-opt %s --memplan-remat='solver=greedy budget=600' -verify-diagnostics

// A budget below what one operation touches must be refused, not missed.
// expected-note @+4 {{a budget of 768 bytes works; it is known to work, not known to be the least}}
// expected-note @+3 {{the working set of a single node exceeds the budget}}
// expected-error @+2 {{no plan of @f fits the budget of 600 bytes}}
// expected-note @+1 {{always there: 256 bytes of parameters, states and inputs}}
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.softmax %0 {axis = -1} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.mul %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
