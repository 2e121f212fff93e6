"""Forty networks that nothing was written for: twenty, and ten more twice. Each list was fixed before any network of it was tried, so that the exporter is
judged by what it has not seen."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from more import _sample, _timm
from networks import _SMALL, Call, Network, _labels, _language, _picture, predict_tokens

# name -> side of its images, and settings
_TIMM = {
    "cspdarknet53": (64, {}), "inception_resnet_v2": (96, {}), "rexnet_100": (64, {}), "twins_svt_small": (64, {}), "convit_tiny": (64, {"img_size": 64}),
    "dpn48b": (64, {}), "levit_128s": (224, {}),
}
_GROUPED = dict(_SMALL, num_key_value_heads=2)
# Name of the configuration and of the model, and settings
_LANGUAGE = {
    "cohere": ("CohereConfig", "CohereForCausalLM", _GROUPED),
    "gpt_neo": ("GPTNeoConfig", "GPTNeoForCausalLM", dict(vocab_size=1000, hidden_size=64, num_layers=2, num_heads=4, window_size=4,
                                                          attention_types=[[["global", "local"], 1]], max_position_embeddings=64)),
    "gptj": ("GPTJConfig", "GPTJForCausalLM", dict(vocab_size=1000, n_embd=64, n_layer=2, n_head=4, rotary_dim=8, n_positions=64)),
    "modernbert": ("ModernBertConfig", "ModernBertForMaskedLM", dict(_SMALL, pad_token_id=0, eos_token_id=1, bos_token_id=2, cls_token_id=2, sep_token_id=1)),
    "convbert": ("ConvBertConfig", "ConvBertForMaskedLM", dict(_SMALL, embedding_size=64)),
}


class SequenceToSequence(nn.Module):
    """PyTorch's own `nn.Transformer` between an embedding and logits."""

    def __init__(self, vocabulary: int = 1000, width: int = 64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.transformer = nn.Transformer(width, 4, 2, 2, 128, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        return self.head(self.transformer(self.embedding(source), self.embedding(target), tgt_mask=mask, tgt_is_causal=True))


def _transformers() -> list[Network]:
    def bart():
        import transformers
        config = transformers.BartConfig(vocab_size=1000, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
                                         encoder_ffn_dim=128, decoder_ffn_dim=128, max_position_embeddings=64, use_cache=False)
        return Call(transformers.BartForConditionalGeneration(config), "input_ids", "decoder_input_ids")

    def wav2vec2():
        import transformers
        config = transformers.Wav2Vec2Config(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, conv_dim=(32,) * 3,
                                             conv_stride=(5, 2, 2), conv_kernel=(10, 3, 3), num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
                                             mask_time_prob=0.0)
        return Call(transformers.Wav2Vec2ForSequenceClassification(config), "input_values")

    tokens = torch.arange(24).reshape(2, 12)
    return [
        *(_language(name, config, model, **settings) for name, (config, model, settings) in _LANGUAGE.items()),
        Network("bart", "transformers", bart, {"input_ids": tokens, "decoder_input_ids": tokens.flip(1)}, _labels(1000, 2, 12), predict_tokens),
        _picture("segformer", "SegformerConfig", "SegformerForImageClassification", hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1],
                 num_attention_heads=[1, 2, 4, 4]),
        _picture("dinov2", "Dinov2Config", "Dinov2ForImageClassification", hidden_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=64,
                 patch_size=16),
        Network("wav2vec2", "transformers", wav2vec2, {"input_values": torch.randn(2, 800)}, _labels(2, 2),
                lambda output, label: F.cross_entropy(output.logits, label)),
    ]


def _diffusers() -> list[Network]:
    def stable_diffusion_3():
        import diffusers
        return Call(diffusers.SD3Transformer2DModel(sample_size=16, patch_size=2, in_channels=4, out_channels=4, num_layers=2, attention_head_dim=16,
                                                    num_attention_heads=2, joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=32,
                                                    pos_embed_max_size=16), "hidden_states", "encoder_hidden_states", "pooled_projections", "timestep")

    def flux():
        import diffusers
        return Call(diffusers.FluxTransformer2DModel(patch_size=1, in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
                                                     joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=(4, 6, 6)),
                    "hidden_states", "encoder_hidden_states", "pooled_projections", "timestep", "img_ids", "txt_ids")

    def quantized_autoencoder():
        import diffusers
        return Call(diffusers.VQModel(block_out_channels=(32, 64), down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
                                      norm_num_groups=8, num_vq_embeddings=64), "sample")

    text, pooled, time = torch.rand(2, 6, 32), torch.rand(2, 32), torch.tensor([3.0, 40.0])
    places = torch.stack([torch.zeros(64), torch.arange(64) // 8, torch.arange(64) % 8], 1)
    return [
        Network("stable diffusion 3", "diffusers", stable_diffusion_3, {"latent": torch.rand(2, 4, 16, 16), "text": text, "pooled": pooled, "time": time},
                {"noise": torch.rand(2, 4, 16, 16)}, _sample),
        Network("flux", "diffusers", flux, {"latent": torch.rand(2, 64, 16), "text": text, "pooled": pooled, "time": time, "places": places,
                                            "text_places": torch.zeros(6, 3)}, {"noise": torch.rand(2, 64, 16)}, _sample),
        Network("vq model", "diffusers", quantized_autoencoder, {"image": torch.rand(2, 3, 32, 32)}, {"noise": torch.rand(2, 3, 32, 32)}, _sample),
    ]


# As _TIMM and _LANGUAGE: the later ten, with one of diffusers.
_LATER_TIMM = {
    "mobilenetv4_conv_small": (64, {}), "efficientformerv2_s0": (224, {}), "tiny_vit_5m_224": (224, {}), "inception_next_tiny": (64, {}), "starnet_s1": (64, {}),
    "davit_tiny": (64, {}),
}
_LATER_LANGUAGE = {
    "starcoder2": ("Starcoder2Config", "Starcoder2ForCausalLM", _GROUPED),
    "granite": ("GraniteConfig", "GraniteForCausalLM", _GROUPED),
    "mpnet": ("MPNetConfig", "MPNetForMaskedLM", _SMALL),
}


def _later() -> list[Network]:
    def unconditional():
        import diffusers
        return Call(diffusers.UNet2DModel(sample_size=16, in_channels=4, out_channels=4, block_out_channels=(32, 64), layers_per_block=1, norm_num_groups=8,
                                          down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8),
                    "sample", "timestep")

    return [*(_timm(name, *settings) for name, settings in _LATER_TIMM.items()),
            *(_language(name, config, model, **settings) for name, (config, model, settings) in _LATER_LANGUAGE.items()),
            Network("unconditional u-net", "diffusers", unconditional, {"latent": torch.rand(2, 4, 16, 16), "time": torch.tensor([3, 40])},
                    {"noise": torch.rand(2, 4, 16, 16)}, _sample)]


# The last ten, with two of diffusers.
_LAST_TIMM = {"repvit_m0_9": (64, {}), "hiera_tiny_224": (224, {}), "sequencer2d_s": (64, {"img_size": 64}), "swiftformer_xs": (64, {})}
_LAST_LANGUAGE = {
    "mobilebert": ("MobileBertConfig", "MobileBertForMaskedLM", dict(_SMALL, embedding_size=32, intra_bottleneck_size=32, num_feedforward_networks=2)),
    "codegen": ("CodeGenConfig", "CodeGenForCausalLM", dict(vocab_size=1000, n_embd=64, n_layer=2, n_head=4, rotary_dim=8, n_positions=64, n_ctx=64)),
    "gpt_bigcode": ("GPTBigCodeConfig", "GPTBigCodeForCausalLM", dict(vocab_size=1000, n_embd=64, n_layer=2, n_head=4, n_positions=64)),
    "olmoe": ("OlmoeConfig", "OlmoeForCausalLM", dict(_GROUPED, num_experts=4, num_experts_per_tok=2)),
}


def _last() -> list[Network]:
    def sana():
        import diffusers
        return Call(diffusers.SanaTransformer2DModel(in_channels=4, out_channels=4, num_attention_heads=2, attention_head_dim=16, num_layers=2,
                                                     num_cross_attention_heads=2, cross_attention_head_dim=16, cross_attention_dim=32, caption_channels=32,
                                                     sample_size=8), "hidden_states", "encoder_hidden_states", "timestep")

    def sound():
        import diffusers
        return Call(diffusers.UNet1DModel(sample_size=64, in_channels=2, out_channels=2, extra_in_channels=32, block_out_channels=(16, 32, 32)), "sample", "timestep")

    latent, time = torch.rand(2, 4, 8, 8), torch.tensor([3, 40])
    return [*(_timm(name, *settings) for name, settings in _LAST_TIMM.items()),
            *(_language(name, config, model, **settings) for name, (config, model, settings) in _LAST_LANGUAGE.items()),
            Network("sana", "diffusers", sana, {"latent": latent, "text": torch.rand(2, 6, 32), "time": time}, {"noise": torch.rand(2, 4, 8, 8)}, _sample),
            Network("1-D u-net", "diffusers", sound, {"sound": torch.rand(2, 2, 64), "time": time}, {"noise": torch.rand(2, 2, 64)}, _sample)]


def networks() -> list[Network]:
    tokens = torch.arange(24).reshape(2, 12)
    own = Network("nn.Transformer", "torch", SequenceToSequence, {"source": tokens, "target": tokens.flip(1)}, _labels(1000, 2, 12), predict_tokens)
    return [*(_timm(name, *settings) for name, settings in _TIMM.items()), *_transformers(), *_diffusers(), own, *_later(), *_last()]
