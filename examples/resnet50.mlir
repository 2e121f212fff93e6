// One training step of torchvision's ResNet-50, batch 32: forward pass and loss.
// 25557032 parameters (102228128 bytes). Written by python-bindings/export_examples.py resnet50
module {
  func.func @train_step(
      %conv1.weight: tensor<64x3x7x7xf32> {memplan.init = "normal:0.02525381", memplan.kind = "parameter", memplan.name = "conv1.weight"},
      %bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "bn1.weight"},
      %bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "bn1.bias"},
      %layer1.0.conv1.weight: tensor<64x64x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer1.0.conv1.weight"},
      %layer1.0.bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn1.weight"},
      %layer1.0.bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn1.bias"},
      %layer1.0.conv2.weight: tensor<64x64x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "layer1.0.conv2.weight"},
      %layer1.0.bn2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn2.weight"},
      %layer1.0.bn2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn2.bias"},
      %layer1.0.conv3.weight: tensor<256x64x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer1.0.conv3.weight"},
      %layer1.0.bn3.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn3.weight"},
      %layer1.0.bn3.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn3.bias"},
      %layer1.0.downsample.0.weight: tensor<256x64x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.0.weight"},
      %layer1.0.downsample.1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.1.weight"},
      %layer1.0.downsample.1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.1.bias"},
      %layer1.1.conv1.weight: tensor<64x256x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer1.1.conv1.weight"},
      %layer1.1.bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.1.bn1.weight"},
      %layer1.1.bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.1.bn1.bias"},
      %layer1.1.conv2.weight: tensor<64x64x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "layer1.1.conv2.weight"},
      %layer1.1.bn2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.1.bn2.weight"},
      %layer1.1.bn2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.1.bn2.bias"},
      %layer1.1.conv3.weight: tensor<256x64x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer1.1.conv3.weight"},
      %layer1.1.bn3.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.1.bn3.weight"},
      %layer1.1.bn3.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.1.bn3.bias"},
      %layer1.2.conv1.weight: tensor<64x256x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer1.2.conv1.weight"},
      %layer1.2.bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.2.bn1.weight"},
      %layer1.2.bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.2.bn1.bias"},
      %layer1.2.conv2.weight: tensor<64x64x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "layer1.2.conv2.weight"},
      %layer1.2.bn2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.2.bn2.weight"},
      %layer1.2.bn2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.2.bn2.bias"},
      %layer1.2.conv3.weight: tensor<256x64x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer1.2.conv3.weight"},
      %layer1.2.bn3.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.2.bn3.weight"},
      %layer1.2.bn3.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.2.bn3.bias"},
      %layer2.0.conv1.weight: tensor<128x256x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer2.0.conv1.weight"},
      %layer2.0.bn1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn1.weight"},
      %layer2.0.bn1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn1.bias"},
      %layer2.0.conv2.weight: tensor<128x128x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "layer2.0.conv2.weight"},
      %layer2.0.bn2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn2.weight"},
      %layer2.0.bn2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn2.bias"},
      %layer2.0.conv3.weight: tensor<512x128x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer2.0.conv3.weight"},
      %layer2.0.bn3.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn3.weight"},
      %layer2.0.bn3.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn3.bias"},
      %layer2.0.downsample.0.weight: tensor<512x256x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.0.weight"},
      %layer2.0.downsample.1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.1.weight"},
      %layer2.0.downsample.1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.1.bias"},
      %layer2.1.conv1.weight: tensor<128x512x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer2.1.conv1.weight"},
      %layer2.1.bn1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.1.bn1.weight"},
      %layer2.1.bn1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.1.bn1.bias"},
      %layer2.1.conv2.weight: tensor<128x128x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "layer2.1.conv2.weight"},
      %layer2.1.bn2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.1.bn2.weight"},
      %layer2.1.bn2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.1.bn2.bias"},
      %layer2.1.conv3.weight: tensor<512x128x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer2.1.conv3.weight"},
      %layer2.1.bn3.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.1.bn3.weight"},
      %layer2.1.bn3.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.1.bn3.bias"},
      %layer2.2.conv1.weight: tensor<128x512x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer2.2.conv1.weight"},
      %layer2.2.bn1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.2.bn1.weight"},
      %layer2.2.bn1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.2.bn1.bias"},
      %layer2.2.conv2.weight: tensor<128x128x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "layer2.2.conv2.weight"},
      %layer2.2.bn2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.2.bn2.weight"},
      %layer2.2.bn2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.2.bn2.bias"},
      %layer2.2.conv3.weight: tensor<512x128x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer2.2.conv3.weight"},
      %layer2.2.bn3.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.2.bn3.weight"},
      %layer2.2.bn3.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.2.bn3.bias"},
      %layer2.3.conv1.weight: tensor<128x512x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer2.3.conv1.weight"},
      %layer2.3.bn1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.3.bn1.weight"},
      %layer2.3.bn1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.3.bn1.bias"},
      %layer2.3.conv2.weight: tensor<128x128x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "layer2.3.conv2.weight"},
      %layer2.3.bn2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.3.bn2.weight"},
      %layer2.3.bn2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.3.bn2.bias"},
      %layer2.3.conv3.weight: tensor<512x128x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer2.3.conv3.weight"},
      %layer2.3.bn3.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.3.bn3.weight"},
      %layer2.3.bn3.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.3.bn3.bias"},
      %layer3.0.conv1.weight: tensor<256x512x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.0.conv1.weight"},
      %layer3.0.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn1.weight"},
      %layer3.0.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn1.bias"},
      %layer3.0.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.0.conv2.weight"},
      %layer3.0.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn2.weight"},
      %layer3.0.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn2.bias"},
      %layer3.0.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.0.conv3.weight"},
      %layer3.0.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn3.weight"},
      %layer3.0.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn3.bias"},
      %layer3.0.downsample.0.weight: tensor<1024x512x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.0.weight"},
      %layer3.0.downsample.1.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.1.weight"},
      %layer3.0.downsample.1.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.1.bias"},
      %layer3.1.conv1.weight: tensor<256x1024x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.1.conv1.weight"},
      %layer3.1.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.1.bn1.weight"},
      %layer3.1.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.1.bn1.bias"},
      %layer3.1.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.1.conv2.weight"},
      %layer3.1.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.1.bn2.weight"},
      %layer3.1.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.1.bn2.bias"},
      %layer3.1.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.1.conv3.weight"},
      %layer3.1.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.1.bn3.weight"},
      %layer3.1.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.1.bn3.bias"},
      %layer3.2.conv1.weight: tensor<256x1024x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.2.conv1.weight"},
      %layer3.2.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.2.bn1.weight"},
      %layer3.2.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.2.bn1.bias"},
      %layer3.2.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.2.conv2.weight"},
      %layer3.2.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.2.bn2.weight"},
      %layer3.2.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.2.bn2.bias"},
      %layer3.2.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.2.conv3.weight"},
      %layer3.2.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.2.bn3.weight"},
      %layer3.2.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.2.bn3.bias"},
      %layer3.3.conv1.weight: tensor<256x1024x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.3.conv1.weight"},
      %layer3.3.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.3.bn1.weight"},
      %layer3.3.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.3.bn1.bias"},
      %layer3.3.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.3.conv2.weight"},
      %layer3.3.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.3.bn2.weight"},
      %layer3.3.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.3.bn2.bias"},
      %layer3.3.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.3.conv3.weight"},
      %layer3.3.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.3.bn3.weight"},
      %layer3.3.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.3.bn3.bias"},
      %layer3.4.conv1.weight: tensor<256x1024x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.4.conv1.weight"},
      %layer3.4.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.4.bn1.weight"},
      %layer3.4.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.4.bn1.bias"},
      %layer3.4.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.4.conv2.weight"},
      %layer3.4.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.4.bn2.weight"},
      %layer3.4.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.4.bn2.bias"},
      %layer3.4.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.4.conv3.weight"},
      %layer3.4.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.4.bn3.weight"},
      %layer3.4.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.4.bn3.bias"},
      %layer3.5.conv1.weight: tensor<256x1024x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer3.5.conv1.weight"},
      %layer3.5.bn1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.5.bn1.weight"},
      %layer3.5.bn1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.5.bn1.bias"},
      %layer3.5.conv2.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "layer3.5.conv2.weight"},
      %layer3.5.bn2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.5.bn2.weight"},
      %layer3.5.bn2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.5.bn2.bias"},
      %layer3.5.conv3.weight: tensor<1024x256x1x1xf32> {memplan.init = "normal:0.04419417", memplan.kind = "parameter", memplan.name = "layer3.5.conv3.weight"},
      %layer3.5.bn3.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.5.bn3.weight"},
      %layer3.5.bn3.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.5.bn3.bias"},
      %layer4.0.conv1.weight: tensor<512x1024x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer4.0.conv1.weight"},
      %layer4.0.bn1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn1.weight"},
      %layer4.0.bn1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn1.bias"},
      %layer4.0.conv2.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "layer4.0.conv2.weight"},
      %layer4.0.bn2.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn2.weight"},
      %layer4.0.bn2.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn2.bias"},
      %layer4.0.conv3.weight: tensor<2048x512x1x1xf32> {memplan.init = "normal:0.03125", memplan.kind = "parameter", memplan.name = "layer4.0.conv3.weight"},
      %layer4.0.bn3.weight: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn3.weight"},
      %layer4.0.bn3.bias: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn3.bias"},
      %layer4.0.downsample.0.weight: tensor<2048x1024x1x1xf32> {memplan.init = "normal:0.03125", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.0.weight"},
      %layer4.0.downsample.1.weight: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.1.weight"},
      %layer4.0.downsample.1.bias: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.1.bias"},
      %layer4.1.conv1.weight: tensor<512x2048x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer4.1.conv1.weight"},
      %layer4.1.bn1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.1.bn1.weight"},
      %layer4.1.bn1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.1.bn1.bias"},
      %layer4.1.conv2.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "layer4.1.conv2.weight"},
      %layer4.1.bn2.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.1.bn2.weight"},
      %layer4.1.bn2.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.1.bn2.bias"},
      %layer4.1.conv3.weight: tensor<2048x512x1x1xf32> {memplan.init = "normal:0.03125", memplan.kind = "parameter", memplan.name = "layer4.1.conv3.weight"},
      %layer4.1.bn3.weight: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.1.bn3.weight"},
      %layer4.1.bn3.bias: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.1.bn3.bias"},
      %layer4.2.conv1.weight: tensor<512x2048x1x1xf32> {memplan.init = "normal:0.0625", memplan.kind = "parameter", memplan.name = "layer4.2.conv1.weight"},
      %layer4.2.bn1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.2.bn1.weight"},
      %layer4.2.bn1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.2.bn1.bias"},
      %layer4.2.conv2.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "layer4.2.conv2.weight"},
      %layer4.2.bn2.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.2.bn2.weight"},
      %layer4.2.bn2.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.2.bn2.bias"},
      %layer4.2.conv3.weight: tensor<2048x512x1x1xf32> {memplan.init = "normal:0.03125", memplan.kind = "parameter", memplan.name = "layer4.2.conv3.weight"},
      %layer4.2.bn3.weight: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.2.bn3.weight"},
      %layer4.2.bn3.bias: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.2.bn3.bias"},
      %fc.weight: tensor<1000x2048xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "fc.weight"},
      %fc.bias: tensor<1000xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "fc.bias"},
      %bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "bn1.running_mean"},
      %bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "bn1.running_var"},
      %layer1.0.bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn1.running_mean"},
      %layer1.0.bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn1.running_var"},
      %layer1.0.bn2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn2.running_mean"},
      %layer1.0.bn2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn2.running_var"},
      %layer1.0.bn3.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn3.running_mean"},
      %layer1.0.bn3.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn3.running_var"},
      %layer1.0.downsample.1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.downsample.1.running_mean"},
      %layer1.0.downsample.1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.downsample.1.running_var"},
      %layer1.1.bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.1.bn1.running_mean"},
      %layer1.1.bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.1.bn1.running_var"},
      %layer1.1.bn2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.1.bn2.running_mean"},
      %layer1.1.bn2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.1.bn2.running_var"},
      %layer1.1.bn3.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.1.bn3.running_mean"},
      %layer1.1.bn3.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.1.bn3.running_var"},
      %layer1.2.bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.2.bn1.running_mean"},
      %layer1.2.bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.2.bn1.running_var"},
      %layer1.2.bn2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.2.bn2.running_mean"},
      %layer1.2.bn2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.2.bn2.running_var"},
      %layer1.2.bn3.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.2.bn3.running_mean"},
      %layer1.2.bn3.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.2.bn3.running_var"},
      %layer2.0.bn1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn1.running_mean"},
      %layer2.0.bn1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn1.running_var"},
      %layer2.0.bn2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn2.running_mean"},
      %layer2.0.bn2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn2.running_var"},
      %layer2.0.bn3.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn3.running_mean"},
      %layer2.0.bn3.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn3.running_var"},
      %layer2.0.downsample.1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.downsample.1.running_mean"},
      %layer2.0.downsample.1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.downsample.1.running_var"},
      %layer2.1.bn1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.1.bn1.running_mean"},
      %layer2.1.bn1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.1.bn1.running_var"},
      %layer2.1.bn2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.1.bn2.running_mean"},
      %layer2.1.bn2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.1.bn2.running_var"},
      %layer2.1.bn3.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.1.bn3.running_mean"},
      %layer2.1.bn3.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.1.bn3.running_var"},
      %layer2.2.bn1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.2.bn1.running_mean"},
      %layer2.2.bn1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.2.bn1.running_var"},
      %layer2.2.bn2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.2.bn2.running_mean"},
      %layer2.2.bn2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.2.bn2.running_var"},
      %layer2.2.bn3.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.2.bn3.running_mean"},
      %layer2.2.bn3.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.2.bn3.running_var"},
      %layer2.3.bn1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.3.bn1.running_mean"},
      %layer2.3.bn1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.3.bn1.running_var"},
      %layer2.3.bn2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.3.bn2.running_mean"},
      %layer2.3.bn2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.3.bn2.running_var"},
      %layer2.3.bn3.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.3.bn3.running_mean"},
      %layer2.3.bn3.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.3.bn3.running_var"},
      %layer3.0.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn1.running_mean"},
      %layer3.0.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn1.running_var"},
      %layer3.0.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn2.running_mean"},
      %layer3.0.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn2.running_var"},
      %layer3.0.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn3.running_mean"},
      %layer3.0.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn3.running_var"},
      %layer3.0.downsample.1.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.downsample.1.running_mean"},
      %layer3.0.downsample.1.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.downsample.1.running_var"},
      %layer3.1.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.1.bn1.running_mean"},
      %layer3.1.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.1.bn1.running_var"},
      %layer3.1.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.1.bn2.running_mean"},
      %layer3.1.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.1.bn2.running_var"},
      %layer3.1.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.1.bn3.running_mean"},
      %layer3.1.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.1.bn3.running_var"},
      %layer3.2.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.2.bn1.running_mean"},
      %layer3.2.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.2.bn1.running_var"},
      %layer3.2.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.2.bn2.running_mean"},
      %layer3.2.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.2.bn2.running_var"},
      %layer3.2.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.2.bn3.running_mean"},
      %layer3.2.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.2.bn3.running_var"},
      %layer3.3.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.3.bn1.running_mean"},
      %layer3.3.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.3.bn1.running_var"},
      %layer3.3.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.3.bn2.running_mean"},
      %layer3.3.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.3.bn2.running_var"},
      %layer3.3.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.3.bn3.running_mean"},
      %layer3.3.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.3.bn3.running_var"},
      %layer3.4.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.4.bn1.running_mean"},
      %layer3.4.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.4.bn1.running_var"},
      %layer3.4.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.4.bn2.running_mean"},
      %layer3.4.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.4.bn2.running_var"},
      %layer3.4.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.4.bn3.running_mean"},
      %layer3.4.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.4.bn3.running_var"},
      %layer3.5.bn1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.5.bn1.running_mean"},
      %layer3.5.bn1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.5.bn1.running_var"},
      %layer3.5.bn2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.5.bn2.running_mean"},
      %layer3.5.bn2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.5.bn2.running_var"},
      %layer3.5.bn3.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.5.bn3.running_mean"},
      %layer3.5.bn3.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.5.bn3.running_var"},
      %layer4.0.bn1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn1.running_mean"},
      %layer4.0.bn1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn1.running_var"},
      %layer4.0.bn2.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn2.running_mean"},
      %layer4.0.bn2.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn2.running_var"},
      %layer4.0.bn3.running_mean: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn3.running_mean"},
      %layer4.0.bn3.running_var: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn3.running_var"},
      %layer4.0.downsample.1.running_mean: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.downsample.1.running_mean"},
      %layer4.0.downsample.1.running_var: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.downsample.1.running_var"},
      %layer4.1.bn1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.1.bn1.running_mean"},
      %layer4.1.bn1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.1.bn1.running_var"},
      %layer4.1.bn2.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.1.bn2.running_mean"},
      %layer4.1.bn2.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.1.bn2.running_var"},
      %layer4.1.bn3.running_mean: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.1.bn3.running_mean"},
      %layer4.1.bn3.running_var: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.1.bn3.running_var"},
      %layer4.2.bn1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.2.bn1.running_mean"},
      %layer4.2.bn1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.2.bn1.running_var"},
      %layer4.2.bn2.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.2.bn2.running_mean"},
      %layer4.2.bn2.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.2.bn2.running_var"},
      %layer4.2.bn3.running_mean: tensor<2048xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.2.bn3.running_mean"},
      %layer4.2.bn3.running_var: tensor<2048xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.2.bn3.running_var"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<64xf32> {memplan.name = "bn1.running_mean", memplan.updates = 161},
      tensor<64xf32> {memplan.name = "bn1.running_var", memplan.updates = 162},
      tensor<64xf32> {memplan.name = "layer1.0.bn1.running_mean", memplan.updates = 163},
      tensor<64xf32> {memplan.name = "layer1.0.bn1.running_var", memplan.updates = 164},
      tensor<64xf32> {memplan.name = "layer1.0.bn2.running_mean", memplan.updates = 165},
      tensor<64xf32> {memplan.name = "layer1.0.bn2.running_var", memplan.updates = 166},
      tensor<256xf32> {memplan.name = "layer1.0.bn3.running_mean", memplan.updates = 167},
      tensor<256xf32> {memplan.name = "layer1.0.bn3.running_var", memplan.updates = 168},
      tensor<256xf32> {memplan.name = "layer1.0.downsample.1.running_mean", memplan.updates = 169},
      tensor<256xf32> {memplan.name = "layer1.0.downsample.1.running_var", memplan.updates = 170},
      tensor<64xf32> {memplan.name = "layer1.1.bn1.running_mean", memplan.updates = 171},
      tensor<64xf32> {memplan.name = "layer1.1.bn1.running_var", memplan.updates = 172},
      tensor<64xf32> {memplan.name = "layer1.1.bn2.running_mean", memplan.updates = 173},
      tensor<64xf32> {memplan.name = "layer1.1.bn2.running_var", memplan.updates = 174},
      tensor<256xf32> {memplan.name = "layer1.1.bn3.running_mean", memplan.updates = 175},
      tensor<256xf32> {memplan.name = "layer1.1.bn3.running_var", memplan.updates = 176},
      tensor<64xf32> {memplan.name = "layer1.2.bn1.running_mean", memplan.updates = 177},
      tensor<64xf32> {memplan.name = "layer1.2.bn1.running_var", memplan.updates = 178},
      tensor<64xf32> {memplan.name = "layer1.2.bn2.running_mean", memplan.updates = 179},
      tensor<64xf32> {memplan.name = "layer1.2.bn2.running_var", memplan.updates = 180},
      tensor<256xf32> {memplan.name = "layer1.2.bn3.running_mean", memplan.updates = 181},
      tensor<256xf32> {memplan.name = "layer1.2.bn3.running_var", memplan.updates = 182},
      tensor<128xf32> {memplan.name = "layer2.0.bn1.running_mean", memplan.updates = 183},
      tensor<128xf32> {memplan.name = "layer2.0.bn1.running_var", memplan.updates = 184},
      tensor<128xf32> {memplan.name = "layer2.0.bn2.running_mean", memplan.updates = 185},
      tensor<128xf32> {memplan.name = "layer2.0.bn2.running_var", memplan.updates = 186},
      tensor<512xf32> {memplan.name = "layer2.0.bn3.running_mean", memplan.updates = 187},
      tensor<512xf32> {memplan.name = "layer2.0.bn3.running_var", memplan.updates = 188},
      tensor<512xf32> {memplan.name = "layer2.0.downsample.1.running_mean", memplan.updates = 189},
      tensor<512xf32> {memplan.name = "layer2.0.downsample.1.running_var", memplan.updates = 190},
      tensor<128xf32> {memplan.name = "layer2.1.bn1.running_mean", memplan.updates = 191},
      tensor<128xf32> {memplan.name = "layer2.1.bn1.running_var", memplan.updates = 192},
      tensor<128xf32> {memplan.name = "layer2.1.bn2.running_mean", memplan.updates = 193},
      tensor<128xf32> {memplan.name = "layer2.1.bn2.running_var", memplan.updates = 194},
      tensor<512xf32> {memplan.name = "layer2.1.bn3.running_mean", memplan.updates = 195},
      tensor<512xf32> {memplan.name = "layer2.1.bn3.running_var", memplan.updates = 196},
      tensor<128xf32> {memplan.name = "layer2.2.bn1.running_mean", memplan.updates = 197},
      tensor<128xf32> {memplan.name = "layer2.2.bn1.running_var", memplan.updates = 198},
      tensor<128xf32> {memplan.name = "layer2.2.bn2.running_mean", memplan.updates = 199},
      tensor<128xf32> {memplan.name = "layer2.2.bn2.running_var", memplan.updates = 200},
      tensor<512xf32> {memplan.name = "layer2.2.bn3.running_mean", memplan.updates = 201},
      tensor<512xf32> {memplan.name = "layer2.2.bn3.running_var", memplan.updates = 202},
      tensor<128xf32> {memplan.name = "layer2.3.bn1.running_mean", memplan.updates = 203},
      tensor<128xf32> {memplan.name = "layer2.3.bn1.running_var", memplan.updates = 204},
      tensor<128xf32> {memplan.name = "layer2.3.bn2.running_mean", memplan.updates = 205},
      tensor<128xf32> {memplan.name = "layer2.3.bn2.running_var", memplan.updates = 206},
      tensor<512xf32> {memplan.name = "layer2.3.bn3.running_mean", memplan.updates = 207},
      tensor<512xf32> {memplan.name = "layer2.3.bn3.running_var", memplan.updates = 208},
      tensor<256xf32> {memplan.name = "layer3.0.bn1.running_mean", memplan.updates = 209},
      tensor<256xf32> {memplan.name = "layer3.0.bn1.running_var", memplan.updates = 210},
      tensor<256xf32> {memplan.name = "layer3.0.bn2.running_mean", memplan.updates = 211},
      tensor<256xf32> {memplan.name = "layer3.0.bn2.running_var", memplan.updates = 212},
      tensor<1024xf32> {memplan.name = "layer3.0.bn3.running_mean", memplan.updates = 213},
      tensor<1024xf32> {memplan.name = "layer3.0.bn3.running_var", memplan.updates = 214},
      tensor<1024xf32> {memplan.name = "layer3.0.downsample.1.running_mean", memplan.updates = 215},
      tensor<1024xf32> {memplan.name = "layer3.0.downsample.1.running_var", memplan.updates = 216},
      tensor<256xf32> {memplan.name = "layer3.1.bn1.running_mean", memplan.updates = 217},
      tensor<256xf32> {memplan.name = "layer3.1.bn1.running_var", memplan.updates = 218},
      tensor<256xf32> {memplan.name = "layer3.1.bn2.running_mean", memplan.updates = 219},
      tensor<256xf32> {memplan.name = "layer3.1.bn2.running_var", memplan.updates = 220},
      tensor<1024xf32> {memplan.name = "layer3.1.bn3.running_mean", memplan.updates = 221},
      tensor<1024xf32> {memplan.name = "layer3.1.bn3.running_var", memplan.updates = 222},
      tensor<256xf32> {memplan.name = "layer3.2.bn1.running_mean", memplan.updates = 223},
      tensor<256xf32> {memplan.name = "layer3.2.bn1.running_var", memplan.updates = 224},
      tensor<256xf32> {memplan.name = "layer3.2.bn2.running_mean", memplan.updates = 225},
      tensor<256xf32> {memplan.name = "layer3.2.bn2.running_var", memplan.updates = 226},
      tensor<1024xf32> {memplan.name = "layer3.2.bn3.running_mean", memplan.updates = 227},
      tensor<1024xf32> {memplan.name = "layer3.2.bn3.running_var", memplan.updates = 228},
      tensor<256xf32> {memplan.name = "layer3.3.bn1.running_mean", memplan.updates = 229},
      tensor<256xf32> {memplan.name = "layer3.3.bn1.running_var", memplan.updates = 230},
      tensor<256xf32> {memplan.name = "layer3.3.bn2.running_mean", memplan.updates = 231},
      tensor<256xf32> {memplan.name = "layer3.3.bn2.running_var", memplan.updates = 232},
      tensor<1024xf32> {memplan.name = "layer3.3.bn3.running_mean", memplan.updates = 233},
      tensor<1024xf32> {memplan.name = "layer3.3.bn3.running_var", memplan.updates = 234},
      tensor<256xf32> {memplan.name = "layer3.4.bn1.running_mean", memplan.updates = 235},
      tensor<256xf32> {memplan.name = "layer3.4.bn1.running_var", memplan.updates = 236},
      tensor<256xf32> {memplan.name = "layer3.4.bn2.running_mean", memplan.updates = 237},
      tensor<256xf32> {memplan.name = "layer3.4.bn2.running_var", memplan.updates = 238},
      tensor<1024xf32> {memplan.name = "layer3.4.bn3.running_mean", memplan.updates = 239},
      tensor<1024xf32> {memplan.name = "layer3.4.bn3.running_var", memplan.updates = 240},
      tensor<256xf32> {memplan.name = "layer3.5.bn1.running_mean", memplan.updates = 241},
      tensor<256xf32> {memplan.name = "layer3.5.bn1.running_var", memplan.updates = 242},
      tensor<256xf32> {memplan.name = "layer3.5.bn2.running_mean", memplan.updates = 243},
      tensor<256xf32> {memplan.name = "layer3.5.bn2.running_var", memplan.updates = 244},
      tensor<1024xf32> {memplan.name = "layer3.5.bn3.running_mean", memplan.updates = 245},
      tensor<1024xf32> {memplan.name = "layer3.5.bn3.running_var", memplan.updates = 246},
      tensor<512xf32> {memplan.name = "layer4.0.bn1.running_mean", memplan.updates = 247},
      tensor<512xf32> {memplan.name = "layer4.0.bn1.running_var", memplan.updates = 248},
      tensor<512xf32> {memplan.name = "layer4.0.bn2.running_mean", memplan.updates = 249},
      tensor<512xf32> {memplan.name = "layer4.0.bn2.running_var", memplan.updates = 250},
      tensor<2048xf32> {memplan.name = "layer4.0.bn3.running_mean", memplan.updates = 251},
      tensor<2048xf32> {memplan.name = "layer4.0.bn3.running_var", memplan.updates = 252},
      tensor<2048xf32> {memplan.name = "layer4.0.downsample.1.running_mean", memplan.updates = 253},
      tensor<2048xf32> {memplan.name = "layer4.0.downsample.1.running_var", memplan.updates = 254},
      tensor<512xf32> {memplan.name = "layer4.1.bn1.running_mean", memplan.updates = 255},
      tensor<512xf32> {memplan.name = "layer4.1.bn1.running_var", memplan.updates = 256},
      tensor<512xf32> {memplan.name = "layer4.1.bn2.running_mean", memplan.updates = 257},
      tensor<512xf32> {memplan.name = "layer4.1.bn2.running_var", memplan.updates = 258},
      tensor<2048xf32> {memplan.name = "layer4.1.bn3.running_mean", memplan.updates = 259},
      tensor<2048xf32> {memplan.name = "layer4.1.bn3.running_var", memplan.updates = 260},
      tensor<512xf32> {memplan.name = "layer4.2.bn1.running_mean", memplan.updates = 261},
      tensor<512xf32> {memplan.name = "layer4.2.bn1.running_var", memplan.updates = 262},
      tensor<512xf32> {memplan.name = "layer4.2.bn2.running_mean", memplan.updates = 263},
      tensor<512xf32> {memplan.name = "layer4.2.bn2.running_var", memplan.updates = 264},
      tensor<2048xf32> {memplan.name = "layer4.2.bn3.running_mean", memplan.updates = 265},
      tensor<2048xf32> {memplan.name = "layer4.2.bn3.running_var", memplan.updates = 266}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %conv1 = memplan.conv2d %image, %conv1.weight {padding = [3, 3], strides = [2, 2]} : (tensor<32x3x224x224xf32>, tensor<64x3x7x7xf32>) -> tensor<32x64x112x112xf32> loc("conv1")
    %bn1, %bn1.mean, %bn1.invstd, %bn1.variance = memplan.batch_norm %conv1, %bn1.weight, %bn1.bias {epsilon = 1.0e-05} : (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("bn1")
    %bn1.running_mean.new, %bn1.running_var.new = memplan.batch_norm_update_stats %bn1.running_mean, %bn1.running_var, %bn1.mean, %bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("bn1")
    %relu = memplan.relu %bn1 : (tensor<32x64x112x112xf32>) -> tensor<32x64x112x112xf32> loc("relu")
    %maxpool, %maxpool.indices = memplan.max_pool2d %relu {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<32x64x112x112xf32>) -> (tensor<32x64x56x56xf32>, tensor<32x64x56x56xi8>) loc("maxpool")
    %layer1.0.conv1 = memplan.conv2d %maxpool, %layer1.0.conv1.weight : (tensor<32x64x56x56xf32>, tensor<64x64x1x1xf32>) -> tensor<32x64x56x56xf32> loc("layer1.0.conv1")
    %layer1.0.bn1, %layer1.0.bn1.mean, %layer1.0.bn1.invstd, %layer1.0.bn1.variance = memplan.batch_norm %layer1.0.conv1, %layer1.0.bn1.weight, %layer1.0.bn1.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.0.bn1")
    %layer1.0.bn1.running_mean.new, %layer1.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn1.running_mean, %layer1.0.bn1.running_var, %layer1.0.bn1.mean, %layer1.0.bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.0.bn1")
    %layer1.0.relu = memplan.relu %layer1.0.bn1 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.0.relu")
    %layer1.0.conv2 = memplan.conv2d %layer1.0.relu, %layer1.0.conv2.weight {padding = [1, 1]} : (tensor<32x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<32x64x56x56xf32> loc("layer1.0.conv2")
    %layer1.0.bn2, %layer1.0.bn2.mean, %layer1.0.bn2.invstd, %layer1.0.bn2.variance = memplan.batch_norm %layer1.0.conv2, %layer1.0.bn2.weight, %layer1.0.bn2.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.0.bn2")
    %layer1.0.bn2.running_mean.new, %layer1.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn2.running_mean, %layer1.0.bn2.running_var, %layer1.0.bn2.mean, %layer1.0.bn2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.0.bn2")
    %layer1.0.relu_1 = memplan.relu %layer1.0.bn2 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.0.relu")
    %layer1.0.conv3 = memplan.conv2d %layer1.0.relu_1, %layer1.0.conv3.weight : (tensor<32x64x56x56xf32>, tensor<256x64x1x1xf32>) -> tensor<32x256x56x56xf32> loc("layer1.0.conv3")
    %layer1.0.bn3, %layer1.0.bn3.mean, %layer1.0.bn3.invstd, %layer1.0.bn3.variance = memplan.batch_norm %layer1.0.conv3, %layer1.0.bn3.weight, %layer1.0.bn3.bias {epsilon = 1.0e-05} : (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer1.0.bn3")
    %layer1.0.bn3.running_mean.new, %layer1.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn3.running_mean, %layer1.0.bn3.running_var, %layer1.0.bn3.mean, %layer1.0.bn3.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer1.0.bn3")
    %layer1.0.downsample.0 = memplan.conv2d %maxpool, %layer1.0.downsample.0.weight : (tensor<32x64x56x56xf32>, tensor<256x64x1x1xf32>) -> tensor<32x256x56x56xf32> loc("layer1.0.downsample.0")
    %layer1.0.downsample.1, %layer1.0.downsample.1.mean, %layer1.0.downsample.1.invstd, %layer1.0.downsample.1.variance = memplan.batch_norm %layer1.0.downsample.0, %layer1.0.downsample.1.weight, %layer1.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer1.0.downsample.1")
    %layer1.0.downsample.1.running_mean.new, %layer1.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer1.0.downsample.1.running_mean, %layer1.0.downsample.1.running_var, %layer1.0.downsample.1.mean, %layer1.0.downsample.1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer1.0.downsample.1")
    %layer1.0.add = memplan.add %layer1.0.bn3, %layer1.0.downsample.1 : (tensor<32x256x56x56xf32>, tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.0")
    %layer1.0.relu_2 = memplan.relu %layer1.0.add : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.0.relu")
    %layer1.1.conv1 = memplan.conv2d %layer1.0.relu_2, %layer1.1.conv1.weight : (tensor<32x256x56x56xf32>, tensor<64x256x1x1xf32>) -> tensor<32x64x56x56xf32> loc("layer1.1.conv1")
    %layer1.1.bn1, %layer1.1.bn1.mean, %layer1.1.bn1.invstd, %layer1.1.bn1.variance = memplan.batch_norm %layer1.1.conv1, %layer1.1.bn1.weight, %layer1.1.bn1.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.1.bn1")
    %layer1.1.bn1.running_mean.new, %layer1.1.bn1.running_var.new = memplan.batch_norm_update_stats %layer1.1.bn1.running_mean, %layer1.1.bn1.running_var, %layer1.1.bn1.mean, %layer1.1.bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.1.bn1")
    %layer1.1.relu = memplan.relu %layer1.1.bn1 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.1.relu")
    %layer1.1.conv2 = memplan.conv2d %layer1.1.relu, %layer1.1.conv2.weight {padding = [1, 1]} : (tensor<32x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<32x64x56x56xf32> loc("layer1.1.conv2")
    %layer1.1.bn2, %layer1.1.bn2.mean, %layer1.1.bn2.invstd, %layer1.1.bn2.variance = memplan.batch_norm %layer1.1.conv2, %layer1.1.bn2.weight, %layer1.1.bn2.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.1.bn2")
    %layer1.1.bn2.running_mean.new, %layer1.1.bn2.running_var.new = memplan.batch_norm_update_stats %layer1.1.bn2.running_mean, %layer1.1.bn2.running_var, %layer1.1.bn2.mean, %layer1.1.bn2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.1.bn2")
    %layer1.1.relu_1 = memplan.relu %layer1.1.bn2 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.1.relu")
    %layer1.1.conv3 = memplan.conv2d %layer1.1.relu_1, %layer1.1.conv3.weight : (tensor<32x64x56x56xf32>, tensor<256x64x1x1xf32>) -> tensor<32x256x56x56xf32> loc("layer1.1.conv3")
    %layer1.1.bn3, %layer1.1.bn3.mean, %layer1.1.bn3.invstd, %layer1.1.bn3.variance = memplan.batch_norm %layer1.1.conv3, %layer1.1.bn3.weight, %layer1.1.bn3.bias {epsilon = 1.0e-05} : (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer1.1.bn3")
    %layer1.1.bn3.running_mean.new, %layer1.1.bn3.running_var.new = memplan.batch_norm_update_stats %layer1.1.bn3.running_mean, %layer1.1.bn3.running_var, %layer1.1.bn3.mean, %layer1.1.bn3.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer1.1.bn3")
    %layer1.1.add = memplan.add %layer1.1.bn3, %layer1.0.relu_2 : (tensor<32x256x56x56xf32>, tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.1")
    %layer1.1.relu_2 = memplan.relu %layer1.1.add : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.1.relu")
    %layer1.2.conv1 = memplan.conv2d %layer1.1.relu_2, %layer1.2.conv1.weight : (tensor<32x256x56x56xf32>, tensor<64x256x1x1xf32>) -> tensor<32x64x56x56xf32> loc("layer1.2.conv1")
    %layer1.2.bn1, %layer1.2.bn1.mean, %layer1.2.bn1.invstd, %layer1.2.bn1.variance = memplan.batch_norm %layer1.2.conv1, %layer1.2.bn1.weight, %layer1.2.bn1.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.2.bn1")
    %layer1.2.bn1.running_mean.new, %layer1.2.bn1.running_var.new = memplan.batch_norm_update_stats %layer1.2.bn1.running_mean, %layer1.2.bn1.running_var, %layer1.2.bn1.mean, %layer1.2.bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.2.bn1")
    %layer1.2.relu = memplan.relu %layer1.2.bn1 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.2.relu")
    %layer1.2.conv2 = memplan.conv2d %layer1.2.relu, %layer1.2.conv2.weight {padding = [1, 1]} : (tensor<32x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<32x64x56x56xf32> loc("layer1.2.conv2")
    %layer1.2.bn2, %layer1.2.bn2.mean, %layer1.2.bn2.invstd, %layer1.2.bn2.variance = memplan.batch_norm %layer1.2.conv2, %layer1.2.bn2.weight, %layer1.2.bn2.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer1.2.bn2")
    %layer1.2.bn2.running_mean.new, %layer1.2.bn2.running_var.new = memplan.batch_norm_update_stats %layer1.2.bn2.running_mean, %layer1.2.bn2.running_var, %layer1.2.bn2.mean, %layer1.2.bn2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer1.2.bn2")
    %layer1.2.relu_1 = memplan.relu %layer1.2.bn2 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("layer1.2.relu")
    %layer1.2.conv3 = memplan.conv2d %layer1.2.relu_1, %layer1.2.conv3.weight : (tensor<32x64x56x56xf32>, tensor<256x64x1x1xf32>) -> tensor<32x256x56x56xf32> loc("layer1.2.conv3")
    %layer1.2.bn3, %layer1.2.bn3.mean, %layer1.2.bn3.invstd, %layer1.2.bn3.variance = memplan.batch_norm %layer1.2.conv3, %layer1.2.bn3.weight, %layer1.2.bn3.bias {epsilon = 1.0e-05} : (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x56x56xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer1.2.bn3")
    %layer1.2.bn3.running_mean.new, %layer1.2.bn3.running_var.new = memplan.batch_norm_update_stats %layer1.2.bn3.running_mean, %layer1.2.bn3.running_var, %layer1.2.bn3.mean, %layer1.2.bn3.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer1.2.bn3")
    %layer1.2.add = memplan.add %layer1.2.bn3, %layer1.1.relu_2 : (tensor<32x256x56x56xf32>, tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.2")
    %layer1.2.relu_2 = memplan.relu %layer1.2.add : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("layer1.2.relu")
    %layer2.0.conv1 = memplan.conv2d %layer1.2.relu_2, %layer2.0.conv1.weight : (tensor<32x256x56x56xf32>, tensor<128x256x1x1xf32>) -> tensor<32x128x56x56xf32> loc("layer2.0.conv1")
    %layer2.0.bn1, %layer2.0.bn1.mean, %layer2.0.bn1.invstd, %layer2.0.bn1.variance = memplan.batch_norm %layer2.0.conv1, %layer2.0.bn1.weight, %layer2.0.bn1.bias {epsilon = 1.0e-05} : (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.0.bn1")
    %layer2.0.bn1.running_mean.new, %layer2.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn1.running_mean, %layer2.0.bn1.running_var, %layer2.0.bn1.mean, %layer2.0.bn1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.0.bn1")
    %layer2.0.relu = memplan.relu %layer2.0.bn1 : (tensor<32x128x56x56xf32>) -> tensor<32x128x56x56xf32> loc("layer2.0.relu")
    %layer2.0.conv2 = memplan.conv2d %layer2.0.relu, %layer2.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x128x56x56xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x28x28xf32> loc("layer2.0.conv2")
    %layer2.0.bn2, %layer2.0.bn2.mean, %layer2.0.bn2.invstd, %layer2.0.bn2.variance = memplan.batch_norm %layer2.0.conv2, %layer2.0.bn2.weight, %layer2.0.bn2.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.0.bn2")
    %layer2.0.bn2.running_mean.new, %layer2.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn2.running_mean, %layer2.0.bn2.running_var, %layer2.0.bn2.mean, %layer2.0.bn2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.0.bn2")
    %layer2.0.relu_1 = memplan.relu %layer2.0.bn2 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.0.relu")
    %layer2.0.conv3 = memplan.conv2d %layer2.0.relu_1, %layer2.0.conv3.weight : (tensor<32x128x28x28xf32>, tensor<512x128x1x1xf32>) -> tensor<32x512x28x28xf32> loc("layer2.0.conv3")
    %layer2.0.bn3, %layer2.0.bn3.mean, %layer2.0.bn3.invstd, %layer2.0.bn3.variance = memplan.batch_norm %layer2.0.conv3, %layer2.0.bn3.weight, %layer2.0.bn3.bias {epsilon = 1.0e-05} : (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer2.0.bn3")
    %layer2.0.bn3.running_mean.new, %layer2.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn3.running_mean, %layer2.0.bn3.running_var, %layer2.0.bn3.mean, %layer2.0.bn3.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer2.0.bn3")
    %layer2.0.downsample.0 = memplan.conv2d %layer1.2.relu_2, %layer2.0.downsample.0.weight {strides = [2, 2]} : (tensor<32x256x56x56xf32>, tensor<512x256x1x1xf32>) -> tensor<32x512x28x28xf32> loc("layer2.0.downsample.0")
    %layer2.0.downsample.1, %layer2.0.downsample.1.mean, %layer2.0.downsample.1.invstd, %layer2.0.downsample.1.variance = memplan.batch_norm %layer2.0.downsample.0, %layer2.0.downsample.1.weight, %layer2.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer2.0.downsample.1")
    %layer2.0.downsample.1.running_mean.new, %layer2.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer2.0.downsample.1.running_mean, %layer2.0.downsample.1.running_var, %layer2.0.downsample.1.mean, %layer2.0.downsample.1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer2.0.downsample.1")
    %layer2.0.add = memplan.add %layer2.0.bn3, %layer2.0.downsample.1 : (tensor<32x512x28x28xf32>, tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.0")
    %layer2.0.relu_2 = memplan.relu %layer2.0.add : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.0.relu")
    %layer2.1.conv1 = memplan.conv2d %layer2.0.relu_2, %layer2.1.conv1.weight : (tensor<32x512x28x28xf32>, tensor<128x512x1x1xf32>) -> tensor<32x128x28x28xf32> loc("layer2.1.conv1")
    %layer2.1.bn1, %layer2.1.bn1.mean, %layer2.1.bn1.invstd, %layer2.1.bn1.variance = memplan.batch_norm %layer2.1.conv1, %layer2.1.bn1.weight, %layer2.1.bn1.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.1.bn1")
    %layer2.1.bn1.running_mean.new, %layer2.1.bn1.running_var.new = memplan.batch_norm_update_stats %layer2.1.bn1.running_mean, %layer2.1.bn1.running_var, %layer2.1.bn1.mean, %layer2.1.bn1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.1.bn1")
    %layer2.1.relu = memplan.relu %layer2.1.bn1 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.1.relu")
    %layer2.1.conv2 = memplan.conv2d %layer2.1.relu, %layer2.1.conv2.weight {padding = [1, 1]} : (tensor<32x128x28x28xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x28x28xf32> loc("layer2.1.conv2")
    %layer2.1.bn2, %layer2.1.bn2.mean, %layer2.1.bn2.invstd, %layer2.1.bn2.variance = memplan.batch_norm %layer2.1.conv2, %layer2.1.bn2.weight, %layer2.1.bn2.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.1.bn2")
    %layer2.1.bn2.running_mean.new, %layer2.1.bn2.running_var.new = memplan.batch_norm_update_stats %layer2.1.bn2.running_mean, %layer2.1.bn2.running_var, %layer2.1.bn2.mean, %layer2.1.bn2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.1.bn2")
    %layer2.1.relu_1 = memplan.relu %layer2.1.bn2 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.1.relu")
    %layer2.1.conv3 = memplan.conv2d %layer2.1.relu_1, %layer2.1.conv3.weight : (tensor<32x128x28x28xf32>, tensor<512x128x1x1xf32>) -> tensor<32x512x28x28xf32> loc("layer2.1.conv3")
    %layer2.1.bn3, %layer2.1.bn3.mean, %layer2.1.bn3.invstd, %layer2.1.bn3.variance = memplan.batch_norm %layer2.1.conv3, %layer2.1.bn3.weight, %layer2.1.bn3.bias {epsilon = 1.0e-05} : (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer2.1.bn3")
    %layer2.1.bn3.running_mean.new, %layer2.1.bn3.running_var.new = memplan.batch_norm_update_stats %layer2.1.bn3.running_mean, %layer2.1.bn3.running_var, %layer2.1.bn3.mean, %layer2.1.bn3.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer2.1.bn3")
    %layer2.1.add = memplan.add %layer2.1.bn3, %layer2.0.relu_2 : (tensor<32x512x28x28xf32>, tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.1")
    %layer2.1.relu_2 = memplan.relu %layer2.1.add : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.1.relu")
    %layer2.2.conv1 = memplan.conv2d %layer2.1.relu_2, %layer2.2.conv1.weight : (tensor<32x512x28x28xf32>, tensor<128x512x1x1xf32>) -> tensor<32x128x28x28xf32> loc("layer2.2.conv1")
    %layer2.2.bn1, %layer2.2.bn1.mean, %layer2.2.bn1.invstd, %layer2.2.bn1.variance = memplan.batch_norm %layer2.2.conv1, %layer2.2.bn1.weight, %layer2.2.bn1.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.2.bn1")
    %layer2.2.bn1.running_mean.new, %layer2.2.bn1.running_var.new = memplan.batch_norm_update_stats %layer2.2.bn1.running_mean, %layer2.2.bn1.running_var, %layer2.2.bn1.mean, %layer2.2.bn1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.2.bn1")
    %layer2.2.relu = memplan.relu %layer2.2.bn1 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.2.relu")
    %layer2.2.conv2 = memplan.conv2d %layer2.2.relu, %layer2.2.conv2.weight {padding = [1, 1]} : (tensor<32x128x28x28xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x28x28xf32> loc("layer2.2.conv2")
    %layer2.2.bn2, %layer2.2.bn2.mean, %layer2.2.bn2.invstd, %layer2.2.bn2.variance = memplan.batch_norm %layer2.2.conv2, %layer2.2.bn2.weight, %layer2.2.bn2.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.2.bn2")
    %layer2.2.bn2.running_mean.new, %layer2.2.bn2.running_var.new = memplan.batch_norm_update_stats %layer2.2.bn2.running_mean, %layer2.2.bn2.running_var, %layer2.2.bn2.mean, %layer2.2.bn2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.2.bn2")
    %layer2.2.relu_1 = memplan.relu %layer2.2.bn2 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.2.relu")
    %layer2.2.conv3 = memplan.conv2d %layer2.2.relu_1, %layer2.2.conv3.weight : (tensor<32x128x28x28xf32>, tensor<512x128x1x1xf32>) -> tensor<32x512x28x28xf32> loc("layer2.2.conv3")
    %layer2.2.bn3, %layer2.2.bn3.mean, %layer2.2.bn3.invstd, %layer2.2.bn3.variance = memplan.batch_norm %layer2.2.conv3, %layer2.2.bn3.weight, %layer2.2.bn3.bias {epsilon = 1.0e-05} : (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer2.2.bn3")
    %layer2.2.bn3.running_mean.new, %layer2.2.bn3.running_var.new = memplan.batch_norm_update_stats %layer2.2.bn3.running_mean, %layer2.2.bn3.running_var, %layer2.2.bn3.mean, %layer2.2.bn3.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer2.2.bn3")
    %layer2.2.add = memplan.add %layer2.2.bn3, %layer2.1.relu_2 : (tensor<32x512x28x28xf32>, tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.2")
    %layer2.2.relu_2 = memplan.relu %layer2.2.add : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.2.relu")
    %layer2.3.conv1 = memplan.conv2d %layer2.2.relu_2, %layer2.3.conv1.weight : (tensor<32x512x28x28xf32>, tensor<128x512x1x1xf32>) -> tensor<32x128x28x28xf32> loc("layer2.3.conv1")
    %layer2.3.bn1, %layer2.3.bn1.mean, %layer2.3.bn1.invstd, %layer2.3.bn1.variance = memplan.batch_norm %layer2.3.conv1, %layer2.3.bn1.weight, %layer2.3.bn1.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.3.bn1")
    %layer2.3.bn1.running_mean.new, %layer2.3.bn1.running_var.new = memplan.batch_norm_update_stats %layer2.3.bn1.running_mean, %layer2.3.bn1.running_var, %layer2.3.bn1.mean, %layer2.3.bn1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.3.bn1")
    %layer2.3.relu = memplan.relu %layer2.3.bn1 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.3.relu")
    %layer2.3.conv2 = memplan.conv2d %layer2.3.relu, %layer2.3.conv2.weight {padding = [1, 1]} : (tensor<32x128x28x28xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x28x28xf32> loc("layer2.3.conv2")
    %layer2.3.bn2, %layer2.3.bn2.mean, %layer2.3.bn2.invstd, %layer2.3.bn2.variance = memplan.batch_norm %layer2.3.conv2, %layer2.3.bn2.weight, %layer2.3.bn2.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer2.3.bn2")
    %layer2.3.bn2.running_mean.new, %layer2.3.bn2.running_var.new = memplan.batch_norm_update_stats %layer2.3.bn2.running_mean, %layer2.3.bn2.running_var, %layer2.3.bn2.mean, %layer2.3.bn2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer2.3.bn2")
    %layer2.3.relu_1 = memplan.relu %layer2.3.bn2 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("layer2.3.relu")
    %layer2.3.conv3 = memplan.conv2d %layer2.3.relu_1, %layer2.3.conv3.weight : (tensor<32x128x28x28xf32>, tensor<512x128x1x1xf32>) -> tensor<32x512x28x28xf32> loc("layer2.3.conv3")
    %layer2.3.bn3, %layer2.3.bn3.mean, %layer2.3.bn3.invstd, %layer2.3.bn3.variance = memplan.batch_norm %layer2.3.conv3, %layer2.3.bn3.weight, %layer2.3.bn3.bias {epsilon = 1.0e-05} : (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x28x28xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer2.3.bn3")
    %layer2.3.bn3.running_mean.new, %layer2.3.bn3.running_var.new = memplan.batch_norm_update_stats %layer2.3.bn3.running_mean, %layer2.3.bn3.running_var, %layer2.3.bn3.mean, %layer2.3.bn3.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer2.3.bn3")
    %layer2.3.add = memplan.add %layer2.3.bn3, %layer2.2.relu_2 : (tensor<32x512x28x28xf32>, tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.3")
    %layer2.3.relu_2 = memplan.relu %layer2.3.add : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("layer2.3.relu")
    %layer3.0.conv1 = memplan.conv2d %layer2.3.relu_2, %layer3.0.conv1.weight : (tensor<32x512x28x28xf32>, tensor<256x512x1x1xf32>) -> tensor<32x256x28x28xf32> loc("layer3.0.conv1")
    %layer3.0.bn1, %layer3.0.bn1.mean, %layer3.0.bn1.invstd, %layer3.0.bn1.variance = memplan.batch_norm %layer3.0.conv1, %layer3.0.bn1.weight, %layer3.0.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.0.bn1")
    %layer3.0.bn1.running_mean.new, %layer3.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn1.running_mean, %layer3.0.bn1.running_var, %layer3.0.bn1.mean, %layer3.0.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.0.bn1")
    %layer3.0.relu = memplan.relu %layer3.0.bn1 : (tensor<32x256x28x28xf32>) -> tensor<32x256x28x28xf32> loc("layer3.0.relu")
    %layer3.0.conv2 = memplan.conv2d %layer3.0.relu, %layer3.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x256x28x28xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.0.conv2")
    %layer3.0.bn2, %layer3.0.bn2.mean, %layer3.0.bn2.invstd, %layer3.0.bn2.variance = memplan.batch_norm %layer3.0.conv2, %layer3.0.bn2.weight, %layer3.0.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.0.bn2")
    %layer3.0.bn2.running_mean.new, %layer3.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn2.running_mean, %layer3.0.bn2.running_var, %layer3.0.bn2.mean, %layer3.0.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.0.bn2")
    %layer3.0.relu_1 = memplan.relu %layer3.0.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.0.relu")
    %layer3.0.conv3 = memplan.conv2d %layer3.0.relu_1, %layer3.0.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.0.conv3")
    %layer3.0.bn3, %layer3.0.bn3.mean, %layer3.0.bn3.invstd, %layer3.0.bn3.variance = memplan.batch_norm %layer3.0.conv3, %layer3.0.bn3.weight, %layer3.0.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.0.bn3")
    %layer3.0.bn3.running_mean.new, %layer3.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn3.running_mean, %layer3.0.bn3.running_var, %layer3.0.bn3.mean, %layer3.0.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.0.bn3")
    %layer3.0.downsample.0 = memplan.conv2d %layer2.3.relu_2, %layer3.0.downsample.0.weight {strides = [2, 2]} : (tensor<32x512x28x28xf32>, tensor<1024x512x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.0.downsample.0")
    %layer3.0.downsample.1, %layer3.0.downsample.1.mean, %layer3.0.downsample.1.invstd, %layer3.0.downsample.1.variance = memplan.batch_norm %layer3.0.downsample.0, %layer3.0.downsample.1.weight, %layer3.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.0.downsample.1")
    %layer3.0.downsample.1.running_mean.new, %layer3.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer3.0.downsample.1.running_mean, %layer3.0.downsample.1.running_var, %layer3.0.downsample.1.mean, %layer3.0.downsample.1.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.0.downsample.1")
    %layer3.0.add = memplan.add %layer3.0.bn3, %layer3.0.downsample.1 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.0")
    %layer3.0.relu_2 = memplan.relu %layer3.0.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.0.relu")
    %layer3.1.conv1 = memplan.conv2d %layer3.0.relu_2, %layer3.1.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<256x1024x1x1xf32>) -> tensor<32x256x14x14xf32> loc("layer3.1.conv1")
    %layer3.1.bn1, %layer3.1.bn1.mean, %layer3.1.bn1.invstd, %layer3.1.bn1.variance = memplan.batch_norm %layer3.1.conv1, %layer3.1.bn1.weight, %layer3.1.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.1.bn1")
    %layer3.1.bn1.running_mean.new, %layer3.1.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.1.bn1.running_mean, %layer3.1.bn1.running_var, %layer3.1.bn1.mean, %layer3.1.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.1.bn1")
    %layer3.1.relu = memplan.relu %layer3.1.bn1 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.1.relu")
    %layer3.1.conv2 = memplan.conv2d %layer3.1.relu, %layer3.1.conv2.weight {padding = [1, 1]} : (tensor<32x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.1.conv2")
    %layer3.1.bn2, %layer3.1.bn2.mean, %layer3.1.bn2.invstd, %layer3.1.bn2.variance = memplan.batch_norm %layer3.1.conv2, %layer3.1.bn2.weight, %layer3.1.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.1.bn2")
    %layer3.1.bn2.running_mean.new, %layer3.1.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.1.bn2.running_mean, %layer3.1.bn2.running_var, %layer3.1.bn2.mean, %layer3.1.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.1.bn2")
    %layer3.1.relu_1 = memplan.relu %layer3.1.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.1.relu")
    %layer3.1.conv3 = memplan.conv2d %layer3.1.relu_1, %layer3.1.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.1.conv3")
    %layer3.1.bn3, %layer3.1.bn3.mean, %layer3.1.bn3.invstd, %layer3.1.bn3.variance = memplan.batch_norm %layer3.1.conv3, %layer3.1.bn3.weight, %layer3.1.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.1.bn3")
    %layer3.1.bn3.running_mean.new, %layer3.1.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.1.bn3.running_mean, %layer3.1.bn3.running_var, %layer3.1.bn3.mean, %layer3.1.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.1.bn3")
    %layer3.1.add = memplan.add %layer3.1.bn3, %layer3.0.relu_2 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.1")
    %layer3.1.relu_2 = memplan.relu %layer3.1.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.1.relu")
    %layer3.2.conv1 = memplan.conv2d %layer3.1.relu_2, %layer3.2.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<256x1024x1x1xf32>) -> tensor<32x256x14x14xf32> loc("layer3.2.conv1")
    %layer3.2.bn1, %layer3.2.bn1.mean, %layer3.2.bn1.invstd, %layer3.2.bn1.variance = memplan.batch_norm %layer3.2.conv1, %layer3.2.bn1.weight, %layer3.2.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.2.bn1")
    %layer3.2.bn1.running_mean.new, %layer3.2.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.2.bn1.running_mean, %layer3.2.bn1.running_var, %layer3.2.bn1.mean, %layer3.2.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.2.bn1")
    %layer3.2.relu = memplan.relu %layer3.2.bn1 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.2.relu")
    %layer3.2.conv2 = memplan.conv2d %layer3.2.relu, %layer3.2.conv2.weight {padding = [1, 1]} : (tensor<32x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.2.conv2")
    %layer3.2.bn2, %layer3.2.bn2.mean, %layer3.2.bn2.invstd, %layer3.2.bn2.variance = memplan.batch_norm %layer3.2.conv2, %layer3.2.bn2.weight, %layer3.2.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.2.bn2")
    %layer3.2.bn2.running_mean.new, %layer3.2.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.2.bn2.running_mean, %layer3.2.bn2.running_var, %layer3.2.bn2.mean, %layer3.2.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.2.bn2")
    %layer3.2.relu_1 = memplan.relu %layer3.2.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.2.relu")
    %layer3.2.conv3 = memplan.conv2d %layer3.2.relu_1, %layer3.2.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.2.conv3")
    %layer3.2.bn3, %layer3.2.bn3.mean, %layer3.2.bn3.invstd, %layer3.2.bn3.variance = memplan.batch_norm %layer3.2.conv3, %layer3.2.bn3.weight, %layer3.2.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.2.bn3")
    %layer3.2.bn3.running_mean.new, %layer3.2.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.2.bn3.running_mean, %layer3.2.bn3.running_var, %layer3.2.bn3.mean, %layer3.2.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.2.bn3")
    %layer3.2.add = memplan.add %layer3.2.bn3, %layer3.1.relu_2 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.2")
    %layer3.2.relu_2 = memplan.relu %layer3.2.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.2.relu")
    %layer3.3.conv1 = memplan.conv2d %layer3.2.relu_2, %layer3.3.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<256x1024x1x1xf32>) -> tensor<32x256x14x14xf32> loc("layer3.3.conv1")
    %layer3.3.bn1, %layer3.3.bn1.mean, %layer3.3.bn1.invstd, %layer3.3.bn1.variance = memplan.batch_norm %layer3.3.conv1, %layer3.3.bn1.weight, %layer3.3.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.3.bn1")
    %layer3.3.bn1.running_mean.new, %layer3.3.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.3.bn1.running_mean, %layer3.3.bn1.running_var, %layer3.3.bn1.mean, %layer3.3.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.3.bn1")
    %layer3.3.relu = memplan.relu %layer3.3.bn1 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.3.relu")
    %layer3.3.conv2 = memplan.conv2d %layer3.3.relu, %layer3.3.conv2.weight {padding = [1, 1]} : (tensor<32x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.3.conv2")
    %layer3.3.bn2, %layer3.3.bn2.mean, %layer3.3.bn2.invstd, %layer3.3.bn2.variance = memplan.batch_norm %layer3.3.conv2, %layer3.3.bn2.weight, %layer3.3.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.3.bn2")
    %layer3.3.bn2.running_mean.new, %layer3.3.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.3.bn2.running_mean, %layer3.3.bn2.running_var, %layer3.3.bn2.mean, %layer3.3.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.3.bn2")
    %layer3.3.relu_1 = memplan.relu %layer3.3.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.3.relu")
    %layer3.3.conv3 = memplan.conv2d %layer3.3.relu_1, %layer3.3.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.3.conv3")
    %layer3.3.bn3, %layer3.3.bn3.mean, %layer3.3.bn3.invstd, %layer3.3.bn3.variance = memplan.batch_norm %layer3.3.conv3, %layer3.3.bn3.weight, %layer3.3.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.3.bn3")
    %layer3.3.bn3.running_mean.new, %layer3.3.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.3.bn3.running_mean, %layer3.3.bn3.running_var, %layer3.3.bn3.mean, %layer3.3.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.3.bn3")
    %layer3.3.add = memplan.add %layer3.3.bn3, %layer3.2.relu_2 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.3")
    %layer3.3.relu_2 = memplan.relu %layer3.3.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.3.relu")
    %layer3.4.conv1 = memplan.conv2d %layer3.3.relu_2, %layer3.4.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<256x1024x1x1xf32>) -> tensor<32x256x14x14xf32> loc("layer3.4.conv1")
    %layer3.4.bn1, %layer3.4.bn1.mean, %layer3.4.bn1.invstd, %layer3.4.bn1.variance = memplan.batch_norm %layer3.4.conv1, %layer3.4.bn1.weight, %layer3.4.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.4.bn1")
    %layer3.4.bn1.running_mean.new, %layer3.4.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.4.bn1.running_mean, %layer3.4.bn1.running_var, %layer3.4.bn1.mean, %layer3.4.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.4.bn1")
    %layer3.4.relu = memplan.relu %layer3.4.bn1 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.4.relu")
    %layer3.4.conv2 = memplan.conv2d %layer3.4.relu, %layer3.4.conv2.weight {padding = [1, 1]} : (tensor<32x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.4.conv2")
    %layer3.4.bn2, %layer3.4.bn2.mean, %layer3.4.bn2.invstd, %layer3.4.bn2.variance = memplan.batch_norm %layer3.4.conv2, %layer3.4.bn2.weight, %layer3.4.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.4.bn2")
    %layer3.4.bn2.running_mean.new, %layer3.4.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.4.bn2.running_mean, %layer3.4.bn2.running_var, %layer3.4.bn2.mean, %layer3.4.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.4.bn2")
    %layer3.4.relu_1 = memplan.relu %layer3.4.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.4.relu")
    %layer3.4.conv3 = memplan.conv2d %layer3.4.relu_1, %layer3.4.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.4.conv3")
    %layer3.4.bn3, %layer3.4.bn3.mean, %layer3.4.bn3.invstd, %layer3.4.bn3.variance = memplan.batch_norm %layer3.4.conv3, %layer3.4.bn3.weight, %layer3.4.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.4.bn3")
    %layer3.4.bn3.running_mean.new, %layer3.4.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.4.bn3.running_mean, %layer3.4.bn3.running_var, %layer3.4.bn3.mean, %layer3.4.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.4.bn3")
    %layer3.4.add = memplan.add %layer3.4.bn3, %layer3.3.relu_2 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.4")
    %layer3.4.relu_2 = memplan.relu %layer3.4.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.4.relu")
    %layer3.5.conv1 = memplan.conv2d %layer3.4.relu_2, %layer3.5.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<256x1024x1x1xf32>) -> tensor<32x256x14x14xf32> loc("layer3.5.conv1")
    %layer3.5.bn1, %layer3.5.bn1.mean, %layer3.5.bn1.invstd, %layer3.5.bn1.variance = memplan.batch_norm %layer3.5.conv1, %layer3.5.bn1.weight, %layer3.5.bn1.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.5.bn1")
    %layer3.5.bn1.running_mean.new, %layer3.5.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.5.bn1.running_mean, %layer3.5.bn1.running_var, %layer3.5.bn1.mean, %layer3.5.bn1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.5.bn1")
    %layer3.5.relu = memplan.relu %layer3.5.bn1 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.5.relu")
    %layer3.5.conv2 = memplan.conv2d %layer3.5.relu, %layer3.5.conv2.weight {padding = [1, 1]} : (tensor<32x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("layer3.5.conv2")
    %layer3.5.bn2, %layer3.5.bn2.mean, %layer3.5.bn2.invstd, %layer3.5.bn2.variance = memplan.batch_norm %layer3.5.conv2, %layer3.5.bn2.weight, %layer3.5.bn2.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer3.5.bn2")
    %layer3.5.bn2.running_mean.new, %layer3.5.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.5.bn2.running_mean, %layer3.5.bn2.running_var, %layer3.5.bn2.mean, %layer3.5.bn2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer3.5.bn2")
    %layer3.5.relu_1 = memplan.relu %layer3.5.bn2 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("layer3.5.relu")
    %layer3.5.conv3 = memplan.conv2d %layer3.5.relu_1, %layer3.5.conv3.weight : (tensor<32x256x14x14xf32>, tensor<1024x256x1x1xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.5.conv3")
    %layer3.5.bn3, %layer3.5.bn3.mean, %layer3.5.bn3.invstd, %layer3.5.bn3.variance = memplan.batch_norm %layer3.5.conv3, %layer3.5.bn3.weight, %layer3.5.bn3.bias {epsilon = 1.0e-05} : (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x14x14xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("layer3.5.bn3")
    %layer3.5.bn3.running_mean.new, %layer3.5.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.5.bn3.running_mean, %layer3.5.bn3.running_var, %layer3.5.bn3.mean, %layer3.5.bn3.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("layer3.5.bn3")
    %layer3.5.add = memplan.add %layer3.5.bn3, %layer3.4.relu_2 : (tensor<32x1024x14x14xf32>, tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.5")
    %layer3.5.relu_2 = memplan.relu %layer3.5.add : (tensor<32x1024x14x14xf32>) -> tensor<32x1024x14x14xf32> loc("layer3.5.relu")
    %layer4.0.conv1 = memplan.conv2d %layer3.5.relu_2, %layer4.0.conv1.weight : (tensor<32x1024x14x14xf32>, tensor<512x1024x1x1xf32>) -> tensor<32x512x14x14xf32> loc("layer4.0.conv1")
    %layer4.0.bn1, %layer4.0.bn1.mean, %layer4.0.bn1.invstd, %layer4.0.bn1.variance = memplan.batch_norm %layer4.0.conv1, %layer4.0.bn1.weight, %layer4.0.bn1.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.0.bn1")
    %layer4.0.bn1.running_mean.new, %layer4.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn1.running_mean, %layer4.0.bn1.running_var, %layer4.0.bn1.mean, %layer4.0.bn1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.0.bn1")
    %layer4.0.relu = memplan.relu %layer4.0.bn1 : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("layer4.0.relu")
    %layer4.0.conv2 = memplan.conv2d %layer4.0.relu, %layer4.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x512x14x14xf32>, tensor<512x512x3x3xf32>) -> tensor<32x512x7x7xf32> loc("layer4.0.conv2")
    %layer4.0.bn2, %layer4.0.bn2.mean, %layer4.0.bn2.invstd, %layer4.0.bn2.variance = memplan.batch_norm %layer4.0.conv2, %layer4.0.bn2.weight, %layer4.0.bn2.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.0.bn2")
    %layer4.0.bn2.running_mean.new, %layer4.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn2.running_mean, %layer4.0.bn2.running_var, %layer4.0.bn2.mean, %layer4.0.bn2.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.0.bn2")
    %layer4.0.relu_1 = memplan.relu %layer4.0.bn2 : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("layer4.0.relu")
    %layer4.0.conv3 = memplan.conv2d %layer4.0.relu_1, %layer4.0.conv3.weight : (tensor<32x512x7x7xf32>, tensor<2048x512x1x1xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.0.conv3")
    %layer4.0.bn3, %layer4.0.bn3.mean, %layer4.0.bn3.invstd, %layer4.0.bn3.variance = memplan.batch_norm %layer4.0.conv3, %layer4.0.bn3.weight, %layer4.0.bn3.bias {epsilon = 1.0e-05} : (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) loc("layer4.0.bn3")
    %layer4.0.bn3.running_mean.new, %layer4.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn3.running_mean, %layer4.0.bn3.running_var, %layer4.0.bn3.mean, %layer4.0.bn3.variance {momentum = 0.1} : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>) loc("layer4.0.bn3")
    %layer4.0.downsample.0 = memplan.conv2d %layer3.5.relu_2, %layer4.0.downsample.0.weight {strides = [2, 2]} : (tensor<32x1024x14x14xf32>, tensor<2048x1024x1x1xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.0.downsample.0")
    %layer4.0.downsample.1, %layer4.0.downsample.1.mean, %layer4.0.downsample.1.invstd, %layer4.0.downsample.1.variance = memplan.batch_norm %layer4.0.downsample.0, %layer4.0.downsample.1.weight, %layer4.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) loc("layer4.0.downsample.1")
    %layer4.0.downsample.1.running_mean.new, %layer4.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer4.0.downsample.1.running_mean, %layer4.0.downsample.1.running_var, %layer4.0.downsample.1.mean, %layer4.0.downsample.1.variance {momentum = 0.1} : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>) loc("layer4.0.downsample.1")
    %layer4.0.add = memplan.add %layer4.0.bn3, %layer4.0.downsample.1 : (tensor<32x2048x7x7xf32>, tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.0")
    %layer4.0.relu_2 = memplan.relu %layer4.0.add : (tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.0.relu")
    %layer4.1.conv1 = memplan.conv2d %layer4.0.relu_2, %layer4.1.conv1.weight : (tensor<32x2048x7x7xf32>, tensor<512x2048x1x1xf32>) -> tensor<32x512x7x7xf32> loc("layer4.1.conv1")
    %layer4.1.bn1, %layer4.1.bn1.mean, %layer4.1.bn1.invstd, %layer4.1.bn1.variance = memplan.batch_norm %layer4.1.conv1, %layer4.1.bn1.weight, %layer4.1.bn1.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.1.bn1")
    %layer4.1.bn1.running_mean.new, %layer4.1.bn1.running_var.new = memplan.batch_norm_update_stats %layer4.1.bn1.running_mean, %layer4.1.bn1.running_var, %layer4.1.bn1.mean, %layer4.1.bn1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.1.bn1")
    %layer4.1.relu = memplan.relu %layer4.1.bn1 : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("layer4.1.relu")
    %layer4.1.conv2 = memplan.conv2d %layer4.1.relu, %layer4.1.conv2.weight {padding = [1, 1]} : (tensor<32x512x7x7xf32>, tensor<512x512x3x3xf32>) -> tensor<32x512x7x7xf32> loc("layer4.1.conv2")
    %layer4.1.bn2, %layer4.1.bn2.mean, %layer4.1.bn2.invstd, %layer4.1.bn2.variance = memplan.batch_norm %layer4.1.conv2, %layer4.1.bn2.weight, %layer4.1.bn2.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.1.bn2")
    %layer4.1.bn2.running_mean.new, %layer4.1.bn2.running_var.new = memplan.batch_norm_update_stats %layer4.1.bn2.running_mean, %layer4.1.bn2.running_var, %layer4.1.bn2.mean, %layer4.1.bn2.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.1.bn2")
    %layer4.1.relu_1 = memplan.relu %layer4.1.bn2 : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("layer4.1.relu")
    %layer4.1.conv3 = memplan.conv2d %layer4.1.relu_1, %layer4.1.conv3.weight : (tensor<32x512x7x7xf32>, tensor<2048x512x1x1xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.1.conv3")
    %layer4.1.bn3, %layer4.1.bn3.mean, %layer4.1.bn3.invstd, %layer4.1.bn3.variance = memplan.batch_norm %layer4.1.conv3, %layer4.1.bn3.weight, %layer4.1.bn3.bias {epsilon = 1.0e-05} : (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) loc("layer4.1.bn3")
    %layer4.1.bn3.running_mean.new, %layer4.1.bn3.running_var.new = memplan.batch_norm_update_stats %layer4.1.bn3.running_mean, %layer4.1.bn3.running_var, %layer4.1.bn3.mean, %layer4.1.bn3.variance {momentum = 0.1} : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>) loc("layer4.1.bn3")
    %layer4.1.add = memplan.add %layer4.1.bn3, %layer4.0.relu_2 : (tensor<32x2048x7x7xf32>, tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.1")
    %layer4.1.relu_2 = memplan.relu %layer4.1.add : (tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.1.relu")
    %layer4.2.conv1 = memplan.conv2d %layer4.1.relu_2, %layer4.2.conv1.weight : (tensor<32x2048x7x7xf32>, tensor<512x2048x1x1xf32>) -> tensor<32x512x7x7xf32> loc("layer4.2.conv1")
    %layer4.2.bn1, %layer4.2.bn1.mean, %layer4.2.bn1.invstd, %layer4.2.bn1.variance = memplan.batch_norm %layer4.2.conv1, %layer4.2.bn1.weight, %layer4.2.bn1.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.2.bn1")
    %layer4.2.bn1.running_mean.new, %layer4.2.bn1.running_var.new = memplan.batch_norm_update_stats %layer4.2.bn1.running_mean, %layer4.2.bn1.running_var, %layer4.2.bn1.mean, %layer4.2.bn1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.2.bn1")
    %layer4.2.relu = memplan.relu %layer4.2.bn1 : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("layer4.2.relu")
    %layer4.2.conv2 = memplan.conv2d %layer4.2.relu, %layer4.2.conv2.weight {padding = [1, 1]} : (tensor<32x512x7x7xf32>, tensor<512x512x3x3xf32>) -> tensor<32x512x7x7xf32> loc("layer4.2.conv2")
    %layer4.2.bn2, %layer4.2.bn2.mean, %layer4.2.bn2.invstd, %layer4.2.bn2.variance = memplan.batch_norm %layer4.2.conv2, %layer4.2.bn2.weight, %layer4.2.bn2.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("layer4.2.bn2")
    %layer4.2.bn2.running_mean.new, %layer4.2.bn2.running_var.new = memplan.batch_norm_update_stats %layer4.2.bn2.running_mean, %layer4.2.bn2.running_var, %layer4.2.bn2.mean, %layer4.2.bn2.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("layer4.2.bn2")
    %layer4.2.relu_1 = memplan.relu %layer4.2.bn2 : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("layer4.2.relu")
    %layer4.2.conv3 = memplan.conv2d %layer4.2.relu_1, %layer4.2.conv3.weight : (tensor<32x512x7x7xf32>, tensor<2048x512x1x1xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.2.conv3")
    %layer4.2.bn3, %layer4.2.bn3.mean, %layer4.2.bn3.invstd, %layer4.2.bn3.variance = memplan.batch_norm %layer4.2.conv3, %layer4.2.bn3.weight, %layer4.2.bn3.bias {epsilon = 1.0e-05} : (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<32x2048x7x7xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) loc("layer4.2.bn3")
    %layer4.2.bn3.running_mean.new, %layer4.2.bn3.running_var.new = memplan.batch_norm_update_stats %layer4.2.bn3.running_mean, %layer4.2.bn3.running_var, %layer4.2.bn3.mean, %layer4.2.bn3.variance {momentum = 0.1} : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>) loc("layer4.2.bn3")
    %layer4.2.add = memplan.add %layer4.2.bn3, %layer4.1.relu_2 : (tensor<32x2048x7x7xf32>, tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.2")
    %layer4.2.relu_2 = memplan.relu %layer4.2.add : (tensor<32x2048x7x7xf32>) -> tensor<32x2048x7x7xf32> loc("layer4.2.relu")
    %avgpool = memplan.adaptive_avg_pool2d %layer4.2.relu_2 {output_size = [1, 1]} : (tensor<32x2048x7x7xf32>) -> tensor<32x2048x1x1xf32> loc("avgpool")
    %reshape = memplan.reshape %avgpool {shape = [-1, 2048]} : (tensor<32x2048x1x1xf32>) -> tensor<32x2048xf32> loc("model")
    %fc = memplan.matmul %reshape, %fc.weight, %fc.bias {transpose_rhs} : (tensor<32x2048xf32>, tensor<1000x2048xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("fc")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %fc, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy, %bn1.running_mean.new, %bn1.running_var.new, %layer1.0.bn1.running_mean.new, %layer1.0.bn1.running_var.new, %layer1.0.bn2.running_mean.new, %layer1.0.bn2.running_var.new, %layer1.0.bn3.running_mean.new, %layer1.0.bn3.running_var.new, %layer1.0.downsample.1.running_mean.new, %layer1.0.downsample.1.running_var.new, %layer1.1.bn1.running_mean.new, %layer1.1.bn1.running_var.new, %layer1.1.bn2.running_mean.new, %layer1.1.bn2.running_var.new, %layer1.1.bn3.running_mean.new, %layer1.1.bn3.running_var.new, %layer1.2.bn1.running_mean.new, %layer1.2.bn1.running_var.new, %layer1.2.bn2.running_mean.new, %layer1.2.bn2.running_var.new, %layer1.2.bn3.running_mean.new, %layer1.2.bn3.running_var.new, %layer2.0.bn1.running_mean.new, %layer2.0.bn1.running_var.new, %layer2.0.bn2.running_mean.new, %layer2.0.bn2.running_var.new, %layer2.0.bn3.running_mean.new, %layer2.0.bn3.running_var.new, %layer2.0.downsample.1.running_mean.new, %layer2.0.downsample.1.running_var.new, %layer2.1.bn1.running_mean.new, %layer2.1.bn1.running_var.new, %layer2.1.bn2.running_mean.new, %layer2.1.bn2.running_var.new, %layer2.1.bn3.running_mean.new, %layer2.1.bn3.running_var.new, %layer2.2.bn1.running_mean.new, %layer2.2.bn1.running_var.new, %layer2.2.bn2.running_mean.new, %layer2.2.bn2.running_var.new, %layer2.2.bn3.running_mean.new, %layer2.2.bn3.running_var.new, %layer2.3.bn1.running_mean.new, %layer2.3.bn1.running_var.new, %layer2.3.bn2.running_mean.new, %layer2.3.bn2.running_var.new, %layer2.3.bn3.running_mean.new, %layer2.3.bn3.running_var.new, %layer3.0.bn1.running_mean.new, %layer3.0.bn1.running_var.new, %layer3.0.bn2.running_mean.new, %layer3.0.bn2.running_var.new, %layer3.0.bn3.running_mean.new, %layer3.0.bn3.running_var.new, %layer3.0.downsample.1.running_mean.new, %layer3.0.downsample.1.running_var.new, %layer3.1.bn1.running_mean.new, %layer3.1.bn1.running_var.new, %layer3.1.bn2.running_mean.new, %layer3.1.bn2.running_var.new, %layer3.1.bn3.running_mean.new, %layer3.1.bn3.running_var.new, %layer3.2.bn1.running_mean.new, %layer3.2.bn1.running_var.new, %layer3.2.bn2.running_mean.new, %layer3.2.bn2.running_var.new, %layer3.2.bn3.running_mean.new, %layer3.2.bn3.running_var.new, %layer3.3.bn1.running_mean.new, %layer3.3.bn1.running_var.new, %layer3.3.bn2.running_mean.new, %layer3.3.bn2.running_var.new, %layer3.3.bn3.running_mean.new, %layer3.3.bn3.running_var.new, %layer3.4.bn1.running_mean.new, %layer3.4.bn1.running_var.new, %layer3.4.bn2.running_mean.new, %layer3.4.bn2.running_var.new, %layer3.4.bn3.running_mean.new, %layer3.4.bn3.running_var.new, %layer3.5.bn1.running_mean.new, %layer3.5.bn1.running_var.new, %layer3.5.bn2.running_mean.new, %layer3.5.bn2.running_var.new, %layer3.5.bn3.running_mean.new, %layer3.5.bn3.running_var.new, %layer4.0.bn1.running_mean.new, %layer4.0.bn1.running_var.new, %layer4.0.bn2.running_mean.new, %layer4.0.bn2.running_var.new, %layer4.0.bn3.running_mean.new, %layer4.0.bn3.running_var.new, %layer4.0.downsample.1.running_mean.new, %layer4.0.downsample.1.running_var.new, %layer4.1.bn1.running_mean.new, %layer4.1.bn1.running_var.new, %layer4.1.bn2.running_mean.new, %layer4.1.bn2.running_var.new, %layer4.1.bn3.running_mean.new, %layer4.1.bn3.running_var.new, %layer4.2.bn1.running_mean.new, %layer4.2.bn1.running_var.new, %layer4.2.bn2.running_mean.new, %layer4.2.bn2.running_var.new, %layer4.2.bn3.running_mean.new, %layer4.2.bn3.running_var.new : tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<512xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<512xf32>, tensor<512xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<2048xf32>, tensor<2048xf32>
  }
}
