"""A tiny model behind the addresses of vLLM and SGLang that return log-probabilities of given replies.

It reads pictures, so that they have as many tokens there as on a real server.
"""

import base64
import io
import threading

import torch
from PIL import Image


class Model:
    """A model as the two kinds of servers show it; ``bend`` changes a reply before it is sent."""

    def __init__(self, model):
        self.model = model
        self.asked = []
        self.bend = lambda body: body
        self.lock = threading.Lock()  # the model keeps the positions of its last prompt

    def post(self, path, body):
        self.asked.append((path, body))
        return self.bend(self.chat(body) if path.endswith("/chat/completions") else self.generate(body))

    def scored(self, inputs):
        """All tokens of a prompt, those of pictures included, and their log-probabilities."""
        ids = inputs["input_ids"][0].tolist()
        with self.lock, torch.inference_mode():
            self.model.model.model.rope_deltas = None
            logits = self.model.model(**inputs, use_cache=False).logits[0]
        values = torch.log_softmax(logits[:-1].float(), -1)
        return ids, [None, *(float(values[i, token]) for i, token in enumerate(ids[1:]))]

    # --- vLLM -----------------------------------------------------------------------------------------------------

    def chat(self, body):
        writer = self.model.processor or self.model.tokenizer
        *before, last = body["messages"]
        reply = last["content"] if body.get("continue_final_message") else None
        chat, pictures = zip(*map(self._message, before if reply is not None else body["messages"]), strict=True)
        text = writer.apply_chat_template(
            list(chat), tokenize=False, add_generation_prompt=body["add_generation_prompt"] or reply is not None
        )
        if reply is not None:
            whole = writer.apply_chat_template([*chat, self._message(last)[0]], tokenize=False)
            text = whole[: whole.rindex(reply) + len(reply)]
        ids, values = self.scored(self._inputs(text, [one for some in pictures for one in some]))
        decoded = self.model.tokenizer.convert_ids_to_tokens(ids)
        entries = [
            None if value is None else {str(token): {"logprob": value, "rank": 1, "decoded_token": written}}
            for token, value, written in zip(ids, values, decoded, strict=True)
        ]
        return {"choices": [{}], "prompt_logprobs": entries, "usage": {"prompt_tokens": len(ids)}}

    def _message(self, message):
        parts = message["content"]
        if isinstance(parts, str):
            content = [{"type": "text", "text": parts}] if self.model.processor else parts
            return {"role": message["role"], "content": content}, []
        seen = [opened(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"]
        content = [{"type": "image"} if part["type"] == "image_url" else part for part in parts]
        return {"role": message["role"], "content": content}, seen

    def _inputs(self, text, pictures):
        if pictures:
            return self.model.processor(text=[text], images=pictures, return_tensors="pt")
        inputs = self.model.tokenizer(text, return_tensors="pt", add_special_tokens=False)
        return {name: value for name, value in inputs.items() if name != "token_type_ids"}

    # --- SGLang ---------------------------------------------------------------------------------------------------

    def generate(self, body):
        pictures = [opened(url) for url in body.get("image_data", ())]
        text = self.model.tokenizer.decode(body["input_ids"], clean_up_tokenization_spaces=False)
        ids, values = self.scored(self._inputs(text, pictures))
        facts = {"prompt_tokens": len(ids), "completion_tokens": 1}
        if body.get("return_logprob"):
            start = body["logprob_start_len"]
            pairs = list(zip(values, ids, strict=True))[start:]
            facts["input_token_logprobs"] = [[None if n == 0 else v, t, None] for n, (v, t) in enumerate(pairs)]
        return {"text": "", "meta_info": facts}


def opened(url):
    head, _, data = url.partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
