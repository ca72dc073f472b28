"""Tiny text models whose layers are not all of full attention: sliding windows, recurrent layers, convolutions."""

import torch
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    Lfm2Config,
    Lfm2ForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen3_5ForCausalLM,
    Qwen3_5TextConfig,
    Qwen3NextConfig,
    Qwen3NextForCausalLM,
)

from tests.evaluation.backends.tiny_models import _CHATML, _qwen_tokenizer, _text, _write

# Shorter than the prompts of the tests.
WINDOW = 8


def _written(folder, config, model, *, spread=8.0, **more):
    tokenizer = _qwen_tokenizer()
    torch.manual_seed(0)
    return _write(folder, model(config(**_text(tokenizer, 64, 2, **more))), tokenizer, _CHATML, spread=spread)


def write_mistral(folder):
    """Every layer has a window."""
    return _written(folder, MistralConfig, MistralForCausalLM, sliding_window=WINDOW)


def write_gemma2(folder):
    """Every other layer has a window."""
    return _written(folder, Gemma2Config, Gemma2ForCausalLM, sliding_window=WINDOW, head_dim=16)


def write_gemma3(folder):
    """One layer with a window, one without; their positions differ."""
    kinds = {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": WINDOW, "head_dim": 16}
    return _written(folder, Gemma3TextConfig, Gemma3ForCausalLM, **kinds)


_LINEAR = {
    "layer_types": ["linear_attention", "full_attention"],
    "head_dim": 16,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
}


def write_qwen3_5(folder):
    """A layer of linear attention, one of full attention."""
    return _written(folder, Qwen3_5TextConfig, Qwen3_5ForCausalLM, spread=4.0, **_LINEAR)


def write_qwen3_next(folder):
    """The same with experts."""
    experts = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
    shared = {"shared_expert_intermediate_size": 32}
    return _written(folder, Qwen3NextConfig, Qwen3NextForCausalLM, **_LINEAR, **experts, **shared)


def write_lfm2(folder):
    """A layer of convolutions, one of full attention."""
    return _written(folder, Lfm2Config, Lfm2ForCausalLM, layer_types=["conv", "full_attention"], block_multiple_of=16)


SLIDING = {"mistral": write_mistral, "gemma2": write_gemma2, "gemma3": write_gemma3}
RECURRENT = {"qwen3.5": write_qwen3_5, "qwen3-next": write_qwen3_next, "lfm2": write_lfm2}
