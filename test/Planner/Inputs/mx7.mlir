// Case MX-7: two branches between A1 and A8, in an order that takes turns. NNVM's rule gives the bytes of A1, which A5
// released, to A6 of A5's color, while A2 of another color may still read them. mx7-race.plan.json does so on two streams;
// mx7-safe.plan.json has the wait that it lacks. A2 takes far longer than A5, so that the race is lost where it is run.
func.func @mx7(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a1 = memplan.relu %x : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a2 = memplan.tanh %a1 : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a5 = memplan.add %a1, %a1 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a3 = memplan.relu %a2 : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a6 = memplan.add %a5, %a5 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a4 = memplan.relu %a3 : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a7 = memplan.add %a6, %a6 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a8 = memplan.add %a4, %a7 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %a8 : tensor<1024x1024xf32>
}
