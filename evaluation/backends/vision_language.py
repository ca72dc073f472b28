"""Language models from a folder on disk, with or without pictures, through the Auto classes of transformers.

This downloads nothing, runs no code of the folder, and reads only configurations, tokenizer files and safetensors
weights. Only model workers import this module, because torch comes with it.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
import transformers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    AutoTokenizer,
    GenerationConfig,
    ProcessorMixin,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

from curation.prompts.rules import Message, Picture
from curation.wire.errors import shorten
from evaluation.backends import memory
from evaluation.backends.asks import Ask
from evaluation.backends.errors import (
    BackendFilesUnfit,
    InputTooLong,
    InputUndecodable,
    ModelReadsNoPictures,
    ModelTooLarge,
    is_of_template,
)
from evaluation.backends.files import parameters as count_parameters
from evaluation.backends.pictures import bounded

#: What a model gets, by the names of its arguments; ``input_ids`` has the shape (prompts, tokens).
Inputs = dict[str, Any]

# Progress bars are for terminals, not for a worker's log.
transformers.utils.logging.disable_progress_bar()

_CLOSED: Final = {"local_files_only": True, "trust_remote_code": False}

# A text that no template writes by itself.
_PROBE = "lantern-probe"

#: Where a checkpoint may name the class of its processor.
_PROCESSOR_FILES = ("processor_config.json", "preprocessor_config.json", "tokenizer_config.json")

_DTYPES: Final = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class LanguageModel:
    """A loaded model with what prepares its inputs.

    Attributes:
        name: The folder's name.
        model: The model on its device, in evaluation mode.
        tokenizer: Its tokenizer.
        processor: What prepares texts with pictures; None for a model that reads texts only.
        device: Where the weights are.
        dtype: Their number type.
        plan: How many prompts fit into the memory together.
        longest: Positions of the model.
        ends: The tokens that end a reply.
    """

    def __init__(
        self,
        *,
        name: str,
        model: Any,
        tokenizer: Any,
        processor: Any | None,
        plan: memory.Plan,
        max_pixels: int | None = None,
        template: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.processor = processor
        self.device = model.device
        self.dtype = model.dtype
        self.plan = plan
        self.max_pixels = max_pixels
        self.template = dict(template or {})
        self.longest: int = getattr(self.text_config, "max_position_embeddings", None) or 1 << 30
        # The makers' settings would otherwise fill whatever a request leaves open: a penalty on repetition, say.
        own = model.generation_config
        self.model.generation_config = GenerationConfig(
            bos_token_id=own.bos_token_id,
            eos_token_id=own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
        ends = self.model.generation_config.eos_token_id
        self.ends = frozenset([ends] if isinstance(ends, int) else ends or ())
        self._has_system_role = self._template_writes_system_texts()

    @classmethod
    def load(
        cls,
        folder: Path,
        *,
        dtype: str | None = None,
        longest_prompt: int = 4096,
        most: int = 16,
        max_pixels: int | None = None,
        template: Mapping[str, Any] | None = None,
    ) -> LanguageModel:
        """Load a checkpoint.

        Args:
            folder: Contains ``config.json``, ``*.safetensors``, and the files of the tokenizer, the chat template and,
                for a model that reads pictures, its processor.
            dtype: ``float32``, ``bfloat16`` or ``float16``; None: bfloat16 on a GPU that has it, float16 on another,
                float32 on a processor.
            longest_prompt: Tokens of a prompt with its pictures and reply for which memory is planned; longer ones go
                in smaller batches.
            most: The largest batch.
            max_pixels: Larger pictures are made smaller first; None: only the model's own limit holds.
            template: More variables of the chat template, such as ``{"enable_thinking": False}``.

        Raises:
            BackendFilesUnfit: Files are missing or incomplete, the model type is unknown or makes no texts, there is no
                chat template, or the weights are not safetensors.
            ModelTooLarge: The weights and one prompt do not fit into the free memory; nothing was loaded.
        """
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        number = _number_type(folder, dtype, device)
        if not any(folder.glob("*.safetensors")):
            raise BackendFilesUnfit(folder=folder.name, reason="there are no weights in safetensors")
        try:
            config = AutoConfig.from_pretrained(folder, **_CLOSED)
            auto = _auto_class(folder, config)
            text = config.get_text_config()
            positions = getattr(text, "max_position_embeddings", None) or longest_prompt
            plan = memory.plan(
                model=folder.name,
                weights=count_parameters(folder) * number.itemsize,
                per_token=memory.bytes_per_token(text, number.itemsize),
                longest=min(longest_prompt, positions),
                most=most,
                free=free_bytes(device),
            )
            processor = None if auto is AutoModelForCausalLM else _processor(folder, config)
            tokenizer = processor.tokenizer if processor else AutoTokenizer.from_pretrained(folder, **_CLOSED)
            if not (processor or tokenizer).chat_template:
                raise BackendFilesUnfit(folder=folder.name, reason="there is no chat template")
            if tokenizer.pad_token_id is None:
                tokenizer.pad_token = tokenizer.eos_token
            model, report = auto.from_pretrained(
                folder, dtype=number, use_safetensors=True, output_loading_info=True, **_CLOSED
            )
            # transformers fills what is missing with random numbers and only warns.
            if absent := [*report["missing_keys"], *report["mismatched_keys"]]:
                raise BackendFilesUnfit(folder=folder.name, reason=shorten(f"weights are missing: {absent}", 300))
            model = model.to(device)
        except (MemoryError, torch.OutOfMemoryError) as error:
            needed = count_parameters(folder) * number.itemsize
            free = free_bytes(device)
            raise ModelTooLarge(model=folder.name, needed=f"{needed / 1e9:.1f}", free=f"{free / 1e9:.1f}") from error
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            reason = shorten(f"{type(error).__name__}: {error}", 300)
            raise BackendFilesUnfit(folder=folder.name, reason=reason) from error
        return cls(
            name=folder.name,
            model=model,
            tokenizer=tokenizer,
            processor=processor,
            plan=plan,
            max_pixels=max_pixels,
            template=template,
        )

    @property
    def text_config(self) -> Any:
        """The configuration of the text model: all of it, or that part."""
        return self.model.config.get_text_config()

    # --- Inputs -------------------------------------------------------------------------------------------------------

    def encode(self, ask: Ask) -> Inputs:
        """Return the inputs of one ask up to where the reply begins, on the CPU.

        Texts cannot write the tokens that part turns or stand for pictures: they are read as plain text.

        Raises:
            ModelReadsNoPictures: The ask has a picture, and the model reads texts only.
            InputUndecodable: The chat template or the processor refuses the prompt.
            InputTooLong: The prompt has more tokens than the model has positions.
        """
        options: dict[str, Any] = {
            "tokenize": True,
            "add_generation_prompt": True,
            "return_dict": True,
            "return_tensors": "pt",
            "sanitize_control_tokens": True,
            **self.template,
        }
        conversation = self._conversation(ask)
        try:
            inputs = dict((self.processor or self.tokenizer).apply_chat_template(conversation, **options))
        except Exception as error:
            if not is_of_template(error):
                raise
            raise InputUndecodable(reason=shorten(f"{self.name} cannot read the prompt: {error}", 300)) from error
        tokens = inputs["input_ids"].shape[1]
        if tokens > self.longest:
            reason = f"The prompt has {tokens} tokens, and {self.name} reads {self.longest}."
            raise InputTooLong(reason=reason)
        # Without it these models count positions as in plain text and only rank worse, with no error.
        if "image_grid_thw" in inputs and "mm_token_type_ids" not in inputs:
            raise BackendFilesUnfit(folder=self.name, reason="its processor does not mark the tokens of pictures")
        return inputs

    def on_device(self, inputs: Inputs) -> Inputs:
        """Return the inputs on the model's device; pictures in the weights' number type."""
        return {name: self._moved(value) for name, value in inputs.items()}

    def _moved(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.to(self.device, self.dtype if value.is_floating_point() else value.dtype)

    def _conversation(self, ask: Ask) -> list[dict[str, Any]]:
        messages = list(ask.messages)
        if messages and messages[0].role == "system" and not self._has_system_role:
            messages = _with_system_in_user(messages)
        return [{"role": message.role, "content": self._content(ask, message)} for message in messages]

    def _content(self, ask: Ask, message: Message) -> Any:
        parts = [(part, ask.picture_at(part) if isinstance(part, Picture) else None) for part in message.parts]
        if self.processor is None:
            if any(picture is not None for _, picture in parts):
                raise ModelReadsNoPictures(model=self.name)
            return message.text
        content: list[dict[str, Any]] = []
        for part, picture in parts:
            if isinstance(part, str):
                content.append({"type": "text", "text": part})
            elif picture is not None:
                content.append({"type": "image", "image": bounded(picture, self.max_pixels)})
        return content

    def _template_writes_system_texts(self) -> bool:
        """Whether the chat template has a place for a system's text: some raise, some leave it out silently."""

        def content(text: str) -> Any:
            return text if self.processor is None else [{"type": "text", "text": text}]

        chat = [{"role": "system", "content": content(_PROBE)}, {"role": "user", "content": content("?")}]
        try:
            written = (self.processor or self.tokenizer).apply_chat_template(chat, tokenize=False, **self.template)
        except Exception as error:
            if not is_of_template(error):
                raise
            return False
        return _PROBE in written

    # --- Record -------------------------------------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        facts: dict[str, Any] = {
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu",
            "dtype": str(self.dtype).removeprefix("torch."),
            "model_type": self.model.config.model_type,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "attention": self.model.config._attn_implementation,  # noqa: SLF001  (it has no public name)
            "system_role": self._has_system_role,
        }
        if self.processor is not None:
            facts["pictures"] = type(self.processor.image_processor).__name__
            facts["max_pixels"] = self.max_pixels
        if self.template:
            facts["template"] = self.template
        return facts


# --- One model in a process -------------------------------------------------------------------------------------------

_held: dict[str, LanguageModel] = {}
_loading = threading.Lock()


def load_once(folder: Path, parameters: Mapping[str, Any]) -> LanguageModel:
    """Return the model of a folder; loaded at most once, and kept until another is asked for: two may not fit.

    Args:
        folder: See :meth:`LanguageModel.load`.
        parameters: The other arguments of it.

    Raises:
        BackendFilesUnfit, ModelTooLarge: As :meth:`LanguageModel.load`.
    """
    key = json.dumps([str(folder), dict(parameters)], sort_keys=True)
    with _loading:
        if key not in _held:
            release()
            try:
                _held[key] = LanguageModel.load(folder, **parameters)
            except TypeError as error:
                raise BackendFilesUnfit(folder=folder.name, reason=shorten(str(error), 300)) from error
        return _held[key]


def release() -> None:
    """Give up the model that this process holds."""
    _held.clear()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


# --- Parts ------------------------------------------------------------------------------------------------------------


def free_bytes(device: Any) -> int:
    """Return the bytes that are free where the model goes."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return memory.free_on_machine()


def ran_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that a device or the machine has no more memory."""
    # On a processor torch raises a RuntimeError without a class of its own.
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "can't allocate memory" in str(error)


def _number_type(folder: Path, dtype: str | None, device: Any) -> Any:
    if dtype is None:
        if device.type == "cpu":
            return torch.float32
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    if dtype not in _DTYPES:
        raise BackendFilesUnfit(folder=folder.name, reason=f"{dtype} is none of {', '.join(_DTYPES)}")
    return _DTYPES[dtype]


def _auto_class(folder: Path, config: Any) -> Any:
    if type(config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return AutoModelForImageTextToText
    if type(config) in MODEL_FOR_CAUSAL_LM_MAPPING:
        return AutoModelForCausalLM
    raise BackendFilesUnfit(folder=folder.name, reason=f"{config.model_type} makes no texts")


def _processor(folder: Path, config: Any) -> Any:
    """Load the folder's processor without its part for videos, which needs a package that nothing else here needs."""
    class_names = (_processor_name(folder / file) for file in _PROCESSOR_FILES)
    cls: Any = getattr(transformers, next(filter(None, class_names), ""), None)
    if not (isinstance(cls, type) and issubclass(cls, ProcessorMixin)):
        cls = PROCESSOR_MAPPING[type(config)]
    parts = [name for name in cls.get_attributes() if name != "video_processor"]
    without_video: Any = type(cls.__name__, (cls,), {"get_attributes": classmethod(lambda _: list(parts))})
    return without_video.from_pretrained(folder, **_CLOSED)


def _processor_name(file: Path) -> str:
    if not file.exists():
        return ""
    content = json.loads(file.read_text(encoding="utf-8"))
    return str(content.get("processor_class") or "") if isinstance(content, dict) else ""


def _with_system_in_user(messages: list[Message]) -> list[Message]:
    """Put the system's text before the first message of the user, for templates without a place for it."""
    system, *others = messages
    first = next((i for i, message in enumerate(others) if message.role == "user"), None)
    if first is None:
        return [Message("user", system.parts), *others]
    user = others[first]
    others[first] = Message("user", (f"{system.text}\n\n", *user.parts))
    return others
