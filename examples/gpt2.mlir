// One training step of GPT-2 small, attention written out, batch 4: forward pass and loss.
// 124439808 parameters (497759232 bytes). Written by python-bindings/export_examples.py gpt2
module {
  func.func @train_step(
      %te.weight: tensor<50257x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "te.weight"},
      %pe.weight: tensor<1024x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "pe.weight"},
      %blocks.0.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.0.l1.weight"},
      %blocks.0.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.l1.bias"},
      %blocks.0.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.0.l2.weight"},
      %blocks.0.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.l2.bias"},
      %blocks.0.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.at.qkv.weight"},
      %blocks.0.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.at.qkv.bias"},
      %blocks.0.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.at.proj.weight"},
      %blocks.0.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.at.proj.bias"},
      %blocks.0.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.f1.weight"},
      %blocks.0.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.f1.bias"},
      %blocks.0.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.0.f2.weight"},
      %blocks.0.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.0.f2.bias"},
      %blocks.1.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.1.l1.weight"},
      %blocks.1.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.l1.bias"},
      %blocks.1.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.1.l2.weight"},
      %blocks.1.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.l2.bias"},
      %blocks.1.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.at.qkv.weight"},
      %blocks.1.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.at.qkv.bias"},
      %blocks.1.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.at.proj.weight"},
      %blocks.1.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.at.proj.bias"},
      %blocks.1.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.f1.weight"},
      %blocks.1.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.f1.bias"},
      %blocks.1.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.1.f2.weight"},
      %blocks.1.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.1.f2.bias"},
      %blocks.2.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.2.l1.weight"},
      %blocks.2.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.l1.bias"},
      %blocks.2.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.2.l2.weight"},
      %blocks.2.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.l2.bias"},
      %blocks.2.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.2.at.qkv.weight"},
      %blocks.2.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.at.qkv.bias"},
      %blocks.2.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.2.at.proj.weight"},
      %blocks.2.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.at.proj.bias"},
      %blocks.2.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.2.f1.weight"},
      %blocks.2.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.f1.bias"},
      %blocks.2.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.2.f2.weight"},
      %blocks.2.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.2.f2.bias"},
      %blocks.3.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.3.l1.weight"},
      %blocks.3.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.l1.bias"},
      %blocks.3.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.3.l2.weight"},
      %blocks.3.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.l2.bias"},
      %blocks.3.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.3.at.qkv.weight"},
      %blocks.3.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.at.qkv.bias"},
      %blocks.3.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.3.at.proj.weight"},
      %blocks.3.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.at.proj.bias"},
      %blocks.3.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.3.f1.weight"},
      %blocks.3.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.f1.bias"},
      %blocks.3.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.3.f2.weight"},
      %blocks.3.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.3.f2.bias"},
      %blocks.4.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.4.l1.weight"},
      %blocks.4.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.l1.bias"},
      %blocks.4.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.4.l2.weight"},
      %blocks.4.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.l2.bias"},
      %blocks.4.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.4.at.qkv.weight"},
      %blocks.4.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.at.qkv.bias"},
      %blocks.4.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.4.at.proj.weight"},
      %blocks.4.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.at.proj.bias"},
      %blocks.4.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.4.f1.weight"},
      %blocks.4.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.f1.bias"},
      %blocks.4.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.4.f2.weight"},
      %blocks.4.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.4.f2.bias"},
      %blocks.5.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.5.l1.weight"},
      %blocks.5.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.l1.bias"},
      %blocks.5.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.5.l2.weight"},
      %blocks.5.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.l2.bias"},
      %blocks.5.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.5.at.qkv.weight"},
      %blocks.5.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.at.qkv.bias"},
      %blocks.5.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.5.at.proj.weight"},
      %blocks.5.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.at.proj.bias"},
      %blocks.5.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.5.f1.weight"},
      %blocks.5.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.f1.bias"},
      %blocks.5.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.5.f2.weight"},
      %blocks.5.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.5.f2.bias"},
      %blocks.6.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.6.l1.weight"},
      %blocks.6.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.l1.bias"},
      %blocks.6.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.6.l2.weight"},
      %blocks.6.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.l2.bias"},
      %blocks.6.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.6.at.qkv.weight"},
      %blocks.6.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.at.qkv.bias"},
      %blocks.6.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.6.at.proj.weight"},
      %blocks.6.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.at.proj.bias"},
      %blocks.6.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.6.f1.weight"},
      %blocks.6.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.f1.bias"},
      %blocks.6.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.6.f2.weight"},
      %blocks.6.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.6.f2.bias"},
      %blocks.7.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.7.l1.weight"},
      %blocks.7.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.l1.bias"},
      %blocks.7.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.7.l2.weight"},
      %blocks.7.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.l2.bias"},
      %blocks.7.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.7.at.qkv.weight"},
      %blocks.7.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.at.qkv.bias"},
      %blocks.7.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.7.at.proj.weight"},
      %blocks.7.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.at.proj.bias"},
      %blocks.7.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.7.f1.weight"},
      %blocks.7.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.f1.bias"},
      %blocks.7.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.7.f2.weight"},
      %blocks.7.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.7.f2.bias"},
      %blocks.8.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.8.l1.weight"},
      %blocks.8.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.l1.bias"},
      %blocks.8.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.8.l2.weight"},
      %blocks.8.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.l2.bias"},
      %blocks.8.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.8.at.qkv.weight"},
      %blocks.8.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.at.qkv.bias"},
      %blocks.8.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.8.at.proj.weight"},
      %blocks.8.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.at.proj.bias"},
      %blocks.8.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.8.f1.weight"},
      %blocks.8.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.f1.bias"},
      %blocks.8.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.8.f2.weight"},
      %blocks.8.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.8.f2.bias"},
      %blocks.9.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.9.l1.weight"},
      %blocks.9.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.l1.bias"},
      %blocks.9.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.9.l2.weight"},
      %blocks.9.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.l2.bias"},
      %blocks.9.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.9.at.qkv.weight"},
      %blocks.9.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.at.qkv.bias"},
      %blocks.9.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.9.at.proj.weight"},
      %blocks.9.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.at.proj.bias"},
      %blocks.9.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.9.f1.weight"},
      %blocks.9.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.f1.bias"},
      %blocks.9.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.9.f2.weight"},
      %blocks.9.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.9.f2.bias"},
      %blocks.10.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.10.l1.weight"},
      %blocks.10.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.l1.bias"},
      %blocks.10.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.10.l2.weight"},
      %blocks.10.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.l2.bias"},
      %blocks.10.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.10.at.qkv.weight"},
      %blocks.10.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.at.qkv.bias"},
      %blocks.10.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.10.at.proj.weight"},
      %blocks.10.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.at.proj.bias"},
      %blocks.10.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.10.f1.weight"},
      %blocks.10.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.f1.bias"},
      %blocks.10.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.10.f2.weight"},
      %blocks.10.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.10.f2.bias"},
      %blocks.11.l1.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.11.l1.weight"},
      %blocks.11.l1.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.l1.bias"},
      %blocks.11.l2.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "blocks.11.l2.weight"},
      %blocks.11.l2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.l2.bias"},
      %blocks.11.at.qkv.weight: tensor<2304x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.11.at.qkv.weight"},
      %blocks.11.at.qkv.bias: tensor<2304xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.at.qkv.bias"},
      %blocks.11.at.proj.weight: tensor<768x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.11.at.proj.weight"},
      %blocks.11.at.proj.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.at.proj.bias"},
      %blocks.11.f1.weight: tensor<3072x768xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.11.f1.weight"},
      %blocks.11.f1.bias: tensor<3072xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.f1.bias"},
      %blocks.11.f2.weight: tensor<768x3072xf32> {memplan.init = "normal:0.02", memplan.kind = "parameter", memplan.name = "blocks.11.f2.weight"},
      %blocks.11.f2.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "blocks.11.f2.bias"},
      %ln.weight: tensor<768xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "ln.weight"},
      %ln.bias: tensor<768xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "ln.bias"},
      %tokens: tensor<4x1024xi64> {memplan.batch = 0, memplan.high = 50257, memplan.kind = "input", memplan.name = "tokens"},
      %next_tokens: tensor<4x1024xi64> {memplan.batch = 0, memplan.high = 50257, memplan.kind = "input", memplan.name = "next_tokens"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %te = memplan.embedding %te.weight, %tokens : (tensor<50257x768xf32>, tensor<4x1024xi64>) -> tensor<4x1024x768xf32> loc("te")
    %pe = memplan.iota {size = 1024} : () -> tensor<1024xi64> loc("pe")
    %pe_1 = memplan.embedding %pe.weight, %pe : (tensor<1024x768xf32>, tensor<1024xi64>) -> tensor<1024x768xf32> loc("pe")
    %add = memplan.add %te, %pe_1 : (tensor<4x1024x768xf32>, tensor<1024x768xf32>) -> tensor<4x1024x768xf32> loc("model")
    %blocks.0.l1, %blocks.0.l1.mean, %blocks.0.l1.rstd = memplan.layer_norm %add, %blocks.0.l1.weight, %blocks.0.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.0.l1")
    %blocks.0.at.qkv = memplan.matmul %blocks.0.l1, %blocks.0.at.qkv.weight, %blocks.0.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.0.at.qkv")
    %blocks.0.at.reshape = memplan.reshape %blocks.0.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.0.at")
    %blocks.0.at.transpose = memplan.transpose %blocks.0.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.0.at")
    %blocks.0.at.split.0, %blocks.0.at.split.1, %blocks.0.at.split.2 = memplan.split %blocks.0.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.0.at")
    %blocks.0.at.reshape_1 = memplan.reshape %blocks.0.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_2 = memplan.reshape %blocks.0.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_3 = memplan.reshape %blocks.0.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.0.at")
    %blocks.0.at.matmul = memplan.matmul %blocks.0.at.reshape_1, %blocks.0.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.0.at")
    %blocks.0.at.scale = memplan.scale %blocks.0.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.0.at")
    %blocks.0.at.causal_mask = memplan.causal_mask %blocks.0.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.0.at")
    %blocks.0.at.softmax = memplan.softmax %blocks.0.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.0.at")
    %blocks.0.at.matmul_1 = memplan.matmul %blocks.0.at.softmax, %blocks.0.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.0.at")
    %blocks.0.at.transpose_1 = memplan.transpose %blocks.0.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.0.at")
    %blocks.0.at.reshape_4 = memplan.reshape %blocks.0.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.0.at")
    %blocks.0.at.proj = memplan.matmul %blocks.0.at.reshape_4, %blocks.0.at.proj.weight, %blocks.0.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.0.at.proj")
    %blocks.0.add = memplan.add %add, %blocks.0.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.0")
    %blocks.0.l2, %blocks.0.l2.mean, %blocks.0.l2.rstd = memplan.layer_norm %blocks.0.add, %blocks.0.l2.weight, %blocks.0.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.0.l2")
    %blocks.0.f1 = memplan.matmul %blocks.0.l2, %blocks.0.f1.weight, %blocks.0.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.0.f1")
    %blocks.0.gelu = memplan.gelu %blocks.0.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.0")
    %blocks.0.f2 = memplan.matmul %blocks.0.gelu, %blocks.0.f2.weight, %blocks.0.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.0.f2")
    %blocks.0.add_1 = memplan.add %blocks.0.add, %blocks.0.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.0")
    %blocks.1.l1, %blocks.1.l1.mean, %blocks.1.l1.rstd = memplan.layer_norm %blocks.0.add_1, %blocks.1.l1.weight, %blocks.1.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.1.l1")
    %blocks.1.at.qkv = memplan.matmul %blocks.1.l1, %blocks.1.at.qkv.weight, %blocks.1.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.1.at.qkv")
    %blocks.1.at.reshape = memplan.reshape %blocks.1.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.1.at")
    %blocks.1.at.transpose = memplan.transpose %blocks.1.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.1.at")
    %blocks.1.at.split.0, %blocks.1.at.split.1, %blocks.1.at.split.2 = memplan.split %blocks.1.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.1.at")
    %blocks.1.at.reshape_1 = memplan.reshape %blocks.1.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_2 = memplan.reshape %blocks.1.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_3 = memplan.reshape %blocks.1.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.1.at")
    %blocks.1.at.matmul = memplan.matmul %blocks.1.at.reshape_1, %blocks.1.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.1.at")
    %blocks.1.at.scale = memplan.scale %blocks.1.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.1.at")
    %blocks.1.at.causal_mask = memplan.causal_mask %blocks.1.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.1.at")
    %blocks.1.at.softmax = memplan.softmax %blocks.1.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.1.at")
    %blocks.1.at.matmul_1 = memplan.matmul %blocks.1.at.softmax, %blocks.1.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.1.at")
    %blocks.1.at.transpose_1 = memplan.transpose %blocks.1.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.1.at")
    %blocks.1.at.reshape_4 = memplan.reshape %blocks.1.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.1.at")
    %blocks.1.at.proj = memplan.matmul %blocks.1.at.reshape_4, %blocks.1.at.proj.weight, %blocks.1.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.1.at.proj")
    %blocks.1.add = memplan.add %blocks.0.add_1, %blocks.1.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.1")
    %blocks.1.l2, %blocks.1.l2.mean, %blocks.1.l2.rstd = memplan.layer_norm %blocks.1.add, %blocks.1.l2.weight, %blocks.1.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.1.l2")
    %blocks.1.f1 = memplan.matmul %blocks.1.l2, %blocks.1.f1.weight, %blocks.1.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.1.f1")
    %blocks.1.gelu = memplan.gelu %blocks.1.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.1")
    %blocks.1.f2 = memplan.matmul %blocks.1.gelu, %blocks.1.f2.weight, %blocks.1.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.1.f2")
    %blocks.1.add_1 = memplan.add %blocks.1.add, %blocks.1.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.1")
    %blocks.2.l1, %blocks.2.l1.mean, %blocks.2.l1.rstd = memplan.layer_norm %blocks.1.add_1, %blocks.2.l1.weight, %blocks.2.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.2.l1")
    %blocks.2.at.qkv = memplan.matmul %blocks.2.l1, %blocks.2.at.qkv.weight, %blocks.2.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.2.at.qkv")
    %blocks.2.at.reshape = memplan.reshape %blocks.2.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.2.at")
    %blocks.2.at.transpose = memplan.transpose %blocks.2.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.2.at")
    %blocks.2.at.split.0, %blocks.2.at.split.1, %blocks.2.at.split.2 = memplan.split %blocks.2.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.2.at")
    %blocks.2.at.reshape_1 = memplan.reshape %blocks.2.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.2.at")
    %blocks.2.at.reshape_2 = memplan.reshape %blocks.2.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.2.at")
    %blocks.2.at.reshape_3 = memplan.reshape %blocks.2.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.2.at")
    %blocks.2.at.matmul = memplan.matmul %blocks.2.at.reshape_1, %blocks.2.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.2.at")
    %blocks.2.at.scale = memplan.scale %blocks.2.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.2.at")
    %blocks.2.at.causal_mask = memplan.causal_mask %blocks.2.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.2.at")
    %blocks.2.at.softmax = memplan.softmax %blocks.2.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.2.at")
    %blocks.2.at.matmul_1 = memplan.matmul %blocks.2.at.softmax, %blocks.2.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.2.at")
    %blocks.2.at.transpose_1 = memplan.transpose %blocks.2.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.2.at")
    %blocks.2.at.reshape_4 = memplan.reshape %blocks.2.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.2.at")
    %blocks.2.at.proj = memplan.matmul %blocks.2.at.reshape_4, %blocks.2.at.proj.weight, %blocks.2.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.2.at.proj")
    %blocks.2.add = memplan.add %blocks.1.add_1, %blocks.2.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.2")
    %blocks.2.l2, %blocks.2.l2.mean, %blocks.2.l2.rstd = memplan.layer_norm %blocks.2.add, %blocks.2.l2.weight, %blocks.2.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.2.l2")
    %blocks.2.f1 = memplan.matmul %blocks.2.l2, %blocks.2.f1.weight, %blocks.2.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.2.f1")
    %blocks.2.gelu = memplan.gelu %blocks.2.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.2")
    %blocks.2.f2 = memplan.matmul %blocks.2.gelu, %blocks.2.f2.weight, %blocks.2.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.2.f2")
    %blocks.2.add_1 = memplan.add %blocks.2.add, %blocks.2.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.2")
    %blocks.3.l1, %blocks.3.l1.mean, %blocks.3.l1.rstd = memplan.layer_norm %blocks.2.add_1, %blocks.3.l1.weight, %blocks.3.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.3.l1")
    %blocks.3.at.qkv = memplan.matmul %blocks.3.l1, %blocks.3.at.qkv.weight, %blocks.3.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.3.at.qkv")
    %blocks.3.at.reshape = memplan.reshape %blocks.3.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.3.at")
    %blocks.3.at.transpose = memplan.transpose %blocks.3.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.3.at")
    %blocks.3.at.split.0, %blocks.3.at.split.1, %blocks.3.at.split.2 = memplan.split %blocks.3.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.3.at")
    %blocks.3.at.reshape_1 = memplan.reshape %blocks.3.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.3.at")
    %blocks.3.at.reshape_2 = memplan.reshape %blocks.3.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.3.at")
    %blocks.3.at.reshape_3 = memplan.reshape %blocks.3.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.3.at")
    %blocks.3.at.matmul = memplan.matmul %blocks.3.at.reshape_1, %blocks.3.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.3.at")
    %blocks.3.at.scale = memplan.scale %blocks.3.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.3.at")
    %blocks.3.at.causal_mask = memplan.causal_mask %blocks.3.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.3.at")
    %blocks.3.at.softmax = memplan.softmax %blocks.3.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.3.at")
    %blocks.3.at.matmul_1 = memplan.matmul %blocks.3.at.softmax, %blocks.3.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.3.at")
    %blocks.3.at.transpose_1 = memplan.transpose %blocks.3.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.3.at")
    %blocks.3.at.reshape_4 = memplan.reshape %blocks.3.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.3.at")
    %blocks.3.at.proj = memplan.matmul %blocks.3.at.reshape_4, %blocks.3.at.proj.weight, %blocks.3.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.3.at.proj")
    %blocks.3.add = memplan.add %blocks.2.add_1, %blocks.3.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.3")
    %blocks.3.l2, %blocks.3.l2.mean, %blocks.3.l2.rstd = memplan.layer_norm %blocks.3.add, %blocks.3.l2.weight, %blocks.3.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.3.l2")
    %blocks.3.f1 = memplan.matmul %blocks.3.l2, %blocks.3.f1.weight, %blocks.3.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.3.f1")
    %blocks.3.gelu = memplan.gelu %blocks.3.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.3")
    %blocks.3.f2 = memplan.matmul %blocks.3.gelu, %blocks.3.f2.weight, %blocks.3.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.3.f2")
    %blocks.3.add_1 = memplan.add %blocks.3.add, %blocks.3.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.3")
    %blocks.4.l1, %blocks.4.l1.mean, %blocks.4.l1.rstd = memplan.layer_norm %blocks.3.add_1, %blocks.4.l1.weight, %blocks.4.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.4.l1")
    %blocks.4.at.qkv = memplan.matmul %blocks.4.l1, %blocks.4.at.qkv.weight, %blocks.4.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.4.at.qkv")
    %blocks.4.at.reshape = memplan.reshape %blocks.4.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.4.at")
    %blocks.4.at.transpose = memplan.transpose %blocks.4.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.4.at")
    %blocks.4.at.split.0, %blocks.4.at.split.1, %blocks.4.at.split.2 = memplan.split %blocks.4.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.4.at")
    %blocks.4.at.reshape_1 = memplan.reshape %blocks.4.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.4.at")
    %blocks.4.at.reshape_2 = memplan.reshape %blocks.4.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.4.at")
    %blocks.4.at.reshape_3 = memplan.reshape %blocks.4.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.4.at")
    %blocks.4.at.matmul = memplan.matmul %blocks.4.at.reshape_1, %blocks.4.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.4.at")
    %blocks.4.at.scale = memplan.scale %blocks.4.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.4.at")
    %blocks.4.at.causal_mask = memplan.causal_mask %blocks.4.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.4.at")
    %blocks.4.at.softmax = memplan.softmax %blocks.4.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.4.at")
    %blocks.4.at.matmul_1 = memplan.matmul %blocks.4.at.softmax, %blocks.4.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.4.at")
    %blocks.4.at.transpose_1 = memplan.transpose %blocks.4.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.4.at")
    %blocks.4.at.reshape_4 = memplan.reshape %blocks.4.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.4.at")
    %blocks.4.at.proj = memplan.matmul %blocks.4.at.reshape_4, %blocks.4.at.proj.weight, %blocks.4.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.4.at.proj")
    %blocks.4.add = memplan.add %blocks.3.add_1, %blocks.4.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.4")
    %blocks.4.l2, %blocks.4.l2.mean, %blocks.4.l2.rstd = memplan.layer_norm %blocks.4.add, %blocks.4.l2.weight, %blocks.4.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.4.l2")
    %blocks.4.f1 = memplan.matmul %blocks.4.l2, %blocks.4.f1.weight, %blocks.4.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.4.f1")
    %blocks.4.gelu = memplan.gelu %blocks.4.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.4")
    %blocks.4.f2 = memplan.matmul %blocks.4.gelu, %blocks.4.f2.weight, %blocks.4.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.4.f2")
    %blocks.4.add_1 = memplan.add %blocks.4.add, %blocks.4.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.4")
    %blocks.5.l1, %blocks.5.l1.mean, %blocks.5.l1.rstd = memplan.layer_norm %blocks.4.add_1, %blocks.5.l1.weight, %blocks.5.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.5.l1")
    %blocks.5.at.qkv = memplan.matmul %blocks.5.l1, %blocks.5.at.qkv.weight, %blocks.5.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.5.at.qkv")
    %blocks.5.at.reshape = memplan.reshape %blocks.5.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.5.at")
    %blocks.5.at.transpose = memplan.transpose %blocks.5.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.5.at")
    %blocks.5.at.split.0, %blocks.5.at.split.1, %blocks.5.at.split.2 = memplan.split %blocks.5.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.5.at")
    %blocks.5.at.reshape_1 = memplan.reshape %blocks.5.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.5.at")
    %blocks.5.at.reshape_2 = memplan.reshape %blocks.5.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.5.at")
    %blocks.5.at.reshape_3 = memplan.reshape %blocks.5.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.5.at")
    %blocks.5.at.matmul = memplan.matmul %blocks.5.at.reshape_1, %blocks.5.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.5.at")
    %blocks.5.at.scale = memplan.scale %blocks.5.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.5.at")
    %blocks.5.at.causal_mask = memplan.causal_mask %blocks.5.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.5.at")
    %blocks.5.at.softmax = memplan.softmax %blocks.5.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.5.at")
    %blocks.5.at.matmul_1 = memplan.matmul %blocks.5.at.softmax, %blocks.5.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.5.at")
    %blocks.5.at.transpose_1 = memplan.transpose %blocks.5.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.5.at")
    %blocks.5.at.reshape_4 = memplan.reshape %blocks.5.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.5.at")
    %blocks.5.at.proj = memplan.matmul %blocks.5.at.reshape_4, %blocks.5.at.proj.weight, %blocks.5.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.5.at.proj")
    %blocks.5.add = memplan.add %blocks.4.add_1, %blocks.5.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.5")
    %blocks.5.l2, %blocks.5.l2.mean, %blocks.5.l2.rstd = memplan.layer_norm %blocks.5.add, %blocks.5.l2.weight, %blocks.5.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.5.l2")
    %blocks.5.f1 = memplan.matmul %blocks.5.l2, %blocks.5.f1.weight, %blocks.5.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.5.f1")
    %blocks.5.gelu = memplan.gelu %blocks.5.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.5")
    %blocks.5.f2 = memplan.matmul %blocks.5.gelu, %blocks.5.f2.weight, %blocks.5.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.5.f2")
    %blocks.5.add_1 = memplan.add %blocks.5.add, %blocks.5.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.5")
    %blocks.6.l1, %blocks.6.l1.mean, %blocks.6.l1.rstd = memplan.layer_norm %blocks.5.add_1, %blocks.6.l1.weight, %blocks.6.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.6.l1")
    %blocks.6.at.qkv = memplan.matmul %blocks.6.l1, %blocks.6.at.qkv.weight, %blocks.6.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.6.at.qkv")
    %blocks.6.at.reshape = memplan.reshape %blocks.6.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.6.at")
    %blocks.6.at.transpose = memplan.transpose %blocks.6.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.6.at")
    %blocks.6.at.split.0, %blocks.6.at.split.1, %blocks.6.at.split.2 = memplan.split %blocks.6.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.6.at")
    %blocks.6.at.reshape_1 = memplan.reshape %blocks.6.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.6.at")
    %blocks.6.at.reshape_2 = memplan.reshape %blocks.6.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.6.at")
    %blocks.6.at.reshape_3 = memplan.reshape %blocks.6.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.6.at")
    %blocks.6.at.matmul = memplan.matmul %blocks.6.at.reshape_1, %blocks.6.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.6.at")
    %blocks.6.at.scale = memplan.scale %blocks.6.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.6.at")
    %blocks.6.at.causal_mask = memplan.causal_mask %blocks.6.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.6.at")
    %blocks.6.at.softmax = memplan.softmax %blocks.6.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.6.at")
    %blocks.6.at.matmul_1 = memplan.matmul %blocks.6.at.softmax, %blocks.6.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.6.at")
    %blocks.6.at.transpose_1 = memplan.transpose %blocks.6.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.6.at")
    %blocks.6.at.reshape_4 = memplan.reshape %blocks.6.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.6.at")
    %blocks.6.at.proj = memplan.matmul %blocks.6.at.reshape_4, %blocks.6.at.proj.weight, %blocks.6.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.6.at.proj")
    %blocks.6.add = memplan.add %blocks.5.add_1, %blocks.6.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.6")
    %blocks.6.l2, %blocks.6.l2.mean, %blocks.6.l2.rstd = memplan.layer_norm %blocks.6.add, %blocks.6.l2.weight, %blocks.6.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.6.l2")
    %blocks.6.f1 = memplan.matmul %blocks.6.l2, %blocks.6.f1.weight, %blocks.6.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.6.f1")
    %blocks.6.gelu = memplan.gelu %blocks.6.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.6")
    %blocks.6.f2 = memplan.matmul %blocks.6.gelu, %blocks.6.f2.weight, %blocks.6.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.6.f2")
    %blocks.6.add_1 = memplan.add %blocks.6.add, %blocks.6.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.6")
    %blocks.7.l1, %blocks.7.l1.mean, %blocks.7.l1.rstd = memplan.layer_norm %blocks.6.add_1, %blocks.7.l1.weight, %blocks.7.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.7.l1")
    %blocks.7.at.qkv = memplan.matmul %blocks.7.l1, %blocks.7.at.qkv.weight, %blocks.7.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.7.at.qkv")
    %blocks.7.at.reshape = memplan.reshape %blocks.7.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.7.at")
    %blocks.7.at.transpose = memplan.transpose %blocks.7.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.7.at")
    %blocks.7.at.split.0, %blocks.7.at.split.1, %blocks.7.at.split.2 = memplan.split %blocks.7.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.7.at")
    %blocks.7.at.reshape_1 = memplan.reshape %blocks.7.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.7.at")
    %blocks.7.at.reshape_2 = memplan.reshape %blocks.7.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.7.at")
    %blocks.7.at.reshape_3 = memplan.reshape %blocks.7.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.7.at")
    %blocks.7.at.matmul = memplan.matmul %blocks.7.at.reshape_1, %blocks.7.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.7.at")
    %blocks.7.at.scale = memplan.scale %blocks.7.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.7.at")
    %blocks.7.at.causal_mask = memplan.causal_mask %blocks.7.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.7.at")
    %blocks.7.at.softmax = memplan.softmax %blocks.7.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.7.at")
    %blocks.7.at.matmul_1 = memplan.matmul %blocks.7.at.softmax, %blocks.7.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.7.at")
    %blocks.7.at.transpose_1 = memplan.transpose %blocks.7.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.7.at")
    %blocks.7.at.reshape_4 = memplan.reshape %blocks.7.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.7.at")
    %blocks.7.at.proj = memplan.matmul %blocks.7.at.reshape_4, %blocks.7.at.proj.weight, %blocks.7.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.7.at.proj")
    %blocks.7.add = memplan.add %blocks.6.add_1, %blocks.7.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.7")
    %blocks.7.l2, %blocks.7.l2.mean, %blocks.7.l2.rstd = memplan.layer_norm %blocks.7.add, %blocks.7.l2.weight, %blocks.7.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.7.l2")
    %blocks.7.f1 = memplan.matmul %blocks.7.l2, %blocks.7.f1.weight, %blocks.7.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.7.f1")
    %blocks.7.gelu = memplan.gelu %blocks.7.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.7")
    %blocks.7.f2 = memplan.matmul %blocks.7.gelu, %blocks.7.f2.weight, %blocks.7.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.7.f2")
    %blocks.7.add_1 = memplan.add %blocks.7.add, %blocks.7.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.7")
    %blocks.8.l1, %blocks.8.l1.mean, %blocks.8.l1.rstd = memplan.layer_norm %blocks.7.add_1, %blocks.8.l1.weight, %blocks.8.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.8.l1")
    %blocks.8.at.qkv = memplan.matmul %blocks.8.l1, %blocks.8.at.qkv.weight, %blocks.8.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.8.at.qkv")
    %blocks.8.at.reshape = memplan.reshape %blocks.8.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.8.at")
    %blocks.8.at.transpose = memplan.transpose %blocks.8.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.8.at")
    %blocks.8.at.split.0, %blocks.8.at.split.1, %blocks.8.at.split.2 = memplan.split %blocks.8.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.8.at")
    %blocks.8.at.reshape_1 = memplan.reshape %blocks.8.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.8.at")
    %blocks.8.at.reshape_2 = memplan.reshape %blocks.8.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.8.at")
    %blocks.8.at.reshape_3 = memplan.reshape %blocks.8.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.8.at")
    %blocks.8.at.matmul = memplan.matmul %blocks.8.at.reshape_1, %blocks.8.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.8.at")
    %blocks.8.at.scale = memplan.scale %blocks.8.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.8.at")
    %blocks.8.at.causal_mask = memplan.causal_mask %blocks.8.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.8.at")
    %blocks.8.at.softmax = memplan.softmax %blocks.8.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.8.at")
    %blocks.8.at.matmul_1 = memplan.matmul %blocks.8.at.softmax, %blocks.8.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.8.at")
    %blocks.8.at.transpose_1 = memplan.transpose %blocks.8.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.8.at")
    %blocks.8.at.reshape_4 = memplan.reshape %blocks.8.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.8.at")
    %blocks.8.at.proj = memplan.matmul %blocks.8.at.reshape_4, %blocks.8.at.proj.weight, %blocks.8.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.8.at.proj")
    %blocks.8.add = memplan.add %blocks.7.add_1, %blocks.8.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.8")
    %blocks.8.l2, %blocks.8.l2.mean, %blocks.8.l2.rstd = memplan.layer_norm %blocks.8.add, %blocks.8.l2.weight, %blocks.8.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.8.l2")
    %blocks.8.f1 = memplan.matmul %blocks.8.l2, %blocks.8.f1.weight, %blocks.8.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.8.f1")
    %blocks.8.gelu = memplan.gelu %blocks.8.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.8")
    %blocks.8.f2 = memplan.matmul %blocks.8.gelu, %blocks.8.f2.weight, %blocks.8.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.8.f2")
    %blocks.8.add_1 = memplan.add %blocks.8.add, %blocks.8.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.8")
    %blocks.9.l1, %blocks.9.l1.mean, %blocks.9.l1.rstd = memplan.layer_norm %blocks.8.add_1, %blocks.9.l1.weight, %blocks.9.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.9.l1")
    %blocks.9.at.qkv = memplan.matmul %blocks.9.l1, %blocks.9.at.qkv.weight, %blocks.9.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.9.at.qkv")
    %blocks.9.at.reshape = memplan.reshape %blocks.9.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.9.at")
    %blocks.9.at.transpose = memplan.transpose %blocks.9.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.9.at")
    %blocks.9.at.split.0, %blocks.9.at.split.1, %blocks.9.at.split.2 = memplan.split %blocks.9.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.9.at")
    %blocks.9.at.reshape_1 = memplan.reshape %blocks.9.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.9.at")
    %blocks.9.at.reshape_2 = memplan.reshape %blocks.9.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.9.at")
    %blocks.9.at.reshape_3 = memplan.reshape %blocks.9.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.9.at")
    %blocks.9.at.matmul = memplan.matmul %blocks.9.at.reshape_1, %blocks.9.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.9.at")
    %blocks.9.at.scale = memplan.scale %blocks.9.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.9.at")
    %blocks.9.at.causal_mask = memplan.causal_mask %blocks.9.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.9.at")
    %blocks.9.at.softmax = memplan.softmax %blocks.9.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.9.at")
    %blocks.9.at.matmul_1 = memplan.matmul %blocks.9.at.softmax, %blocks.9.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.9.at")
    %blocks.9.at.transpose_1 = memplan.transpose %blocks.9.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.9.at")
    %blocks.9.at.reshape_4 = memplan.reshape %blocks.9.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.9.at")
    %blocks.9.at.proj = memplan.matmul %blocks.9.at.reshape_4, %blocks.9.at.proj.weight, %blocks.9.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.9.at.proj")
    %blocks.9.add = memplan.add %blocks.8.add_1, %blocks.9.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.9")
    %blocks.9.l2, %blocks.9.l2.mean, %blocks.9.l2.rstd = memplan.layer_norm %blocks.9.add, %blocks.9.l2.weight, %blocks.9.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.9.l2")
    %blocks.9.f1 = memplan.matmul %blocks.9.l2, %blocks.9.f1.weight, %blocks.9.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.9.f1")
    %blocks.9.gelu = memplan.gelu %blocks.9.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.9")
    %blocks.9.f2 = memplan.matmul %blocks.9.gelu, %blocks.9.f2.weight, %blocks.9.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.9.f2")
    %blocks.9.add_1 = memplan.add %blocks.9.add, %blocks.9.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.9")
    %blocks.10.l1, %blocks.10.l1.mean, %blocks.10.l1.rstd = memplan.layer_norm %blocks.9.add_1, %blocks.10.l1.weight, %blocks.10.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.10.l1")
    %blocks.10.at.qkv = memplan.matmul %blocks.10.l1, %blocks.10.at.qkv.weight, %blocks.10.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.10.at.qkv")
    %blocks.10.at.reshape = memplan.reshape %blocks.10.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.10.at")
    %blocks.10.at.transpose = memplan.transpose %blocks.10.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.10.at")
    %blocks.10.at.split.0, %blocks.10.at.split.1, %blocks.10.at.split.2 = memplan.split %blocks.10.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.10.at")
    %blocks.10.at.reshape_1 = memplan.reshape %blocks.10.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.10.at")
    %blocks.10.at.reshape_2 = memplan.reshape %blocks.10.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.10.at")
    %blocks.10.at.reshape_3 = memplan.reshape %blocks.10.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.10.at")
    %blocks.10.at.matmul = memplan.matmul %blocks.10.at.reshape_1, %blocks.10.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.10.at")
    %blocks.10.at.scale = memplan.scale %blocks.10.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.10.at")
    %blocks.10.at.causal_mask = memplan.causal_mask %blocks.10.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.10.at")
    %blocks.10.at.softmax = memplan.softmax %blocks.10.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.10.at")
    %blocks.10.at.matmul_1 = memplan.matmul %blocks.10.at.softmax, %blocks.10.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.10.at")
    %blocks.10.at.transpose_1 = memplan.transpose %blocks.10.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.10.at")
    %blocks.10.at.reshape_4 = memplan.reshape %blocks.10.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.10.at")
    %blocks.10.at.proj = memplan.matmul %blocks.10.at.reshape_4, %blocks.10.at.proj.weight, %blocks.10.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.10.at.proj")
    %blocks.10.add = memplan.add %blocks.9.add_1, %blocks.10.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.10")
    %blocks.10.l2, %blocks.10.l2.mean, %blocks.10.l2.rstd = memplan.layer_norm %blocks.10.add, %blocks.10.l2.weight, %blocks.10.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.10.l2")
    %blocks.10.f1 = memplan.matmul %blocks.10.l2, %blocks.10.f1.weight, %blocks.10.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.10.f1")
    %blocks.10.gelu = memplan.gelu %blocks.10.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.10")
    %blocks.10.f2 = memplan.matmul %blocks.10.gelu, %blocks.10.f2.weight, %blocks.10.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.10.f2")
    %blocks.10.add_1 = memplan.add %blocks.10.add, %blocks.10.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.10")
    %blocks.11.l1, %blocks.11.l1.mean, %blocks.11.l1.rstd = memplan.layer_norm %blocks.10.add_1, %blocks.11.l1.weight, %blocks.11.l1.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.11.l1")
    %blocks.11.at.qkv = memplan.matmul %blocks.11.l1, %blocks.11.at.qkv.weight, %blocks.11.at.qkv.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<2304x768xf32>, tensor<2304xf32>) -> tensor<4x1024x2304xf32> loc("blocks.11.at.qkv")
    %blocks.11.at.reshape = memplan.reshape %blocks.11.at.qkv {shape = [-1, 1024, 3, 12, 64]} : (tensor<4x1024x2304xf32>) -> tensor<4x1024x3x12x64xf32> loc("blocks.11.at")
    %blocks.11.at.transpose = memplan.transpose %blocks.11.at.reshape {perm = [2, 0, 3, 1, 4]} : (tensor<4x1024x3x12x64xf32>) -> tensor<3x4x12x1024x64xf32> loc("blocks.11.at")
    %blocks.11.at.split.0, %blocks.11.at.split.1, %blocks.11.at.split.2 = memplan.split %blocks.11.at.transpose {dim = 0, sizes = [1, 1, 1]} : (tensor<3x4x12x1024x64xf32>) -> (tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>, tensor<1x4x12x1024x64xf32>) loc("blocks.11.at")
    %blocks.11.at.reshape_1 = memplan.reshape %blocks.11.at.split.0 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.11.at")
    %blocks.11.at.reshape_2 = memplan.reshape %blocks.11.at.split.1 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.11.at")
    %blocks.11.at.reshape_3 = memplan.reshape %blocks.11.at.split.2 {shape = [-1, 12, 1024, 64]} : (tensor<1x4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.11.at")
    %blocks.11.at.matmul = memplan.matmul %blocks.11.at.reshape_1, %blocks.11.at.reshape_2 {transpose_rhs} : (tensor<4x12x1024x64xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.11.at")
    %blocks.11.at.scale = memplan.scale %blocks.11.at.matmul {factor = 0.125} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.11.at")
    %blocks.11.at.causal_mask = memplan.causal_mask %blocks.11.at.scale {fill = 0xFFF0000000000000 : f64} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.11.at")
    %blocks.11.at.softmax = memplan.softmax %blocks.11.at.causal_mask {axis = 3} : (tensor<4x12x1024x1024xf32>) -> tensor<4x12x1024x1024xf32> loc("blocks.11.at")
    %blocks.11.at.matmul_1 = memplan.matmul %blocks.11.at.softmax, %blocks.11.at.reshape_3 : (tensor<4x12x1024x1024xf32>, tensor<4x12x1024x64xf32>) -> tensor<4x12x1024x64xf32> loc("blocks.11.at")
    %blocks.11.at.transpose_1 = memplan.transpose %blocks.11.at.matmul_1 {perm = [0, 2, 1, 3]} : (tensor<4x12x1024x64xf32>) -> tensor<4x1024x12x64xf32> loc("blocks.11.at")
    %blocks.11.at.reshape_4 = memplan.reshape %blocks.11.at.transpose_1 {shape = [-1, 1024, 768]} : (tensor<4x1024x12x64xf32>) -> tensor<4x1024x768xf32> loc("blocks.11.at")
    %blocks.11.at.proj = memplan.matmul %blocks.11.at.reshape_4, %blocks.11.at.proj.weight, %blocks.11.at.proj.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.11.at.proj")
    %blocks.11.add = memplan.add %blocks.10.add_1, %blocks.11.at.proj : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.11")
    %blocks.11.l2, %blocks.11.l2.mean, %blocks.11.l2.rstd = memplan.layer_norm %blocks.11.add, %blocks.11.l2.weight, %blocks.11.l2.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("blocks.11.l2")
    %blocks.11.f1 = memplan.matmul %blocks.11.l2, %blocks.11.f1.weight, %blocks.11.f1.bias {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.11.f1")
    %blocks.11.gelu = memplan.gelu %blocks.11.f1 {approximate = "tanh"} : (tensor<4x1024x3072xf32>) -> tensor<4x1024x3072xf32> loc("blocks.11")
    %blocks.11.f2 = memplan.matmul %blocks.11.gelu, %blocks.11.f2.weight, %blocks.11.f2.bias {transpose_rhs} : (tensor<4x1024x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<4x1024x768xf32> loc("blocks.11.f2")
    %blocks.11.add_1 = memplan.add %blocks.11.add, %blocks.11.f2 : (tensor<4x1024x768xf32>, tensor<4x1024x768xf32>) -> tensor<4x1024x768xf32> loc("blocks.11")
    %ln, %ln.mean, %ln.rstd = memplan.layer_norm %blocks.11.add_1, %ln.weight, %ln.bias {epsilon = 1.0e-05} : (tensor<4x1024x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x1024x768xf32>, tensor<4x1024xf32>, tensor<4x1024xf32>) loc("ln")
    %head = memplan.matmul %ln, %te.weight {transpose_rhs} : (tensor<4x1024x768xf32>, tensor<50257x768xf32>) -> tensor<4x1024x50257xf32> loc("head")
    %reshape = memplan.reshape %head {shape = [-1, 50257]} : (tensor<4x1024x50257xf32>) -> tensor<4096x50257xf32> loc("loss")
    %reshape_1 = memplan.reshape %next_tokens {shape = [-1]} : (tensor<4x1024xi64>) -> tensor<4096xi64> loc("loss")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %reshape, %reshape_1 : (tensor<4096x50257xf32>, tensor<4096xi64>) -> (tensor<f32>, tensor<4096xf32>) loc("loss")
    return %cross_entropy : tensor<f32>
  }
}
