"""Tiny CLIP and Chinese-CLIP checkpoints with random weights, written as the published ones are laid out."""

import json

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AltCLIPConfig,
    AltCLIPModel,
    AltCLIPProcessor,
    BertTokenizer,
    ChineseCLIPConfig,
    ChineseCLIPImageProcessorPil,
    ChineseCLIPModel,
    ChineseCLIPProcessor,
    CLIPConfig,
    CLIPImageProcessorPil,
    CLIPModel,
    CLIPProcessor,
    PreTrainedTokenizerFast,
    SiglipConfig,
    SiglipImageProcessorPil,
    SiglipModel,
    SiglipProcessor,
)

_SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
_VISION = {**_SMALL, "image_size": 56, "patch_size": 14, "projection_dim": 16}


def byte_tokenizer():
    """Reads bytes, and how many there are."""
    start, end = "<|startoftext|>", "<|endoftext|>"
    words = [start, end, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    backend = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", special_tokens=[(start, 0), (end, 1)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token=start, eos_token=end, pad_token=end, unk_token=end, model_max_length=77
    )
    return tokenizer, len(words)


def write_clip(folder):
    """A CLIP that reads bytes."""
    tokenizer, words = byte_tokenizer()
    text = {**_SMALL, "vocab_size": words, "max_position_embeddings": 77, "projection_dim": 16}
    config = CLIPConfig(
        text_config={**text, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1},
        vision_config=_VISION,
        projection_dim=16,
    )
    torch.manual_seed(0)
    CLIPModel(config).save_pretrained(folder)
    images = CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    CLIPProcessor(image_processor=images, tokenizer=tokenizer).save_pretrained(folder)
    return folder


def write_chinese_clip(folder):
    """A Chinese-CLIP that reads a few characters."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"一盏红灯笼挂在门前三只熊猫坐着吃竹子的"]
    tokenizer = BertTokenizer(vocab={w: i for i, w in enumerate(dict.fromkeys(words))}, model_max_length=512)
    config = ChineseCLIPConfig(
        text_config={**_SMALL, "vocab_size": len(set(words)), "max_position_embeddings": 512, "pad_token_id": 0},
        vision_config=_VISION,
        projection_dim=16,
    )
    torch.manual_seed(0)
    ChineseCLIPModel(config).save_pretrained(folder)
    images = ChineseCLIPImageProcessorPil(size={"height": 56, "width": 56}, do_center_crop=False)
    ChineseCLIPProcessor(image_processor=images, tokenizer=tokenizer).save_pretrained(folder)
    return folder


def write_siglip(folder):
    """A SigLIP that reads bytes."""
    tokenizer, words = byte_tokenizer()
    text = {**_SMALL, "vocab_size": words, "max_position_embeddings": 64, "projection_size": 32}
    config = SiglipConfig(
        text_config={**text, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}, vision_config=_VISION
    )
    torch.manual_seed(0)
    SiglipModel(config).save_pretrained(folder)
    images = SiglipImageProcessorPil(size={"height": 56, "width": 56})
    SiglipProcessor(image_processor=images, tokenizer=tokenizer).save_pretrained(folder)
    return folder


def write_altclip(folder):
    """An AltCLIP that reads bytes."""
    tokenizer, words = byte_tokenizer()
    text = {**_SMALL, "vocab_size": words, "max_position_embeddings": 514, "project_dim": 24}
    config = AltCLIPConfig(
        text_config={**text, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1},
        vision_config=_VISION,
        projection_dim=16,
    )
    torch.manual_seed(0)
    AltCLIPModel(config).save_pretrained(folder)
    images = CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    AltCLIPProcessor(image_processor=images, tokenizer=tokenizer).save_pretrained(folder)
    return folder


_CODE = """
from transformers import CLIPConfig, CLIPModel

class OwnConfig(CLIPConfig):
    model_type = "own_clip"

class OwnModel(CLIPModel):
    config_class = OwnConfig
"""


def write_clip_with_code(folder):
    """A CLIP whose type only the module beside it knows."""
    write_clip(folder)
    (folder / "own_clip.py").write_text(_CODE)
    config = json.loads((folder / "config.json").read_text())
    code = {"AutoConfig": "own_clip.OwnConfig", "AutoModel": "own_clip.OwnModel"}
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "own_clip", "auto_map": code}))
    return folder
