"""The tree of a content, and what is derived from it."""

import pytest
from pydantic import TypeAdapter, ValidationError

from annotation.kinds.context import Context, Language
from annotation.kinds.tree import (
    CodeNode,
    ContentNode,
    FlagNode,
    KeyedNode,
    NumbersNode,
    RecordNode,
    SlotsNode,
    TextNode,
    resolve,
)

PERSIAN = Context(Language("fa", "rtl"), Language("en"))


def test_a_tree_is_sent_with_the_language_of_each_text():
    tree = RecordNode(
        fields={
            "options": SlotsNode(count=2, of=RecordNode(fields={"local": TextNode(), "formula": TextNode(latex=True)})),
            "explanation": TextNode(language="translation", lines=3, meaning="why"),
            "boxes": KeyedNode(of=RecordNode(fields={"category": CodeNode(list="categories"), "at": TextNode()})),
            "mark": TextNode(language="none", answer=True),
            "box": NumbersNode(count=4),
            "fixed": FlagNode(answer=True),
        }
    )
    text = {"type": "text", "language": "content", "lang": "fa", "dir": "rtl", "lines": 1, "latex": False}
    of = {"type": "record", "fields": {"local": text | {"answer": False}, "formula": text | {"latex": True}}}
    of["fields"]["formula"]["answer"] = False
    entry = {"category": {"type": "code", "list": "categories", "answer": False}, "at": text | {"answer": False}}
    english = {"language": "translation", "lang": "en", "dir": "ltr", "lines": 3, "answer": False}
    none = {"language": "none", "lang": "", "dir": "ltr", "answer": True}
    fields = {
        "options": {"type": "slots", "count": 2, "of": of | {"answer": False}, "answer": False},
        "explanation": text | english,
        "boxes": {"type": "keyed", "of": {"type": "record", "fields": entry, "answer": False}, "answer": False},
        "mark": text | none,
        "box": {"type": "numbers", "count": 4, "answer": False},
        "fixed": {"type": "flag", "answer": True},
    }
    sent = resolve(tree, PERSIAN).model_dump(mode="json")
    assert sent == {"type": "record", "fields": fields, "answer": False}
    assert list(sent["fields"]) == list(fields)
    assert TypeAdapter(ContentNode).validate_python(sent).model_dump(mode="json") == sent


def test_without_a_translation_its_language_is_unknown():
    tree = RecordNode(fields={"text": TextNode(language="translation")})
    assert resolve(tree, Context(Language("zh-Hans"))).fields["text"].lang == ""


def test_an_entry_keeps_the_name_key_for_itself():
    with pytest.raises(ValidationError, match="key"):
        KeyedNode(of=RecordNode(fields={"key": TextNode()}))
