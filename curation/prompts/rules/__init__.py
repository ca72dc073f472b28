"""Prompts: what a model is asked with, as data that is versioned and rendered without any other text.

The prompts that ship are files under ``fixtures/prompts``, one for each name and number. A benchmark's own versions are
rows. Both have the same body for each language, and the same check of their variables.
"""

from curation.prompts.rules.rendering import LONGEST_RENDERING, Message, Picture, PromptTooLong, Shot, Values, render
from curation.prompts.rules.requests import text_request
from curation.prompts.rules.template import (
    FIRST_OWN,
    LANGUAGES,
    READINGS,
    Body,
    PromptFile,
    PromptVariable,
    Turn,
    parse_body,
    parse_file,
)
from curation.prompts.rules.text import body_sha256, text_of
from curation.prompts.rules.values import (
    ITEM_VALUES,
    VARIABLES,
    ItemValues,
    kinds_for,
    placeholders,
    register_item_values,
)

__all__ = [
    "FIRST_OWN",
    "ITEM_VALUES",
    "LANGUAGES",
    "LONGEST_RENDERING",
    "READINGS",
    "VARIABLES",
    "Body",
    "ItemValues",
    "Message",
    "Picture",
    "PromptFile",
    "PromptTooLong",
    "PromptVariable",
    "Shot",
    "Turn",
    "Values",
    "body_sha256",
    "kinds_for",
    "parse_body",
    "parse_file",
    "placeholders",
    "register_item_values",
    "render",
    "text_of",
    "text_request",
]
