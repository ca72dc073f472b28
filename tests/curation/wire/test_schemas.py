"""Schemas of structured replies: every object is closed and requires all of its own, on the wire and in any nesting."""

import enum
import json
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel

from curation.wire import gate
from curation.wire.replies import structured
from curation.wire.schemas import response_format, strict_schema
from curation.wire.servers import ModelServer
from curation.wire.text import Connection, TextDecoding, TextRequest, TextTurn, ask_text
from tests.model_server import StandIn

T = TypeVar("T")


class Tone(enum.StrEnum):
    PLAIN = "plain"
    WARM = "warm"


class Caption(BaseModel):
    text: Annotated[str, Field(max_length=300, description="What the picture shows.")]
    tone: Tone = Tone.PLAIN
    tags: set[str] = set()


class Count(BaseModel):
    kind: Literal["count"]
    number: Annotated[int, Field(ge=0, le=99)]


class Place(BaseModel):
    kind: Literal["place"]
    name: str | None = None


class Draft(BaseModel):
    captions: Annotated[list[Caption], Field(min_length=1, max_length=5)]
    best: Caption = Field(description="The one to begin with.")
    other: Caption | None = None
    score: Annotated[float, Field(ge=0, le=1)] = 0.5
    grade: Literal["good", "bad"] = "good"
    about: Annotated[Count | Place, Field(discriminator="kind")]
    default: bool = False  # a field may have the name of a word of JSON Schema


class Node(BaseModel):
    name: str
    below: "list[Node]" = []


class Wrapped(BaseModel, Generic[T]):
    value: T


CAPTION = {
    "type": "object",
    "title": "Caption",
    "properties": {
        "text": {"type": "string", "title": "Text", "description": "What the picture shows."},
        "tone": {"$ref": "#/$defs/Tone"},
        "tags": {"type": "array", "title": "Tags", "items": {"type": "string"}},
    },
    "required": ["text", "tone", "tags"],
    "additionalProperties": False,
}
DRAFT = {
    "type": "object",
    "title": "Draft",
    "properties": {
        "captions": {"type": "array", "title": "Captions", "items": {"$ref": "#/$defs/Caption"}},
        "best": {"description": "The one to begin with.", "anyOf": [{"$ref": "#/$defs/Caption"}]},
        "other": {"anyOf": [{"$ref": "#/$defs/Caption"}, {"type": "null"}]},
        "score": {"type": "number", "title": "Score"},
        "grade": {"type": "string", "title": "Grade", "enum": ["good", "bad"]},
        "about": {"title": "About", "anyOf": [{"$ref": "#/$defs/Count"}, {"$ref": "#/$defs/Place"}]},
        "default": {"type": "boolean", "title": "Default"},
    },
    "required": ["captions", "best", "other", "score", "grade", "about", "default"],
    "additionalProperties": False,
    "$defs": {
        "Caption": CAPTION,
        "Count": {
            "type": "object",
            "title": "Count",
            "properties": {
                "kind": {"type": "string", "title": "Kind", "const": "count"},
                "number": {"type": "integer", "title": "Number"},
            },
            "required": ["kind", "number"],
            "additionalProperties": False,
        },
        "Place": {
            "type": "object",
            "title": "Place",
            "properties": {
                "kind": {"type": "string", "title": "Kind", "const": "place"},
                "name": {"title": "Name", "anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "required": ["kind", "name"],
            "additionalProperties": False,
        },
        "Tone": {"type": "string", "title": "Tone", "enum": ["plain", "warm"]},
    },
}


def test_the_bytes_that_are_sent_hold_the_strict_schema():
    gate._gates.clear()
    asked = TextRequest(turns=(TextTurn(role="user", text="a"),), reply=Draft, decoding=TextDecoding(max_tokens=9))
    with StandIn(model="m") as server:
        ask_text(asked, "m", Connection(ModelServer("big", server.address), 1, 5.0))
        (sent,) = server.bodies
    assert json.loads(sent)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "Draft", "schema": DRAFT, "strict": True},
    }
    assert sent.count(b'"additionalProperties":false') == 4
    for word in (b"maxLength", b"minItems", b"uniqueItems", b"minimum", b"oneOf", b"discriminator", b'"default":"'):
        assert word not in sent


def test_a_reply_that_keeps_the_schema_is_read():
    caption = {"text": "t", "tone": "warm", "tags": ["a", "a"]}
    about = {"kind": "place", "name": None}
    reply = {"captions": [caption], "best": caption, "other": None, "score": 1, "grade": "bad", "about": about}
    draft = structured(json.dumps(reply | {"default": True}), Draft)
    assert draft is not None
    assert (draft.best.tone, draft.best.tags, draft.about, draft.default) == (
        Tone.WARM,
        {"a"},
        Place(kind="place", name=None),
        True,
    )
    # What the schema leaves out is checked here.
    assert structured(json.dumps(reply | {"score": 2}), Draft) is None


def test_a_form_that_contains_itself_has_an_object_at_its_root():
    node = {
        "type": "object",
        "title": "Node",
        "properties": {
            "name": {"type": "string", "title": "Name"},
            "below": {"type": "array", "title": "Below", "items": {"$ref": "#/$defs/Node"}},
        },
        "required": ["name", "below"],
        "additionalProperties": False,
    }
    assert strict_schema(Node) == node | {"$defs": {"Node": node}}


def test_a_name_has_only_what_servers_take():
    assert response_format(Wrapped[int])["json_schema"]["name"] == "Wrapped_int_"
    long = type("L" * 99, (Count,), {})
    assert response_format(long)["json_schema"]["name"] == "L" * 64


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


class Several(RootModel[list[int]]):
    pass


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        (Wrapped[dict[str, int]], "value has free keys"),
        (Wrapped[dict], "value has free keys"),
        (Wrapped[list[dict[str, int]]], r"value\[\] has free keys"),
        (Wrapped[Any], "value has no type"),
        (Wrapped[list], r"value\[\] has no type"),
        (Wrapped[tuple[int, str]], "value has no type for its elements"),
        (Wrapped[Open], "Open has free keys"),
        (Several, "Several is no object"),
    ],
)
def test_a_form_without_a_strict_schema_is_refused_before_anything_is_sent(form, fault):
    with pytest.raises(ValueError, match=fault):
        response_format(form)
