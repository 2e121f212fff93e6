// One training step of a GPT-2 of two layers, batch 2: forward pass and loss.
// 27936 parameters (111744 bytes). Written by python-bindings/export_examples.py small/gpt2
module {
  func.func @train_step(
      %te.weight: tensor<61x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "te.weight"},
      %pe.weight: tensor<16x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "pe.weight"},
      %blocks.0.l1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.0.l1.weight"},
      %blocks.0.l1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.l1.bias"},
      %blocks.0.l2.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.0.l2.weight"},
      %blocks.0.l2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.l2.bias"},
      %blocks.0.at.qkv.weight: tensor<96x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.at.qkv.weight"},
      %blocks.0.at.qkv.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.at.qkv.bias"},
      %blocks.0.at.proj.weight: tensor<32x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.at.proj.weight"},
      %blocks.0.at.proj.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.at.proj.bias"},
      %blocks.0.f1.weight: tensor<128x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.f1.weight"},
      %blocks.0.f1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.f1.bias"},
      %blocks.0.f2.weight: tensor<32x128xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.f2.weight"},
      %blocks.0.f2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.f2.bias"},
      %blocks.1.l1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.1.l1.weight"},
      %blocks.1.l1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.l1.bias"},
      %blocks.1.l2.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.1.l2.weight"},
      %blocks.1.l2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.l2.bias"},
      %blocks.1.at.qkv.weight: tensor<96x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.at.qkv.weight"},
      %blocks.1.at.qkv.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.at.qkv.bias"},
      %blocks.1.at.proj.weight: tensor<32x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.at.proj.weight"},
      %blocks.1.at.proj.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.at.proj.bias"},
      %blocks.1.f1.weight: tensor<128x32xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.f1.weight"},
      %blocks.1.f1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.f1.bias"},
      %blocks.1.f2.weight: tensor<32x128xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.f2.weight"},
      %blocks.1.f2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.f2.bias"},
      %ln.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "ln.weight"},
      %ln.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "ln.bias"},
      %tokens: tensor<2x16xi64> {memplan.batch = 0, memplan.high = 61, memplan.kind = "input", memplan.name = "tokens"},
      %next_tokens: tensor<2x16xi64> {memplan.batch = 0, memplan.high = 61, memplan.kind = "input", memplan.name = "next_tokens"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %te = memplan.embedding %te.weight, %tokens : (tensor<61x32xf32>, tensor<2x16xi64>) -> tensor<2x16x32xf32> loc("te")
    %pe = memplan.iota {size = 16} : () -> tensor<16xi64> loc("pe")
    %pe_1 = memplan.embedding %pe.weight, %pe : (tensor<16x32xf32>, tensor<16xi64>) -> tensor<16x32xf32> loc("pe")
    %add = memplan.add %te, %pe_1 : (tensor<2x16x32xf32>, tensor<16x32xf32>) -> tensor<2x16x32xf32> loc("model")
    %blocks.0.l1, %blocks.0.l1.mean, %blocks.0.l1.rstd = memplan.layer_norm %add, %blocks.0.l1.weight, %blocks.0.l1.bias {epsilon = 1.0e-05} : (tensor<2x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x16x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>) loc("blocks.0.l1")
    %blocks.0.at.qkv = memplan.matmul %blocks.0.l1, %blocks.0.at.qkv.weight, %blocks.0.at.qkv.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<96x32xf32>, tensor<96xf32>) -> tensor<2x16x96xf32> loc("blocks.0.at.qkv")
    %blocks.0.at.reshape = memplan.reshape %blocks.0.at.qkv {shape = [-1, 16, 3, 2, 16]} : (tensor<2x16x96xf32>) -> tensor<2x16x3x2x16xf32> loc("blocks.0.at")
    %blocks.0.at.transpose = memplan.transpose %blocks.0.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<2x16x3x2x16xf32>) -> tensor<3x2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.split.0, %blocks.0.at.split.1, %blocks.0.at.split.2 = memplan.split %blocks.0.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x2x2x16x16xf32>) -> (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) loc("blocks.0.at")
    %blocks.0.at.reshape_1 = memplan.reshape %blocks.0.at.split.0 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_2 = memplan.reshape %blocks.0.at.split.1 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_3 = memplan.reshape %blocks.0.at.split.2 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.matmul = memplan.matmul %blocks.0.at.reshape_1, %blocks.0.at.reshape_2 {transpose_rhs} : (tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.scale = memplan.scale %blocks.0.at.matmul {factor = 0.25} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.causal_mask = memplan.causal_mask %blocks.0.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.softmax = memplan.softmax %blocks.0.at.causal_mask {axis = 3} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.matmul_1 = memplan.matmul %blocks.0.at.softmax, %blocks.0.at.reshape_3 : (tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.0.at")
    %blocks.0.at.transpose_1 = memplan.transpose %blocks.0.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<2x2x16x16xf32>) -> tensor<2x16x2x16xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_4 = memplan.reshape %blocks.0.at.transpose_1 {shape = [-1, 16, 32]} : (tensor<2x16x2x16xf32>) -> tensor<2x16x32xf32> loc("blocks.0.at")
    %blocks.0.at.proj = memplan.matmul %blocks.0.at.reshape_4, %blocks.0.at.proj.weight, %blocks.0.at.proj.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<32x32xf32>, tensor<32xf32>) -> tensor<2x16x32xf32> loc("blocks.0.at.proj")
    %blocks.0.add = memplan.add %add, %blocks.0.at.proj : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32> loc("blocks.0")
    %blocks.0.l2, %blocks.0.l2.mean, %blocks.0.l2.rstd = memplan.layer_norm %blocks.0.add, %blocks.0.l2.weight, %blocks.0.l2.bias {epsilon = 1.0e-05} : (tensor<2x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x16x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>) loc("blocks.0.l2")
    %blocks.0.f1 = memplan.matmul %blocks.0.l2, %blocks.0.f1.weight, %blocks.0.f1.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<128x32xf32>, tensor<128xf32>) -> tensor<2x16x128xf32> loc("blocks.0.f1")
    %blocks.0.gelu = memplan.gelu %blocks.0.f1 {approximate = "tanh"} : (tensor<2x16x128xf32>) -> tensor<2x16x128xf32> loc("blocks.0")
    %blocks.0.f2 = memplan.matmul %blocks.0.gelu, %blocks.0.f2.weight, %blocks.0.f2.bias {transpose_rhs} : (tensor<2x16x128xf32>, tensor<32x128xf32>, tensor<32xf32>) -> tensor<2x16x32xf32> loc("blocks.0.f2")
    %blocks.0.add_1 = memplan.add %blocks.0.add, %blocks.0.f2 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32> loc("blocks.0")
    %blocks.1.l1, %blocks.1.l1.mean, %blocks.1.l1.rstd = memplan.layer_norm %blocks.0.add_1, %blocks.1.l1.weight, %blocks.1.l1.bias {epsilon = 1.0e-05} : (tensor<2x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x16x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>) loc("blocks.1.l1")
    %blocks.1.at.qkv = memplan.matmul %blocks.1.l1, %blocks.1.at.qkv.weight, %blocks.1.at.qkv.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<96x32xf32>, tensor<96xf32>) -> tensor<2x16x96xf32> loc("blocks.1.at.qkv")
    %blocks.1.at.reshape = memplan.reshape %blocks.1.at.qkv {shape = [-1, 16, 3, 2, 16]} : (tensor<2x16x96xf32>) -> tensor<2x16x3x2x16xf32> loc("blocks.1.at")
    %blocks.1.at.transpose = memplan.transpose %blocks.1.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<2x16x3x2x16xf32>) -> tensor<3x2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.split.0, %blocks.1.at.split.1, %blocks.1.at.split.2 = memplan.split %blocks.1.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x2x2x16x16xf32>) -> (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) loc("blocks.1.at")
    %blocks.1.at.reshape_1 = memplan.reshape %blocks.1.at.split.0 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_2 = memplan.reshape %blocks.1.at.split.1 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_3 = memplan.reshape %blocks.1.at.split.2 {shape = [-1, 2, 16, 16]} : (tensor<1x2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.matmul = memplan.matmul %blocks.1.at.reshape_1, %blocks.1.at.reshape_2 {transpose_rhs} : (tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.scale = memplan.scale %blocks.1.at.matmul {factor = 0.25} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.causal_mask = memplan.causal_mask %blocks.1.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.softmax = memplan.softmax %blocks.1.at.causal_mask {axis = 3} : (tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.matmul_1 = memplan.matmul %blocks.1.at.softmax, %blocks.1.at.reshape_3 : (tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32> loc("blocks.1.at")
    %blocks.1.at.transpose_1 = memplan.transpose %blocks.1.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<2x2x16x16xf32>) -> tensor<2x16x2x16xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_4 = memplan.reshape %blocks.1.at.transpose_1 {shape = [-1, 16, 32]} : (tensor<2x16x2x16xf32>) -> tensor<2x16x32xf32> loc("blocks.1.at")
    %blocks.1.at.proj = memplan.matmul %blocks.1.at.reshape_4, %blocks.1.at.proj.weight, %blocks.1.at.proj.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<32x32xf32>, tensor<32xf32>) -> tensor<2x16x32xf32> loc("blocks.1.at.proj")
    %blocks.1.add = memplan.add %blocks.0.add_1, %blocks.1.at.proj : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32> loc("blocks.1")
    %blocks.1.l2, %blocks.1.l2.mean, %blocks.1.l2.rstd = memplan.layer_norm %blocks.1.add, %blocks.1.l2.weight, %blocks.1.l2.bias {epsilon = 1.0e-05} : (tensor<2x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x16x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>) loc("blocks.1.l2")
    %blocks.1.f1 = memplan.matmul %blocks.1.l2, %blocks.1.f1.weight, %blocks.1.f1.bias {transpose_rhs} : (tensor<2x16x32xf32>, tensor<128x32xf32>, tensor<128xf32>) -> tensor<2x16x128xf32> loc("blocks.1.f1")
    %blocks.1.gelu = memplan.gelu %blocks.1.f1 {approximate = "tanh"} : (tensor<2x16x128xf32>) -> tensor<2x16x128xf32> loc("blocks.1")
    %blocks.1.f2 = memplan.matmul %blocks.1.gelu, %blocks.1.f2.weight, %blocks.1.f2.bias {transpose_rhs} : (tensor<2x16x128xf32>, tensor<32x128xf32>, tensor<32xf32>) -> tensor<2x16x32xf32> loc("blocks.1.f2")
    %blocks.1.add_1 = memplan.add %blocks.1.add, %blocks.1.f2 : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32> loc("blocks.1")
    %ln, %ln.mean, %ln.rstd = memplan.layer_norm %blocks.1.add_1, %ln.weight, %ln.bias {epsilon = 1.0e-05} : (tensor<2x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x16x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>) loc("ln")
    %head = memplan.matmul %ln, %te.weight {transpose_rhs} : (tensor<2x16x32xf32>, tensor<61x32xf32>) -> tensor<2x16x61xf32> loc("head")
    %reshape = memplan.reshape %head {shape = [-1, 61]} : (tensor<2x16x61xf32>) -> tensor<32x61xf32> loc("loss")
    %reshape_1 = memplan.reshape %next_tokens {shape = [-1]} : (tensor<2x16xi64>) -> tensor<32xi64> loc("loss")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %reshape, %reshape_1 : (tensor<32x61xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy : tensor<f32>
  }
}
