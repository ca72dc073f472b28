"""A language model with trained weights: as it is, behind the test server, and inside a frame that reads pictures."""

import json

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
)

from curation.prompts.rules import Message
from evaluation.backends.asks import Ask, Decoding

# A token of the real vocabulary that no text of the tests has; in the frame it stands for a picture.
PICTURE_TOKEN = "<filename>"


def replies(generator):
    """What the test server says: the model's replies, with lengths and ends as servers tell them."""

    def says(body):
        messages = tuple(Message(one["role"], (one["content"],)) for one in body["messages"])
        decoding = Decoding(
            temperature=body.get("temperature") or 0.0,
            max_tokens=body.get("max_tokens") or body.get("max_completion_tokens") or 64,
            seed=body.get("seed") or 0,
        )
        (reply,) = generator.generate([Ask(messages)], decoding)
        message = {"role": "assistant", "content": reply.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish}
        usage = {"prompt_tokens": reply.tokens_in, "completion_tokens": reply.tokens_out}
        usage["total_tokens"] = sum(usage.values())
        return {"id": "c", "object": "chat.completion", "model": "smollm2", "choices": [choice], "usage": usage}

    return says


def write_frame(folder, text):
    """A LLaVA whose text model is the real one; its vision tower is tiny and random."""
    words = AutoModelForCausalLM.from_pretrained(text, dtype=torch.float16)
    tokenizer = AutoTokenizer.from_pretrained(text)
    vision = CLIPVisionConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=56,
        patch_size=14,
        projection_dim=32,
    )
    config = LlavaConfig(
        vision_config=vision,
        text_config=words.config,
        image_token_index=tokenizer.convert_tokens_to_ids(PICTURE_TOKEN),
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        image_seq_length=16,
        tie_word_embeddings=words.config.tie_word_embeddings,
    )
    torch.manual_seed(0)
    frame = LlavaForConditionalGeneration(config).half()
    frame.model.language_model.load_state_dict(words.model.state_dict())
    frame.lm_head.load_state_dict(words.lm_head.state_dict())
    frame.generation_config.eos_token_id = tokenizer.eos_token_id
    frame.generation_config.pad_token_id = tokenizer.pad_token_id
    frame.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    images = CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    images.save_pretrained(folder)
    facts = {"patch_size": 14, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
    processor = {"processor_class": "LlavaProcessor", "image_token": PICTURE_TOKEN, **facts}
    (folder / "processor_config.json").write_text(json.dumps(processor))
    # As the text model's template, for content in parts.
    template = (
        "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\n"
        "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n{% endif %}"
        "<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}{% if c['type'] == 'image' %}<filename>\n"
        "{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": template}))
    return folder
