// One training step of torchvision's MobileNet-v2, batch 32: forward pass and loss.
// 3504872 parameters (14019488 bytes). Written by python-bindings/export_examples.py mobilenet_v2
module {
  func.func @train_step(
      %features.0.0.weight: tensor<32x3x3x3xf32> {memplan.init = "normal:0.08333333", memplan.kind = "parameter", memplan.name = "features.0.0.weight"},
      %features.0.1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.0.1.weight"},
      %features.0.1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.0.1.bias"},
      %features.1.conv.0.0.weight: tensor<32x1x3x3xf32> {memplan.init = "normal:0.08333333", memplan.kind = "parameter", memplan.name = "features.1.conv.0.0.weight"},
      %features.1.conv.0.1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.1.conv.0.1.weight"},
      %features.1.conv.0.1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.1.conv.0.1.bias"},
      %features.1.conv.1.weight: tensor<16x32x1x1xf32> {memplan.init = "normal:0.3535534", memplan.kind = "parameter", memplan.name = "features.1.conv.1.weight"},
      %features.1.conv.2.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.1.conv.2.weight"},
      %features.1.conv.2.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.1.conv.2.bias"},
      %features.2.conv.0.0.weight: tensor<96x16x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.2.conv.0.0.weight"},
      %features.2.conv.0.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.0.1.weight"},
      %features.2.conv.0.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.0.1.bias"},
      %features.2.conv.1.0.weight: tensor<96x1x3x3xf32> {memplan.init = "normal:0.04811252", memplan.kind = "parameter", memplan.name = "features.2.conv.1.0.weight"},
      %features.2.conv.1.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.1.1.weight"},
      %features.2.conv.1.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.1.1.bias"},
      %features.2.conv.2.weight: tensor<24x96x1x1xf32> {memplan.init = "normal:0.2886751", memplan.kind = "parameter", memplan.name = "features.2.conv.2.weight"},
      %features.2.conv.3.weight: tensor<24xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.3.weight"},
      %features.2.conv.3.bias: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.3.bias"},
      %features.3.conv.0.0.weight: tensor<144x24x1x1xf32> {memplan.init = "normal:0.1178511", memplan.kind = "parameter", memplan.name = "features.3.conv.0.0.weight"},
      %features.3.conv.0.1.weight: tensor<144xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.0.1.weight"},
      %features.3.conv.0.1.bias: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.0.1.bias"},
      %features.3.conv.1.0.weight: tensor<144x1x3x3xf32> {memplan.init = "normal:0.03928371", memplan.kind = "parameter", memplan.name = "features.3.conv.1.0.weight"},
      %features.3.conv.1.1.weight: tensor<144xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.1.1.weight"},
      %features.3.conv.1.1.bias: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.1.1.bias"},
      %features.3.conv.2.weight: tensor<24x144x1x1xf32> {memplan.init = "normal:0.2886751", memplan.kind = "parameter", memplan.name = "features.3.conv.2.weight"},
      %features.3.conv.3.weight: tensor<24xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.3.weight"},
      %features.3.conv.3.bias: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.3.bias"},
      %features.4.conv.0.0.weight: tensor<144x24x1x1xf32> {memplan.init = "normal:0.1178511", memplan.kind = "parameter", memplan.name = "features.4.conv.0.0.weight"},
      %features.4.conv.0.1.weight: tensor<144xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.0.1.weight"},
      %features.4.conv.0.1.bias: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.0.1.bias"},
      %features.4.conv.1.0.weight: tensor<144x1x3x3xf32> {memplan.init = "normal:0.03928371", memplan.kind = "parameter", memplan.name = "features.4.conv.1.0.weight"},
      %features.4.conv.1.1.weight: tensor<144xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.1.1.weight"},
      %features.4.conv.1.1.bias: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.1.1.bias"},
      %features.4.conv.2.weight: tensor<32x144x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "features.4.conv.2.weight"},
      %features.4.conv.3.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.3.weight"},
      %features.4.conv.3.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.3.bias"},
      %features.5.conv.0.0.weight: tensor<192x32x1x1xf32> {memplan.init = "normal:0.1020621", memplan.kind = "parameter", memplan.name = "features.5.conv.0.0.weight"},
      %features.5.conv.0.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.5.conv.0.1.weight"},
      %features.5.conv.0.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.5.conv.0.1.bias"},
      %features.5.conv.1.0.weight: tensor<192x1x3x3xf32> {memplan.init = "normal:0.03402069", memplan.kind = "parameter", memplan.name = "features.5.conv.1.0.weight"},
      %features.5.conv.1.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.5.conv.1.1.weight"},
      %features.5.conv.1.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.5.conv.1.1.bias"},
      %features.5.conv.2.weight: tensor<32x192x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "features.5.conv.2.weight"},
      %features.5.conv.3.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.5.conv.3.weight"},
      %features.5.conv.3.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.5.conv.3.bias"},
      %features.6.conv.0.0.weight: tensor<192x32x1x1xf32> {memplan.init = "normal:0.1020621", memplan.kind = "parameter", memplan.name = "features.6.conv.0.0.weight"},
      %features.6.conv.0.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.6.conv.0.1.weight"},
      %features.6.conv.0.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.6.conv.0.1.bias"},
      %features.6.conv.1.0.weight: tensor<192x1x3x3xf32> {memplan.init = "normal:0.03402069", memplan.kind = "parameter", memplan.name = "features.6.conv.1.0.weight"},
      %features.6.conv.1.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.6.conv.1.1.weight"},
      %features.6.conv.1.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.6.conv.1.1.bias"},
      %features.6.conv.2.weight: tensor<32x192x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "features.6.conv.2.weight"},
      %features.6.conv.3.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.6.conv.3.weight"},
      %features.6.conv.3.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.6.conv.3.bias"},
      %features.7.conv.0.0.weight: tensor<192x32x1x1xf32> {memplan.init = "normal:0.1020621", memplan.kind = "parameter", memplan.name = "features.7.conv.0.0.weight"},
      %features.7.conv.0.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.7.conv.0.1.weight"},
      %features.7.conv.0.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.7.conv.0.1.bias"},
      %features.7.conv.1.0.weight: tensor<192x1x3x3xf32> {memplan.init = "normal:0.03402069", memplan.kind = "parameter", memplan.name = "features.7.conv.1.0.weight"},
      %features.7.conv.1.1.weight: tensor<192xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.7.conv.1.1.weight"},
      %features.7.conv.1.1.bias: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.7.conv.1.1.bias"},
      %features.7.conv.2.weight: tensor<64x192x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "features.7.conv.2.weight"},
      %features.7.conv.3.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.7.conv.3.weight"},
      %features.7.conv.3.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.7.conv.3.bias"},
      %features.8.conv.0.0.weight: tensor<384x64x1x1xf32> {memplan.init = "normal:0.07216878", memplan.kind = "parameter", memplan.name = "features.8.conv.0.0.weight"},
      %features.8.conv.0.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.8.conv.0.1.weight"},
      %features.8.conv.0.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.8.conv.0.1.bias"},
      %features.8.conv.1.0.weight: tensor<384x1x3x3xf32> {memplan.init = "normal:0.02405626", memplan.kind = "parameter", memplan.name = "features.8.conv.1.0.weight"},
      %features.8.conv.1.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.8.conv.1.1.weight"},
      %features.8.conv.1.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.8.conv.1.1.bias"},
      %features.8.conv.2.weight: tensor<64x384x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "features.8.conv.2.weight"},
      %features.8.conv.3.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.8.conv.3.weight"},
      %features.8.conv.3.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.8.conv.3.bias"},
      %features.9.conv.0.0.weight: tensor<384x64x1x1xf32> {memplan.init = "normal:0.07216878", memplan.kind = "parameter", memplan.name = "features.9.conv.0.0.weight"},
      %features.9.conv.0.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.9.conv.0.1.weight"},
      %features.9.conv.0.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.9.conv.0.1.bias"},
      %features.9.conv.1.0.weight: tensor<384x1x3x3xf32> {memplan.init = "normal:0.02405626", memplan.kind = "parameter", memplan.name = "features.9.conv.1.0.weight"},
      %features.9.conv.1.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.9.conv.1.1.weight"},
      %features.9.conv.1.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.9.conv.1.1.bias"},
      %features.9.conv.2.weight: tensor<64x384x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "features.9.conv.2.weight"},
      %features.9.conv.3.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.9.conv.3.weight"},
      %features.9.conv.3.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.9.conv.3.bias"},
      %features.10.conv.0.0.weight: tensor<384x64x1x1xf32> {memplan.init = "normal:0.07216878", memplan.kind = "parameter", memplan.name = "features.10.conv.0.0.weight"},
      %features.10.conv.0.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.10.conv.0.1.weight"},
      %features.10.conv.0.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.10.conv.0.1.bias"},
      %features.10.conv.1.0.weight: tensor<384x1x3x3xf32> {memplan.init = "normal:0.02405626", memplan.kind = "parameter", memplan.name = "features.10.conv.1.0.weight"},
      %features.10.conv.1.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.10.conv.1.1.weight"},
      %features.10.conv.1.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.10.conv.1.1.bias"},
      %features.10.conv.2.weight: tensor<64x384x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "features.10.conv.2.weight"},
      %features.10.conv.3.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.10.conv.3.weight"},
      %features.10.conv.3.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.10.conv.3.bias"},
      %features.11.conv.0.0.weight: tensor<384x64x1x1xf32> {memplan.init = "normal:0.07216878", memplan.kind = "parameter", memplan.name = "features.11.conv.0.0.weight"},
      %features.11.conv.0.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.11.conv.0.1.weight"},
      %features.11.conv.0.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.11.conv.0.1.bias"},
      %features.11.conv.1.0.weight: tensor<384x1x3x3xf32> {memplan.init = "normal:0.02405626", memplan.kind = "parameter", memplan.name = "features.11.conv.1.0.weight"},
      %features.11.conv.1.1.weight: tensor<384xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.11.conv.1.1.weight"},
      %features.11.conv.1.1.bias: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.11.conv.1.1.bias"},
      %features.11.conv.2.weight: tensor<96x384x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.11.conv.2.weight"},
      %features.11.conv.3.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.11.conv.3.weight"},
      %features.11.conv.3.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.11.conv.3.bias"},
      %features.12.conv.0.0.weight: tensor<576x96x1x1xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "features.12.conv.0.0.weight"},
      %features.12.conv.0.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.12.conv.0.1.weight"},
      %features.12.conv.0.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.12.conv.0.1.bias"},
      %features.12.conv.1.0.weight: tensor<576x1x3x3xf32> {memplan.init = "normal:0.01964186", memplan.kind = "parameter", memplan.name = "features.12.conv.1.0.weight"},
      %features.12.conv.1.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.12.conv.1.1.weight"},
      %features.12.conv.1.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.12.conv.1.1.bias"},
      %features.12.conv.2.weight: tensor<96x576x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.12.conv.2.weight"},
      %features.12.conv.3.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.12.conv.3.weight"},
      %features.12.conv.3.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.12.conv.3.bias"},
      %features.13.conv.0.0.weight: tensor<576x96x1x1xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "features.13.conv.0.0.weight"},
      %features.13.conv.0.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.13.conv.0.1.weight"},
      %features.13.conv.0.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.13.conv.0.1.bias"},
      %features.13.conv.1.0.weight: tensor<576x1x3x3xf32> {memplan.init = "normal:0.01964186", memplan.kind = "parameter", memplan.name = "features.13.conv.1.0.weight"},
      %features.13.conv.1.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.13.conv.1.1.weight"},
      %features.13.conv.1.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.13.conv.1.1.bias"},
      %features.13.conv.2.weight: tensor<96x576x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.13.conv.2.weight"},
      %features.13.conv.3.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.13.conv.3.weight"},
      %features.13.conv.3.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.13.conv.3.bias"},
      %features.14.conv.0.0.weight: tensor<576x96x1x1xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "features.14.conv.0.0.weight"},
      %features.14.conv.0.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.14.conv.0.1.weight"},
      %features.14.conv.0.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.14.conv.0.1.bias"},
      %features.14.conv.1.0.weight: tensor<576x1x3x3xf32> {memplan.init = "normal:0.01964186", memplan.kind = "parameter", memplan.name = "features.14.conv.1.0.weight"},
      %features.14.conv.1.1.weight: tensor<576xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.14.conv.1.1.weight"},
      %features.14.conv.1.1.bias: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.14.conv.1.1.bias"},
      %features.14.conv.2.weight: tensor<160x576x1x1xf32> {memplan.init = "normal:0.1118034", memplan.kind = "parameter", memplan.name = "features.14.conv.2.weight"},
      %features.14.conv.3.weight: tensor<160xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.14.conv.3.weight"},
      %features.14.conv.3.bias: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.14.conv.3.bias"},
      %features.15.conv.0.0.weight: tensor<960x160x1x1xf32> {memplan.init = "normal:0.04564355", memplan.kind = "parameter", memplan.name = "features.15.conv.0.0.weight"},
      %features.15.conv.0.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.15.conv.0.1.weight"},
      %features.15.conv.0.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.15.conv.0.1.bias"},
      %features.15.conv.1.0.weight: tensor<960x1x3x3xf32> {memplan.init = "normal:0.01521452", memplan.kind = "parameter", memplan.name = "features.15.conv.1.0.weight"},
      %features.15.conv.1.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.15.conv.1.1.weight"},
      %features.15.conv.1.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.15.conv.1.1.bias"},
      %features.15.conv.2.weight: tensor<160x960x1x1xf32> {memplan.init = "normal:0.1118034", memplan.kind = "parameter", memplan.name = "features.15.conv.2.weight"},
      %features.15.conv.3.weight: tensor<160xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.15.conv.3.weight"},
      %features.15.conv.3.bias: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.15.conv.3.bias"},
      %features.16.conv.0.0.weight: tensor<960x160x1x1xf32> {memplan.init = "normal:0.04564355", memplan.kind = "parameter", memplan.name = "features.16.conv.0.0.weight"},
      %features.16.conv.0.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.16.conv.0.1.weight"},
      %features.16.conv.0.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.16.conv.0.1.bias"},
      %features.16.conv.1.0.weight: tensor<960x1x3x3xf32> {memplan.init = "normal:0.01521452", memplan.kind = "parameter", memplan.name = "features.16.conv.1.0.weight"},
      %features.16.conv.1.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.16.conv.1.1.weight"},
      %features.16.conv.1.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.16.conv.1.1.bias"},
      %features.16.conv.2.weight: tensor<160x960x1x1xf32> {memplan.init = "normal:0.1118034", memplan.kind = "parameter", memplan.name = "features.16.conv.2.weight"},
      %features.16.conv.3.weight: tensor<160xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.16.conv.3.weight"},
      %features.16.conv.3.bias: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.16.conv.3.bias"},
      %features.17.conv.0.0.weight: tensor<960x160x1x1xf32> {memplan.init = "normal:0.04564355", memplan.kind = "parameter", memplan.name = "features.17.conv.0.0.weight"},
      %features.17.conv.0.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.17.conv.0.1.weight"},
      %features.17.conv.0.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.17.conv.0.1.bias"},
      %features.17.conv.1.0.weight: tensor<960x1x3x3xf32> {memplan.init = "normal:0.01521452", memplan.kind = "parameter", memplan.name = "features.17.conv.1.0.weight"},
      %features.17.conv.1.1.weight: tensor<960xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.17.conv.1.1.weight"},
      %features.17.conv.1.1.bias: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.17.conv.1.1.bias"},
      %features.17.conv.2.weight: tensor<320x960x1x1xf32> {memplan.init = "normal:0.07905694", memplan.kind = "parameter", memplan.name = "features.17.conv.2.weight"},
      %features.17.conv.3.weight: tensor<320xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.17.conv.3.weight"},
      %features.17.conv.3.bias: tensor<320xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.17.conv.3.bias"},
      %features.18.0.weight: tensor<1280x320x1x1xf32> {memplan.init = "normal:0.03952847", memplan.kind = "parameter", memplan.name = "features.18.0.weight"},
      %features.18.1.weight: tensor<1280xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.18.1.weight"},
      %features.18.1.bias: tensor<1280xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.18.1.bias"},
      %classifier.1.weight: tensor<1000x1280xf32> {memplan.init = "normal:0.01", memplan.kind = "parameter", memplan.name = "classifier.1.weight"},
      %classifier.1.bias: tensor<1000xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "classifier.1.bias"},
      %features.0.1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.0.1.running_mean"},
      %features.0.1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.0.1.running_var"},
      %features.1.conv.0.1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.1.conv.0.1.running_mean"},
      %features.1.conv.0.1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.1.conv.0.1.running_var"},
      %features.1.conv.2.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.1.conv.2.running_mean"},
      %features.1.conv.2.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.1.conv.2.running_var"},
      %features.2.conv.0.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.0.1.running_mean"},
      %features.2.conv.0.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.0.1.running_var"},
      %features.2.conv.1.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.1.1.running_mean"},
      %features.2.conv.1.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.1.1.running_var"},
      %features.2.conv.3.running_mean: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.3.running_mean"},
      %features.2.conv.3.running_var: tensor<24xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.3.running_var"},
      %features.3.conv.0.1.running_mean: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.0.1.running_mean"},
      %features.3.conv.0.1.running_var: tensor<144xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.0.1.running_var"},
      %features.3.conv.1.1.running_mean: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.1.1.running_mean"},
      %features.3.conv.1.1.running_var: tensor<144xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.1.1.running_var"},
      %features.3.conv.3.running_mean: tensor<24xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.3.running_mean"},
      %features.3.conv.3.running_var: tensor<24xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.3.running_var"},
      %features.4.conv.0.1.running_mean: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.0.1.running_mean"},
      %features.4.conv.0.1.running_var: tensor<144xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.0.1.running_var"},
      %features.4.conv.1.1.running_mean: tensor<144xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.1.1.running_mean"},
      %features.4.conv.1.1.running_var: tensor<144xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.1.1.running_var"},
      %features.4.conv.3.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.3.running_mean"},
      %features.4.conv.3.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.3.running_var"},
      %features.5.conv.0.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.5.conv.0.1.running_mean"},
      %features.5.conv.0.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.5.conv.0.1.running_var"},
      %features.5.conv.1.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.5.conv.1.1.running_mean"},
      %features.5.conv.1.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.5.conv.1.1.running_var"},
      %features.5.conv.3.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.5.conv.3.running_mean"},
      %features.5.conv.3.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.5.conv.3.running_var"},
      %features.6.conv.0.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.6.conv.0.1.running_mean"},
      %features.6.conv.0.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.6.conv.0.1.running_var"},
      %features.6.conv.1.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.6.conv.1.1.running_mean"},
      %features.6.conv.1.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.6.conv.1.1.running_var"},
      %features.6.conv.3.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.6.conv.3.running_mean"},
      %features.6.conv.3.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.6.conv.3.running_var"},
      %features.7.conv.0.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.7.conv.0.1.running_mean"},
      %features.7.conv.0.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.7.conv.0.1.running_var"},
      %features.7.conv.1.1.running_mean: tensor<192xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.7.conv.1.1.running_mean"},
      %features.7.conv.1.1.running_var: tensor<192xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.7.conv.1.1.running_var"},
      %features.7.conv.3.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.7.conv.3.running_mean"},
      %features.7.conv.3.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.7.conv.3.running_var"},
      %features.8.conv.0.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.8.conv.0.1.running_mean"},
      %features.8.conv.0.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.8.conv.0.1.running_var"},
      %features.8.conv.1.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.8.conv.1.1.running_mean"},
      %features.8.conv.1.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.8.conv.1.1.running_var"},
      %features.8.conv.3.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.8.conv.3.running_mean"},
      %features.8.conv.3.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.8.conv.3.running_var"},
      %features.9.conv.0.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.9.conv.0.1.running_mean"},
      %features.9.conv.0.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.9.conv.0.1.running_var"},
      %features.9.conv.1.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.9.conv.1.1.running_mean"},
      %features.9.conv.1.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.9.conv.1.1.running_var"},
      %features.9.conv.3.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.9.conv.3.running_mean"},
      %features.9.conv.3.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.9.conv.3.running_var"},
      %features.10.conv.0.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.10.conv.0.1.running_mean"},
      %features.10.conv.0.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.10.conv.0.1.running_var"},
      %features.10.conv.1.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.10.conv.1.1.running_mean"},
      %features.10.conv.1.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.10.conv.1.1.running_var"},
      %features.10.conv.3.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.10.conv.3.running_mean"},
      %features.10.conv.3.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.10.conv.3.running_var"},
      %features.11.conv.0.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.11.conv.0.1.running_mean"},
      %features.11.conv.0.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.11.conv.0.1.running_var"},
      %features.11.conv.1.1.running_mean: tensor<384xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.11.conv.1.1.running_mean"},
      %features.11.conv.1.1.running_var: tensor<384xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.11.conv.1.1.running_var"},
      %features.11.conv.3.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.11.conv.3.running_mean"},
      %features.11.conv.3.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.11.conv.3.running_var"},
      %features.12.conv.0.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.12.conv.0.1.running_mean"},
      %features.12.conv.0.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.12.conv.0.1.running_var"},
      %features.12.conv.1.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.12.conv.1.1.running_mean"},
      %features.12.conv.1.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.12.conv.1.1.running_var"},
      %features.12.conv.3.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.12.conv.3.running_mean"},
      %features.12.conv.3.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.12.conv.3.running_var"},
      %features.13.conv.0.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.13.conv.0.1.running_mean"},
      %features.13.conv.0.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.13.conv.0.1.running_var"},
      %features.13.conv.1.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.13.conv.1.1.running_mean"},
      %features.13.conv.1.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.13.conv.1.1.running_var"},
      %features.13.conv.3.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.13.conv.3.running_mean"},
      %features.13.conv.3.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.13.conv.3.running_var"},
      %features.14.conv.0.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.14.conv.0.1.running_mean"},
      %features.14.conv.0.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.14.conv.0.1.running_var"},
      %features.14.conv.1.1.running_mean: tensor<576xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.14.conv.1.1.running_mean"},
      %features.14.conv.1.1.running_var: tensor<576xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.14.conv.1.1.running_var"},
      %features.14.conv.3.running_mean: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.14.conv.3.running_mean"},
      %features.14.conv.3.running_var: tensor<160xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.14.conv.3.running_var"},
      %features.15.conv.0.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.15.conv.0.1.running_mean"},
      %features.15.conv.0.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.15.conv.0.1.running_var"},
      %features.15.conv.1.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.15.conv.1.1.running_mean"},
      %features.15.conv.1.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.15.conv.1.1.running_var"},
      %features.15.conv.3.running_mean: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.15.conv.3.running_mean"},
      %features.15.conv.3.running_var: tensor<160xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.15.conv.3.running_var"},
      %features.16.conv.0.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.16.conv.0.1.running_mean"},
      %features.16.conv.0.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.16.conv.0.1.running_var"},
      %features.16.conv.1.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.16.conv.1.1.running_mean"},
      %features.16.conv.1.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.16.conv.1.1.running_var"},
      %features.16.conv.3.running_mean: tensor<160xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.16.conv.3.running_mean"},
      %features.16.conv.3.running_var: tensor<160xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.16.conv.3.running_var"},
      %features.17.conv.0.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.17.conv.0.1.running_mean"},
      %features.17.conv.0.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.17.conv.0.1.running_var"},
      %features.17.conv.1.1.running_mean: tensor<960xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.17.conv.1.1.running_mean"},
      %features.17.conv.1.1.running_var: tensor<960xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.17.conv.1.1.running_var"},
      %features.17.conv.3.running_mean: tensor<320xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.17.conv.3.running_mean"},
      %features.17.conv.3.running_var: tensor<320xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.17.conv.3.running_var"},
      %features.18.1.running_mean: tensor<1280xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.18.1.running_mean"},
      %features.18.1.running_var: tensor<1280xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.18.1.running_var"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"},
      %dropout_seed: tensor<1xi64> {memplan.high = 2147483647, memplan.kind = "input", memplan.name = "dropout_seed"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<32xf32> {memplan.name = "features.0.1.running_mean", memplan.updates = 158},
      tensor<32xf32> {memplan.name = "features.0.1.running_var", memplan.updates = 159},
      tensor<32xf32> {memplan.name = "features.1.conv.0.1.running_mean", memplan.updates = 160},
      tensor<32xf32> {memplan.name = "features.1.conv.0.1.running_var", memplan.updates = 161},
      tensor<16xf32> {memplan.name = "features.1.conv.2.running_mean", memplan.updates = 162},
      tensor<16xf32> {memplan.name = "features.1.conv.2.running_var", memplan.updates = 163},
      tensor<96xf32> {memplan.name = "features.2.conv.0.1.running_mean", memplan.updates = 164},
      tensor<96xf32> {memplan.name = "features.2.conv.0.1.running_var", memplan.updates = 165},
      tensor<96xf32> {memplan.name = "features.2.conv.1.1.running_mean", memplan.updates = 166},
      tensor<96xf32> {memplan.name = "features.2.conv.1.1.running_var", memplan.updates = 167},
      tensor<24xf32> {memplan.name = "features.2.conv.3.running_mean", memplan.updates = 168},
      tensor<24xf32> {memplan.name = "features.2.conv.3.running_var", memplan.updates = 169},
      tensor<144xf32> {memplan.name = "features.3.conv.0.1.running_mean", memplan.updates = 170},
      tensor<144xf32> {memplan.name = "features.3.conv.0.1.running_var", memplan.updates = 171},
      tensor<144xf32> {memplan.name = "features.3.conv.1.1.running_mean", memplan.updates = 172},
      tensor<144xf32> {memplan.name = "features.3.conv.1.1.running_var", memplan.updates = 173},
      tensor<24xf32> {memplan.name = "features.3.conv.3.running_mean", memplan.updates = 174},
      tensor<24xf32> {memplan.name = "features.3.conv.3.running_var", memplan.updates = 175},
      tensor<144xf32> {memplan.name = "features.4.conv.0.1.running_mean", memplan.updates = 176},
      tensor<144xf32> {memplan.name = "features.4.conv.0.1.running_var", memplan.updates = 177},
      tensor<144xf32> {memplan.name = "features.4.conv.1.1.running_mean", memplan.updates = 178},
      tensor<144xf32> {memplan.name = "features.4.conv.1.1.running_var", memplan.updates = 179},
      tensor<32xf32> {memplan.name = "features.4.conv.3.running_mean", memplan.updates = 180},
      tensor<32xf32> {memplan.name = "features.4.conv.3.running_var", memplan.updates = 181},
      tensor<192xf32> {memplan.name = "features.5.conv.0.1.running_mean", memplan.updates = 182},
      tensor<192xf32> {memplan.name = "features.5.conv.0.1.running_var", memplan.updates = 183},
      tensor<192xf32> {memplan.name = "features.5.conv.1.1.running_mean", memplan.updates = 184},
      tensor<192xf32> {memplan.name = "features.5.conv.1.1.running_var", memplan.updates = 185},
      tensor<32xf32> {memplan.name = "features.5.conv.3.running_mean", memplan.updates = 186},
      tensor<32xf32> {memplan.name = "features.5.conv.3.running_var", memplan.updates = 187},
      tensor<192xf32> {memplan.name = "features.6.conv.0.1.running_mean", memplan.updates = 188},
      tensor<192xf32> {memplan.name = "features.6.conv.0.1.running_var", memplan.updates = 189},
      tensor<192xf32> {memplan.name = "features.6.conv.1.1.running_mean", memplan.updates = 190},
      tensor<192xf32> {memplan.name = "features.6.conv.1.1.running_var", memplan.updates = 191},
      tensor<32xf32> {memplan.name = "features.6.conv.3.running_mean", memplan.updates = 192},
      tensor<32xf32> {memplan.name = "features.6.conv.3.running_var", memplan.updates = 193},
      tensor<192xf32> {memplan.name = "features.7.conv.0.1.running_mean", memplan.updates = 194},
      tensor<192xf32> {memplan.name = "features.7.conv.0.1.running_var", memplan.updates = 195},
      tensor<192xf32> {memplan.name = "features.7.conv.1.1.running_mean", memplan.updates = 196},
      tensor<192xf32> {memplan.name = "features.7.conv.1.1.running_var", memplan.updates = 197},
      tensor<64xf32> {memplan.name = "features.7.conv.3.running_mean", memplan.updates = 198},
      tensor<64xf32> {memplan.name = "features.7.conv.3.running_var", memplan.updates = 199},
      tensor<384xf32> {memplan.name = "features.8.conv.0.1.running_mean", memplan.updates = 200},
      tensor<384xf32> {memplan.name = "features.8.conv.0.1.running_var", memplan.updates = 201},
      tensor<384xf32> {memplan.name = "features.8.conv.1.1.running_mean", memplan.updates = 202},
      tensor<384xf32> {memplan.name = "features.8.conv.1.1.running_var", memplan.updates = 203},
      tensor<64xf32> {memplan.name = "features.8.conv.3.running_mean", memplan.updates = 204},
      tensor<64xf32> {memplan.name = "features.8.conv.3.running_var", memplan.updates = 205},
      tensor<384xf32> {memplan.name = "features.9.conv.0.1.running_mean", memplan.updates = 206},
      tensor<384xf32> {memplan.name = "features.9.conv.0.1.running_var", memplan.updates = 207},
      tensor<384xf32> {memplan.name = "features.9.conv.1.1.running_mean", memplan.updates = 208},
      tensor<384xf32> {memplan.name = "features.9.conv.1.1.running_var", memplan.updates = 209},
      tensor<64xf32> {memplan.name = "features.9.conv.3.running_mean", memplan.updates = 210},
      tensor<64xf32> {memplan.name = "features.9.conv.3.running_var", memplan.updates = 211},
      tensor<384xf32> {memplan.name = "features.10.conv.0.1.running_mean", memplan.updates = 212},
      tensor<384xf32> {memplan.name = "features.10.conv.0.1.running_var", memplan.updates = 213},
      tensor<384xf32> {memplan.name = "features.10.conv.1.1.running_mean", memplan.updates = 214},
      tensor<384xf32> {memplan.name = "features.10.conv.1.1.running_var", memplan.updates = 215},
      tensor<64xf32> {memplan.name = "features.10.conv.3.running_mean", memplan.updates = 216},
      tensor<64xf32> {memplan.name = "features.10.conv.3.running_var", memplan.updates = 217},
      tensor<384xf32> {memplan.name = "features.11.conv.0.1.running_mean", memplan.updates = 218},
      tensor<384xf32> {memplan.name = "features.11.conv.0.1.running_var", memplan.updates = 219},
      tensor<384xf32> {memplan.name = "features.11.conv.1.1.running_mean", memplan.updates = 220},
      tensor<384xf32> {memplan.name = "features.11.conv.1.1.running_var", memplan.updates = 221},
      tensor<96xf32> {memplan.name = "features.11.conv.3.running_mean", memplan.updates = 222},
      tensor<96xf32> {memplan.name = "features.11.conv.3.running_var", memplan.updates = 223},
      tensor<576xf32> {memplan.name = "features.12.conv.0.1.running_mean", memplan.updates = 224},
      tensor<576xf32> {memplan.name = "features.12.conv.0.1.running_var", memplan.updates = 225},
      tensor<576xf32> {memplan.name = "features.12.conv.1.1.running_mean", memplan.updates = 226},
      tensor<576xf32> {memplan.name = "features.12.conv.1.1.running_var", memplan.updates = 227},
      tensor<96xf32> {memplan.name = "features.12.conv.3.running_mean", memplan.updates = 228},
      tensor<96xf32> {memplan.name = "features.12.conv.3.running_var", memplan.updates = 229},
      tensor<576xf32> {memplan.name = "features.13.conv.0.1.running_mean", memplan.updates = 230},
      tensor<576xf32> {memplan.name = "features.13.conv.0.1.running_var", memplan.updates = 231},
      tensor<576xf32> {memplan.name = "features.13.conv.1.1.running_mean", memplan.updates = 232},
      tensor<576xf32> {memplan.name = "features.13.conv.1.1.running_var", memplan.updates = 233},
      tensor<96xf32> {memplan.name = "features.13.conv.3.running_mean", memplan.updates = 234},
      tensor<96xf32> {memplan.name = "features.13.conv.3.running_var", memplan.updates = 235},
      tensor<576xf32> {memplan.name = "features.14.conv.0.1.running_mean", memplan.updates = 236},
      tensor<576xf32> {memplan.name = "features.14.conv.0.1.running_var", memplan.updates = 237},
      tensor<576xf32> {memplan.name = "features.14.conv.1.1.running_mean", memplan.updates = 238},
      tensor<576xf32> {memplan.name = "features.14.conv.1.1.running_var", memplan.updates = 239},
      tensor<160xf32> {memplan.name = "features.14.conv.3.running_mean", memplan.updates = 240},
      tensor<160xf32> {memplan.name = "features.14.conv.3.running_var", memplan.updates = 241},
      tensor<960xf32> {memplan.name = "features.15.conv.0.1.running_mean", memplan.updates = 242},
      tensor<960xf32> {memplan.name = "features.15.conv.0.1.running_var", memplan.updates = 243},
      tensor<960xf32> {memplan.name = "features.15.conv.1.1.running_mean", memplan.updates = 244},
      tensor<960xf32> {memplan.name = "features.15.conv.1.1.running_var", memplan.updates = 245},
      tensor<160xf32> {memplan.name = "features.15.conv.3.running_mean", memplan.updates = 246},
      tensor<160xf32> {memplan.name = "features.15.conv.3.running_var", memplan.updates = 247},
      tensor<960xf32> {memplan.name = "features.16.conv.0.1.running_mean", memplan.updates = 248},
      tensor<960xf32> {memplan.name = "features.16.conv.0.1.running_var", memplan.updates = 249},
      tensor<960xf32> {memplan.name = "features.16.conv.1.1.running_mean", memplan.updates = 250},
      tensor<960xf32> {memplan.name = "features.16.conv.1.1.running_var", memplan.updates = 251},
      tensor<160xf32> {memplan.name = "features.16.conv.3.running_mean", memplan.updates = 252},
      tensor<160xf32> {memplan.name = "features.16.conv.3.running_var", memplan.updates = 253},
      tensor<960xf32> {memplan.name = "features.17.conv.0.1.running_mean", memplan.updates = 254},
      tensor<960xf32> {memplan.name = "features.17.conv.0.1.running_var", memplan.updates = 255},
      tensor<960xf32> {memplan.name = "features.17.conv.1.1.running_mean", memplan.updates = 256},
      tensor<960xf32> {memplan.name = "features.17.conv.1.1.running_var", memplan.updates = 257},
      tensor<320xf32> {memplan.name = "features.17.conv.3.running_mean", memplan.updates = 258},
      tensor<320xf32> {memplan.name = "features.17.conv.3.running_var", memplan.updates = 259},
      tensor<1280xf32> {memplan.name = "features.18.1.running_mean", memplan.updates = 260},
      tensor<1280xf32> {memplan.name = "features.18.1.running_var", memplan.updates = 261}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %features.0.0 = memplan.conv2d %image, %features.0.0.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x3x224x224xf32>, tensor<32x3x3x3xf32>) -> tensor<32x32x112x112xf32> loc("features.0.0")
    %features.0.1, %features.0.1.mean, %features.0.1.invstd, %features.0.1.variance = memplan.batch_norm %features.0.0, %features.0.1.weight, %features.0.1.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("features.0.1")
    %features.0.1.running_mean.new, %features.0.1.running_var.new = memplan.batch_norm_update_stats %features.0.1.running_mean, %features.0.1.running_var, %features.0.1.mean, %features.0.1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("features.0.1")
    %features.0.2 = memplan.clamp %features.0.1 {max = 6.0, min = 0.0} : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("features.0.2")
    %features.1.conv.0.0 = memplan.conv2d %features.0.2, %features.1.conv.0.0.weight {groups = 32, padding = [1, 1]} : (tensor<32x32x112x112xf32>, tensor<32x1x3x3xf32>) -> tensor<32x32x112x112xf32> loc("features.1.conv.0.0")
    %features.1.conv.0.1, %features.1.conv.0.1.mean, %features.1.conv.0.1.invstd, %features.1.conv.0.1.variance = memplan.batch_norm %features.1.conv.0.0, %features.1.conv.0.1.weight, %features.1.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("features.1.conv.0.1")
    %features.1.conv.0.1.running_mean.new, %features.1.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.1.conv.0.1.running_mean, %features.1.conv.0.1.running_var, %features.1.conv.0.1.mean, %features.1.conv.0.1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("features.1.conv.0.1")
    %features.1.conv.0.2 = memplan.clamp %features.1.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("features.1.conv.0.2")
    %features.1.conv.1 = memplan.conv2d %features.1.conv.0.2, %features.1.conv.1.weight : (tensor<32x32x112x112xf32>, tensor<16x32x1x1xf32>) -> tensor<32x16x112x112xf32> loc("features.1.conv.1")
    %features.1.conv.2, %features.1.conv.2.mean, %features.1.conv.2.invstd, %features.1.conv.2.variance = memplan.batch_norm %features.1.conv.1, %features.1.conv.2.weight, %features.1.conv.2.bias {epsilon = 1.0e-05} : (tensor<32x16x112x112xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<32x16x112x112xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.1.conv.2")
    %features.1.conv.2.running_mean.new, %features.1.conv.2.running_var.new = memplan.batch_norm_update_stats %features.1.conv.2.running_mean, %features.1.conv.2.running_var, %features.1.conv.2.mean, %features.1.conv.2.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.1.conv.2")
    %features.2.conv.0.0 = memplan.conv2d %features.1.conv.2, %features.2.conv.0.0.weight : (tensor<32x16x112x112xf32>, tensor<96x16x1x1xf32>) -> tensor<32x96x112x112xf32> loc("features.2.conv.0.0")
    %features.2.conv.0.1, %features.2.conv.0.1.mean, %features.2.conv.0.1.invstd, %features.2.conv.0.1.variance = memplan.batch_norm %features.2.conv.0.0, %features.2.conv.0.1.weight, %features.2.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x96x112x112xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<32x96x112x112xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.2.conv.0.1")
    %features.2.conv.0.1.running_mean.new, %features.2.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.2.conv.0.1.running_mean, %features.2.conv.0.1.running_var, %features.2.conv.0.1.mean, %features.2.conv.0.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.2.conv.0.1")
    %features.2.conv.0.2 = memplan.clamp %features.2.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x96x112x112xf32>) -> tensor<32x96x112x112xf32> loc("features.2.conv.0.2")
    %features.2.conv.1.0 = memplan.conv2d %features.2.conv.0.2, %features.2.conv.1.0.weight {groups = 96, padding = [1, 1], strides = [2, 2]} : (tensor<32x96x112x112xf32>, tensor<96x1x3x3xf32>) -> tensor<32x96x56x56xf32> loc("features.2.conv.1.0")
    %features.2.conv.1.1, %features.2.conv.1.1.mean, %features.2.conv.1.1.invstd, %features.2.conv.1.1.variance = memplan.batch_norm %features.2.conv.1.0, %features.2.conv.1.1.weight, %features.2.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x96x56x56xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<32x96x56x56xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.2.conv.1.1")
    %features.2.conv.1.1.running_mean.new, %features.2.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.2.conv.1.1.running_mean, %features.2.conv.1.1.running_var, %features.2.conv.1.1.mean, %features.2.conv.1.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.2.conv.1.1")
    %features.2.conv.1.2 = memplan.clamp %features.2.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x96x56x56xf32>) -> tensor<32x96x56x56xf32> loc("features.2.conv.1.2")
    %features.2.conv.2 = memplan.conv2d %features.2.conv.1.2, %features.2.conv.2.weight : (tensor<32x96x56x56xf32>, tensor<24x96x1x1xf32>) -> tensor<32x24x56x56xf32> loc("features.2.conv.2")
    %features.2.conv.3, %features.2.conv.3.mean, %features.2.conv.3.invstd, %features.2.conv.3.variance = memplan.batch_norm %features.2.conv.2, %features.2.conv.3.weight, %features.2.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x24x56x56xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<32x24x56x56xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) loc("features.2.conv.3")
    %features.2.conv.3.running_mean.new, %features.2.conv.3.running_var.new = memplan.batch_norm_update_stats %features.2.conv.3.running_mean, %features.2.conv.3.running_var, %features.2.conv.3.mean, %features.2.conv.3.variance {momentum = 0.1} : (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) loc("features.2.conv.3")
    %features.3.conv.0.0 = memplan.conv2d %features.2.conv.3, %features.3.conv.0.0.weight : (tensor<32x24x56x56xf32>, tensor<144x24x1x1xf32>) -> tensor<32x144x56x56xf32> loc("features.3.conv.0.0")
    %features.3.conv.0.1, %features.3.conv.0.1.mean, %features.3.conv.0.1.invstd, %features.3.conv.0.1.variance = memplan.batch_norm %features.3.conv.0.0, %features.3.conv.0.1.weight, %features.3.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) loc("features.3.conv.0.1")
    %features.3.conv.0.1.running_mean.new, %features.3.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.3.conv.0.1.running_mean, %features.3.conv.0.1.running_var, %features.3.conv.0.1.mean, %features.3.conv.0.1.variance {momentum = 0.1} : (tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<144xf32>, tensor<144xf32>) loc("features.3.conv.0.1")
    %features.3.conv.0.2 = memplan.clamp %features.3.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x144x56x56xf32>) -> tensor<32x144x56x56xf32> loc("features.3.conv.0.2")
    %features.3.conv.1.0 = memplan.conv2d %features.3.conv.0.2, %features.3.conv.1.0.weight {groups = 144, padding = [1, 1]} : (tensor<32x144x56x56xf32>, tensor<144x1x3x3xf32>) -> tensor<32x144x56x56xf32> loc("features.3.conv.1.0")
    %features.3.conv.1.1, %features.3.conv.1.1.mean, %features.3.conv.1.1.invstd, %features.3.conv.1.1.variance = memplan.batch_norm %features.3.conv.1.0, %features.3.conv.1.1.weight, %features.3.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) loc("features.3.conv.1.1")
    %features.3.conv.1.1.running_mean.new, %features.3.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.3.conv.1.1.running_mean, %features.3.conv.1.1.running_var, %features.3.conv.1.1.mean, %features.3.conv.1.1.variance {momentum = 0.1} : (tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<144xf32>, tensor<144xf32>) loc("features.3.conv.1.1")
    %features.3.conv.1.2 = memplan.clamp %features.3.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x144x56x56xf32>) -> tensor<32x144x56x56xf32> loc("features.3.conv.1.2")
    %features.3.conv.2 = memplan.conv2d %features.3.conv.1.2, %features.3.conv.2.weight : (tensor<32x144x56x56xf32>, tensor<24x144x1x1xf32>) -> tensor<32x24x56x56xf32> loc("features.3.conv.2")
    %features.3.conv.3, %features.3.conv.3.mean, %features.3.conv.3.invstd, %features.3.conv.3.variance = memplan.batch_norm %features.3.conv.2, %features.3.conv.3.weight, %features.3.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x24x56x56xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<32x24x56x56xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) loc("features.3.conv.3")
    %features.3.conv.3.running_mean.new, %features.3.conv.3.running_var.new = memplan.batch_norm_update_stats %features.3.conv.3.running_mean, %features.3.conv.3.running_var, %features.3.conv.3.mean, %features.3.conv.3.variance {momentum = 0.1} : (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) loc("features.3.conv.3")
    %features.3.add = memplan.add %features.2.conv.3, %features.3.conv.3 : (tensor<32x24x56x56xf32>, tensor<32x24x56x56xf32>) -> tensor<32x24x56x56xf32> loc("features.3")
    %features.4.conv.0.0 = memplan.conv2d %features.3.add, %features.4.conv.0.0.weight : (tensor<32x24x56x56xf32>, tensor<144x24x1x1xf32>) -> tensor<32x144x56x56xf32> loc("features.4.conv.0.0")
    %features.4.conv.0.1, %features.4.conv.0.1.mean, %features.4.conv.0.1.invstd, %features.4.conv.0.1.variance = memplan.batch_norm %features.4.conv.0.0, %features.4.conv.0.1.weight, %features.4.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<32x144x56x56xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) loc("features.4.conv.0.1")
    %features.4.conv.0.1.running_mean.new, %features.4.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.4.conv.0.1.running_mean, %features.4.conv.0.1.running_var, %features.4.conv.0.1.mean, %features.4.conv.0.1.variance {momentum = 0.1} : (tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<144xf32>, tensor<144xf32>) loc("features.4.conv.0.1")
    %features.4.conv.0.2 = memplan.clamp %features.4.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x144x56x56xf32>) -> tensor<32x144x56x56xf32> loc("features.4.conv.0.2")
    %features.4.conv.1.0 = memplan.conv2d %features.4.conv.0.2, %features.4.conv.1.0.weight {groups = 144, padding = [1, 1], strides = [2, 2]} : (tensor<32x144x56x56xf32>, tensor<144x1x3x3xf32>) -> tensor<32x144x28x28xf32> loc("features.4.conv.1.0")
    %features.4.conv.1.1, %features.4.conv.1.1.mean, %features.4.conv.1.1.invstd, %features.4.conv.1.1.variance = memplan.batch_norm %features.4.conv.1.0, %features.4.conv.1.1.weight, %features.4.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x144x28x28xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<32x144x28x28xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) loc("features.4.conv.1.1")
    %features.4.conv.1.1.running_mean.new, %features.4.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.4.conv.1.1.running_mean, %features.4.conv.1.1.running_var, %features.4.conv.1.1.mean, %features.4.conv.1.1.variance {momentum = 0.1} : (tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>) -> (tensor<144xf32>, tensor<144xf32>) loc("features.4.conv.1.1")
    %features.4.conv.1.2 = memplan.clamp %features.4.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x144x28x28xf32>) -> tensor<32x144x28x28xf32> loc("features.4.conv.1.2")
    %features.4.conv.2 = memplan.conv2d %features.4.conv.1.2, %features.4.conv.2.weight : (tensor<32x144x28x28xf32>, tensor<32x144x1x1xf32>) -> tensor<32x32x28x28xf32> loc("features.4.conv.2")
    %features.4.conv.3, %features.4.conv.3.mean, %features.4.conv.3.invstd, %features.4.conv.3.variance = memplan.batch_norm %features.4.conv.2, %features.4.conv.3.weight, %features.4.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("features.4.conv.3")
    %features.4.conv.3.running_mean.new, %features.4.conv.3.running_var.new = memplan.batch_norm_update_stats %features.4.conv.3.running_mean, %features.4.conv.3.running_var, %features.4.conv.3.mean, %features.4.conv.3.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("features.4.conv.3")
    %features.5.conv.0.0 = memplan.conv2d %features.4.conv.3, %features.5.conv.0.0.weight : (tensor<32x32x28x28xf32>, tensor<192x32x1x1xf32>) -> tensor<32x192x28x28xf32> loc("features.5.conv.0.0")
    %features.5.conv.0.1, %features.5.conv.0.1.mean, %features.5.conv.0.1.invstd, %features.5.conv.0.1.variance = memplan.batch_norm %features.5.conv.0.0, %features.5.conv.0.1.weight, %features.5.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.5.conv.0.1")
    %features.5.conv.0.1.running_mean.new, %features.5.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.5.conv.0.1.running_mean, %features.5.conv.0.1.running_var, %features.5.conv.0.1.mean, %features.5.conv.0.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.5.conv.0.1")
    %features.5.conv.0.2 = memplan.clamp %features.5.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x192x28x28xf32>) -> tensor<32x192x28x28xf32> loc("features.5.conv.0.2")
    %features.5.conv.1.0 = memplan.conv2d %features.5.conv.0.2, %features.5.conv.1.0.weight {groups = 192, padding = [1, 1]} : (tensor<32x192x28x28xf32>, tensor<192x1x3x3xf32>) -> tensor<32x192x28x28xf32> loc("features.5.conv.1.0")
    %features.5.conv.1.1, %features.5.conv.1.1.mean, %features.5.conv.1.1.invstd, %features.5.conv.1.1.variance = memplan.batch_norm %features.5.conv.1.0, %features.5.conv.1.1.weight, %features.5.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.5.conv.1.1")
    %features.5.conv.1.1.running_mean.new, %features.5.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.5.conv.1.1.running_mean, %features.5.conv.1.1.running_var, %features.5.conv.1.1.mean, %features.5.conv.1.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.5.conv.1.1")
    %features.5.conv.1.2 = memplan.clamp %features.5.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x192x28x28xf32>) -> tensor<32x192x28x28xf32> loc("features.5.conv.1.2")
    %features.5.conv.2 = memplan.conv2d %features.5.conv.1.2, %features.5.conv.2.weight : (tensor<32x192x28x28xf32>, tensor<32x192x1x1xf32>) -> tensor<32x32x28x28xf32> loc("features.5.conv.2")
    %features.5.conv.3, %features.5.conv.3.mean, %features.5.conv.3.invstd, %features.5.conv.3.variance = memplan.batch_norm %features.5.conv.2, %features.5.conv.3.weight, %features.5.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("features.5.conv.3")
    %features.5.conv.3.running_mean.new, %features.5.conv.3.running_var.new = memplan.batch_norm_update_stats %features.5.conv.3.running_mean, %features.5.conv.3.running_var, %features.5.conv.3.mean, %features.5.conv.3.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("features.5.conv.3")
    %features.5.add = memplan.add %features.4.conv.3, %features.5.conv.3 : (tensor<32x32x28x28xf32>, tensor<32x32x28x28xf32>) -> tensor<32x32x28x28xf32> loc("features.5")
    %features.6.conv.0.0 = memplan.conv2d %features.5.add, %features.6.conv.0.0.weight : (tensor<32x32x28x28xf32>, tensor<192x32x1x1xf32>) -> tensor<32x192x28x28xf32> loc("features.6.conv.0.0")
    %features.6.conv.0.1, %features.6.conv.0.1.mean, %features.6.conv.0.1.invstd, %features.6.conv.0.1.variance = memplan.batch_norm %features.6.conv.0.0, %features.6.conv.0.1.weight, %features.6.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.6.conv.0.1")
    %features.6.conv.0.1.running_mean.new, %features.6.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.6.conv.0.1.running_mean, %features.6.conv.0.1.running_var, %features.6.conv.0.1.mean, %features.6.conv.0.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.6.conv.0.1")
    %features.6.conv.0.2 = memplan.clamp %features.6.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x192x28x28xf32>) -> tensor<32x192x28x28xf32> loc("features.6.conv.0.2")
    %features.6.conv.1.0 = memplan.conv2d %features.6.conv.0.2, %features.6.conv.1.0.weight {groups = 192, padding = [1, 1]} : (tensor<32x192x28x28xf32>, tensor<192x1x3x3xf32>) -> tensor<32x192x28x28xf32> loc("features.6.conv.1.0")
    %features.6.conv.1.1, %features.6.conv.1.1.mean, %features.6.conv.1.1.invstd, %features.6.conv.1.1.variance = memplan.batch_norm %features.6.conv.1.0, %features.6.conv.1.1.weight, %features.6.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.6.conv.1.1")
    %features.6.conv.1.1.running_mean.new, %features.6.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.6.conv.1.1.running_mean, %features.6.conv.1.1.running_var, %features.6.conv.1.1.mean, %features.6.conv.1.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.6.conv.1.1")
    %features.6.conv.1.2 = memplan.clamp %features.6.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x192x28x28xf32>) -> tensor<32x192x28x28xf32> loc("features.6.conv.1.2")
    %features.6.conv.2 = memplan.conv2d %features.6.conv.1.2, %features.6.conv.2.weight : (tensor<32x192x28x28xf32>, tensor<32x192x1x1xf32>) -> tensor<32x32x28x28xf32> loc("features.6.conv.2")
    %features.6.conv.3, %features.6.conv.3.mean, %features.6.conv.3.invstd, %features.6.conv.3.variance = memplan.batch_norm %features.6.conv.2, %features.6.conv.3.weight, %features.6.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x28x28xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("features.6.conv.3")
    %features.6.conv.3.running_mean.new, %features.6.conv.3.running_var.new = memplan.batch_norm_update_stats %features.6.conv.3.running_mean, %features.6.conv.3.running_var, %features.6.conv.3.mean, %features.6.conv.3.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("features.6.conv.3")
    %features.6.add = memplan.add %features.5.add, %features.6.conv.3 : (tensor<32x32x28x28xf32>, tensor<32x32x28x28xf32>) -> tensor<32x32x28x28xf32> loc("features.6")
    %features.7.conv.0.0 = memplan.conv2d %features.6.add, %features.7.conv.0.0.weight : (tensor<32x32x28x28xf32>, tensor<192x32x1x1xf32>) -> tensor<32x192x28x28xf32> loc("features.7.conv.0.0")
    %features.7.conv.0.1, %features.7.conv.0.1.mean, %features.7.conv.0.1.invstd, %features.7.conv.0.1.variance = memplan.batch_norm %features.7.conv.0.0, %features.7.conv.0.1.weight, %features.7.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x28x28xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.7.conv.0.1")
    %features.7.conv.0.1.running_mean.new, %features.7.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.7.conv.0.1.running_mean, %features.7.conv.0.1.running_var, %features.7.conv.0.1.mean, %features.7.conv.0.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.7.conv.0.1")
    %features.7.conv.0.2 = memplan.clamp %features.7.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x192x28x28xf32>) -> tensor<32x192x28x28xf32> loc("features.7.conv.0.2")
    %features.7.conv.1.0 = memplan.conv2d %features.7.conv.0.2, %features.7.conv.1.0.weight {groups = 192, padding = [1, 1], strides = [2, 2]} : (tensor<32x192x28x28xf32>, tensor<192x1x3x3xf32>) -> tensor<32x192x14x14xf32> loc("features.7.conv.1.0")
    %features.7.conv.1.1, %features.7.conv.1.1.mean, %features.7.conv.1.1.invstd, %features.7.conv.1.1.variance = memplan.batch_norm %features.7.conv.1.0, %features.7.conv.1.1.weight, %features.7.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x192x14x14xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<32x192x14x14xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) loc("features.7.conv.1.1")
    %features.7.conv.1.1.running_mean.new, %features.7.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.7.conv.1.1.running_mean, %features.7.conv.1.1.running_var, %features.7.conv.1.1.mean, %features.7.conv.1.1.variance {momentum = 0.1} : (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) -> (tensor<192xf32>, tensor<192xf32>) loc("features.7.conv.1.1")
    %features.7.conv.1.2 = memplan.clamp %features.7.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x192x14x14xf32>) -> tensor<32x192x14x14xf32> loc("features.7.conv.1.2")
    %features.7.conv.2 = memplan.conv2d %features.7.conv.1.2, %features.7.conv.2.weight : (tensor<32x192x14x14xf32>, tensor<64x192x1x1xf32>) -> tensor<32x64x14x14xf32> loc("features.7.conv.2")
    %features.7.conv.3, %features.7.conv.3.mean, %features.7.conv.3.invstd, %features.7.conv.3.variance = memplan.batch_norm %features.7.conv.2, %features.7.conv.3.weight, %features.7.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("features.7.conv.3")
    %features.7.conv.3.running_mean.new, %features.7.conv.3.running_var.new = memplan.batch_norm_update_stats %features.7.conv.3.running_mean, %features.7.conv.3.running_var, %features.7.conv.3.mean, %features.7.conv.3.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("features.7.conv.3")
    %features.8.conv.0.0 = memplan.conv2d %features.7.conv.3, %features.8.conv.0.0.weight : (tensor<32x64x14x14xf32>, tensor<384x64x1x1xf32>) -> tensor<32x384x14x14xf32> loc("features.8.conv.0.0")
    %features.8.conv.0.1, %features.8.conv.0.1.mean, %features.8.conv.0.1.invstd, %features.8.conv.0.1.variance = memplan.batch_norm %features.8.conv.0.0, %features.8.conv.0.1.weight, %features.8.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.8.conv.0.1")
    %features.8.conv.0.1.running_mean.new, %features.8.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.8.conv.0.1.running_mean, %features.8.conv.0.1.running_var, %features.8.conv.0.1.mean, %features.8.conv.0.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.8.conv.0.1")
    %features.8.conv.0.2 = memplan.clamp %features.8.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.8.conv.0.2")
    %features.8.conv.1.0 = memplan.conv2d %features.8.conv.0.2, %features.8.conv.1.0.weight {groups = 384, padding = [1, 1]} : (tensor<32x384x14x14xf32>, tensor<384x1x3x3xf32>) -> tensor<32x384x14x14xf32> loc("features.8.conv.1.0")
    %features.8.conv.1.1, %features.8.conv.1.1.mean, %features.8.conv.1.1.invstd, %features.8.conv.1.1.variance = memplan.batch_norm %features.8.conv.1.0, %features.8.conv.1.1.weight, %features.8.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.8.conv.1.1")
    %features.8.conv.1.1.running_mean.new, %features.8.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.8.conv.1.1.running_mean, %features.8.conv.1.1.running_var, %features.8.conv.1.1.mean, %features.8.conv.1.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.8.conv.1.1")
    %features.8.conv.1.2 = memplan.clamp %features.8.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.8.conv.1.2")
    %features.8.conv.2 = memplan.conv2d %features.8.conv.1.2, %features.8.conv.2.weight : (tensor<32x384x14x14xf32>, tensor<64x384x1x1xf32>) -> tensor<32x64x14x14xf32> loc("features.8.conv.2")
    %features.8.conv.3, %features.8.conv.3.mean, %features.8.conv.3.invstd, %features.8.conv.3.variance = memplan.batch_norm %features.8.conv.2, %features.8.conv.3.weight, %features.8.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("features.8.conv.3")
    %features.8.conv.3.running_mean.new, %features.8.conv.3.running_var.new = memplan.batch_norm_update_stats %features.8.conv.3.running_mean, %features.8.conv.3.running_var, %features.8.conv.3.mean, %features.8.conv.3.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("features.8.conv.3")
    %features.8.add = memplan.add %features.7.conv.3, %features.8.conv.3 : (tensor<32x64x14x14xf32>, tensor<32x64x14x14xf32>) -> tensor<32x64x14x14xf32> loc("features.8")
    %features.9.conv.0.0 = memplan.conv2d %features.8.add, %features.9.conv.0.0.weight : (tensor<32x64x14x14xf32>, tensor<384x64x1x1xf32>) -> tensor<32x384x14x14xf32> loc("features.9.conv.0.0")
    %features.9.conv.0.1, %features.9.conv.0.1.mean, %features.9.conv.0.1.invstd, %features.9.conv.0.1.variance = memplan.batch_norm %features.9.conv.0.0, %features.9.conv.0.1.weight, %features.9.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.9.conv.0.1")
    %features.9.conv.0.1.running_mean.new, %features.9.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.9.conv.0.1.running_mean, %features.9.conv.0.1.running_var, %features.9.conv.0.1.mean, %features.9.conv.0.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.9.conv.0.1")
    %features.9.conv.0.2 = memplan.clamp %features.9.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.9.conv.0.2")
    %features.9.conv.1.0 = memplan.conv2d %features.9.conv.0.2, %features.9.conv.1.0.weight {groups = 384, padding = [1, 1]} : (tensor<32x384x14x14xf32>, tensor<384x1x3x3xf32>) -> tensor<32x384x14x14xf32> loc("features.9.conv.1.0")
    %features.9.conv.1.1, %features.9.conv.1.1.mean, %features.9.conv.1.1.invstd, %features.9.conv.1.1.variance = memplan.batch_norm %features.9.conv.1.0, %features.9.conv.1.1.weight, %features.9.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.9.conv.1.1")
    %features.9.conv.1.1.running_mean.new, %features.9.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.9.conv.1.1.running_mean, %features.9.conv.1.1.running_var, %features.9.conv.1.1.mean, %features.9.conv.1.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.9.conv.1.1")
    %features.9.conv.1.2 = memplan.clamp %features.9.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.9.conv.1.2")
    %features.9.conv.2 = memplan.conv2d %features.9.conv.1.2, %features.9.conv.2.weight : (tensor<32x384x14x14xf32>, tensor<64x384x1x1xf32>) -> tensor<32x64x14x14xf32> loc("features.9.conv.2")
    %features.9.conv.3, %features.9.conv.3.mean, %features.9.conv.3.invstd, %features.9.conv.3.variance = memplan.batch_norm %features.9.conv.2, %features.9.conv.3.weight, %features.9.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("features.9.conv.3")
    %features.9.conv.3.running_mean.new, %features.9.conv.3.running_var.new = memplan.batch_norm_update_stats %features.9.conv.3.running_mean, %features.9.conv.3.running_var, %features.9.conv.3.mean, %features.9.conv.3.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("features.9.conv.3")
    %features.9.add = memplan.add %features.8.add, %features.9.conv.3 : (tensor<32x64x14x14xf32>, tensor<32x64x14x14xf32>) -> tensor<32x64x14x14xf32> loc("features.9")
    %features.10.conv.0.0 = memplan.conv2d %features.9.add, %features.10.conv.0.0.weight : (tensor<32x64x14x14xf32>, tensor<384x64x1x1xf32>) -> tensor<32x384x14x14xf32> loc("features.10.conv.0.0")
    %features.10.conv.0.1, %features.10.conv.0.1.mean, %features.10.conv.0.1.invstd, %features.10.conv.0.1.variance = memplan.batch_norm %features.10.conv.0.0, %features.10.conv.0.1.weight, %features.10.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.10.conv.0.1")
    %features.10.conv.0.1.running_mean.new, %features.10.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.10.conv.0.1.running_mean, %features.10.conv.0.1.running_var, %features.10.conv.0.1.mean, %features.10.conv.0.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.10.conv.0.1")
    %features.10.conv.0.2 = memplan.clamp %features.10.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.10.conv.0.2")
    %features.10.conv.1.0 = memplan.conv2d %features.10.conv.0.2, %features.10.conv.1.0.weight {groups = 384, padding = [1, 1]} : (tensor<32x384x14x14xf32>, tensor<384x1x3x3xf32>) -> tensor<32x384x14x14xf32> loc("features.10.conv.1.0")
    %features.10.conv.1.1, %features.10.conv.1.1.mean, %features.10.conv.1.1.invstd, %features.10.conv.1.1.variance = memplan.batch_norm %features.10.conv.1.0, %features.10.conv.1.1.weight, %features.10.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.10.conv.1.1")
    %features.10.conv.1.1.running_mean.new, %features.10.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.10.conv.1.1.running_mean, %features.10.conv.1.1.running_var, %features.10.conv.1.1.mean, %features.10.conv.1.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.10.conv.1.1")
    %features.10.conv.1.2 = memplan.clamp %features.10.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.10.conv.1.2")
    %features.10.conv.2 = memplan.conv2d %features.10.conv.1.2, %features.10.conv.2.weight : (tensor<32x384x14x14xf32>, tensor<64x384x1x1xf32>) -> tensor<32x64x14x14xf32> loc("features.10.conv.2")
    %features.10.conv.3, %features.10.conv.3.mean, %features.10.conv.3.invstd, %features.10.conv.3.variance = memplan.batch_norm %features.10.conv.2, %features.10.conv.3.weight, %features.10.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x14x14xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("features.10.conv.3")
    %features.10.conv.3.running_mean.new, %features.10.conv.3.running_var.new = memplan.batch_norm_update_stats %features.10.conv.3.running_mean, %features.10.conv.3.running_var, %features.10.conv.3.mean, %features.10.conv.3.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("features.10.conv.3")
    %features.10.add = memplan.add %features.9.add, %features.10.conv.3 : (tensor<32x64x14x14xf32>, tensor<32x64x14x14xf32>) -> tensor<32x64x14x14xf32> loc("features.10")
    %features.11.conv.0.0 = memplan.conv2d %features.10.add, %features.11.conv.0.0.weight : (tensor<32x64x14x14xf32>, tensor<384x64x1x1xf32>) -> tensor<32x384x14x14xf32> loc("features.11.conv.0.0")
    %features.11.conv.0.1, %features.11.conv.0.1.mean, %features.11.conv.0.1.invstd, %features.11.conv.0.1.variance = memplan.batch_norm %features.11.conv.0.0, %features.11.conv.0.1.weight, %features.11.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.11.conv.0.1")
    %features.11.conv.0.1.running_mean.new, %features.11.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.11.conv.0.1.running_mean, %features.11.conv.0.1.running_var, %features.11.conv.0.1.mean, %features.11.conv.0.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.11.conv.0.1")
    %features.11.conv.0.2 = memplan.clamp %features.11.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.11.conv.0.2")
    %features.11.conv.1.0 = memplan.conv2d %features.11.conv.0.2, %features.11.conv.1.0.weight {groups = 384, padding = [1, 1]} : (tensor<32x384x14x14xf32>, tensor<384x1x3x3xf32>) -> tensor<32x384x14x14xf32> loc("features.11.conv.1.0")
    %features.11.conv.1.1, %features.11.conv.1.1.mean, %features.11.conv.1.1.invstd, %features.11.conv.1.1.variance = memplan.batch_norm %features.11.conv.1.0, %features.11.conv.1.1.weight, %features.11.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<32x384x14x14xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) loc("features.11.conv.1.1")
    %features.11.conv.1.1.running_mean.new, %features.11.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.11.conv.1.1.running_mean, %features.11.conv.1.1.running_var, %features.11.conv.1.1.mean, %features.11.conv.1.1.variance {momentum = 0.1} : (tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<384xf32>, tensor<384xf32>) loc("features.11.conv.1.1")
    %features.11.conv.1.2 = memplan.clamp %features.11.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x384x14x14xf32>) -> tensor<32x384x14x14xf32> loc("features.11.conv.1.2")
    %features.11.conv.2 = memplan.conv2d %features.11.conv.1.2, %features.11.conv.2.weight : (tensor<32x384x14x14xf32>, tensor<96x384x1x1xf32>) -> tensor<32x96x14x14xf32> loc("features.11.conv.2")
    %features.11.conv.3, %features.11.conv.3.mean, %features.11.conv.3.invstd, %features.11.conv.3.variance = memplan.batch_norm %features.11.conv.2, %features.11.conv.3.weight, %features.11.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.11.conv.3")
    %features.11.conv.3.running_mean.new, %features.11.conv.3.running_var.new = memplan.batch_norm_update_stats %features.11.conv.3.running_mean, %features.11.conv.3.running_var, %features.11.conv.3.mean, %features.11.conv.3.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.11.conv.3")
    %features.12.conv.0.0 = memplan.conv2d %features.11.conv.3, %features.12.conv.0.0.weight : (tensor<32x96x14x14xf32>, tensor<576x96x1x1xf32>) -> tensor<32x576x14x14xf32> loc("features.12.conv.0.0")
    %features.12.conv.0.1, %features.12.conv.0.1.mean, %features.12.conv.0.1.invstd, %features.12.conv.0.1.variance = memplan.batch_norm %features.12.conv.0.0, %features.12.conv.0.1.weight, %features.12.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.12.conv.0.1")
    %features.12.conv.0.1.running_mean.new, %features.12.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.12.conv.0.1.running_mean, %features.12.conv.0.1.running_var, %features.12.conv.0.1.mean, %features.12.conv.0.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.12.conv.0.1")
    %features.12.conv.0.2 = memplan.clamp %features.12.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x576x14x14xf32>) -> tensor<32x576x14x14xf32> loc("features.12.conv.0.2")
    %features.12.conv.1.0 = memplan.conv2d %features.12.conv.0.2, %features.12.conv.1.0.weight {groups = 576, padding = [1, 1]} : (tensor<32x576x14x14xf32>, tensor<576x1x3x3xf32>) -> tensor<32x576x14x14xf32> loc("features.12.conv.1.0")
    %features.12.conv.1.1, %features.12.conv.1.1.mean, %features.12.conv.1.1.invstd, %features.12.conv.1.1.variance = memplan.batch_norm %features.12.conv.1.0, %features.12.conv.1.1.weight, %features.12.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.12.conv.1.1")
    %features.12.conv.1.1.running_mean.new, %features.12.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.12.conv.1.1.running_mean, %features.12.conv.1.1.running_var, %features.12.conv.1.1.mean, %features.12.conv.1.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.12.conv.1.1")
    %features.12.conv.1.2 = memplan.clamp %features.12.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x576x14x14xf32>) -> tensor<32x576x14x14xf32> loc("features.12.conv.1.2")
    %features.12.conv.2 = memplan.conv2d %features.12.conv.1.2, %features.12.conv.2.weight : (tensor<32x576x14x14xf32>, tensor<96x576x1x1xf32>) -> tensor<32x96x14x14xf32> loc("features.12.conv.2")
    %features.12.conv.3, %features.12.conv.3.mean, %features.12.conv.3.invstd, %features.12.conv.3.variance = memplan.batch_norm %features.12.conv.2, %features.12.conv.3.weight, %features.12.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.12.conv.3")
    %features.12.conv.3.running_mean.new, %features.12.conv.3.running_var.new = memplan.batch_norm_update_stats %features.12.conv.3.running_mean, %features.12.conv.3.running_var, %features.12.conv.3.mean, %features.12.conv.3.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.12.conv.3")
    %features.12.add = memplan.add %features.11.conv.3, %features.12.conv.3 : (tensor<32x96x14x14xf32>, tensor<32x96x14x14xf32>) -> tensor<32x96x14x14xf32> loc("features.12")
    %features.13.conv.0.0 = memplan.conv2d %features.12.add, %features.13.conv.0.0.weight : (tensor<32x96x14x14xf32>, tensor<576x96x1x1xf32>) -> tensor<32x576x14x14xf32> loc("features.13.conv.0.0")
    %features.13.conv.0.1, %features.13.conv.0.1.mean, %features.13.conv.0.1.invstd, %features.13.conv.0.1.variance = memplan.batch_norm %features.13.conv.0.0, %features.13.conv.0.1.weight, %features.13.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.13.conv.0.1")
    %features.13.conv.0.1.running_mean.new, %features.13.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.13.conv.0.1.running_mean, %features.13.conv.0.1.running_var, %features.13.conv.0.1.mean, %features.13.conv.0.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.13.conv.0.1")
    %features.13.conv.0.2 = memplan.clamp %features.13.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x576x14x14xf32>) -> tensor<32x576x14x14xf32> loc("features.13.conv.0.2")
    %features.13.conv.1.0 = memplan.conv2d %features.13.conv.0.2, %features.13.conv.1.0.weight {groups = 576, padding = [1, 1]} : (tensor<32x576x14x14xf32>, tensor<576x1x3x3xf32>) -> tensor<32x576x14x14xf32> loc("features.13.conv.1.0")
    %features.13.conv.1.1, %features.13.conv.1.1.mean, %features.13.conv.1.1.invstd, %features.13.conv.1.1.variance = memplan.batch_norm %features.13.conv.1.0, %features.13.conv.1.1.weight, %features.13.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.13.conv.1.1")
    %features.13.conv.1.1.running_mean.new, %features.13.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.13.conv.1.1.running_mean, %features.13.conv.1.1.running_var, %features.13.conv.1.1.mean, %features.13.conv.1.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.13.conv.1.1")
    %features.13.conv.1.2 = memplan.clamp %features.13.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x576x14x14xf32>) -> tensor<32x576x14x14xf32> loc("features.13.conv.1.2")
    %features.13.conv.2 = memplan.conv2d %features.13.conv.1.2, %features.13.conv.2.weight : (tensor<32x576x14x14xf32>, tensor<96x576x1x1xf32>) -> tensor<32x96x14x14xf32> loc("features.13.conv.2")
    %features.13.conv.3, %features.13.conv.3.mean, %features.13.conv.3.invstd, %features.13.conv.3.variance = memplan.batch_norm %features.13.conv.2, %features.13.conv.3.weight, %features.13.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<32x96x14x14xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.13.conv.3")
    %features.13.conv.3.running_mean.new, %features.13.conv.3.running_var.new = memplan.batch_norm_update_stats %features.13.conv.3.running_mean, %features.13.conv.3.running_var, %features.13.conv.3.mean, %features.13.conv.3.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.13.conv.3")
    %features.13.add = memplan.add %features.12.add, %features.13.conv.3 : (tensor<32x96x14x14xf32>, tensor<32x96x14x14xf32>) -> tensor<32x96x14x14xf32> loc("features.13")
    %features.14.conv.0.0 = memplan.conv2d %features.13.add, %features.14.conv.0.0.weight : (tensor<32x96x14x14xf32>, tensor<576x96x1x1xf32>) -> tensor<32x576x14x14xf32> loc("features.14.conv.0.0")
    %features.14.conv.0.1, %features.14.conv.0.1.mean, %features.14.conv.0.1.invstd, %features.14.conv.0.1.variance = memplan.batch_norm %features.14.conv.0.0, %features.14.conv.0.1.weight, %features.14.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x14x14xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.14.conv.0.1")
    %features.14.conv.0.1.running_mean.new, %features.14.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.14.conv.0.1.running_mean, %features.14.conv.0.1.running_var, %features.14.conv.0.1.mean, %features.14.conv.0.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.14.conv.0.1")
    %features.14.conv.0.2 = memplan.clamp %features.14.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x576x14x14xf32>) -> tensor<32x576x14x14xf32> loc("features.14.conv.0.2")
    %features.14.conv.1.0 = memplan.conv2d %features.14.conv.0.2, %features.14.conv.1.0.weight {groups = 576, padding = [1, 1], strides = [2, 2]} : (tensor<32x576x14x14xf32>, tensor<576x1x3x3xf32>) -> tensor<32x576x7x7xf32> loc("features.14.conv.1.0")
    %features.14.conv.1.1, %features.14.conv.1.1.mean, %features.14.conv.1.1.invstd, %features.14.conv.1.1.variance = memplan.batch_norm %features.14.conv.1.0, %features.14.conv.1.1.weight, %features.14.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x576x7x7xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<32x576x7x7xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) loc("features.14.conv.1.1")
    %features.14.conv.1.1.running_mean.new, %features.14.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.14.conv.1.1.running_mean, %features.14.conv.1.1.running_var, %features.14.conv.1.1.mean, %features.14.conv.1.1.variance {momentum = 0.1} : (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>) -> (tensor<576xf32>, tensor<576xf32>) loc("features.14.conv.1.1")
    %features.14.conv.1.2 = memplan.clamp %features.14.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x576x7x7xf32>) -> tensor<32x576x7x7xf32> loc("features.14.conv.1.2")
    %features.14.conv.2 = memplan.conv2d %features.14.conv.1.2, %features.14.conv.2.weight : (tensor<32x576x7x7xf32>, tensor<160x576x1x1xf32>) -> tensor<32x160x7x7xf32> loc("features.14.conv.2")
    %features.14.conv.3, %features.14.conv.3.mean, %features.14.conv.3.invstd, %features.14.conv.3.variance = memplan.batch_norm %features.14.conv.2, %features.14.conv.3.weight, %features.14.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) loc("features.14.conv.3")
    %features.14.conv.3.running_mean.new, %features.14.conv.3.running_var.new = memplan.batch_norm_update_stats %features.14.conv.3.running_mean, %features.14.conv.3.running_var, %features.14.conv.3.mean, %features.14.conv.3.variance {momentum = 0.1} : (tensor<160xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<160xf32>, tensor<160xf32>) loc("features.14.conv.3")
    %features.15.conv.0.0 = memplan.conv2d %features.14.conv.3, %features.15.conv.0.0.weight : (tensor<32x160x7x7xf32>, tensor<960x160x1x1xf32>) -> tensor<32x960x7x7xf32> loc("features.15.conv.0.0")
    %features.15.conv.0.1, %features.15.conv.0.1.mean, %features.15.conv.0.1.invstd, %features.15.conv.0.1.variance = memplan.batch_norm %features.15.conv.0.0, %features.15.conv.0.1.weight, %features.15.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.15.conv.0.1")
    %features.15.conv.0.1.running_mean.new, %features.15.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.15.conv.0.1.running_mean, %features.15.conv.0.1.running_var, %features.15.conv.0.1.mean, %features.15.conv.0.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.15.conv.0.1")
    %features.15.conv.0.2 = memplan.clamp %features.15.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.15.conv.0.2")
    %features.15.conv.1.0 = memplan.conv2d %features.15.conv.0.2, %features.15.conv.1.0.weight {groups = 960, padding = [1, 1]} : (tensor<32x960x7x7xf32>, tensor<960x1x3x3xf32>) -> tensor<32x960x7x7xf32> loc("features.15.conv.1.0")
    %features.15.conv.1.1, %features.15.conv.1.1.mean, %features.15.conv.1.1.invstd, %features.15.conv.1.1.variance = memplan.batch_norm %features.15.conv.1.0, %features.15.conv.1.1.weight, %features.15.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.15.conv.1.1")
    %features.15.conv.1.1.running_mean.new, %features.15.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.15.conv.1.1.running_mean, %features.15.conv.1.1.running_var, %features.15.conv.1.1.mean, %features.15.conv.1.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.15.conv.1.1")
    %features.15.conv.1.2 = memplan.clamp %features.15.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.15.conv.1.2")
    %features.15.conv.2 = memplan.conv2d %features.15.conv.1.2, %features.15.conv.2.weight : (tensor<32x960x7x7xf32>, tensor<160x960x1x1xf32>) -> tensor<32x160x7x7xf32> loc("features.15.conv.2")
    %features.15.conv.3, %features.15.conv.3.mean, %features.15.conv.3.invstd, %features.15.conv.3.variance = memplan.batch_norm %features.15.conv.2, %features.15.conv.3.weight, %features.15.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) loc("features.15.conv.3")
    %features.15.conv.3.running_mean.new, %features.15.conv.3.running_var.new = memplan.batch_norm_update_stats %features.15.conv.3.running_mean, %features.15.conv.3.running_var, %features.15.conv.3.mean, %features.15.conv.3.variance {momentum = 0.1} : (tensor<160xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<160xf32>, tensor<160xf32>) loc("features.15.conv.3")
    %features.15.add = memplan.add %features.14.conv.3, %features.15.conv.3 : (tensor<32x160x7x7xf32>, tensor<32x160x7x7xf32>) -> tensor<32x160x7x7xf32> loc("features.15")
    %features.16.conv.0.0 = memplan.conv2d %features.15.add, %features.16.conv.0.0.weight : (tensor<32x160x7x7xf32>, tensor<960x160x1x1xf32>) -> tensor<32x960x7x7xf32> loc("features.16.conv.0.0")
    %features.16.conv.0.1, %features.16.conv.0.1.mean, %features.16.conv.0.1.invstd, %features.16.conv.0.1.variance = memplan.batch_norm %features.16.conv.0.0, %features.16.conv.0.1.weight, %features.16.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.16.conv.0.1")
    %features.16.conv.0.1.running_mean.new, %features.16.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.16.conv.0.1.running_mean, %features.16.conv.0.1.running_var, %features.16.conv.0.1.mean, %features.16.conv.0.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.16.conv.0.1")
    %features.16.conv.0.2 = memplan.clamp %features.16.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.16.conv.0.2")
    %features.16.conv.1.0 = memplan.conv2d %features.16.conv.0.2, %features.16.conv.1.0.weight {groups = 960, padding = [1, 1]} : (tensor<32x960x7x7xf32>, tensor<960x1x3x3xf32>) -> tensor<32x960x7x7xf32> loc("features.16.conv.1.0")
    %features.16.conv.1.1, %features.16.conv.1.1.mean, %features.16.conv.1.1.invstd, %features.16.conv.1.1.variance = memplan.batch_norm %features.16.conv.1.0, %features.16.conv.1.1.weight, %features.16.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.16.conv.1.1")
    %features.16.conv.1.1.running_mean.new, %features.16.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.16.conv.1.1.running_mean, %features.16.conv.1.1.running_var, %features.16.conv.1.1.mean, %features.16.conv.1.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.16.conv.1.1")
    %features.16.conv.1.2 = memplan.clamp %features.16.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.16.conv.1.2")
    %features.16.conv.2 = memplan.conv2d %features.16.conv.1.2, %features.16.conv.2.weight : (tensor<32x960x7x7xf32>, tensor<160x960x1x1xf32>) -> tensor<32x160x7x7xf32> loc("features.16.conv.2")
    %features.16.conv.3, %features.16.conv.3.mean, %features.16.conv.3.invstd, %features.16.conv.3.variance = memplan.batch_norm %features.16.conv.2, %features.16.conv.3.weight, %features.16.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<32x160x7x7xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) loc("features.16.conv.3")
    %features.16.conv.3.running_mean.new, %features.16.conv.3.running_var.new = memplan.batch_norm_update_stats %features.16.conv.3.running_mean, %features.16.conv.3.running_var, %features.16.conv.3.mean, %features.16.conv.3.variance {momentum = 0.1} : (tensor<160xf32>, tensor<160xf32>, tensor<160xf32>, tensor<160xf32>) -> (tensor<160xf32>, tensor<160xf32>) loc("features.16.conv.3")
    %features.16.add = memplan.add %features.15.add, %features.16.conv.3 : (tensor<32x160x7x7xf32>, tensor<32x160x7x7xf32>) -> tensor<32x160x7x7xf32> loc("features.16")
    %features.17.conv.0.0 = memplan.conv2d %features.16.add, %features.17.conv.0.0.weight : (tensor<32x160x7x7xf32>, tensor<960x160x1x1xf32>) -> tensor<32x960x7x7xf32> loc("features.17.conv.0.0")
    %features.17.conv.0.1, %features.17.conv.0.1.mean, %features.17.conv.0.1.invstd, %features.17.conv.0.1.variance = memplan.batch_norm %features.17.conv.0.0, %features.17.conv.0.1.weight, %features.17.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.17.conv.0.1")
    %features.17.conv.0.1.running_mean.new, %features.17.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.17.conv.0.1.running_mean, %features.17.conv.0.1.running_var, %features.17.conv.0.1.mean, %features.17.conv.0.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.17.conv.0.1")
    %features.17.conv.0.2 = memplan.clamp %features.17.conv.0.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.17.conv.0.2")
    %features.17.conv.1.0 = memplan.conv2d %features.17.conv.0.2, %features.17.conv.1.0.weight {groups = 960, padding = [1, 1]} : (tensor<32x960x7x7xf32>, tensor<960x1x3x3xf32>) -> tensor<32x960x7x7xf32> loc("features.17.conv.1.0")
    %features.17.conv.1.1, %features.17.conv.1.1.mean, %features.17.conv.1.1.invstd, %features.17.conv.1.1.variance = memplan.batch_norm %features.17.conv.1.0, %features.17.conv.1.1.weight, %features.17.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<32x960x7x7xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) loc("features.17.conv.1.1")
    %features.17.conv.1.1.running_mean.new, %features.17.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.17.conv.1.1.running_mean, %features.17.conv.1.1.running_var, %features.17.conv.1.1.mean, %features.17.conv.1.1.variance {momentum = 0.1} : (tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>) -> (tensor<960xf32>, tensor<960xf32>) loc("features.17.conv.1.1")
    %features.17.conv.1.2 = memplan.clamp %features.17.conv.1.1 {max = 6.0, min = 0.0} : (tensor<32x960x7x7xf32>) -> tensor<32x960x7x7xf32> loc("features.17.conv.1.2")
    %features.17.conv.2 = memplan.conv2d %features.17.conv.1.2, %features.17.conv.2.weight : (tensor<32x960x7x7xf32>, tensor<320x960x1x1xf32>) -> tensor<32x320x7x7xf32> loc("features.17.conv.2")
    %features.17.conv.3, %features.17.conv.3.mean, %features.17.conv.3.invstd, %features.17.conv.3.variance = memplan.batch_norm %features.17.conv.2, %features.17.conv.3.weight, %features.17.conv.3.bias {epsilon = 1.0e-05} : (tensor<32x320x7x7xf32>, tensor<320xf32>, tensor<320xf32>) -> (tensor<32x320x7x7xf32>, tensor<320xf32>, tensor<320xf32>, tensor<320xf32>) loc("features.17.conv.3")
    %features.17.conv.3.running_mean.new, %features.17.conv.3.running_var.new = memplan.batch_norm_update_stats %features.17.conv.3.running_mean, %features.17.conv.3.running_var, %features.17.conv.3.mean, %features.17.conv.3.variance {momentum = 0.1} : (tensor<320xf32>, tensor<320xf32>, tensor<320xf32>, tensor<320xf32>) -> (tensor<320xf32>, tensor<320xf32>) loc("features.17.conv.3")
    %features.18.0 = memplan.conv2d %features.17.conv.3, %features.18.0.weight : (tensor<32x320x7x7xf32>, tensor<1280x320x1x1xf32>) -> tensor<32x1280x7x7xf32> loc("features.18.0")
    %features.18.1, %features.18.1.mean, %features.18.1.invstd, %features.18.1.variance = memplan.batch_norm %features.18.0, %features.18.1.weight, %features.18.1.bias {epsilon = 1.0e-05} : (tensor<32x1280x7x7xf32>, tensor<1280xf32>, tensor<1280xf32>) -> (tensor<32x1280x7x7xf32>, tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>) loc("features.18.1")
    %features.18.1.running_mean.new, %features.18.1.running_var.new = memplan.batch_norm_update_stats %features.18.1.running_mean, %features.18.1.running_var, %features.18.1.mean, %features.18.1.variance {momentum = 0.1} : (tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>) -> (tensor<1280xf32>, tensor<1280xf32>) loc("features.18.1")
    %features.18.2 = memplan.clamp %features.18.1 {max = 6.0, min = 0.0} : (tensor<32x1280x7x7xf32>) -> tensor<32x1280x7x7xf32> loc("features.18.2")
    %adaptive_avg_pool2d = memplan.adaptive_avg_pool2d %features.18.2 {output_size = [1, 1]} : (tensor<32x1280x7x7xf32>) -> tensor<32x1280x1x1xf32> loc("model")
    %reshape = memplan.reshape %adaptive_avg_pool2d {shape = [-1, 1280]} : (tensor<32x1280x1x1xf32>) -> tensor<32x1280xf32> loc("model")
    %classifier.0 = memplan.dropout %reshape, %dropout_seed {p = 0.2, salt = 0} : (tensor<32x1280xf32>, tensor<1xi64>) -> tensor<32x1280xf32> loc("classifier.0")
    %classifier.1 = memplan.matmul %classifier.0, %classifier.1.weight, %classifier.1.bias {transpose_rhs} : (tensor<32x1280xf32>, tensor<1000x1280xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("classifier.1")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %classifier.1, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy, %features.0.1.running_mean.new, %features.0.1.running_var.new, %features.1.conv.0.1.running_mean.new, %features.1.conv.0.1.running_var.new, %features.1.conv.2.running_mean.new, %features.1.conv.2.running_var.new, %features.2.conv.0.1.running_mean.new, %features.2.conv.0.1.running_var.new, %features.2.conv.1.1.running_mean.new, %features.2.conv.1.1.running_var.new, %features.2.conv.3.running_mean.new, %features.2.conv.3.running_var.new, %features.3.conv.0.1.running_mean.new, %features.3.conv.0.1.running_var.new, %features.3.conv.1.1.running_mean.new, %features.3.conv.1.1.running_var.new, %features.3.conv.3.running_mean.new, %features.3.conv.3.running_var.new, %features.4.conv.0.1.running_mean.new, %features.4.conv.0.1.running_var.new, %features.4.conv.1.1.running_mean.new, %features.4.conv.1.1.running_var.new, %features.4.conv.3.running_mean.new, %features.4.conv.3.running_var.new, %features.5.conv.0.1.running_mean.new, %features.5.conv.0.1.running_var.new, %features.5.conv.1.1.running_mean.new, %features.5.conv.1.1.running_var.new, %features.5.conv.3.running_mean.new, %features.5.conv.3.running_var.new, %features.6.conv.0.1.running_mean.new, %features.6.conv.0.1.running_var.new, %features.6.conv.1.1.running_mean.new, %features.6.conv.1.1.running_var.new, %features.6.conv.3.running_mean.new, %features.6.conv.3.running_var.new, %features.7.conv.0.1.running_mean.new, %features.7.conv.0.1.running_var.new, %features.7.conv.1.1.running_mean.new, %features.7.conv.1.1.running_var.new, %features.7.conv.3.running_mean.new, %features.7.conv.3.running_var.new, %features.8.conv.0.1.running_mean.new, %features.8.conv.0.1.running_var.new, %features.8.conv.1.1.running_mean.new, %features.8.conv.1.1.running_var.new, %features.8.conv.3.running_mean.new, %features.8.conv.3.running_var.new, %features.9.conv.0.1.running_mean.new, %features.9.conv.0.1.running_var.new, %features.9.conv.1.1.running_mean.new, %features.9.conv.1.1.running_var.new, %features.9.conv.3.running_mean.new, %features.9.conv.3.running_var.new, %features.10.conv.0.1.running_mean.new, %features.10.conv.0.1.running_var.new, %features.10.conv.1.1.running_mean.new, %features.10.conv.1.1.running_var.new, %features.10.conv.3.running_mean.new, %features.10.conv.3.running_var.new, %features.11.conv.0.1.running_mean.new, %features.11.conv.0.1.running_var.new, %features.11.conv.1.1.running_mean.new, %features.11.conv.1.1.running_var.new, %features.11.conv.3.running_mean.new, %features.11.conv.3.running_var.new, %features.12.conv.0.1.running_mean.new, %features.12.conv.0.1.running_var.new, %features.12.conv.1.1.running_mean.new, %features.12.conv.1.1.running_var.new, %features.12.conv.3.running_mean.new, %features.12.conv.3.running_var.new, %features.13.conv.0.1.running_mean.new, %features.13.conv.0.1.running_var.new, %features.13.conv.1.1.running_mean.new, %features.13.conv.1.1.running_var.new, %features.13.conv.3.running_mean.new, %features.13.conv.3.running_var.new, %features.14.conv.0.1.running_mean.new, %features.14.conv.0.1.running_var.new, %features.14.conv.1.1.running_mean.new, %features.14.conv.1.1.running_var.new, %features.14.conv.3.running_mean.new, %features.14.conv.3.running_var.new, %features.15.conv.0.1.running_mean.new, %features.15.conv.0.1.running_var.new, %features.15.conv.1.1.running_mean.new, %features.15.conv.1.1.running_var.new, %features.15.conv.3.running_mean.new, %features.15.conv.3.running_var.new, %features.16.conv.0.1.running_mean.new, %features.16.conv.0.1.running_var.new, %features.16.conv.1.1.running_mean.new, %features.16.conv.1.1.running_var.new, %features.16.conv.3.running_mean.new, %features.16.conv.3.running_var.new, %features.17.conv.0.1.running_mean.new, %features.17.conv.0.1.running_var.new, %features.17.conv.1.1.running_mean.new, %features.17.conv.1.1.running_var.new, %features.17.conv.3.running_mean.new, %features.17.conv.3.running_var.new, %features.18.1.running_mean.new, %features.18.1.running_var.new : tensor<f32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<24xf32>, tensor<24xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<24xf32>, tensor<24xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<32xf32>, tensor<32xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<32xf32>, tensor<32xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<32xf32>, tensor<32xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<64xf32>, tensor<64xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<64xf32>, tensor<64xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<64xf32>, tensor<64xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<64xf32>, tensor<64xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<384xf32>, tensor<96xf32>, tensor<96xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<96xf32>, tensor<96xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<96xf32>, tensor<96xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<160xf32>, tensor<160xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<160xf32>, tensor<160xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<160xf32>, tensor<160xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<960xf32>, tensor<320xf32>, tensor<320xf32>, tensor<1280xf32>, tensor<1280xf32>
  }
}
