"""A model's tokenizer with its chat template, without the model: for servers that take tokens instead of messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from transformers import AutoTokenizer

from curation.wire.errors import shorten
from evaluation.backends.errors import BackendFilesUnfit

# Where processors kept their template before it had a file that tokenizers read as well.
_OLD_TEMPLATE: Final = "chat_template.json"


def load_writer(folder: Path) -> Any:
    """Load the tokenizer of a model's folder; its weights need not be there.

    This downloads nothing and runs no code of the folder.

    Raises:
        BackendFilesUnfit: Its files cannot be read, or there is no chat template.
    """
    try:
        writer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        if writer.chat_template is None and (folder / _OLD_TEMPLATE).exists():
            writer.chat_template = json.loads((folder / _OLD_TEMPLATE).read_text(encoding="utf-8"))["chat_template"]
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        reason = shorten(f"{type(error).__name__}: {error}", 300)
        raise BackendFilesUnfit(folder=folder.name, reason=reason) from error
    if not writer.chat_template:
        raise BackendFilesUnfit(folder=folder.name, reason="there is no chat template")
    return writer
