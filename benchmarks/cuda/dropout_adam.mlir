// A step whose replays must draw new numbers and count their steps: dropout and Adam, for first_contact.py.
func.func @step(%x: tensor<256x64xf32> {memplan.kind = "input", memplan.name = "x", memplan.batch = 0 : i64},
                %seed: tensor<1xi64> {memplan.kind = "input", memplan.name = "dropout_seed"},
                %w1: tensor<64x64xf32> {memplan.kind = "parameter", memplan.name = "w1", memplan.init = "normal:0.1"},
                %w2: tensor<64x64xf32> {memplan.kind = "parameter", memplan.name = "w2", memplan.init = "normal:0.1"},
                %w3: tensor<64x8xf32> {memplan.kind = "parameter", memplan.name = "w3", memplan.init = "normal:0.1"},
                %labels: tensor<256xi64> {memplan.kind = "input", memplan.name = "labels", memplan.high = 8 : i64, memplan.batch = 0 : i64})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"})
    attributes {memplan.optimizer = {name = "adam", lr = 0.01 : f64}} {
  %d1 = memplan.dropout %x, %seed {p = 0.5 : f64, salt = 1 : i64} : (tensor<256x64xf32>, tensor<1xi64>) -> tensor<256x64xf32>
  %h1 = memplan.matmul %d1, %w1 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %r1 = memplan.tanh %h1 : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %d2 = memplan.dropout %r1, %seed {p = 0.5 : f64, salt = 2 : i64} : (tensor<256x64xf32>, tensor<1xi64>) -> tensor<256x64xf32>
  %h2 = memplan.matmul %d2, %w2 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %r2 = memplan.tanh %h2 : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %y = memplan.matmul %r2, %w3 : (tensor<256x64xf32>, tensor<64x8xf32>) -> tensor<256x8xf32>
  %loss, %lse = memplan.cross_entropy %y, %labels : (tensor<256x8xf32>, tensor<256xi64>) -> (tensor<f32>, tensor<256xf32>)
  return %loss : tensor<f32>
}
