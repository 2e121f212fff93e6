"""Models of the benchmarks of memplan.torch: build(name) gives a module, inputs with targets, and a loss, on the device "meta"; build_small(name)
real ones that a CPU runs in a second."""
import pathlib
import sys

import torch
import torchvision
from torch import nn
from torch.nn import functional

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / part) for part in ("build/python", "benchmarks")]
import shared  # noqa: E402
from memplan.models import UNet  # noqa: E402


class Layer(nn.Module):
    """Transformer layer: causal with norms first (GPT-2), or bidirectional with norms last (BERT). Attention is one operator, or its products and
    softmax where `parts` is set."""

    def __init__(self, width, heads, causal, parts=False):
        super().__init__()
        self.heads, self.causal, self.parts = heads, causal, parts
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh" if causal else "none"), nn.Linear(4 * width, width))

    def mix(self, x):
        parts = self.attend(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        if self.parts:
            weights = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
            if self.causal:
                weights = weights.masked_fill(~torch.ones(q.shape[-2:-1] * 2, dtype=torch.bool, device=q.device).tril(), float("-inf"))
            mixed = functional.softmax(weights, -1) @ v
        else:
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.project(mixed.transpose(1, 2).flatten(2))

    def forward(self, x):
        if self.causal:
            x = x + self.mix(self.norms[0](x))
            return x + self.feed(self.norms[1](x))
        x = self.norms[0](x + self.mix(x))
        return self.norms[1](x + self.feed(x))


class Language(nn.Module):
    """Embeddings, layers and an output tied to the embedding."""

    def __init__(self, words, length, causal, width=768, heads=12, layers=12, parts=False):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads, causal, parts) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.out.weight = self.words.weight

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        return self.out(self.norm(x)).flatten(0, 1)


DEFAULTS = ("resnet18:8", "vgg16:32", "unet:8", "mobilenet_v2:32", "resnet50:32", "mobilenet_v3_small:64", "bert:4", "gpt2:8", "vit_b_16:32", "densenet121:32", "convnext_tiny:32", "shufflenet_v2_x1_0:64")


# Models that nothing was written for: what cells.py --others runs. Names are of torchvision, or behind their package and a dot.
OTHERS = ("alexnet:32", "squeezenet1_0:32", "mnasnet1_0:32", "resnet34:16", "vgg11_bn:16", "mobilenet_v3_large:32", "wide_resnet50_2:16", "resnext50_32x4d:16", "efficientnet_b0:32", "timm.resmlp_12_224:32",
          "vit_b_32:32", "swin_t:16", "timm.mixer_s16_224:32", "timm.poolformer_s12:16", "timm.ghostnet_100:32", "timm.convmixer_768_32:4", "timm.deit_tiny_patch16_224:32",
          "transformers.distilbert:8", "transformers.llama:4", "transformers.opt:4", "transformers.t5:4", "transformers.gpt_neox:4")


class Logits(nn.Module):
    """A language model of transformers as its logits alone, of each word a row. Arguments that `also` names take the words too."""

    def __init__(self, model, also):
        super().__init__()
        self.model, self.also = model, also

    def forward(self, ids):
        return self.model(input_ids=ids, **dict.fromkeys(self.also, ids)).logits.flatten(0, 1)


# By kind: its head, its configuration where that is not the kind's own, and further arguments that take the words.
_KINDS = {"distilbert": ("AutoModelForMaskedLM", {}, ()), "opt": ("AutoModelForCausalLM", {"use_cache": False}, ()), "t5": ("AutoModelForSeq2SeqLM", {"use_cache": False}, ("decoder_input_ids",)),
          "llama": ("AutoModelForCausalLM", {"hidden_size": 768, "intermediate_size": 2048, "num_hidden_layers": 12, "num_attention_heads": 12, "num_key_value_heads": 4, "use_cache": False}, ()),
          "gpt_neox": ("AutoModelForCausalLM", {"hidden_size": 512, "intermediate_size": 2048, "num_hidden_layers": 6, "num_attention_heads": 8, "use_cache": False}, ())}


def _transformers(kind, batch, length=512):
    """A language model of random weights, its words and their targets."""
    import transformers

    head, sizes, more = _KINDS[kind]
    config = transformers.AutoConfig.for_model(kind, **sizes)
    net = Logits(getattr(transformers, head).from_config(config), more)
    return net, (torch.empty(batch, length, dtype=torch.long), torch.empty(batch * length, dtype=torch.long)), functional.cross_entropy


def build(name):
    """(module, inputs and target, loss) of NAME:BATCH; nothing is allocated."""
    model, batch = name.split(":")
    package, _, model = model.rpartition(".")
    batch = int(batch)
    with torch.device("meta"):
        if package == "transformers":
            return _transformers(model, batch)
        if package == "timm":
            import timm

            return timm.create_model(model), (torch.empty(batch, 3, 224, 224), torch.empty(batch, dtype=torch.long)), functional.cross_entropy
        if model in ("gpt2", "gpt2_math", "bert"):
            words, length = (30522, 512) if model == "bert" else (50257, 1024)
            net = Language(words, length, causal=model != "bert", parts=model == "gpt2_math")
            return net, (torch.empty(batch, length, dtype=torch.long), torch.empty(batch * length, dtype=torch.long)), functional.cross_entropy
        if model == "unet":
            net = UNet(3, 1)
            return net, (torch.empty(batch, 3, 416, 608), torch.empty(batch, 1, 416, 608)), functional.binary_cross_entropy_with_logits
        net = getattr(torchvision.models, model)()
        return net, (torch.empty(batch, 3, 224, 224), torch.empty(batch, dtype=torch.long)), functional.cross_entropy


class Dropping(nn.Module):
    """Eight layers with dropout, whose masks are drawn anew where values are recomputed."""

    def __init__(self, width=512, rate=0.1):
        super().__init__()
        self.layers, self.head, self.rate = nn.ModuleList(nn.Linear(width, width) for _ in range(8)), nn.Linear(width, 4 * width), rate

    def forward(self, x):
        for layer in self.layers:
            x = functional.dropout(torch.tanh(layer(x)), self.rate) + x
        return self.head(x)


# What steps.py runs where no model is named, and what it takes times of.
SMALL = ("resnet18:4", "vgg16:2", "unet:2", "mobilenet_v2:4", "resnet50:4", "mobilenet_v3_small:8", "bert:4", "gpt2:4", "vit:8", "densenet121:4", "convnext_tiny:2", "shufflenet_v2_x1_0:8")
TIMED = ("resnet18:4", "mobilenet_v2:4", "resnet50:4", "bert:4", "gpt2:4", "vit:8")


def build_small(name):
    """(module, inputs and target, loss) of NAME:BATCH on the CPU: images of 96 x 96, U-Net 64 x 96; transformers of four layers of 128, with 2,000 words
    and 128 places, or images of 64 x 64; "dropping" is eight layers with dropout."""
    model, batch = name.split(":")
    batch = int(batch)
    torch.manual_seed(0)
    if model in ("gpt2", "bert"):
        net = Language(2000, 128, causal=model == "gpt2", width=128, heads=4, layers=4)
        return net, (torch.randint(0, 2000, (batch, 128)), torch.randint(0, 2000, (batch * 128,))), functional.cross_entropy
    if model == "dropping":
        return Dropping(), (torch.randn(batch, 512), torch.randint(0, 2048, (batch,))), functional.cross_entropy
    if model == "unet":
        return UNet(3, 1), (torch.randn(batch, 3, 64, 96), torch.rand(batch, 1, 64, 96)), functional.binary_cross_entropy_with_logits
    size = 64 if model == "vit" else 96
    if model == "vit":
        net = torchvision.models.VisionTransformer(image_size=size, patch_size=8, num_layers=4, num_heads=4, hidden_dim=128, mlp_dim=512, num_classes=10)
    else:
        net = getattr(torchvision.models, model)(num_classes=10)
    return net, (torch.randn(batch, 3, size, size), torch.randint(0, 10, (batch,))), functional.cross_entropy


def heads(found):
    """The lines above a table: what its rows are of, a line for each run that they come from."""
    return list(dict.fromkeys(shared.head(model["origin"]) for model in found))
