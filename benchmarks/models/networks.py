"""The networks whose training steps are tried, at sizes that a small machine traces in seconds."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from unittest import mock

import torch
from torch import nn
from torch.nn import functional as F


@dataclasses.dataclass(frozen=True)
class Network:
    """`build()` gives a module, `inputs` and `targets` tensors by name, `loss` a scalar of its output and the targets."""

    name: str
    family: str
    build: Callable
    inputs: dict
    targets: dict
    loss: Callable


def _images(size=64, batch=2, channels=3):
    return {"image": torch.rand(batch, channels, size, size)}


def _labels(classes, *shape):
    return {"label": torch.arange(torch.Size(shape).numel()).reshape(shape) % classes}


def first(output):
    """Logits of networks that return them beside others."""
    return output[0] if isinstance(output, tuple) else output


def classify(output, label):
    return F.cross_entropy(first(output), label)


def segment(output, label):
    return F.cross_entropy(output["out"], label)


def predict_tokens(output, label):
    logits = output.logits if hasattr(output, "logits") else first(output)
    return F.cross_entropy(logits.flatten(0, -2), label.flatten())


def regress(output, target):
    return F.mse_loss(first(output), target)


# torchvision ----------------------------------------------------------------------------------------------------------

# The smallest member of each family; --all tries every constructor.
_FAMILIES = ("alexnet vgg11 vgg11_bn resnet18 resnet50 resnext50_32x4d wide_resnet50_2 densenet121 squeezenet1_0 googlenet inception_v3 mnasnet0_5 "
             "mobilenet_v2 mobilenet_v3_small mobilenet_v3_large shufflenet_v2_x0_5 efficientnet_b0 efficientnet_v2_s regnet_x_400mf regnet_y_400mf "
             "convnext_tiny vit_b_32 swin_t swin_v2_t maxvit_t").split()
_SEGMENTATION = "fcn_resnet50 deeplabv3_resnet50 deeplabv3_mobilenet_v3_large lraspp_mobilenet_v3_large".split()
_VIDEO = "r3d_18 mc3_18 r2plus1d_18 s3d mvit_v1_b mvit_v2_s swin3d_t".split()
_DETECTION = "fasterrcnn_resnet50_fpn fasterrcnn_mobilenet_v3_large_fpn retinanet_resnet50_fpn".split()
# What their strides or windows need.
_SIZES = {"inception_v3": 96, "swin_t": 64, "maxvit_t": 224, "alexnet": 96, "mvit_v1_b": 64, "mvit_v2_s": 64, "s3d": 224}


def _vision(name: str) -> Network:
    from torchvision import models
    size = _SIZES.get(name, 64)
    settings = {"image_size": size} if name.startswith("vit") else {"input_size": (size, size)} if name == "maxvit_t" else {}
    if name in ("googlenet", "inception_v3"):
        settings = {"init_weights": False, "aux_logits": False}
    return Network(name, "torchvision classification", lambda: getattr(models, name)(**settings), _images(size), _labels(1000, 2), classify)


def _segmentation(name: str) -> Network:
    from torchvision.models import segmentation
    build = lambda: getattr(segmentation, name)(weights_backbone=None, num_classes=5)  # noqa: E731
    return Network(name, "torchvision segmentation", build, _images(), _labels(5, 2, 64, 64), segment)


def _video(name: str) -> Network:
    from torchvision.models import video
    size = _SIZES.get(name, 32)
    frames = 16 if name != "r3d_18" else 4

    def build():
        # Two constructors fix the size of the images.
        with mock.patch.object(video.mvit.MViT, "__init__", functools.partialmethod(_init_mvit, video.mvit.MViT.__init__, size)):
            return getattr(video, name)()

    clip = {"clip": torch.rand(2, 3, frames, size, size)}
    return Network(name, "torchvision video", build, clip, _labels(400, 2), classify)


def _init_mvit(self, init, size: int, **settings):
    init(self, **settings | {"spatial_size": (size, size)})


class Detector(nn.Module):
    """Backbone, feature pyramid and dense head of a torchvision detector. What follows, proposals and their suppression, depends on values."""

    def __init__(self, name: str):
        super().__init__()
        from torchvision.models.detection import backbone_utils, retinanet, rpn
        settings = {"weights": None, "norm_layer": nn.BatchNorm2d}
        if "mobilenet" in name:
            self.backbone = backbone_utils.mobilenet_backbone(backbone_name="mobilenet_v3_large", fpn=True, trainable_layers=6, **settings)
        else:
            self.backbone = backbone_utils.resnet_fpn_backbone(backbone_name="resnet50", trainable_layers=5, **settings)
        channels = self.backbone.out_channels
        self.head = retinanet.RetinaNetHead(channels, 9, 5) if name.startswith("retinanet") else rpn.RPNHead(channels, 3)

    def forward(self, image):
        found = self.head(list(self.backbone(image).values()))
        return ([found["cls_logits"]], [found["bbox_regression"]]) if isinstance(found, dict) else found


def detect(output, present):
    """Every anchor of an image has its class and no offset."""
    scores, offsets = output
    wanted = [present.reshape(-1, *[1] * (s.dim() - 1)).expand_as(s) for s in scores]
    return sum(map(F.binary_cross_entropy_with_logits, scores, wanted)) + sum(F.smooth_l1_loss(o, torch.zeros_like(o)) for o in offsets)


def _detection(name: str) -> Network:
    return Network(name, "torchvision detection", lambda: Detector(name), _images(), {"present": torch.tensor([0.0, 1.0])}, detect)


# Own definitions ------------------------------------------------------------------------------------------------------


class RecurrentLanguageModel(nn.Module):
    """Embedding, a recurrent network, and logits of the next token."""

    def __init__(self, kind, vocabulary: int = 1000, width: int = 64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.recurrent = kind(width, width, num_layers=2, dropout=0.1, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        return self.head(self.recurrent(self.embedding(tokens))[0])


class Conv3dPair(nn.Sequential):
    """Two 3-D convolutions with batch normalization."""

    def __init__(self, inputs: int, outputs: int):
        def layers(a, b):
            return [nn.Conv3d(a, b, 3, padding=1), nn.BatchNorm3d(b), nn.ReLU()]

        super().__init__(*layers(inputs, outputs), *layers(outputs, outputs))


class UNet3d(nn.Module):
    """3-D U-Net of two levels (Cicek et al., 2016)."""

    def __init__(self, width: int = 8):
        super().__init__()
        self.down, self.bottom = Conv3dPair(1, width), Conv3dPair(width, 2 * width)
        self.up, self.merge = nn.ConvTranspose3d(2 * width, width, 2, stride=2), Conv3dPair(2 * width, width)
        self.out = nn.Conv3d(width, 3, 1)

    def forward(self, x):
        skipped = self.down(x)
        x = self.up(self.bottom(F.max_pool3d(skipped, 2)))
        return self.out(self.merge(torch.cat([x, skipped], 1)))


class TimedBlock(nn.Module):
    """Residual block of a diffusion U-Net: group norms, silu, the embedded time added between the convolutions."""

    def __init__(self, inputs: int, outputs: int, time: int):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(4, inputs), nn.Conv2d(inputs, outputs, 3, padding=1)
        self.time = nn.Linear(time, outputs)
        self.n2, self.c2 = nn.GroupNorm(4, outputs), nn.Conv2d(outputs, outputs, 3, padding=1)
        self.skip = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, time):
        h = self.c1(F.silu(self.n1(x))) + self.time(F.silu(time))[:, :, None, None]
        return self.skip(x) + self.c2(F.silu(self.n2(h)))


class DiffusionUNet(nn.Module):
    """U-Net that predicts noise: sinusoidal time, attention at the bottom, nearest upsampling (Ho et al., 2020)."""

    def __init__(self, width: int = 16):
        super().__init__()
        self.width = width
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.down = TimedBlock(width, width, width)
        self.shrink = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.middle = TimedBlock(2 * width, 2 * width, width)
        self.attention = nn.MultiheadAttention(2 * width, 4, batch_first=True)
        self.up = TimedBlock(3 * width, width, width)
        self.out = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x, time):
        steps = torch.exp(torch.arange(self.width // 2) * (-9.0 / self.width)).to(x.device)
        angle = time.to(torch.float32)[:, None] * steps[None]
        time = torch.cat([angle.sin(), angle.cos()], 1).to(x.dtype)
        skipped = self.down(self.first(x), time)
        h = self.middle(self.shrink(skipped), time)
        tokens = h.flatten(2).transpose(1, 2)
        tokens = tokens + self.attention(tokens, tokens, tokens, need_weights=False)[0]
        h = F.interpolate(tokens.transpose(1, 2).view_as(h), scale_factor=2)
        return self.out(self.up(torch.cat([h, skipped], 1), time))


class MixtureOfExperts(nn.Module):
    """A perceptron whose tokens go to the two best of four experts, weighed by a softmax over them."""

    def __init__(self, width: int = 32, experts: int = 4):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(width, 64), nn.GELU(), nn.Linear(64, width)) for _ in range(experts))

    def forward(self, x):
        best, which = self.gate(x).topk(2, dim=-1)
        weights = torch.zeros_like(self.gate(x)).scatter(-1, which, best.softmax(-1))
        return sum(weights[..., i:i + 1] * expert(x) for i, expert in enumerate(self.experts))


def _own() -> list[Network]:
    from memplan.models import GPT2, UNet
    tokens, labels = {"tokens": torch.arange(24).reshape(2, 12)}, _labels(1000, 2, 12)
    gpt = lambda: GPT2(vocabulary=1000, width=64, layers=2, heads=4, length=16)  # noqa: E731
    return [
        Network("unet", "own", lambda: UNet(width=8, depth=2), _images(32), {"mask": torch.rand(2, 1, 32, 32)},
                F.binary_cross_entropy_with_logits),
        Network("gpt2 (own)", "own", gpt, tokens, labels, predict_tokens),
        Network("lstm language model", "own", lambda: RecurrentLanguageModel(nn.LSTM), tokens, labels, predict_tokens),
        Network("gru language model", "own", lambda: RecurrentLanguageModel(nn.GRU), tokens, labels, predict_tokens),
        Network("3-D u-net", "own", UNet3d, {"volume": torch.rand(2, 1, 8, 16, 16)}, _labels(3, 2, 8, 16, 16), classify),
        Network("diffusion u-net", "own", DiffusionUNet, {**_images(16), "time": torch.tensor([3, 40])}, {"noise": torch.rand(2, 3, 16, 16)}, regress),
        Network("mixture of experts", "own", MixtureOfExperts, {"x": torch.rand(2, 6, 32)}, {"y": torch.rand(2, 6, 32)}, regress),
    ]


# transformers ---------------------------------------------------------------------------------------------------------


class Call(nn.Module):
    """A model of `transformers` called with named tensors; what it returns stays as it is."""

    def __init__(self, model, *names, **settings):
        super().__init__()
        self.model, self._names, self._settings = model, names, settings

    def forward(self, *tensors):
        return self.model(**dict(zip(self._names, tensors)), **self._settings)


_SMALL = dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128)


def _language(name: str, config: str, model: str, **settings) -> Network:
    def build():
        import transformers
        made = getattr(transformers, config)(**settings)
        made.use_cache = False
        return Call(getattr(transformers, model)(made), "input_ids")

    return Network(name, "transformers", build, {"input_ids": torch.arange(24).reshape(2, 12) % 1000}, _labels(1000, 2, 12), predict_tokens)


def _picture(name: str, config: str, model: str, **settings) -> Network:
    def build():
        import transformers
        return Call(getattr(transformers, model)(getattr(transformers, config)(**settings)), "pixel_values")

    return Network(name, "transformers", build, {"pixel_values": torch.rand(2, 3, 64, 64)}, _labels(2, 2),
                   lambda output, label: F.cross_entropy(output.logits, label))


def _sequence_pair() -> list[Network]:
    def t5():
        import transformers
        config = transformers.T5Config(vocab_size=1000, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, use_cache=False)
        return Call(transformers.T5ForConditionalGeneration(config), "input_ids", "decoder_input_ids")

    def clip():
        import transformers
        text = dict(vocab_size=1000, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, eos_token_id=2)
        image = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, image_size=64, patch_size=16)
        config = transformers.CLIPConfig(text_config=text, vision_config=image, projection_dim=32)
        return Call(transformers.CLIPModel(config), "input_ids", "pixel_values")

    def whisper():
        import transformers
        config = transformers.WhisperConfig(vocab_size=1000, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                            decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128, max_source_positions=50,
                                            num_mel_bins=16, use_cache=False, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                                            decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None)
        return Call(transformers.WhisperForConditionalGeneration(config), "input_features", "decoder_input_ids")

    tokens, labels = torch.arange(24).reshape(2, 12), _labels(1000, 2, 12)
    return [
        Network("t5", "transformers", t5, {"input_ids": tokens, "decoder_input_ids": tokens.flip(1)}, labels, predict_tokens),
        Network("clip", "transformers", clip, {"input_ids": tokens, "pixel_values": torch.rand(2, 3, 64, 64)}, _labels(2, 2),
                lambda output, label: F.cross_entropy(output.logits_per_image, label)),
        Network("whisper", "transformers", whisper, {"input_features": torch.rand(2, 16, 100), "decoder_input_ids": tokens}, labels,
                predict_tokens),
    ]


def _transformers() -> list[Network]:
    grouped = dict(_SMALL, num_key_value_heads=2)
    return [
        _language("gpt2", "GPT2Config", "GPT2LMHeadModel", vocab_size=1000, n_embd=64, n_layer=2, n_head=4, n_positions=32),
        _language("llama", "LlamaConfig", "LlamaForCausalLM", **grouped),
        _language("qwen2", "Qwen2Config", "Qwen2ForCausalLM", **grouped),
        _language("mistral", "MistralConfig", "MistralForCausalLM", **grouped),
        _language("mixtral", "MixtralConfig", "MixtralForCausalLM", **grouped, num_local_experts=4),
        _language("bert", "BertConfig", "BertForMaskedLM", **_SMALL),
        _language("roberta", "RobertaConfig", "RobertaForMaskedLM", **_SMALL),
        _language("mamba", "MambaConfig", "MambaForCausalLM", vocab_size=1000, hidden_size=64, num_hidden_layers=2, state_size=8),
        _picture("vit", "ViTConfig", "ViTForImageClassification", hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
                 intermediate_size=128, image_size=64),
        _picture("swin", "SwinConfig", "SwinForImageClassification", image_size=64, embed_dim=24, depths=[2, 2], num_heads=[2, 4], window_size=4),
        _picture("convnext", "ConvNextConfig", "ConvNextForImageClassification", hidden_sizes=[16, 32, 64, 128], depths=[1, 1, 2, 1]),
        *_sequence_pair(),
    ]


def networks(every: bool = False) -> list[Network]:
    """All that are tried; with `every` each constructor of torchvision's classification, segmentation and video models."""
    names = [_FAMILIES, _SEGMENTATION, _VIDEO]
    if every:
        from torchvision import models
        modules = (models, models.segmentation, models.video)
        names = [models.list_models(module=m) for m in modules]
    return [*map(_vision, names[0]), *map(_segmentation, names[1]), *map(_detection, _DETECTION), *map(_video, names[2]), *_own(), *_transformers()]
