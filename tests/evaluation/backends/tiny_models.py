"""Tiny language models with random weights, laid out as published checkpoints are; nothing is downloaded.

Each function writes a folder and returns it. The tokenizers read bytes, so that no text is unknown, and know a few
pairs of bytes, so that candidates share tokens. Random weights of the usual size give nearly the same probability to
every token, which would hide a wrong position: ``spread`` multiplies the matrices.
"""

import json
from functools import cache

import numpy as np
import torch
from PIL import Image
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    GotOcr2ImageProcessorPil,
    InternVLConfig,
    InternVLForConditionalGeneration,
    LlamaConfig,
    LlamaForCausalLM,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaNextConfig,
    LlavaNextForConditionalGeneration,
    LlavaNextImageProcessorPil,
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2VLConfig,
    Qwen2VLForConditionalGeneration,
    Qwen2VLImageProcessorPil,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

_CORPUS = [
    "描述: 戴着黑色帽子的男人在拉二胡 对话历史: 问题: 这个男人穿着什么样的衣服? 答案: 这个男人穿着黑色的长袍",
    "請根據提供的圖片回答以下的單選題，並且在回覆的最後記得講格式: 答案:A B C D",
    "Question: What is in the image? Options: A B C D Short answer: user assistant system",
]

_QWEN_TOKENS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)

# As Qwen2-VL ships it, without tools and videos.
_CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['content'] is string %}{{ m['content'] }}{% else %}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}{{ picture }}{% elif c['type'] == 'text' %}{{ c['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_QWEN = _CHATML.replace("{{ picture }}", "<|vision_start|><|image_pad|><|vision_end|>")
_INTERNVL = _CHATML.replace("{{ picture }}", "<IMG_CONTEXT>\n")

# As LLaVA-1.5 ships it: pictures come first, and there is no place for a system's text.
_LLAVA = (
    "{% for m in messages %}{% if m['role'] == 'user' %}USER: "
    "{% for c in m['content'] %}{% if c['type'] == 'image' %}<image>\n{% endif %}{% endfor %}"
    "{% for c in m['content'] %}{% if c['type'] == 'text' %}{{ c['text'] }} {% endif %}{% endfor %}"
    "{% elif m['role'] == 'assistant' %}ASSISTANT: "
    "{% for c in m['content'] %}{% if c['type'] == 'text' %}{{ c['text'] }}</s>{% endif %}{% endfor %}"
    "{% endif %}{% endfor %}{% if add_generation_prompt %}ASSISTANT:{% endif %}"
)


def picture(width=112, height=84, seed=0):
    """A picture of noise."""
    values = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


@cache
def _bytes_and_pairs(special):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokens = [AddedToken(token, special=True, normalized=False) for token in special]
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=tokens, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return tokenizer.to_str()


def _tokenizer(special, **named):
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(_bytes_and_pairs(tuple(special))), padding_side="left", **named
    )


def _qwen_tokenizer(**more):
    return _tokenizer(_QWEN_TOKENS, eos_token="<|im_end|>", pad_token="<|endoftext|>", **more)


def _ids(tokenizer, **tokens):
    return {name: tokenizer.convert_tokens_to_ids(token) for name, token in tokens.items()}


def _text(tokenizer, hidden, layers, **more):
    ends = _ids(tokenizer, eos_token_id=tokenizer.eos_token, pad_token_id=tokenizer.pad_token)
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": hidden,
        "intermediate_size": 2 * hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 8192,
        **ends,
        **more,
    }


def _write(folder, model, tokenizer, template, *, spread, images=None, processor="", **facts):
    """Save a model as published: an image processor's file names the processor, templates are files."""
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.dim() >= 2 and "embed" not in name and "visual" not in name and "vision" not in name:
                weights.mul_(spread)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if images is None:
        (folder / "chat_template.jinja").write_text(template)
        return folder
    images.save_pretrained(folder)
    file = folder / "preprocessor_config.json"
    content = json.loads(file.read_text())
    content["image_processor_type"] = content["image_processor_type"].removesuffix("Pil")
    file.write_text(json.dumps({**content, "processor_class": processor}))
    (folder / "processor_config.json").write_text(json.dumps({"processor_class": processor, **facts}))
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": template}))
    return folder


# --- Qwen -------------------------------------------------------------------------------------------------------------


def _qwen_ids(tokenizer):
    return _ids(
        tokenizer,
        image_token_id="<|image_pad|>",
        video_token_id="<|video_pad|>",
        vision_start_token_id="<|vision_start|>",
        vision_end_token_id="<|vision_end|>",
    )


def _rope(hidden, heads=4):
    half = hidden // heads // 2  # of one head; the three sections must sum to it
    third = half // 3
    return {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [half - 2 * third, third, third]}


def _qwen_images(patch=14):
    return Qwen2VLImageProcessorPil(min_pixels=28 * 28, max_pixels=28 * 28 * 64, patch_size=patch)


def write_qwen2_vl(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """A Qwen2-VL; pictures have the positions of a grid."""
    tokenizer = _qwen_tokenizer()
    config = Qwen2VLConfig(
        text_config=_text(tokenizer, hidden, layers, rope_parameters=_rope(hidden)),
        vision_config={"depth": 2, "embed_dim": 32, "hidden_size": hidden, "num_heads": 2, "mlp_ratio": 2},
        tie_word_embeddings=False,
        **_qwen_ids(tokenizer),
    )
    torch.manual_seed(seed)
    model = Qwen2VLForConditionalGeneration(config)
    return _write(folder, model, tokenizer, _QWEN, spread=spread, images=_qwen_images(), processor="Qwen2VLProcessor")


def write_qwen2_5_vl(folder, *, hidden=64, layers=2, heads=(4, 2), spread=8.0, seed=0, **vision):
    """A Qwen2.5-VL; ``heads`` of queries and of keys, ``vision`` other numbers of its picture encoder."""
    tokenizer = _qwen_tokenizer()
    of_text = dict(zip(("num_attention_heads", "num_key_value_heads"), heads, strict=True))
    vision = {"depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "patch_size": 14} | vision
    config = Qwen2_5_VLConfig(
        text_config=_text(tokenizer, hidden, layers, rope_parameters=_rope(hidden, heads[0]), **of_text),
        vision_config={**vision, "window_size": 56, "fullatt_block_indexes": [1], "out_hidden_size": hidden},
        tie_word_embeddings=False,
        **_qwen_ids(tokenizer),
    )
    torch.manual_seed(seed)
    model = Qwen2_5_VLForConditionalGeneration(config)
    processor = "Qwen2_5_VLProcessor"
    return _write(folder, model, tokenizer, _QWEN, spread=spread, images=_qwen_images(), processor=processor)


def write_qwen3_vl(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """A Qwen3-VL; features of pictures enter several layers."""
    tokenizer = _qwen_tokenizer()
    vision = {"depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "patch_size": 16}
    config = Qwen3VLConfig(
        text_config=_text(tokenizer, hidden, layers, head_dim=hidden // 4, rope_parameters=_rope(hidden)),
        vision_config={
            **vision,
            "out_hidden_size": hidden,
            "deepstack_visual_indexes": [0],
            "num_position_embeddings": 64,
        },
        tie_word_embeddings=False,
        **_qwen_ids(tokenizer),
    )
    torch.manual_seed(seed)
    model = Qwen3VLForConditionalGeneration(config)
    images = _qwen_images(patch=16)
    return _write(folder, model, tokenizer, _QWEN, spread=spread, images=images, processor="Qwen3VLProcessor")


# --- Others -----------------------------------------------------------------------------------------------------------


def _llava_tokenizer():
    return _tokenizer(
        ["<unk>", "<s>", "</s>", "<pad>", "<image>"],
        unk_token="<unk>",
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
    )


def _llava_config(tokenizer, hidden, layers):
    vision = CLIPVisionConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=2,
        image_size=56,
        patch_size=14,
        projection_dim=32,
    )
    return {
        "vision_config": vision,
        "text_config": LlamaConfig(**_text(tokenizer, hidden, layers, bos_token_id=1)),
        "image_token_index": tokenizer.convert_tokens_to_ids("<image>"),
        "vision_feature_layer": -2,
        "vision_feature_select_strategy": "default",
        "image_seq_length": 16,
        "tie_word_embeddings": False,
    }


_LLAVA_FACTS = {
    "patch_size": 14,
    "vision_feature_select_strategy": "default",
    "image_token": "<image>",
    "num_additional_image_tokens": 1,
}


def write_llava(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """A LLaVA-1.5; every picture has 16 tokens."""
    tokenizer = _llava_tokenizer()
    torch.manual_seed(seed)
    model = LlavaForConditionalGeneration(LlavaConfig(**_llava_config(tokenizer, hidden, layers)))
    images = CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    facts = {"processor": "LlavaProcessor", **_LLAVA_FACTS}
    return _write(folder, model, tokenizer, _LLAVA, spread=spread, images=images, **facts)


def write_llava_next(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """A LLaVA-1.6; a picture is cut into tiles by its shape, so that pictures have several numbers of them."""
    tokenizer = _llava_tokenizer()
    shapes = [[56, 112], [112, 56], [112, 112]]
    torch.manual_seed(seed)
    config = LlavaNextConfig(**_llava_config(tokenizer, hidden, layers), image_grid_pinpoints=shapes)
    side = {"height": 56, "width": 56}
    images = LlavaNextImageProcessorPil(size={"shortest_edge": 56}, crop_size=side, image_grid_pinpoints=shapes)
    facts = {"processor": "LlavaNextProcessor", **_LLAVA_FACTS}
    model = LlavaNextForConditionalGeneration(config)
    return _write(folder, model, tokenizer, _LLAVA, spread=spread, images=images, **facts)


def write_internvl(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """An InternVL as transformers has it; a picture is one tile or several, each of 4 tokens."""
    own = {"start_image_token": "<img>", "end_image_token": "</img>", "context_image_token": "<IMG_CONTEXT>"}
    tokenizer = _tokenizer(
        [*_QWEN_TOKENS[:3], *own.values(), "<video>"],
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        extra_special_tokens={**own, "video_token": "<video>"},
    )
    side = {"height": 56, "width": 56}
    config = InternVLConfig(
        text_config={"model_type": "qwen2", **_text(tokenizer, hidden, layers)},
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": [56, 56],
            "patch_size": [14, 14],
        },
        image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
        image_seq_length=4,
        downsample_ratio=0.5,
        tie_word_embeddings=False,
    )
    torch.manual_seed(seed)
    model = InternVLForConditionalGeneration(config)
    images = GotOcr2ImageProcessorPil(size=side, crop_to_patches=True, min_patches=1, max_patches=4)
    return _write(
        folder,
        model,
        tokenizer,
        _INTERNVL,
        spread=spread,
        images=images,
        processor="InternVLProcessor",
        image_seq_length=4,
    )


def write_text(folder, *, hidden=64, layers=2, spread=8.0, seed=0):
    """A Llama, which reads texts only."""
    tokenizer = _qwen_tokenizer()
    torch.manual_seed(seed)
    model = LlamaForCausalLM(LlamaConfig(**_text(tokenizer, hidden, layers, bos_token_id=0)))
    return _write(folder, model, tokenizer, _CHATML, spread=spread)


#: The models that read pictures, by family.
VISION = {
    "qwen2-vl": write_qwen2_vl,
    "qwen2.5-vl": write_qwen2_5_vl,
    "qwen3-vl": write_qwen3_vl,
    "llava": write_llava,
    "internvl": write_internvl,
}

FAMILIES = {**VISION, "text": write_text}

#: One whose inputs have another shape for each picture.
TILED = {"llava-next": write_llava_next}
