// One training step of torchvision's ShuffleNet v2, batch 32: forward pass and loss.
// 2278604 parameters (9114416 bytes). Written by benchmarks/networks/export.py shufflenet_v2
module {
  func.func @train_step(
      %conv1.0.weight: tensor<24x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "conv1.0.weight"},
      %conv1.1.weight: tensor<24xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "conv1.1.weight"},
      %conv1.1.bias: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "conv1.1.bias"},
      %stage2.0.branch1.0.weight: tensor<24x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.0.weight"},
      %stage2.0.branch1.1.weight: tensor<24xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.1.weight"},
      %stage2.0.branch1.1.bias: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.1.bias"},
      %stage2.0.branch1.2.weight: tensor<58x24x1x1xf32> {memplan.init = "uniform:0.2041241", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.2.weight"},
      %stage2.0.branch1.3.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.3.weight"},
      %stage2.0.branch1.3.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.0.branch1.3.bias"},
      %stage2.0.branch2.0.weight: tensor<58x24x1x1xf32> {memplan.init = "uniform:0.2041241", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.0.weight"},
      %stage2.0.branch2.1.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.1.weight"},
      %stage2.0.branch2.1.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.1.bias"},
      %stage2.0.branch2.3.weight: tensor<58x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.3.weight"},
      %stage2.0.branch2.4.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.4.weight"},
      %stage2.0.branch2.4.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.4.bias"},
      %stage2.0.branch2.5.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.5.weight"},
      %stage2.0.branch2.6.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.6.weight"},
      %stage2.0.branch2.6.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.0.branch2.6.bias"},
      %stage2.1.branch2.0.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.0.weight"},
      %stage2.1.branch2.1.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.1.weight"},
      %stage2.1.branch2.1.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.1.bias"},
      %stage2.1.branch2.3.weight: tensor<58x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.3.weight"},
      %stage2.1.branch2.4.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.4.weight"},
      %stage2.1.branch2.4.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.4.bias"},
      %stage2.1.branch2.5.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.5.weight"},
      %stage2.1.branch2.6.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.6.weight"},
      %stage2.1.branch2.6.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.1.branch2.6.bias"},
      %stage2.2.branch2.0.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.0.weight"},
      %stage2.2.branch2.1.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.1.weight"},
      %stage2.2.branch2.1.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.1.bias"},
      %stage2.2.branch2.3.weight: tensor<58x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.3.weight"},
      %stage2.2.branch2.4.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.4.weight"},
      %stage2.2.branch2.4.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.4.bias"},
      %stage2.2.branch2.5.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.5.weight"},
      %stage2.2.branch2.6.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.6.weight"},
      %stage2.2.branch2.6.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.2.branch2.6.bias"},
      %stage2.3.branch2.0.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.0.weight"},
      %stage2.3.branch2.1.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.1.weight"},
      %stage2.3.branch2.1.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.1.bias"},
      %stage2.3.branch2.3.weight: tensor<58x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.3.weight"},
      %stage2.3.branch2.4.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.4.weight"},
      %stage2.3.branch2.4.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.4.bias"},
      %stage2.3.branch2.5.weight: tensor<58x58x1x1xf32> {memplan.init = "uniform:0.1313064", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.5.weight"},
      %stage2.3.branch2.6.weight: tensor<58xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.6.weight"},
      %stage2.3.branch2.6.bias: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage2.3.branch2.6.bias"},
      %stage3.0.branch1.0.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.0.weight"},
      %stage3.0.branch1.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.1.weight"},
      %stage3.0.branch1.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.1.bias"},
      %stage3.0.branch1.2.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.2.weight"},
      %stage3.0.branch1.3.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.3.weight"},
      %stage3.0.branch1.3.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.0.branch1.3.bias"},
      %stage3.0.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.0.weight"},
      %stage3.0.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.1.weight"},
      %stage3.0.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.1.bias"},
      %stage3.0.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.3.weight"},
      %stage3.0.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.4.weight"},
      %stage3.0.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.4.bias"},
      %stage3.0.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.5.weight"},
      %stage3.0.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.6.weight"},
      %stage3.0.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.0.branch2.6.bias"},
      %stage3.1.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.0.weight"},
      %stage3.1.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.1.weight"},
      %stage3.1.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.1.bias"},
      %stage3.1.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.3.weight"},
      %stage3.1.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.4.weight"},
      %stage3.1.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.4.bias"},
      %stage3.1.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.5.weight"},
      %stage3.1.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.6.weight"},
      %stage3.1.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.1.branch2.6.bias"},
      %stage3.2.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.0.weight"},
      %stage3.2.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.1.weight"},
      %stage3.2.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.1.bias"},
      %stage3.2.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.3.weight"},
      %stage3.2.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.4.weight"},
      %stage3.2.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.4.bias"},
      %stage3.2.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.5.weight"},
      %stage3.2.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.6.weight"},
      %stage3.2.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.2.branch2.6.bias"},
      %stage3.3.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.0.weight"},
      %stage3.3.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.1.weight"},
      %stage3.3.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.1.bias"},
      %stage3.3.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.3.weight"},
      %stage3.3.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.4.weight"},
      %stage3.3.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.4.bias"},
      %stage3.3.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.5.weight"},
      %stage3.3.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.6.weight"},
      %stage3.3.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.3.branch2.6.bias"},
      %stage3.4.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.0.weight"},
      %stage3.4.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.1.weight"},
      %stage3.4.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.1.bias"},
      %stage3.4.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.3.weight"},
      %stage3.4.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.4.weight"},
      %stage3.4.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.4.bias"},
      %stage3.4.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.5.weight"},
      %stage3.4.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.6.weight"},
      %stage3.4.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.4.branch2.6.bias"},
      %stage3.5.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.0.weight"},
      %stage3.5.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.1.weight"},
      %stage3.5.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.1.bias"},
      %stage3.5.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.3.weight"},
      %stage3.5.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.4.weight"},
      %stage3.5.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.4.bias"},
      %stage3.5.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.5.weight"},
      %stage3.5.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.6.weight"},
      %stage3.5.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.5.branch2.6.bias"},
      %stage3.6.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.0.weight"},
      %stage3.6.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.1.weight"},
      %stage3.6.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.1.bias"},
      %stage3.6.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.3.weight"},
      %stage3.6.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.4.weight"},
      %stage3.6.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.4.bias"},
      %stage3.6.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.5.weight"},
      %stage3.6.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.6.weight"},
      %stage3.6.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.6.branch2.6.bias"},
      %stage3.7.branch2.0.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.0.weight"},
      %stage3.7.branch2.1.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.1.weight"},
      %stage3.7.branch2.1.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.1.bias"},
      %stage3.7.branch2.3.weight: tensor<116x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.3.weight"},
      %stage3.7.branch2.4.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.4.weight"},
      %stage3.7.branch2.4.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.4.bias"},
      %stage3.7.branch2.5.weight: tensor<116x116x1x1xf32> {memplan.init = "uniform:0.09284767", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.5.weight"},
      %stage3.7.branch2.6.weight: tensor<116xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.6.weight"},
      %stage3.7.branch2.6.bias: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage3.7.branch2.6.bias"},
      %stage4.0.branch1.0.weight: tensor<232x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.0.weight"},
      %stage4.0.branch1.1.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.1.weight"},
      %stage4.0.branch1.1.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.1.bias"},
      %stage4.0.branch1.2.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.2.weight"},
      %stage4.0.branch1.3.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.3.weight"},
      %stage4.0.branch1.3.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.0.branch1.3.bias"},
      %stage4.0.branch2.0.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.0.weight"},
      %stage4.0.branch2.1.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.1.weight"},
      %stage4.0.branch2.1.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.1.bias"},
      %stage4.0.branch2.3.weight: tensor<232x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.3.weight"},
      %stage4.0.branch2.4.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.4.weight"},
      %stage4.0.branch2.4.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.4.bias"},
      %stage4.0.branch2.5.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.5.weight"},
      %stage4.0.branch2.6.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.6.weight"},
      %stage4.0.branch2.6.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.0.branch2.6.bias"},
      %stage4.1.branch2.0.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.0.weight"},
      %stage4.1.branch2.1.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.1.weight"},
      %stage4.1.branch2.1.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.1.bias"},
      %stage4.1.branch2.3.weight: tensor<232x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.3.weight"},
      %stage4.1.branch2.4.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.4.weight"},
      %stage4.1.branch2.4.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.4.bias"},
      %stage4.1.branch2.5.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.5.weight"},
      %stage4.1.branch2.6.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.6.weight"},
      %stage4.1.branch2.6.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.1.branch2.6.bias"},
      %stage4.2.branch2.0.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.0.weight"},
      %stage4.2.branch2.1.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.1.weight"},
      %stage4.2.branch2.1.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.1.bias"},
      %stage4.2.branch2.3.weight: tensor<232x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.3.weight"},
      %stage4.2.branch2.4.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.4.weight"},
      %stage4.2.branch2.4.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.4.bias"},
      %stage4.2.branch2.5.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.5.weight"},
      %stage4.2.branch2.6.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.6.weight"},
      %stage4.2.branch2.6.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.2.branch2.6.bias"},
      %stage4.3.branch2.0.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.0.weight"},
      %stage4.3.branch2.1.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.1.weight"},
      %stage4.3.branch2.1.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.1.bias"},
      %stage4.3.branch2.3.weight: tensor<232x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.3.weight"},
      %stage4.3.branch2.4.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.4.weight"},
      %stage4.3.branch2.4.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.4.bias"},
      %stage4.3.branch2.5.weight: tensor<232x232x1x1xf32> {memplan.init = "uniform:0.06565322", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.5.weight"},
      %stage4.3.branch2.6.weight: tensor<232xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.6.weight"},
      %stage4.3.branch2.6.bias: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stage4.3.branch2.6.bias"},
      %conv5.0.weight: tensor<1024x464x1x1xf32> {memplan.init = "uniform:0.04642383", memplan.kind = "parameter", memplan.name = "conv5.0.weight"},
      %conv5.1.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "conv5.1.weight"},
      %conv5.1.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "conv5.1.bias"},
      %fc.weight: tensor<1000x1024xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "fc.weight"},
      %fc.bias: tensor<1000xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "fc.bias"},
      %conv1.1.running_mean: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "conv1.1.running_mean"},
      %conv1.1.running_var: tensor<24xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "conv1.1.running_var"},
      %stage2.0.branch1.1.running_mean: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.0.branch1.1.running_mean"},
      %stage2.0.branch1.1.running_var: tensor<24xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.0.branch1.1.running_var"},
      %stage2.0.branch1.3.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.0.branch1.3.running_mean"},
      %stage2.0.branch1.3.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.0.branch1.3.running_var"},
      %stage2.0.branch2.1.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.0.branch2.1.running_mean"},
      %stage2.0.branch2.1.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.0.branch2.1.running_var"},
      %stage2.0.branch2.4.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.0.branch2.4.running_mean"},
      %stage2.0.branch2.4.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.0.branch2.4.running_var"},
      %stage2.0.branch2.6.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.0.branch2.6.running_mean"},
      %stage2.0.branch2.6.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.0.branch2.6.running_var"},
      %stage2.1.branch2.1.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.1.branch2.1.running_mean"},
      %stage2.1.branch2.1.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.1.branch2.1.running_var"},
      %stage2.1.branch2.4.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.1.branch2.4.running_mean"},
      %stage2.1.branch2.4.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.1.branch2.4.running_var"},
      %stage2.1.branch2.6.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.1.branch2.6.running_mean"},
      %stage2.1.branch2.6.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.1.branch2.6.running_var"},
      %stage2.2.branch2.1.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.2.branch2.1.running_mean"},
      %stage2.2.branch2.1.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.2.branch2.1.running_var"},
      %stage2.2.branch2.4.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.2.branch2.4.running_mean"},
      %stage2.2.branch2.4.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.2.branch2.4.running_var"},
      %stage2.2.branch2.6.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.2.branch2.6.running_mean"},
      %stage2.2.branch2.6.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.2.branch2.6.running_var"},
      %stage2.3.branch2.1.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.3.branch2.1.running_mean"},
      %stage2.3.branch2.1.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.3.branch2.1.running_var"},
      %stage2.3.branch2.4.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.3.branch2.4.running_mean"},
      %stage2.3.branch2.4.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.3.branch2.4.running_var"},
      %stage2.3.branch2.6.running_mean: tensor<58xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage2.3.branch2.6.running_mean"},
      %stage2.3.branch2.6.running_var: tensor<58xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage2.3.branch2.6.running_var"},
      %stage3.0.branch1.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.0.branch1.1.running_mean"},
      %stage3.0.branch1.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.0.branch1.1.running_var"},
      %stage3.0.branch1.3.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.0.branch1.3.running_mean"},
      %stage3.0.branch1.3.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.0.branch1.3.running_var"},
      %stage3.0.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.0.branch2.1.running_mean"},
      %stage3.0.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.0.branch2.1.running_var"},
      %stage3.0.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.0.branch2.4.running_mean"},
      %stage3.0.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.0.branch2.4.running_var"},
      %stage3.0.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.0.branch2.6.running_mean"},
      %stage3.0.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.0.branch2.6.running_var"},
      %stage3.1.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.1.branch2.1.running_mean"},
      %stage3.1.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.1.branch2.1.running_var"},
      %stage3.1.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.1.branch2.4.running_mean"},
      %stage3.1.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.1.branch2.4.running_var"},
      %stage3.1.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.1.branch2.6.running_mean"},
      %stage3.1.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.1.branch2.6.running_var"},
      %stage3.2.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.2.branch2.1.running_mean"},
      %stage3.2.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.2.branch2.1.running_var"},
      %stage3.2.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.2.branch2.4.running_mean"},
      %stage3.2.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.2.branch2.4.running_var"},
      %stage3.2.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.2.branch2.6.running_mean"},
      %stage3.2.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.2.branch2.6.running_var"},
      %stage3.3.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.3.branch2.1.running_mean"},
      %stage3.3.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.3.branch2.1.running_var"},
      %stage3.3.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.3.branch2.4.running_mean"},
      %stage3.3.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.3.branch2.4.running_var"},
      %stage3.3.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.3.branch2.6.running_mean"},
      %stage3.3.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.3.branch2.6.running_var"},
      %stage3.4.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.4.branch2.1.running_mean"},
      %stage3.4.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.4.branch2.1.running_var"},
      %stage3.4.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.4.branch2.4.running_mean"},
      %stage3.4.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.4.branch2.4.running_var"},
      %stage3.4.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.4.branch2.6.running_mean"},
      %stage3.4.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.4.branch2.6.running_var"},
      %stage3.5.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.5.branch2.1.running_mean"},
      %stage3.5.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.5.branch2.1.running_var"},
      %stage3.5.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.5.branch2.4.running_mean"},
      %stage3.5.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.5.branch2.4.running_var"},
      %stage3.5.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.5.branch2.6.running_mean"},
      %stage3.5.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.5.branch2.6.running_var"},
      %stage3.6.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.6.branch2.1.running_mean"},
      %stage3.6.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.6.branch2.1.running_var"},
      %stage3.6.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.6.branch2.4.running_mean"},
      %stage3.6.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.6.branch2.4.running_var"},
      %stage3.6.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.6.branch2.6.running_mean"},
      %stage3.6.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.6.branch2.6.running_var"},
      %stage3.7.branch2.1.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.7.branch2.1.running_mean"},
      %stage3.7.branch2.1.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.7.branch2.1.running_var"},
      %stage3.7.branch2.4.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.7.branch2.4.running_mean"},
      %stage3.7.branch2.4.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.7.branch2.4.running_var"},
      %stage3.7.branch2.6.running_mean: tensor<116xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage3.7.branch2.6.running_mean"},
      %stage3.7.branch2.6.running_var: tensor<116xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage3.7.branch2.6.running_var"},
      %stage4.0.branch1.1.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.0.branch1.1.running_mean"},
      %stage4.0.branch1.1.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.0.branch1.1.running_var"},
      %stage4.0.branch1.3.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.0.branch1.3.running_mean"},
      %stage4.0.branch1.3.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.0.branch1.3.running_var"},
      %stage4.0.branch2.1.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.0.branch2.1.running_mean"},
      %stage4.0.branch2.1.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.0.branch2.1.running_var"},
      %stage4.0.branch2.4.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.0.branch2.4.running_mean"},
      %stage4.0.branch2.4.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.0.branch2.4.running_var"},
      %stage4.0.branch2.6.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.0.branch2.6.running_mean"},
      %stage4.0.branch2.6.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.0.branch2.6.running_var"},
      %stage4.1.branch2.1.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.1.branch2.1.running_mean"},
      %stage4.1.branch2.1.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.1.branch2.1.running_var"},
      %stage4.1.branch2.4.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.1.branch2.4.running_mean"},
      %stage4.1.branch2.4.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.1.branch2.4.running_var"},
      %stage4.1.branch2.6.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.1.branch2.6.running_mean"},
      %stage4.1.branch2.6.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.1.branch2.6.running_var"},
      %stage4.2.branch2.1.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.2.branch2.1.running_mean"},
      %stage4.2.branch2.1.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.2.branch2.1.running_var"},
      %stage4.2.branch2.4.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.2.branch2.4.running_mean"},
      %stage4.2.branch2.4.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.2.branch2.4.running_var"},
      %stage4.2.branch2.6.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.2.branch2.6.running_mean"},
      %stage4.2.branch2.6.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.2.branch2.6.running_var"},
      %stage4.3.branch2.1.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.3.branch2.1.running_mean"},
      %stage4.3.branch2.1.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.3.branch2.1.running_var"},
      %stage4.3.branch2.4.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.3.branch2.4.running_mean"},
      %stage4.3.branch2.4.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.3.branch2.4.running_var"},
      %stage4.3.branch2.6.running_mean: tensor<232xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stage4.3.branch2.6.running_mean"},
      %stage4.3.branch2.6.running_var: tensor<232xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stage4.3.branch2.6.running_var"},
      %conv5.1.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "conv5.1.running_mean"},
      %conv5.1.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "conv5.1.running_var"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<24xf32> {memplan.name = "conv1.1.running_mean", memplan.updates = 170},
      tensor<24xf32> {memplan.name = "conv1.1.running_var", memplan.updates = 171},
      tensor<24xf32> {memplan.name = "stage2.0.branch1.1.running_mean", memplan.updates = 172},
      tensor<24xf32> {memplan.name = "stage2.0.branch1.1.running_var", memplan.updates = 173},
      tensor<58xf32> {memplan.name = "stage2.0.branch1.3.running_mean", memplan.updates = 174},
      tensor<58xf32> {memplan.name = "stage2.0.branch1.3.running_var", memplan.updates = 175},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.1.running_mean", memplan.updates = 176},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.1.running_var", memplan.updates = 177},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.4.running_mean", memplan.updates = 178},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.4.running_var", memplan.updates = 179},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.6.running_mean", memplan.updates = 180},
      tensor<58xf32> {memplan.name = "stage2.0.branch2.6.running_var", memplan.updates = 181},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.1.running_mean", memplan.updates = 182},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.1.running_var", memplan.updates = 183},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.4.running_mean", memplan.updates = 184},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.4.running_var", memplan.updates = 185},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.6.running_mean", memplan.updates = 186},
      tensor<58xf32> {memplan.name = "stage2.1.branch2.6.running_var", memplan.updates = 187},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.1.running_mean", memplan.updates = 188},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.1.running_var", memplan.updates = 189},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.4.running_mean", memplan.updates = 190},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.4.running_var", memplan.updates = 191},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.6.running_mean", memplan.updates = 192},
      tensor<58xf32> {memplan.name = "stage2.2.branch2.6.running_var", memplan.updates = 193},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.1.running_mean", memplan.updates = 194},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.1.running_var", memplan.updates = 195},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.4.running_mean", memplan.updates = 196},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.4.running_var", memplan.updates = 197},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.6.running_mean", memplan.updates = 198},
      tensor<58xf32> {memplan.name = "stage2.3.branch2.6.running_var", memplan.updates = 199},
      tensor<116xf32> {memplan.name = "stage3.0.branch1.1.running_mean", memplan.updates = 200},
      tensor<116xf32> {memplan.name = "stage3.0.branch1.1.running_var", memplan.updates = 201},
      tensor<116xf32> {memplan.name = "stage3.0.branch1.3.running_mean", memplan.updates = 202},
      tensor<116xf32> {memplan.name = "stage3.0.branch1.3.running_var", memplan.updates = 203},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.1.running_mean", memplan.updates = 204},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.1.running_var", memplan.updates = 205},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.4.running_mean", memplan.updates = 206},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.4.running_var", memplan.updates = 207},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.6.running_mean", memplan.updates = 208},
      tensor<116xf32> {memplan.name = "stage3.0.branch2.6.running_var", memplan.updates = 209},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.1.running_mean", memplan.updates = 210},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.1.running_var", memplan.updates = 211},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.4.running_mean", memplan.updates = 212},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.4.running_var", memplan.updates = 213},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.6.running_mean", memplan.updates = 214},
      tensor<116xf32> {memplan.name = "stage3.1.branch2.6.running_var", memplan.updates = 215},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.1.running_mean", memplan.updates = 216},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.1.running_var", memplan.updates = 217},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.4.running_mean", memplan.updates = 218},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.4.running_var", memplan.updates = 219},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.6.running_mean", memplan.updates = 220},
      tensor<116xf32> {memplan.name = "stage3.2.branch2.6.running_var", memplan.updates = 221},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.1.running_mean", memplan.updates = 222},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.1.running_var", memplan.updates = 223},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.4.running_mean", memplan.updates = 224},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.4.running_var", memplan.updates = 225},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.6.running_mean", memplan.updates = 226},
      tensor<116xf32> {memplan.name = "stage3.3.branch2.6.running_var", memplan.updates = 227},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.1.running_mean", memplan.updates = 228},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.1.running_var", memplan.updates = 229},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.4.running_mean", memplan.updates = 230},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.4.running_var", memplan.updates = 231},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.6.running_mean", memplan.updates = 232},
      tensor<116xf32> {memplan.name = "stage3.4.branch2.6.running_var", memplan.updates = 233},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.1.running_mean", memplan.updates = 234},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.1.running_var", memplan.updates = 235},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.4.running_mean", memplan.updates = 236},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.4.running_var", memplan.updates = 237},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.6.running_mean", memplan.updates = 238},
      tensor<116xf32> {memplan.name = "stage3.5.branch2.6.running_var", memplan.updates = 239},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.1.running_mean", memplan.updates = 240},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.1.running_var", memplan.updates = 241},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.4.running_mean", memplan.updates = 242},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.4.running_var", memplan.updates = 243},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.6.running_mean", memplan.updates = 244},
      tensor<116xf32> {memplan.name = "stage3.6.branch2.6.running_var", memplan.updates = 245},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.1.running_mean", memplan.updates = 246},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.1.running_var", memplan.updates = 247},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.4.running_mean", memplan.updates = 248},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.4.running_var", memplan.updates = 249},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.6.running_mean", memplan.updates = 250},
      tensor<116xf32> {memplan.name = "stage3.7.branch2.6.running_var", memplan.updates = 251},
      tensor<232xf32> {memplan.name = "stage4.0.branch1.1.running_mean", memplan.updates = 252},
      tensor<232xf32> {memplan.name = "stage4.0.branch1.1.running_var", memplan.updates = 253},
      tensor<232xf32> {memplan.name = "stage4.0.branch1.3.running_mean", memplan.updates = 254},
      tensor<232xf32> {memplan.name = "stage4.0.branch1.3.running_var", memplan.updates = 255},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.1.running_mean", memplan.updates = 256},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.1.running_var", memplan.updates = 257},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.4.running_mean", memplan.updates = 258},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.4.running_var", memplan.updates = 259},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.6.running_mean", memplan.updates = 260},
      tensor<232xf32> {memplan.name = "stage4.0.branch2.6.running_var", memplan.updates = 261},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.1.running_mean", memplan.updates = 262},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.1.running_var", memplan.updates = 263},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.4.running_mean", memplan.updates = 264},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.4.running_var", memplan.updates = 265},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.6.running_mean", memplan.updates = 266},
      tensor<232xf32> {memplan.name = "stage4.1.branch2.6.running_var", memplan.updates = 267},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.1.running_mean", memplan.updates = 268},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.1.running_var", memplan.updates = 269},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.4.running_mean", memplan.updates = 270},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.4.running_var", memplan.updates = 271},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.6.running_mean", memplan.updates = 272},
      tensor<232xf32> {memplan.name = "stage4.2.branch2.6.running_var", memplan.updates = 273},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.1.running_mean", memplan.updates = 274},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.1.running_var", memplan.updates = 275},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.4.running_mean", memplan.updates = 276},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.4.running_var", memplan.updates = 277},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.6.running_mean", memplan.updates = 278},
      tensor<232xf32> {memplan.name = "stage4.3.branch2.6.running_var", memplan.updates = 279},
      tensor<1024xf32> {memplan.name = "conv5.1.running_mean", memplan.updates = 280},
      tensor<1024xf32> {memplan.name = "conv5.1.running_var", memplan.updates = 281}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %conv1.0 = memplan.conv2d %image, %conv1.0.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x3x224x224xf32>, tensor<24x3x3x3xf32>) -> tensor<32x24x112x112xf32> loc("conv1.0")
    %conv1.1, %conv1.1.mean, %conv1.1.invstd, %conv1.1.variance = memplan.batch_norm %conv1.0, %conv1.1.weight, %conv1.1.bias {epsilon = 1.0e-05} : (tensor<32x24x112x112xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<32x24x112x112xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) loc("conv1.1")
    %conv1.1.running_mean.new, %conv1.1.running_var.new = memplan.batch_norm_update_stats %conv1.1.running_mean, %conv1.1.running_var, %conv1.1.mean, %conv1.1.variance {momentum = 0.1} : (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) loc("conv1.1")
    %conv1.2 = memplan.relu %conv1.1 : (tensor<32x24x112x112xf32>) -> tensor<32x24x112x112xf32> loc("conv1.2")
    %maxpool, %maxpool.indices = memplan.max_pool2d %conv1.2 {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<32x24x112x112xf32>) -> (tensor<32x24x56x56xf32>, tensor<32x24x56x56xi8>) loc("maxpool")
    %stage2.0.branch1.0 = memplan.conv2d %maxpool, %stage2.0.branch1.0.weight {groups = 24, padding = [1, 1], strides = [2, 2]} : (tensor<32x24x56x56xf32>, tensor<24x1x3x3xf32>) -> tensor<32x24x28x28xf32> loc("stage2.0.branch1.0")
    %stage2.0.branch1.1, %stage2.0.branch1.1.mean, %stage2.0.branch1.1.invstd, %stage2.0.branch1.1.variance = memplan.batch_norm %stage2.0.branch1.0, %stage2.0.branch1.1.weight, %stage2.0.branch1.1.bias {epsilon = 1.0e-05} : (tensor<32x24x28x28xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<32x24x28x28xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) loc("stage2.0.branch1.1")
    %stage2.0.branch1.1.running_mean.new, %stage2.0.branch1.1.running_var.new = memplan.batch_norm_update_stats %stage2.0.branch1.1.running_mean, %stage2.0.branch1.1.running_var, %stage2.0.branch1.1.mean, %stage2.0.branch1.1.variance {momentum = 0.1} : (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) loc("stage2.0.branch1.1")
    %stage2.0.branch1.2 = memplan.conv2d %stage2.0.branch1.1, %stage2.0.branch1.2.weight : (tensor<32x24x28x28xf32>, tensor<58x24x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.0.branch1.2")
    %stage2.0.branch1.3, %stage2.0.branch1.3.mean, %stage2.0.branch1.3.invstd, %stage2.0.branch1.3.variance = memplan.batch_norm %stage2.0.branch1.2, %stage2.0.branch1.3.weight, %stage2.0.branch1.3.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch1.3")
    %stage2.0.branch1.3.running_mean.new, %stage2.0.branch1.3.running_var.new = memplan.batch_norm_update_stats %stage2.0.branch1.3.running_mean, %stage2.0.branch1.3.running_var, %stage2.0.branch1.3.mean, %stage2.0.branch1.3.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch1.3")
    %stage2.0.branch1.4 = memplan.relu %stage2.0.branch1.3 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.0.branch1.4")
    %stage2.0.branch2.0 = memplan.conv2d %maxpool, %stage2.0.branch2.0.weight : (tensor<32x24x56x56xf32>, tensor<58x24x1x1xf32>) -> tensor<32x58x56x56xf32> loc("stage2.0.branch2.0")
    %stage2.0.branch2.1, %stage2.0.branch2.1.mean, %stage2.0.branch2.1.invstd, %stage2.0.branch2.1.variance = memplan.batch_norm %stage2.0.branch2.0, %stage2.0.branch2.1.weight, %stage2.0.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x58x56x56xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x56x56xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.1")
    %stage2.0.branch2.1.running_mean.new, %stage2.0.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage2.0.branch2.1.running_mean, %stage2.0.branch2.1.running_var, %stage2.0.branch2.1.mean, %stage2.0.branch2.1.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.1")
    %stage2.0.branch2.2 = memplan.relu %stage2.0.branch2.1 : (tensor<32x58x56x56xf32>) -> tensor<32x58x56x56xf32> loc("stage2.0.branch2.2")
    %stage2.0.branch2.3 = memplan.conv2d %stage2.0.branch2.2, %stage2.0.branch2.3.weight {groups = 58, padding = [1, 1], strides = [2, 2]} : (tensor<32x58x56x56xf32>, tensor<58x1x3x3xf32>) -> tensor<32x58x28x28xf32> loc("stage2.0.branch2.3")
    %stage2.0.branch2.4, %stage2.0.branch2.4.mean, %stage2.0.branch2.4.invstd, %stage2.0.branch2.4.variance = memplan.batch_norm %stage2.0.branch2.3, %stage2.0.branch2.4.weight, %stage2.0.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.4")
    %stage2.0.branch2.4.running_mean.new, %stage2.0.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage2.0.branch2.4.running_mean, %stage2.0.branch2.4.running_var, %stage2.0.branch2.4.mean, %stage2.0.branch2.4.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.4")
    %stage2.0.branch2.5 = memplan.conv2d %stage2.0.branch2.4, %stage2.0.branch2.5.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.0.branch2.5")
    %stage2.0.branch2.6, %stage2.0.branch2.6.mean, %stage2.0.branch2.6.invstd, %stage2.0.branch2.6.variance = memplan.batch_norm %stage2.0.branch2.5, %stage2.0.branch2.6.weight, %stage2.0.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.6")
    %stage2.0.branch2.6.running_mean.new, %stage2.0.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage2.0.branch2.6.running_mean, %stage2.0.branch2.6.running_var, %stage2.0.branch2.6.mean, %stage2.0.branch2.6.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.0.branch2.6")
    %stage2.0.branch2.7 = memplan.relu %stage2.0.branch2.6 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.0.branch2.7")
    %stage2.0.concat = memplan.concat %stage2.0.branch1.4, %stage2.0.branch2.7 {dim = 1} : (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.0")
    %stage2.0.reshape = memplan.reshape %stage2.0.concat {shape = [-1, 2, 58, 28, 28]} : (tensor<32x116x28x28xf32>) -> tensor<32x2x58x28x28xf32> loc("stage2.0")
    %stage2.0.transpose = memplan.transpose %stage2.0.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x58x28x28xf32>) -> tensor<32x58x2x28x28xf32> loc("stage2.0")
    %stage2.0.reshape_1 = memplan.reshape %stage2.0.transpose {shape = [-1, 116, 28, 28]} : (tensor<32x58x2x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.0")
    %stage2.1.split.0, %stage2.1.split.1 = memplan.split %stage2.0.reshape_1 {dim = 1, sizes = [58, 58]} : (tensor<32x116x28x28xf32>) -> (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) loc("stage2.1")
    %stage2.1.branch2.0 = memplan.conv2d %stage2.1.split.1, %stage2.1.branch2.0.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.1.branch2.0")
    %stage2.1.branch2.1, %stage2.1.branch2.1.mean, %stage2.1.branch2.1.invstd, %stage2.1.branch2.1.variance = memplan.batch_norm %stage2.1.branch2.0, %stage2.1.branch2.1.weight, %stage2.1.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.1")
    %stage2.1.branch2.1.running_mean.new, %stage2.1.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage2.1.branch2.1.running_mean, %stage2.1.branch2.1.running_var, %stage2.1.branch2.1.mean, %stage2.1.branch2.1.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.1")
    %stage2.1.branch2.2 = memplan.relu %stage2.1.branch2.1 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.1.branch2.2")
    %stage2.1.branch2.3 = memplan.conv2d %stage2.1.branch2.2, %stage2.1.branch2.3.weight {groups = 58, padding = [1, 1]} : (tensor<32x58x28x28xf32>, tensor<58x1x3x3xf32>) -> tensor<32x58x28x28xf32> loc("stage2.1.branch2.3")
    %stage2.1.branch2.4, %stage2.1.branch2.4.mean, %stage2.1.branch2.4.invstd, %stage2.1.branch2.4.variance = memplan.batch_norm %stage2.1.branch2.3, %stage2.1.branch2.4.weight, %stage2.1.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.4")
    %stage2.1.branch2.4.running_mean.new, %stage2.1.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage2.1.branch2.4.running_mean, %stage2.1.branch2.4.running_var, %stage2.1.branch2.4.mean, %stage2.1.branch2.4.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.4")
    %stage2.1.branch2.5 = memplan.conv2d %stage2.1.branch2.4, %stage2.1.branch2.5.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.1.branch2.5")
    %stage2.1.branch2.6, %stage2.1.branch2.6.mean, %stage2.1.branch2.6.invstd, %stage2.1.branch2.6.variance = memplan.batch_norm %stage2.1.branch2.5, %stage2.1.branch2.6.weight, %stage2.1.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.6")
    %stage2.1.branch2.6.running_mean.new, %stage2.1.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage2.1.branch2.6.running_mean, %stage2.1.branch2.6.running_var, %stage2.1.branch2.6.mean, %stage2.1.branch2.6.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.1.branch2.6")
    %stage2.1.branch2.7 = memplan.relu %stage2.1.branch2.6 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.1.branch2.7")
    %stage2.1.concat = memplan.concat %stage2.1.split.0, %stage2.1.branch2.7 {dim = 1} : (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.1")
    %stage2.1.reshape = memplan.reshape %stage2.1.concat {shape = [-1, 2, 58, 28, 28]} : (tensor<32x116x28x28xf32>) -> tensor<32x2x58x28x28xf32> loc("stage2.1")
    %stage2.1.transpose = memplan.transpose %stage2.1.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x58x28x28xf32>) -> tensor<32x58x2x28x28xf32> loc("stage2.1")
    %stage2.1.reshape_1 = memplan.reshape %stage2.1.transpose {shape = [-1, 116, 28, 28]} : (tensor<32x58x2x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.1")
    %stage2.2.split.0, %stage2.2.split.1 = memplan.split %stage2.1.reshape_1 {dim = 1, sizes = [58, 58]} : (tensor<32x116x28x28xf32>) -> (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) loc("stage2.2")
    %stage2.2.branch2.0 = memplan.conv2d %stage2.2.split.1, %stage2.2.branch2.0.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.2.branch2.0")
    %stage2.2.branch2.1, %stage2.2.branch2.1.mean, %stage2.2.branch2.1.invstd, %stage2.2.branch2.1.variance = memplan.batch_norm %stage2.2.branch2.0, %stage2.2.branch2.1.weight, %stage2.2.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.1")
    %stage2.2.branch2.1.running_mean.new, %stage2.2.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage2.2.branch2.1.running_mean, %stage2.2.branch2.1.running_var, %stage2.2.branch2.1.mean, %stage2.2.branch2.1.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.1")
    %stage2.2.branch2.2 = memplan.relu %stage2.2.branch2.1 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.2.branch2.2")
    %stage2.2.branch2.3 = memplan.conv2d %stage2.2.branch2.2, %stage2.2.branch2.3.weight {groups = 58, padding = [1, 1]} : (tensor<32x58x28x28xf32>, tensor<58x1x3x3xf32>) -> tensor<32x58x28x28xf32> loc("stage2.2.branch2.3")
    %stage2.2.branch2.4, %stage2.2.branch2.4.mean, %stage2.2.branch2.4.invstd, %stage2.2.branch2.4.variance = memplan.batch_norm %stage2.2.branch2.3, %stage2.2.branch2.4.weight, %stage2.2.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.4")
    %stage2.2.branch2.4.running_mean.new, %stage2.2.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage2.2.branch2.4.running_mean, %stage2.2.branch2.4.running_var, %stage2.2.branch2.4.mean, %stage2.2.branch2.4.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.4")
    %stage2.2.branch2.5 = memplan.conv2d %stage2.2.branch2.4, %stage2.2.branch2.5.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.2.branch2.5")
    %stage2.2.branch2.6, %stage2.2.branch2.6.mean, %stage2.2.branch2.6.invstd, %stage2.2.branch2.6.variance = memplan.batch_norm %stage2.2.branch2.5, %stage2.2.branch2.6.weight, %stage2.2.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.6")
    %stage2.2.branch2.6.running_mean.new, %stage2.2.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage2.2.branch2.6.running_mean, %stage2.2.branch2.6.running_var, %stage2.2.branch2.6.mean, %stage2.2.branch2.6.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.2.branch2.6")
    %stage2.2.branch2.7 = memplan.relu %stage2.2.branch2.6 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.2.branch2.7")
    %stage2.2.concat = memplan.concat %stage2.2.split.0, %stage2.2.branch2.7 {dim = 1} : (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.2")
    %stage2.2.reshape = memplan.reshape %stage2.2.concat {shape = [-1, 2, 58, 28, 28]} : (tensor<32x116x28x28xf32>) -> tensor<32x2x58x28x28xf32> loc("stage2.2")
    %stage2.2.transpose = memplan.transpose %stage2.2.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x58x28x28xf32>) -> tensor<32x58x2x28x28xf32> loc("stage2.2")
    %stage2.2.reshape_1 = memplan.reshape %stage2.2.transpose {shape = [-1, 116, 28, 28]} : (tensor<32x58x2x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.2")
    %stage2.3.split.0, %stage2.3.split.1 = memplan.split %stage2.2.reshape_1 {dim = 1, sizes = [58, 58]} : (tensor<32x116x28x28xf32>) -> (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) loc("stage2.3")
    %stage2.3.branch2.0 = memplan.conv2d %stage2.3.split.1, %stage2.3.branch2.0.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.3.branch2.0")
    %stage2.3.branch2.1, %stage2.3.branch2.1.mean, %stage2.3.branch2.1.invstd, %stage2.3.branch2.1.variance = memplan.batch_norm %stage2.3.branch2.0, %stage2.3.branch2.1.weight, %stage2.3.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.1")
    %stage2.3.branch2.1.running_mean.new, %stage2.3.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage2.3.branch2.1.running_mean, %stage2.3.branch2.1.running_var, %stage2.3.branch2.1.mean, %stage2.3.branch2.1.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.1")
    %stage2.3.branch2.2 = memplan.relu %stage2.3.branch2.1 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.3.branch2.2")
    %stage2.3.branch2.3 = memplan.conv2d %stage2.3.branch2.2, %stage2.3.branch2.3.weight {groups = 58, padding = [1, 1]} : (tensor<32x58x28x28xf32>, tensor<58x1x3x3xf32>) -> tensor<32x58x28x28xf32> loc("stage2.3.branch2.3")
    %stage2.3.branch2.4, %stage2.3.branch2.4.mean, %stage2.3.branch2.4.invstd, %stage2.3.branch2.4.variance = memplan.batch_norm %stage2.3.branch2.3, %stage2.3.branch2.4.weight, %stage2.3.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.4")
    %stage2.3.branch2.4.running_mean.new, %stage2.3.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage2.3.branch2.4.running_mean, %stage2.3.branch2.4.running_var, %stage2.3.branch2.4.mean, %stage2.3.branch2.4.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.4")
    %stage2.3.branch2.5 = memplan.conv2d %stage2.3.branch2.4, %stage2.3.branch2.5.weight : (tensor<32x58x28x28xf32>, tensor<58x58x1x1xf32>) -> tensor<32x58x28x28xf32> loc("stage2.3.branch2.5")
    %stage2.3.branch2.6, %stage2.3.branch2.6.mean, %stage2.3.branch2.6.invstd, %stage2.3.branch2.6.variance = memplan.batch_norm %stage2.3.branch2.5, %stage2.3.branch2.6.weight, %stage2.3.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<32x58x28x28xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.6")
    %stage2.3.branch2.6.running_mean.new, %stage2.3.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage2.3.branch2.6.running_mean, %stage2.3.branch2.6.running_var, %stage2.3.branch2.6.mean, %stage2.3.branch2.6.variance {momentum = 0.1} : (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>) loc("stage2.3.branch2.6")
    %stage2.3.branch2.7 = memplan.relu %stage2.3.branch2.6 : (tensor<32x58x28x28xf32>) -> tensor<32x58x28x28xf32> loc("stage2.3.branch2.7")
    %stage2.3.concat = memplan.concat %stage2.3.split.0, %stage2.3.branch2.7 {dim = 1} : (tensor<32x58x28x28xf32>, tensor<32x58x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.3")
    %stage2.3.reshape = memplan.reshape %stage2.3.concat {shape = [-1, 2, 58, 28, 28]} : (tensor<32x116x28x28xf32>) -> tensor<32x2x58x28x28xf32> loc("stage2.3")
    %stage2.3.transpose = memplan.transpose %stage2.3.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x58x28x28xf32>) -> tensor<32x58x2x28x28xf32> loc("stage2.3")
    %stage2.3.reshape_1 = memplan.reshape %stage2.3.transpose {shape = [-1, 116, 28, 28]} : (tensor<32x58x2x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage2.3")
    %stage3.0.branch1.0 = memplan.conv2d %stage2.3.reshape_1, %stage3.0.branch1.0.weight {groups = 116, padding = [1, 1], strides = [2, 2]} : (tensor<32x116x28x28xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch1.0")
    %stage3.0.branch1.1, %stage3.0.branch1.1.mean, %stage3.0.branch1.1.invstd, %stage3.0.branch1.1.variance = memplan.batch_norm %stage3.0.branch1.0, %stage3.0.branch1.1.weight, %stage3.0.branch1.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch1.1")
    %stage3.0.branch1.1.running_mean.new, %stage3.0.branch1.1.running_var.new = memplan.batch_norm_update_stats %stage3.0.branch1.1.running_mean, %stage3.0.branch1.1.running_var, %stage3.0.branch1.1.mean, %stage3.0.branch1.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch1.1")
    %stage3.0.branch1.2 = memplan.conv2d %stage3.0.branch1.1, %stage3.0.branch1.2.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch1.2")
    %stage3.0.branch1.3, %stage3.0.branch1.3.mean, %stage3.0.branch1.3.invstd, %stage3.0.branch1.3.variance = memplan.batch_norm %stage3.0.branch1.2, %stage3.0.branch1.3.weight, %stage3.0.branch1.3.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch1.3")
    %stage3.0.branch1.3.running_mean.new, %stage3.0.branch1.3.running_var.new = memplan.batch_norm_update_stats %stage3.0.branch1.3.running_mean, %stage3.0.branch1.3.running_var, %stage3.0.branch1.3.mean, %stage3.0.branch1.3.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch1.3")
    %stage3.0.branch1.4 = memplan.relu %stage3.0.branch1.3 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch1.4")
    %stage3.0.branch2.0 = memplan.conv2d %stage2.3.reshape_1, %stage3.0.branch2.0.weight : (tensor<32x116x28x28xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x28x28xf32> loc("stage3.0.branch2.0")
    %stage3.0.branch2.1, %stage3.0.branch2.1.mean, %stage3.0.branch2.1.invstd, %stage3.0.branch2.1.variance = memplan.batch_norm %stage3.0.branch2.0, %stage3.0.branch2.1.weight, %stage3.0.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x28x28xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x28x28xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.1")
    %stage3.0.branch2.1.running_mean.new, %stage3.0.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.0.branch2.1.running_mean, %stage3.0.branch2.1.running_var, %stage3.0.branch2.1.mean, %stage3.0.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.1")
    %stage3.0.branch2.2 = memplan.relu %stage3.0.branch2.1 : (tensor<32x116x28x28xf32>) -> tensor<32x116x28x28xf32> loc("stage3.0.branch2.2")
    %stage3.0.branch2.3 = memplan.conv2d %stage3.0.branch2.2, %stage3.0.branch2.3.weight {groups = 116, padding = [1, 1], strides = [2, 2]} : (tensor<32x116x28x28xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch2.3")
    %stage3.0.branch2.4, %stage3.0.branch2.4.mean, %stage3.0.branch2.4.invstd, %stage3.0.branch2.4.variance = memplan.batch_norm %stage3.0.branch2.3, %stage3.0.branch2.4.weight, %stage3.0.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.4")
    %stage3.0.branch2.4.running_mean.new, %stage3.0.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.0.branch2.4.running_mean, %stage3.0.branch2.4.running_var, %stage3.0.branch2.4.mean, %stage3.0.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.4")
    %stage3.0.branch2.5 = memplan.conv2d %stage3.0.branch2.4, %stage3.0.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch2.5")
    %stage3.0.branch2.6, %stage3.0.branch2.6.mean, %stage3.0.branch2.6.invstd, %stage3.0.branch2.6.variance = memplan.batch_norm %stage3.0.branch2.5, %stage3.0.branch2.6.weight, %stage3.0.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.6")
    %stage3.0.branch2.6.running_mean.new, %stage3.0.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.0.branch2.6.running_mean, %stage3.0.branch2.6.running_var, %stage3.0.branch2.6.mean, %stage3.0.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.0.branch2.6")
    %stage3.0.branch2.7 = memplan.relu %stage3.0.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.0.branch2.7")
    %stage3.0.concat = memplan.concat %stage3.0.branch1.4, %stage3.0.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.0")
    %stage3.0.reshape = memplan.reshape %stage3.0.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.0")
    %stage3.0.transpose = memplan.transpose %stage3.0.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.0")
    %stage3.0.reshape_1 = memplan.reshape %stage3.0.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.0")
    %stage3.1.split.0, %stage3.1.split.1 = memplan.split %stage3.0.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.1")
    %stage3.1.branch2.0 = memplan.conv2d %stage3.1.split.1, %stage3.1.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.1.branch2.0")
    %stage3.1.branch2.1, %stage3.1.branch2.1.mean, %stage3.1.branch2.1.invstd, %stage3.1.branch2.1.variance = memplan.batch_norm %stage3.1.branch2.0, %stage3.1.branch2.1.weight, %stage3.1.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.1")
    %stage3.1.branch2.1.running_mean.new, %stage3.1.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.1.branch2.1.running_mean, %stage3.1.branch2.1.running_var, %stage3.1.branch2.1.mean, %stage3.1.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.1")
    %stage3.1.branch2.2 = memplan.relu %stage3.1.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.1.branch2.2")
    %stage3.1.branch2.3 = memplan.conv2d %stage3.1.branch2.2, %stage3.1.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.1.branch2.3")
    %stage3.1.branch2.4, %stage3.1.branch2.4.mean, %stage3.1.branch2.4.invstd, %stage3.1.branch2.4.variance = memplan.batch_norm %stage3.1.branch2.3, %stage3.1.branch2.4.weight, %stage3.1.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.4")
    %stage3.1.branch2.4.running_mean.new, %stage3.1.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.1.branch2.4.running_mean, %stage3.1.branch2.4.running_var, %stage3.1.branch2.4.mean, %stage3.1.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.4")
    %stage3.1.branch2.5 = memplan.conv2d %stage3.1.branch2.4, %stage3.1.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.1.branch2.5")
    %stage3.1.branch2.6, %stage3.1.branch2.6.mean, %stage3.1.branch2.6.invstd, %stage3.1.branch2.6.variance = memplan.batch_norm %stage3.1.branch2.5, %stage3.1.branch2.6.weight, %stage3.1.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.6")
    %stage3.1.branch2.6.running_mean.new, %stage3.1.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.1.branch2.6.running_mean, %stage3.1.branch2.6.running_var, %stage3.1.branch2.6.mean, %stage3.1.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.1.branch2.6")
    %stage3.1.branch2.7 = memplan.relu %stage3.1.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.1.branch2.7")
    %stage3.1.concat = memplan.concat %stage3.1.split.0, %stage3.1.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.1")
    %stage3.1.reshape = memplan.reshape %stage3.1.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.1")
    %stage3.1.transpose = memplan.transpose %stage3.1.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.1")
    %stage3.1.reshape_1 = memplan.reshape %stage3.1.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.1")
    %stage3.2.split.0, %stage3.2.split.1 = memplan.split %stage3.1.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.2")
    %stage3.2.branch2.0 = memplan.conv2d %stage3.2.split.1, %stage3.2.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.2.branch2.0")
    %stage3.2.branch2.1, %stage3.2.branch2.1.mean, %stage3.2.branch2.1.invstd, %stage3.2.branch2.1.variance = memplan.batch_norm %stage3.2.branch2.0, %stage3.2.branch2.1.weight, %stage3.2.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.1")
    %stage3.2.branch2.1.running_mean.new, %stage3.2.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.2.branch2.1.running_mean, %stage3.2.branch2.1.running_var, %stage3.2.branch2.1.mean, %stage3.2.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.1")
    %stage3.2.branch2.2 = memplan.relu %stage3.2.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.2.branch2.2")
    %stage3.2.branch2.3 = memplan.conv2d %stage3.2.branch2.2, %stage3.2.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.2.branch2.3")
    %stage3.2.branch2.4, %stage3.2.branch2.4.mean, %stage3.2.branch2.4.invstd, %stage3.2.branch2.4.variance = memplan.batch_norm %stage3.2.branch2.3, %stage3.2.branch2.4.weight, %stage3.2.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.4")
    %stage3.2.branch2.4.running_mean.new, %stage3.2.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.2.branch2.4.running_mean, %stage3.2.branch2.4.running_var, %stage3.2.branch2.4.mean, %stage3.2.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.4")
    %stage3.2.branch2.5 = memplan.conv2d %stage3.2.branch2.4, %stage3.2.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.2.branch2.5")
    %stage3.2.branch2.6, %stage3.2.branch2.6.mean, %stage3.2.branch2.6.invstd, %stage3.2.branch2.6.variance = memplan.batch_norm %stage3.2.branch2.5, %stage3.2.branch2.6.weight, %stage3.2.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.6")
    %stage3.2.branch2.6.running_mean.new, %stage3.2.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.2.branch2.6.running_mean, %stage3.2.branch2.6.running_var, %stage3.2.branch2.6.mean, %stage3.2.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.2.branch2.6")
    %stage3.2.branch2.7 = memplan.relu %stage3.2.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.2.branch2.7")
    %stage3.2.concat = memplan.concat %stage3.2.split.0, %stage3.2.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.2")
    %stage3.2.reshape = memplan.reshape %stage3.2.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.2")
    %stage3.2.transpose = memplan.transpose %stage3.2.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.2")
    %stage3.2.reshape_1 = memplan.reshape %stage3.2.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.2")
    %stage3.3.split.0, %stage3.3.split.1 = memplan.split %stage3.2.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.3")
    %stage3.3.branch2.0 = memplan.conv2d %stage3.3.split.1, %stage3.3.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.3.branch2.0")
    %stage3.3.branch2.1, %stage3.3.branch2.1.mean, %stage3.3.branch2.1.invstd, %stage3.3.branch2.1.variance = memplan.batch_norm %stage3.3.branch2.0, %stage3.3.branch2.1.weight, %stage3.3.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.1")
    %stage3.3.branch2.1.running_mean.new, %stage3.3.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.3.branch2.1.running_mean, %stage3.3.branch2.1.running_var, %stage3.3.branch2.1.mean, %stage3.3.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.1")
    %stage3.3.branch2.2 = memplan.relu %stage3.3.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.3.branch2.2")
    %stage3.3.branch2.3 = memplan.conv2d %stage3.3.branch2.2, %stage3.3.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.3.branch2.3")
    %stage3.3.branch2.4, %stage3.3.branch2.4.mean, %stage3.3.branch2.4.invstd, %stage3.3.branch2.4.variance = memplan.batch_norm %stage3.3.branch2.3, %stage3.3.branch2.4.weight, %stage3.3.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.4")
    %stage3.3.branch2.4.running_mean.new, %stage3.3.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.3.branch2.4.running_mean, %stage3.3.branch2.4.running_var, %stage3.3.branch2.4.mean, %stage3.3.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.4")
    %stage3.3.branch2.5 = memplan.conv2d %stage3.3.branch2.4, %stage3.3.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.3.branch2.5")
    %stage3.3.branch2.6, %stage3.3.branch2.6.mean, %stage3.3.branch2.6.invstd, %stage3.3.branch2.6.variance = memplan.batch_norm %stage3.3.branch2.5, %stage3.3.branch2.6.weight, %stage3.3.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.6")
    %stage3.3.branch2.6.running_mean.new, %stage3.3.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.3.branch2.6.running_mean, %stage3.3.branch2.6.running_var, %stage3.3.branch2.6.mean, %stage3.3.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.3.branch2.6")
    %stage3.3.branch2.7 = memplan.relu %stage3.3.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.3.branch2.7")
    %stage3.3.concat = memplan.concat %stage3.3.split.0, %stage3.3.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.3")
    %stage3.3.reshape = memplan.reshape %stage3.3.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.3")
    %stage3.3.transpose = memplan.transpose %stage3.3.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.3")
    %stage3.3.reshape_1 = memplan.reshape %stage3.3.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.3")
    %stage3.4.split.0, %stage3.4.split.1 = memplan.split %stage3.3.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.4")
    %stage3.4.branch2.0 = memplan.conv2d %stage3.4.split.1, %stage3.4.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.4.branch2.0")
    %stage3.4.branch2.1, %stage3.4.branch2.1.mean, %stage3.4.branch2.1.invstd, %stage3.4.branch2.1.variance = memplan.batch_norm %stage3.4.branch2.0, %stage3.4.branch2.1.weight, %stage3.4.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.1")
    %stage3.4.branch2.1.running_mean.new, %stage3.4.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.4.branch2.1.running_mean, %stage3.4.branch2.1.running_var, %stage3.4.branch2.1.mean, %stage3.4.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.1")
    %stage3.4.branch2.2 = memplan.relu %stage3.4.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.4.branch2.2")
    %stage3.4.branch2.3 = memplan.conv2d %stage3.4.branch2.2, %stage3.4.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.4.branch2.3")
    %stage3.4.branch2.4, %stage3.4.branch2.4.mean, %stage3.4.branch2.4.invstd, %stage3.4.branch2.4.variance = memplan.batch_norm %stage3.4.branch2.3, %stage3.4.branch2.4.weight, %stage3.4.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.4")
    %stage3.4.branch2.4.running_mean.new, %stage3.4.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.4.branch2.4.running_mean, %stage3.4.branch2.4.running_var, %stage3.4.branch2.4.mean, %stage3.4.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.4")
    %stage3.4.branch2.5 = memplan.conv2d %stage3.4.branch2.4, %stage3.4.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.4.branch2.5")
    %stage3.4.branch2.6, %stage3.4.branch2.6.mean, %stage3.4.branch2.6.invstd, %stage3.4.branch2.6.variance = memplan.batch_norm %stage3.4.branch2.5, %stage3.4.branch2.6.weight, %stage3.4.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.6")
    %stage3.4.branch2.6.running_mean.new, %stage3.4.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.4.branch2.6.running_mean, %stage3.4.branch2.6.running_var, %stage3.4.branch2.6.mean, %stage3.4.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.4.branch2.6")
    %stage3.4.branch2.7 = memplan.relu %stage3.4.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.4.branch2.7")
    %stage3.4.concat = memplan.concat %stage3.4.split.0, %stage3.4.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.4")
    %stage3.4.reshape = memplan.reshape %stage3.4.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.4")
    %stage3.4.transpose = memplan.transpose %stage3.4.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.4")
    %stage3.4.reshape_1 = memplan.reshape %stage3.4.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.4")
    %stage3.5.split.0, %stage3.5.split.1 = memplan.split %stage3.4.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.5")
    %stage3.5.branch2.0 = memplan.conv2d %stage3.5.split.1, %stage3.5.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.5.branch2.0")
    %stage3.5.branch2.1, %stage3.5.branch2.1.mean, %stage3.5.branch2.1.invstd, %stage3.5.branch2.1.variance = memplan.batch_norm %stage3.5.branch2.0, %stage3.5.branch2.1.weight, %stage3.5.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.1")
    %stage3.5.branch2.1.running_mean.new, %stage3.5.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.5.branch2.1.running_mean, %stage3.5.branch2.1.running_var, %stage3.5.branch2.1.mean, %stage3.5.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.1")
    %stage3.5.branch2.2 = memplan.relu %stage3.5.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.5.branch2.2")
    %stage3.5.branch2.3 = memplan.conv2d %stage3.5.branch2.2, %stage3.5.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.5.branch2.3")
    %stage3.5.branch2.4, %stage3.5.branch2.4.mean, %stage3.5.branch2.4.invstd, %stage3.5.branch2.4.variance = memplan.batch_norm %stage3.5.branch2.3, %stage3.5.branch2.4.weight, %stage3.5.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.4")
    %stage3.5.branch2.4.running_mean.new, %stage3.5.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.5.branch2.4.running_mean, %stage3.5.branch2.4.running_var, %stage3.5.branch2.4.mean, %stage3.5.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.4")
    %stage3.5.branch2.5 = memplan.conv2d %stage3.5.branch2.4, %stage3.5.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.5.branch2.5")
    %stage3.5.branch2.6, %stage3.5.branch2.6.mean, %stage3.5.branch2.6.invstd, %stage3.5.branch2.6.variance = memplan.batch_norm %stage3.5.branch2.5, %stage3.5.branch2.6.weight, %stage3.5.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.6")
    %stage3.5.branch2.6.running_mean.new, %stage3.5.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.5.branch2.6.running_mean, %stage3.5.branch2.6.running_var, %stage3.5.branch2.6.mean, %stage3.5.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.5.branch2.6")
    %stage3.5.branch2.7 = memplan.relu %stage3.5.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.5.branch2.7")
    %stage3.5.concat = memplan.concat %stage3.5.split.0, %stage3.5.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.5")
    %stage3.5.reshape = memplan.reshape %stage3.5.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.5")
    %stage3.5.transpose = memplan.transpose %stage3.5.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.5")
    %stage3.5.reshape_1 = memplan.reshape %stage3.5.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.5")
    %stage3.6.split.0, %stage3.6.split.1 = memplan.split %stage3.5.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.6")
    %stage3.6.branch2.0 = memplan.conv2d %stage3.6.split.1, %stage3.6.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.6.branch2.0")
    %stage3.6.branch2.1, %stage3.6.branch2.1.mean, %stage3.6.branch2.1.invstd, %stage3.6.branch2.1.variance = memplan.batch_norm %stage3.6.branch2.0, %stage3.6.branch2.1.weight, %stage3.6.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.1")
    %stage3.6.branch2.1.running_mean.new, %stage3.6.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.6.branch2.1.running_mean, %stage3.6.branch2.1.running_var, %stage3.6.branch2.1.mean, %stage3.6.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.1")
    %stage3.6.branch2.2 = memplan.relu %stage3.6.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.6.branch2.2")
    %stage3.6.branch2.3 = memplan.conv2d %stage3.6.branch2.2, %stage3.6.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.6.branch2.3")
    %stage3.6.branch2.4, %stage3.6.branch2.4.mean, %stage3.6.branch2.4.invstd, %stage3.6.branch2.4.variance = memplan.batch_norm %stage3.6.branch2.3, %stage3.6.branch2.4.weight, %stage3.6.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.4")
    %stage3.6.branch2.4.running_mean.new, %stage3.6.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.6.branch2.4.running_mean, %stage3.6.branch2.4.running_var, %stage3.6.branch2.4.mean, %stage3.6.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.4")
    %stage3.6.branch2.5 = memplan.conv2d %stage3.6.branch2.4, %stage3.6.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.6.branch2.5")
    %stage3.6.branch2.6, %stage3.6.branch2.6.mean, %stage3.6.branch2.6.invstd, %stage3.6.branch2.6.variance = memplan.batch_norm %stage3.6.branch2.5, %stage3.6.branch2.6.weight, %stage3.6.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.6")
    %stage3.6.branch2.6.running_mean.new, %stage3.6.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.6.branch2.6.running_mean, %stage3.6.branch2.6.running_var, %stage3.6.branch2.6.mean, %stage3.6.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.6.branch2.6")
    %stage3.6.branch2.7 = memplan.relu %stage3.6.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.6.branch2.7")
    %stage3.6.concat = memplan.concat %stage3.6.split.0, %stage3.6.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.6")
    %stage3.6.reshape = memplan.reshape %stage3.6.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.6")
    %stage3.6.transpose = memplan.transpose %stage3.6.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.6")
    %stage3.6.reshape_1 = memplan.reshape %stage3.6.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.6")
    %stage3.7.split.0, %stage3.7.split.1 = memplan.split %stage3.6.reshape_1 {dim = 1, sizes = [116, 116]} : (tensor<32x232x14x14xf32>) -> (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) loc("stage3.7")
    %stage3.7.branch2.0 = memplan.conv2d %stage3.7.split.1, %stage3.7.branch2.0.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.7.branch2.0")
    %stage3.7.branch2.1, %stage3.7.branch2.1.mean, %stage3.7.branch2.1.invstd, %stage3.7.branch2.1.variance = memplan.batch_norm %stage3.7.branch2.0, %stage3.7.branch2.1.weight, %stage3.7.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.1")
    %stage3.7.branch2.1.running_mean.new, %stage3.7.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage3.7.branch2.1.running_mean, %stage3.7.branch2.1.running_var, %stage3.7.branch2.1.mean, %stage3.7.branch2.1.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.1")
    %stage3.7.branch2.2 = memplan.relu %stage3.7.branch2.1 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.7.branch2.2")
    %stage3.7.branch2.3 = memplan.conv2d %stage3.7.branch2.2, %stage3.7.branch2.3.weight {groups = 116, padding = [1, 1]} : (tensor<32x116x14x14xf32>, tensor<116x1x3x3xf32>) -> tensor<32x116x14x14xf32> loc("stage3.7.branch2.3")
    %stage3.7.branch2.4, %stage3.7.branch2.4.mean, %stage3.7.branch2.4.invstd, %stage3.7.branch2.4.variance = memplan.batch_norm %stage3.7.branch2.3, %stage3.7.branch2.4.weight, %stage3.7.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.4")
    %stage3.7.branch2.4.running_mean.new, %stage3.7.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage3.7.branch2.4.running_mean, %stage3.7.branch2.4.running_var, %stage3.7.branch2.4.mean, %stage3.7.branch2.4.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.4")
    %stage3.7.branch2.5 = memplan.conv2d %stage3.7.branch2.4, %stage3.7.branch2.5.weight : (tensor<32x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<32x116x14x14xf32> loc("stage3.7.branch2.5")
    %stage3.7.branch2.6, %stage3.7.branch2.6.mean, %stage3.7.branch2.6.invstd, %stage3.7.branch2.6.variance = memplan.batch_norm %stage3.7.branch2.5, %stage3.7.branch2.6.weight, %stage3.7.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<32x116x14x14xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.6")
    %stage3.7.branch2.6.running_mean.new, %stage3.7.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage3.7.branch2.6.running_mean, %stage3.7.branch2.6.running_var, %stage3.7.branch2.6.mean, %stage3.7.branch2.6.variance {momentum = 0.1} : (tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>) -> (tensor<116xf32>, tensor<116xf32>) loc("stage3.7.branch2.6")
    %stage3.7.branch2.7 = memplan.relu %stage3.7.branch2.6 : (tensor<32x116x14x14xf32>) -> tensor<32x116x14x14xf32> loc("stage3.7.branch2.7")
    %stage3.7.concat = memplan.concat %stage3.7.split.0, %stage3.7.branch2.7 {dim = 1} : (tensor<32x116x14x14xf32>, tensor<32x116x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.7")
    %stage3.7.reshape = memplan.reshape %stage3.7.concat {shape = [-1, 2, 116, 14, 14]} : (tensor<32x232x14x14xf32>) -> tensor<32x2x116x14x14xf32> loc("stage3.7")
    %stage3.7.transpose = memplan.transpose %stage3.7.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x116x14x14xf32>) -> tensor<32x116x2x14x14xf32> loc("stage3.7")
    %stage3.7.reshape_1 = memplan.reshape %stage3.7.transpose {shape = [-1, 232, 14, 14]} : (tensor<32x116x2x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage3.7")
    %stage4.0.branch1.0 = memplan.conv2d %stage3.7.reshape_1, %stage4.0.branch1.0.weight {groups = 232, padding = [1, 1], strides = [2, 2]} : (tensor<32x232x14x14xf32>, tensor<232x1x3x3xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch1.0")
    %stage4.0.branch1.1, %stage4.0.branch1.1.mean, %stage4.0.branch1.1.invstd, %stage4.0.branch1.1.variance = memplan.batch_norm %stage4.0.branch1.0, %stage4.0.branch1.1.weight, %stage4.0.branch1.1.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch1.1")
    %stage4.0.branch1.1.running_mean.new, %stage4.0.branch1.1.running_var.new = memplan.batch_norm_update_stats %stage4.0.branch1.1.running_mean, %stage4.0.branch1.1.running_var, %stage4.0.branch1.1.mean, %stage4.0.branch1.1.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch1.1")
    %stage4.0.branch1.2 = memplan.conv2d %stage4.0.branch1.1, %stage4.0.branch1.2.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch1.2")
    %stage4.0.branch1.3, %stage4.0.branch1.3.mean, %stage4.0.branch1.3.invstd, %stage4.0.branch1.3.variance = memplan.batch_norm %stage4.0.branch1.2, %stage4.0.branch1.3.weight, %stage4.0.branch1.3.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch1.3")
    %stage4.0.branch1.3.running_mean.new, %stage4.0.branch1.3.running_var.new = memplan.batch_norm_update_stats %stage4.0.branch1.3.running_mean, %stage4.0.branch1.3.running_var, %stage4.0.branch1.3.mean, %stage4.0.branch1.3.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch1.3")
    %stage4.0.branch1.4 = memplan.relu %stage4.0.branch1.3 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch1.4")
    %stage4.0.branch2.0 = memplan.conv2d %stage3.7.reshape_1, %stage4.0.branch2.0.weight : (tensor<32x232x14x14xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x14x14xf32> loc("stage4.0.branch2.0")
    %stage4.0.branch2.1, %stage4.0.branch2.1.mean, %stage4.0.branch2.1.invstd, %stage4.0.branch2.1.variance = memplan.batch_norm %stage4.0.branch2.0, %stage4.0.branch2.1.weight, %stage4.0.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x232x14x14xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x14x14xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.1")
    %stage4.0.branch2.1.running_mean.new, %stage4.0.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage4.0.branch2.1.running_mean, %stage4.0.branch2.1.running_var, %stage4.0.branch2.1.mean, %stage4.0.branch2.1.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.1")
    %stage4.0.branch2.2 = memplan.relu %stage4.0.branch2.1 : (tensor<32x232x14x14xf32>) -> tensor<32x232x14x14xf32> loc("stage4.0.branch2.2")
    %stage4.0.branch2.3 = memplan.conv2d %stage4.0.branch2.2, %stage4.0.branch2.3.weight {groups = 232, padding = [1, 1], strides = [2, 2]} : (tensor<32x232x14x14xf32>, tensor<232x1x3x3xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch2.3")
    %stage4.0.branch2.4, %stage4.0.branch2.4.mean, %stage4.0.branch2.4.invstd, %stage4.0.branch2.4.variance = memplan.batch_norm %stage4.0.branch2.3, %stage4.0.branch2.4.weight, %stage4.0.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.4")
    %stage4.0.branch2.4.running_mean.new, %stage4.0.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage4.0.branch2.4.running_mean, %stage4.0.branch2.4.running_var, %stage4.0.branch2.4.mean, %stage4.0.branch2.4.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.4")
    %stage4.0.branch2.5 = memplan.conv2d %stage4.0.branch2.4, %stage4.0.branch2.5.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch2.5")
    %stage4.0.branch2.6, %stage4.0.branch2.6.mean, %stage4.0.branch2.6.invstd, %stage4.0.branch2.6.variance = memplan.batch_norm %stage4.0.branch2.5, %stage4.0.branch2.6.weight, %stage4.0.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.6")
    %stage4.0.branch2.6.running_mean.new, %stage4.0.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage4.0.branch2.6.running_mean, %stage4.0.branch2.6.running_var, %stage4.0.branch2.6.mean, %stage4.0.branch2.6.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.0.branch2.6")
    %stage4.0.branch2.7 = memplan.relu %stage4.0.branch2.6 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.0.branch2.7")
    %stage4.0.concat = memplan.concat %stage4.0.branch1.4, %stage4.0.branch2.7 {dim = 1} : (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.0")
    %stage4.0.reshape = memplan.reshape %stage4.0.concat {shape = [-1, 2, 232, 7, 7]} : (tensor<32x464x7x7xf32>) -> tensor<32x2x232x7x7xf32> loc("stage4.0")
    %stage4.0.transpose = memplan.transpose %stage4.0.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x232x7x7xf32>) -> tensor<32x232x2x7x7xf32> loc("stage4.0")
    %stage4.0.reshape_1 = memplan.reshape %stage4.0.transpose {shape = [-1, 464, 7, 7]} : (tensor<32x232x2x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.0")
    %stage4.1.split.0, %stage4.1.split.1 = memplan.split %stage4.0.reshape_1 {dim = 1, sizes = [232, 232]} : (tensor<32x464x7x7xf32>) -> (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) loc("stage4.1")
    %stage4.1.branch2.0 = memplan.conv2d %stage4.1.split.1, %stage4.1.branch2.0.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.1.branch2.0")
    %stage4.1.branch2.1, %stage4.1.branch2.1.mean, %stage4.1.branch2.1.invstd, %stage4.1.branch2.1.variance = memplan.batch_norm %stage4.1.branch2.0, %stage4.1.branch2.1.weight, %stage4.1.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.1")
    %stage4.1.branch2.1.running_mean.new, %stage4.1.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage4.1.branch2.1.running_mean, %stage4.1.branch2.1.running_var, %stage4.1.branch2.1.mean, %stage4.1.branch2.1.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.1")
    %stage4.1.branch2.2 = memplan.relu %stage4.1.branch2.1 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.1.branch2.2")
    %stage4.1.branch2.3 = memplan.conv2d %stage4.1.branch2.2, %stage4.1.branch2.3.weight {groups = 232, padding = [1, 1]} : (tensor<32x232x7x7xf32>, tensor<232x1x3x3xf32>) -> tensor<32x232x7x7xf32> loc("stage4.1.branch2.3")
    %stage4.1.branch2.4, %stage4.1.branch2.4.mean, %stage4.1.branch2.4.invstd, %stage4.1.branch2.4.variance = memplan.batch_norm %stage4.1.branch2.3, %stage4.1.branch2.4.weight, %stage4.1.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.4")
    %stage4.1.branch2.4.running_mean.new, %stage4.1.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage4.1.branch2.4.running_mean, %stage4.1.branch2.4.running_var, %stage4.1.branch2.4.mean, %stage4.1.branch2.4.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.4")
    %stage4.1.branch2.5 = memplan.conv2d %stage4.1.branch2.4, %stage4.1.branch2.5.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.1.branch2.5")
    %stage4.1.branch2.6, %stage4.1.branch2.6.mean, %stage4.1.branch2.6.invstd, %stage4.1.branch2.6.variance = memplan.batch_norm %stage4.1.branch2.5, %stage4.1.branch2.6.weight, %stage4.1.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.6")
    %stage4.1.branch2.6.running_mean.new, %stage4.1.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage4.1.branch2.6.running_mean, %stage4.1.branch2.6.running_var, %stage4.1.branch2.6.mean, %stage4.1.branch2.6.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.1.branch2.6")
    %stage4.1.branch2.7 = memplan.relu %stage4.1.branch2.6 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.1.branch2.7")
    %stage4.1.concat = memplan.concat %stage4.1.split.0, %stage4.1.branch2.7 {dim = 1} : (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.1")
    %stage4.1.reshape = memplan.reshape %stage4.1.concat {shape = [-1, 2, 232, 7, 7]} : (tensor<32x464x7x7xf32>) -> tensor<32x2x232x7x7xf32> loc("stage4.1")
    %stage4.1.transpose = memplan.transpose %stage4.1.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x232x7x7xf32>) -> tensor<32x232x2x7x7xf32> loc("stage4.1")
    %stage4.1.reshape_1 = memplan.reshape %stage4.1.transpose {shape = [-1, 464, 7, 7]} : (tensor<32x232x2x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.1")
    %stage4.2.split.0, %stage4.2.split.1 = memplan.split %stage4.1.reshape_1 {dim = 1, sizes = [232, 232]} : (tensor<32x464x7x7xf32>) -> (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) loc("stage4.2")
    %stage4.2.branch2.0 = memplan.conv2d %stage4.2.split.1, %stage4.2.branch2.0.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.2.branch2.0")
    %stage4.2.branch2.1, %stage4.2.branch2.1.mean, %stage4.2.branch2.1.invstd, %stage4.2.branch2.1.variance = memplan.batch_norm %stage4.2.branch2.0, %stage4.2.branch2.1.weight, %stage4.2.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.1")
    %stage4.2.branch2.1.running_mean.new, %stage4.2.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage4.2.branch2.1.running_mean, %stage4.2.branch2.1.running_var, %stage4.2.branch2.1.mean, %stage4.2.branch2.1.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.1")
    %stage4.2.branch2.2 = memplan.relu %stage4.2.branch2.1 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.2.branch2.2")
    %stage4.2.branch2.3 = memplan.conv2d %stage4.2.branch2.2, %stage4.2.branch2.3.weight {groups = 232, padding = [1, 1]} : (tensor<32x232x7x7xf32>, tensor<232x1x3x3xf32>) -> tensor<32x232x7x7xf32> loc("stage4.2.branch2.3")
    %stage4.2.branch2.4, %stage4.2.branch2.4.mean, %stage4.2.branch2.4.invstd, %stage4.2.branch2.4.variance = memplan.batch_norm %stage4.2.branch2.3, %stage4.2.branch2.4.weight, %stage4.2.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.4")
    %stage4.2.branch2.4.running_mean.new, %stage4.2.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage4.2.branch2.4.running_mean, %stage4.2.branch2.4.running_var, %stage4.2.branch2.4.mean, %stage4.2.branch2.4.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.4")
    %stage4.2.branch2.5 = memplan.conv2d %stage4.2.branch2.4, %stage4.2.branch2.5.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.2.branch2.5")
    %stage4.2.branch2.6, %stage4.2.branch2.6.mean, %stage4.2.branch2.6.invstd, %stage4.2.branch2.6.variance = memplan.batch_norm %stage4.2.branch2.5, %stage4.2.branch2.6.weight, %stage4.2.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.6")
    %stage4.2.branch2.6.running_mean.new, %stage4.2.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage4.2.branch2.6.running_mean, %stage4.2.branch2.6.running_var, %stage4.2.branch2.6.mean, %stage4.2.branch2.6.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.2.branch2.6")
    %stage4.2.branch2.7 = memplan.relu %stage4.2.branch2.6 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.2.branch2.7")
    %stage4.2.concat = memplan.concat %stage4.2.split.0, %stage4.2.branch2.7 {dim = 1} : (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.2")
    %stage4.2.reshape = memplan.reshape %stage4.2.concat {shape = [-1, 2, 232, 7, 7]} : (tensor<32x464x7x7xf32>) -> tensor<32x2x232x7x7xf32> loc("stage4.2")
    %stage4.2.transpose = memplan.transpose %stage4.2.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x232x7x7xf32>) -> tensor<32x232x2x7x7xf32> loc("stage4.2")
    %stage4.2.reshape_1 = memplan.reshape %stage4.2.transpose {shape = [-1, 464, 7, 7]} : (tensor<32x232x2x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.2")
    %stage4.3.split.0, %stage4.3.split.1 = memplan.split %stage4.2.reshape_1 {dim = 1, sizes = [232, 232]} : (tensor<32x464x7x7xf32>) -> (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) loc("stage4.3")
    %stage4.3.branch2.0 = memplan.conv2d %stage4.3.split.1, %stage4.3.branch2.0.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.3.branch2.0")
    %stage4.3.branch2.1, %stage4.3.branch2.1.mean, %stage4.3.branch2.1.invstd, %stage4.3.branch2.1.variance = memplan.batch_norm %stage4.3.branch2.0, %stage4.3.branch2.1.weight, %stage4.3.branch2.1.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.1")
    %stage4.3.branch2.1.running_mean.new, %stage4.3.branch2.1.running_var.new = memplan.batch_norm_update_stats %stage4.3.branch2.1.running_mean, %stage4.3.branch2.1.running_var, %stage4.3.branch2.1.mean, %stage4.3.branch2.1.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.1")
    %stage4.3.branch2.2 = memplan.relu %stage4.3.branch2.1 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.3.branch2.2")
    %stage4.3.branch2.3 = memplan.conv2d %stage4.3.branch2.2, %stage4.3.branch2.3.weight {groups = 232, padding = [1, 1]} : (tensor<32x232x7x7xf32>, tensor<232x1x3x3xf32>) -> tensor<32x232x7x7xf32> loc("stage4.3.branch2.3")
    %stage4.3.branch2.4, %stage4.3.branch2.4.mean, %stage4.3.branch2.4.invstd, %stage4.3.branch2.4.variance = memplan.batch_norm %stage4.3.branch2.3, %stage4.3.branch2.4.weight, %stage4.3.branch2.4.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.4")
    %stage4.3.branch2.4.running_mean.new, %stage4.3.branch2.4.running_var.new = memplan.batch_norm_update_stats %stage4.3.branch2.4.running_mean, %stage4.3.branch2.4.running_var, %stage4.3.branch2.4.mean, %stage4.3.branch2.4.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.4")
    %stage4.3.branch2.5 = memplan.conv2d %stage4.3.branch2.4, %stage4.3.branch2.5.weight : (tensor<32x232x7x7xf32>, tensor<232x232x1x1xf32>) -> tensor<32x232x7x7xf32> loc("stage4.3.branch2.5")
    %stage4.3.branch2.6, %stage4.3.branch2.6.mean, %stage4.3.branch2.6.invstd, %stage4.3.branch2.6.variance = memplan.batch_norm %stage4.3.branch2.5, %stage4.3.branch2.6.weight, %stage4.3.branch2.6.bias {epsilon = 1.0e-05} : (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<32x232x7x7xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.6")
    %stage4.3.branch2.6.running_mean.new, %stage4.3.branch2.6.running_var.new = memplan.batch_norm_update_stats %stage4.3.branch2.6.running_mean, %stage4.3.branch2.6.running_var, %stage4.3.branch2.6.mean, %stage4.3.branch2.6.variance {momentum = 0.1} : (tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>) -> (tensor<232xf32>, tensor<232xf32>) loc("stage4.3.branch2.6")
    %stage4.3.branch2.7 = memplan.relu %stage4.3.branch2.6 : (tensor<32x232x7x7xf32>) -> tensor<32x232x7x7xf32> loc("stage4.3.branch2.7")
    %stage4.3.concat = memplan.concat %stage4.3.split.0, %stage4.3.branch2.7 {dim = 1} : (tensor<32x232x7x7xf32>, tensor<32x232x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.3")
    %stage4.3.reshape = memplan.reshape %stage4.3.concat {shape = [-1, 2, 232, 7, 7]} : (tensor<32x464x7x7xf32>) -> tensor<32x2x232x7x7xf32> loc("stage4.3")
    %stage4.3.transpose = memplan.transpose %stage4.3.reshape {perm = [0, 2, 1, 3, 4]} : (tensor<32x2x232x7x7xf32>) -> tensor<32x232x2x7x7xf32> loc("stage4.3")
    %stage4.3.reshape_1 = memplan.reshape %stage4.3.transpose {shape = [-1, 464, 7, 7]} : (tensor<32x232x2x7x7xf32>) -> tensor<32x464x7x7xf32> loc("stage4.3")
    %conv5.0 = memplan.conv2d %stage4.3.reshape_1, %conv5.0.weight : (tensor<32x464x7x7xf32>, tensor<1024x464x1x1xf32>) -> tensor<32x1024x7x7xf32> loc("conv5.0")
    %conv5.1, %conv5.1.mean, %conv5.1.invstd, %conv5.1.variance = memplan.batch_norm %conv5.0, %conv5.1.weight, %conv5.1.bias {epsilon = 1.0e-05} : (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("conv5.1")
    %conv5.1.running_mean.new, %conv5.1.running_var.new = memplan.batch_norm_update_stats %conv5.1.running_mean, %conv5.1.running_var, %conv5.1.mean, %conv5.1.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("conv5.1")
    %conv5.2 = memplan.relu %conv5.1 : (tensor<32x1024x7x7xf32>) -> tensor<32x1024x7x7xf32> loc("conv5.2")
    %reduce_mean = memplan.reduce_mean %conv5.2 {dims = [2, 3]} : (tensor<32x1024x7x7xf32>) -> tensor<32x1024xf32> loc("model")
    %fc = memplan.matmul %reduce_mean, %fc.weight, %fc.bias {transpose_rhs} : (tensor<32x1024xf32>, tensor<1000x1024xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("fc")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %fc, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy, %conv1.1.running_mean.new, %conv1.1.running_var.new, %stage2.0.branch1.1.running_mean.new, %stage2.0.branch1.1.running_var.new, %stage2.0.branch1.3.running_mean.new, %stage2.0.branch1.3.running_var.new, %stage2.0.branch2.1.running_mean.new, %stage2.0.branch2.1.running_var.new, %stage2.0.branch2.4.running_mean.new, %stage2.0.branch2.4.running_var.new, %stage2.0.branch2.6.running_mean.new, %stage2.0.branch2.6.running_var.new, %stage2.1.branch2.1.running_mean.new, %stage2.1.branch2.1.running_var.new, %stage2.1.branch2.4.running_mean.new, %stage2.1.branch2.4.running_var.new, %stage2.1.branch2.6.running_mean.new, %stage2.1.branch2.6.running_var.new, %stage2.2.branch2.1.running_mean.new, %stage2.2.branch2.1.running_var.new, %stage2.2.branch2.4.running_mean.new, %stage2.2.branch2.4.running_var.new, %stage2.2.branch2.6.running_mean.new, %stage2.2.branch2.6.running_var.new, %stage2.3.branch2.1.running_mean.new, %stage2.3.branch2.1.running_var.new, %stage2.3.branch2.4.running_mean.new, %stage2.3.branch2.4.running_var.new, %stage2.3.branch2.6.running_mean.new, %stage2.3.branch2.6.running_var.new, %stage3.0.branch1.1.running_mean.new, %stage3.0.branch1.1.running_var.new, %stage3.0.branch1.3.running_mean.new, %stage3.0.branch1.3.running_var.new, %stage3.0.branch2.1.running_mean.new, %stage3.0.branch2.1.running_var.new, %stage3.0.branch2.4.running_mean.new, %stage3.0.branch2.4.running_var.new, %stage3.0.branch2.6.running_mean.new, %stage3.0.branch2.6.running_var.new, %stage3.1.branch2.1.running_mean.new, %stage3.1.branch2.1.running_var.new, %stage3.1.branch2.4.running_mean.new, %stage3.1.branch2.4.running_var.new, %stage3.1.branch2.6.running_mean.new, %stage3.1.branch2.6.running_var.new, %stage3.2.branch2.1.running_mean.new, %stage3.2.branch2.1.running_var.new, %stage3.2.branch2.4.running_mean.new, %stage3.2.branch2.4.running_var.new, %stage3.2.branch2.6.running_mean.new, %stage3.2.branch2.6.running_var.new, %stage3.3.branch2.1.running_mean.new, %stage3.3.branch2.1.running_var.new, %stage3.3.branch2.4.running_mean.new, %stage3.3.branch2.4.running_var.new, %stage3.3.branch2.6.running_mean.new, %stage3.3.branch2.6.running_var.new, %stage3.4.branch2.1.running_mean.new, %stage3.4.branch2.1.running_var.new, %stage3.4.branch2.4.running_mean.new, %stage3.4.branch2.4.running_var.new, %stage3.4.branch2.6.running_mean.new, %stage3.4.branch2.6.running_var.new, %stage3.5.branch2.1.running_mean.new, %stage3.5.branch2.1.running_var.new, %stage3.5.branch2.4.running_mean.new, %stage3.5.branch2.4.running_var.new, %stage3.5.branch2.6.running_mean.new, %stage3.5.branch2.6.running_var.new, %stage3.6.branch2.1.running_mean.new, %stage3.6.branch2.1.running_var.new, %stage3.6.branch2.4.running_mean.new, %stage3.6.branch2.4.running_var.new, %stage3.6.branch2.6.running_mean.new, %stage3.6.branch2.6.running_var.new, %stage3.7.branch2.1.running_mean.new, %stage3.7.branch2.1.running_var.new, %stage3.7.branch2.4.running_mean.new, %stage3.7.branch2.4.running_var.new, %stage3.7.branch2.6.running_mean.new, %stage3.7.branch2.6.running_var.new, %stage4.0.branch1.1.running_mean.new, %stage4.0.branch1.1.running_var.new, %stage4.0.branch1.3.running_mean.new, %stage4.0.branch1.3.running_var.new, %stage4.0.branch2.1.running_mean.new, %stage4.0.branch2.1.running_var.new, %stage4.0.branch2.4.running_mean.new, %stage4.0.branch2.4.running_var.new, %stage4.0.branch2.6.running_mean.new, %stage4.0.branch2.6.running_var.new, %stage4.1.branch2.1.running_mean.new, %stage4.1.branch2.1.running_var.new, %stage4.1.branch2.4.running_mean.new, %stage4.1.branch2.4.running_var.new, %stage4.1.branch2.6.running_mean.new, %stage4.1.branch2.6.running_var.new, %stage4.2.branch2.1.running_mean.new, %stage4.2.branch2.1.running_var.new, %stage4.2.branch2.4.running_mean.new, %stage4.2.branch2.4.running_var.new, %stage4.2.branch2.6.running_mean.new, %stage4.2.branch2.6.running_var.new, %stage4.3.branch2.1.running_mean.new, %stage4.3.branch2.1.running_var.new, %stage4.3.branch2.4.running_mean.new, %stage4.3.branch2.4.running_var.new, %stage4.3.branch2.6.running_mean.new, %stage4.3.branch2.6.running_var.new, %conv5.1.running_mean.new, %conv5.1.running_var.new : tensor<f32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<116xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<232xf32>, tensor<1024xf32>, tensor<1024xf32>
  }
}
