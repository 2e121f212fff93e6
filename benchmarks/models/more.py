"""Further networks of timm, transformers and diffusers. They were held out once; since then the exporter learned what some of them lacked."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from networks import _SMALL, Call, Network, _labels, _language

# name -> side of its images, and settings
_TIMM = {
    "mixer_s32_224": (64, {"img_size": 64}), "resmlp_12_224": (64, {"img_size": 64}), "poolformer_s12": (64, {}),
    "coatnet_nano_rw_224": (64, {"img_size": 64}), "eva02_tiny_patch14_224": (56, {"img_size": 56}),
    "deit3_small_patch16_224": (64, {"img_size": 64}), "pvt_v2_b0": (64, {}), "edgenext_xx_small": (64, {}), "mobilevit_xxs": (64, {}),
    "ghostnet_050": (64, {}), "hrnet_w18_small": (64, {}), "res2net50_14w_8s": (64, {}), "xcit_nano_12_p16_224": (64, {}),
    "cait_xxs24_224": (64, {"img_size": 64}), "convmixer_768_32": (64, {}), "volo_d1_224": (64, {"img_size": 64}), "focalnet_tiny_srf": (64, {}),
    "nfnet_l0": (64, {}), "tresnet_m": (64, {}), "dla34": (64, {}), "crossvit_tiny_240": (240, {}), "beit_base_patch16_224": (64, {"img_size": 64}),
    "fastvit_t8": (64, {}), "repvgg_a0": (64, {}), "skresnet18": (64, {}), "gcresnet33ts": (64, {}), "mambaout_femto": (64, {}),
}
_GROUPED = dict(_SMALL, num_key_value_heads=2)
# Name of the configuration and of the model, and settings
_LANGUAGE = {
    "gemma": ("GemmaConfig", "GemmaForCausalLM", dict(_GROUPED, head_dim=16)),
    "gemma2": ("Gemma2Config", "Gemma2ForCausalLM", dict(_GROUPED, head_dim=16)),
    "phi": ("PhiConfig", "PhiForCausalLM", _SMALL),
    "opt": ("OPTConfig", "OPTForCausalLM", dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128,
                                                word_embed_proj_dim=64, max_position_embeddings=64)),
    "bloom": ("BloomConfig", "BloomForCausalLM", dict(vocab_size=1000, hidden_size=64, n_layer=2, n_head=4)),
    "gpt_neox": ("GPTNeoXConfig", "GPTNeoXForCausalLM", _SMALL),
    "falcon": ("FalconConfig", "FalconForCausalLM", dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, num_attention_heads=4)),
    "electra": ("ElectraConfig", "ElectraForMaskedLM", dict(_SMALL, embedding_size=32)),
    "distilbert": ("DistilBertConfig", "DistilBertForMaskedLM", dict(vocab_size=1000, dim=64, n_layers=2, n_heads=4, hidden_dim=128)),
    "albert": ("AlbertConfig", "AlbertForMaskedLM", dict(_SMALL, embedding_size=32)),
    "deberta_v2": ("DebertaV2Config", "DebertaV2ForMaskedLM", dict(_SMALL, relative_attention=True, pos_att_type=["c2p", "p2c"])),
    "xlnet": ("XLNetConfig", "XLNetLMHeadModel", dict(vocab_size=1000, d_model=64, n_layer=2, n_head=4, d_inner=128)),
    "fnet": ("FNetConfig", "FNetForMaskedLM", dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, intermediate_size=128,
                                                   max_position_embeddings=12)),
    "rwkv": ("RwkvConfig", "RwkvForCausalLM", dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, context_length=32)),
    "mamba2": ("Mamba2Config", "Mamba2ForCausalLM", dict(vocab_size=1000, hidden_size=64, num_hidden_layers=2, num_heads=4, head_dim=32, state_size=8,
                                                         n_groups=1, chunk_size=8)),
    "qwen3": ("Qwen3Config", "Qwen3ForCausalLM", dict(_GROUPED, head_dim=16)),
    "qwen3_moe": ("Qwen3MoeConfig", "Qwen3MoeForCausalLM", dict(_GROUPED, head_dim=16, moe_intermediate_size=64, num_experts=4, num_experts_per_tok=2)),
    "olmo2": ("Olmo2Config", "Olmo2ForCausalLM", _GROUPED),
    "gpt_oss": ("GptOssConfig", "GptOssForCausalLM", dict(_GROUPED, head_dim=16, num_local_experts=4)),
    "deepseek_v3": ("DeepseekV3Config", "DeepseekV3ForCausalLM",
                    dict(_SMALL, num_key_value_heads=4, moe_intermediate_size=32, n_routed_experts=4, n_group=2, topk_group=1, num_experts_per_tok=2,
                         kv_lora_rank=16, q_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=16, first_k_dense_replace=1)),
}


def _timm(name: str, size: int, settings: dict) -> Network:
    def build():
        import timm
        return timm.create_model(name, num_classes=10, **settings)

    return Network(name, "timm", build, {"image": torch.rand(2, 3, size, size)}, _labels(10, 2), F.cross_entropy)


def _sample(output, noise):
    return F.mse_loss(output.sample if hasattr(output, "sample") else output[0], noise)


def _diffusers() -> list[Network]:
    def unet():
        import diffusers
        return Call(diffusers.UNet2DConditionModel(
            sample_size=16, block_out_channels=(32, 64), layers_per_block=1, down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), cross_attention_dim=32, attention_head_dim=8),
            "sample", "timestep", "encoder_hidden_states")

    def dit():
        import diffusers
        return Call(diffusers.DiTTransformer2DModel(num_attention_heads=2, attention_head_dim=16, in_channels=4, out_channels=4, num_layers=2,
                                                    sample_size=16, norm_num_groups=4), "hidden_states", "timestep", "class_labels")

    def autoencoder():
        import diffusers
        return Call(diffusers.AutoencoderKL(block_out_channels=(32, 64), down_block_types=("DownEncoderBlock2D",) * 2,
                                            up_block_types=("UpDecoderBlock2D",) * 2, norm_num_groups=8), "sample")

    def pixart():
        import diffusers
        return Call(diffusers.PixArtTransformer2DModel(
            num_attention_heads=2, attention_head_dim=16, in_channels=4, out_channels=4, num_layers=2, sample_size=16, cross_attention_dim=32,
            caption_channels=32, norm_num_groups=4), "hidden_states", "encoder_hidden_states", "timestep")

    latent, time, text = torch.rand(2, 4, 16, 16), torch.tensor([3, 40]), torch.rand(2, 6, 32)
    noise = {"noise": torch.rand(2, 4, 16, 16)}
    return [
        Network("stable diffusion u-net", "diffusers", unet, {"latent": latent, "time": time, "text": text}, noise, _sample),
        Network("dit", "diffusers", dit, {"latent": latent, "time": time, "kind": torch.tensor([1, 2])}, noise, _sample),
        Network("autoencoder kl", "diffusers", autoencoder, {"image": torch.rand(2, 3, 32, 32)}, {"noise": torch.rand(2, 3, 32, 32)}, _sample),
        Network("pixart", "diffusers", pixart, {"latent": latent, "text": text, "time": time}, noise, _sample),
    ]


def networks() -> list[Network]:
    return [*(_timm(name, *settings) for name, settings in _TIMM.items()),
            *(_language(name, config, model, **settings) for name, (config, model, settings) in _LANGUAGE.items()), *_diffusers()]
