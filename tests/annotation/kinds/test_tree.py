"""The tree of a content, and what is derived from it: accepting, comparing, texts, columns, answers."""

import copy
import json
import math
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from annotation.kinds.content import (
    LONGEST_TEXT,
    MOST_ENTRIES,
    MalformedContent,
    WrongCount,
    accept,
    clean,
    difference,
    empty,
    fit,
)
from annotation.kinds.context import Choice, Context, Language
from annotation.kinds.published import Column, columns, withhold
from annotation.kinds.texts import UnpairedTexts, first_text, from_texts, text_groups, texts_at
from annotation.kinds.tree import (
    CodeNode,
    ContentNode,
    FlagNode,
    KeyedNode,
    ListNode,
    NumbersNode,
    RecordNode,
    TextNode,
    leaves,
    resolve,
)
from curation.core.errors import TextRefused
from tests.kinds import tree_of
from tests.protocols import names

BOTH = RecordNode(fields={"local": TextNode(), "translated": TextNode(language="translation")})
# Trees like those of kinds to come.
BOXES = RecordNode(
    fields={
        "boxes": KeyedNode(
            of=RecordNode(fields={"category": CodeNode(list="categories"), "box": NumbersNode(count=4)}),
            meaning="objects, each with its category and its box in pixels: left, top, width, height",
        )
    }
)
CHOICE = RecordNode(
    fields={
        "question": BOTH,
        "options": ListNode(count=4, of=BOTH, answer=True, meaning="four options, the right one first"),
    }
)
EXAM = RecordNode(
    fields={
        "type": CodeNode(list="types"),
        "stem": TextNode(lines=8, latex=True),
        "options": KeyedNode(of=RecordNode(fields={"text": TextNode(latex=True), "right": FlagNode(answer=True)})),
        "blanks": KeyedNode(
            of=RecordNode(
                fields={
                    "question": TextNode(),
                    "accepted": KeyedNode(
                        of=RecordNode(fields={"text": TextNode()}), answer=True, file_name="solutions"
                    ),
                }
            )
        ),
        "fixed_order": FlagNode(),
    }
)
TREES = {
    "captions": tree_of("captions"),
    "vqa": tree_of("vqa"),
    "boxes": BOXES,
    "choice": CHOICE,
    "exam": EXAM,
}

PANDA = {"key": "k7f3", "category": "panda", "box": [1, 2.5, 30, 40]}
LAMP = {"key": "a-1_Z", "category": "", "box": []}
PAPER = {
    "type": "choice",
    "stem": "下图中\n$x^2$ 是几？",
    "options": [{"key": "a", "text": "4", "right": True}, {"key": "b", "text": "8", "right": False}],
    "blanks": [
        {"key": "p", "question": "哪个？", "accepted": [{"key": "0", "text": "甲"}, {"key": "1", "text": "乙"}]},
        {"key": "q", "question": "几个？", "accepted": []},
    ],
    "fixed_order": False,
}


# --- Sent to the browser


def test_a_tree_is_sent_with_the_language_of_each_text():
    tree = RecordNode(
        fields={
            "options": ListNode(count=2, of=RecordNode(fields={"local": TextNode(), "formula": TextNode(latex=True)})),
            "explanation": TextNode(language="translation", lines=3, meaning="why", file_name="explanations"),
            "boxes": KeyedNode(of=RecordNode(fields={"category": CodeNode(list="categories"), "at": TextNode()})),
            "mark": TextNode(language="none", answer=True),
            "box": NumbersNode(count=4),
            "fixed": FlagNode(answer=True),
        }
    )
    text = {"type": "text", "language": "content", "lang": "fa", "dir": "rtl", "lines": 1, "latex": False}
    text |= {"answer": False, "optional": False}
    of = {"type": "record", "fields": {"local": text, "formula": text | {"latex": True}}, "answer": False}
    choice = {"code": "panda", "name": names("熊猫"), "definition": None, "search": []}
    code = {"type": "code", "list": "categories", "choices": [choice], "answer": False, "optional": False}
    entry = {"category": code, "at": text}
    english = {"language": "translation", "lang": "en", "dir": "ltr"}
    fields = {
        "options": {"type": "list", "count": 2, "of": of, "answer": False},
        "explanation": text | english | {"lines": 3},
        "boxes": {"type": "keyed", "of": {"type": "record", "fields": entry, "answer": False}, "answer": False},
        "mark": text | {"language": "none", "lang": "", "dir": "ltr", "answer": True},
        "box": {"type": "numbers", "count": 4, "decimals": 2, "answer": False},
        "fixed": {"type": "flag", "answer": True},
    }
    context = Context(Language("fa", "rtl"), Language("en"), categories=(Choice(code="panda", name=names("熊猫")),))
    sent = resolve(tree, context).model_dump(mode="json")
    assert sent == {"type": "record", "fields": fields, "answer": False}
    assert list(sent["fields"]) == list(fields)
    assert TypeAdapter(ContentNode).validate_python(sent).model_dump(mode="json") == sent


def test_without_a_translation_its_language_is_unknown():
    tree = resolve(RecordNode(fields={"text": TextNode(language="translation")}), Context(Language("zh-Hans")))
    assert tree.fields["text"] == TextNode(language="translation", lang="", dir="ltr")


def test_an_entry_keeps_the_name_key_for_itself():
    with pytest.raises(ValidationError, match="key"):
        KeyedNode(of=RecordNode(fields={"key": TextNode()}))


# --- Accepted and cleaned


def test_nothing_written_yet_is_accepted():
    assert empty(BOXES) == {"boxes": []}
    assert empty(tree_of("vqa")) == {"pairs": [{"question": "", "answer": ""}] * 3}
    assert empty(EXAM) == {"type": "", "stem": "", "options": [], "blanks": [], "fixed_order": False}
    for tree in TREES.values():
        assert accept(tree, empty(tree)) == empty(tree)


def test_a_draft_stays_as_typed_and_a_revision_is_clean():
    typed = PAPER | {"stem": " e\u0301\r\n二 ", "blanks": [PAPER["blanks"][0] | {"question": "\t哪个？\n"}]}
    assert accept(EXAM, typed) == typed
    cleaned = PAPER | {"stem": "é\n二", "blanks": [PAPER["blanks"][0]]}
    assert clean(EXAM, typed) == cleaned
    assert list(clean(EXAM, typed)["blanks"][0]) == ["key", "question", "accepted"]
    assert clean(BOXES, {"boxes": [PANDA, LAMP]}) == {"boxes": [PANDA, LAMP]}


def changed(content, *path, value):
    """A copy of a content with one value replaced; a path without a value there adds it."""
    content = copy.deepcopy(content)
    *way, last = path
    part = content
    for step in way:
        part = part[step]
    part[last] = value
    return content


@pytest.mark.parametrize(
    ("tree", "content", "expected"),
    [
        (TREES["captions"], {}, '{"captions": [5 strings]}'),
        (TREES["vqa"], {"pairs": [], "x": 1}, '{"pairs": [3 of {"question", "answer"}]}'),
        (BOXES, [], '{"boxes": [at most 1000 of {"category", "box"}, each with a "key" of its own]}'),
        (TREES["captions"], {"captions": ["a"] * 4}, "captions: [5 strings]"),
        (TREES["captions"], {"captions": [*"abcd", 5]}, "captions.4: a string of at most 1000 characters"),
        (
            TREES["captions"],
            {"captions": [*"abcd", "长" * (LONGEST_TEXT + 1)]},
            "captions.4: a string of at most 1000 characters",
        ),
        (EXAM, changed(PAPER, "type", value="两种"), "type: a code of at most 64 ASCII letters, digits and _.:-"),
        (EXAM, changed(PAPER, "type", value="a" * 65), "type: a code of at most 64 ASCII letters, digits and _.:-"),
        (EXAM, changed(PAPER, "options", 1, "right", value=1), "options.b.right: true or false"),
        (EXAM, changed(PAPER, "options", 1, "note", value=""), 'options.b: {"text", "right"}'),
        (
            EXAM,
            changed(PAPER, "blanks", 1, "accepted", value=None),
            'blanks.q.accepted: [at most 1000 of {"text"}, each with a "key" of its own]',
        ),
    ],
)
def test_content_of_another_shape_is_refused_with_the_shape(tree, content, expected):
    with pytest.raises(MalformedContent) as refused:
        accept(tree, content)
    assert refused.value.args == (expected,)


@pytest.mark.parametrize("box", [[1, 2, 3], [1, 2, 3, "4"], [1, 2, 3, True], [1, 2, 3, math.nan], [0, 0, 0, 10**400]])
def test_numbers_are_finite_and_as_many_as_they_should_be(box):
    with pytest.raises(MalformedContent, match=r"^boxes\.k7f3\.box: 4 numbers, or none$"):
        accept(BOXES, {"boxes": [PANDA | {"box": box}]})


@pytest.mark.parametrize("key", ["", "一", "a b", "a.b", "a\n", "k" * 33, 7, None])
def test_keys_are_short_and_plain(key):
    with pytest.raises(MalformedContent, match=r"^boxes: \["):
        accept(BOXES, {"boxes": [PANDA | {"key": key}]})


def test_keys_are_unique_and_entries_limited():
    with pytest.raises(MalformedContent):
        accept(BOXES, {"boxes": [PANDA, LAMP | {"key": "k7f3"}]})
    with pytest.raises(MalformedContent):
        accept(BOXES, {"boxes": ["k7f3"]})
    many = [LAMP | {"key": str(i)} for i in range(MOST_ENTRIES)]
    assert len(accept(BOXES, {"boxes": many})["boxes"]) == MOST_ENTRIES
    with pytest.raises(MalformedContent):
        accept(BOXES, {"boxes": [*many, PANDA]})


def test_a_text_that_is_never_stored_is_refused():
    for character, reason in (("\0", "control_character"), ("\ud800", "lone_surrogate")):
        with pytest.raises(TextRefused) as refused:
            accept(EXAM, PAPER | {"stem": character})
        assert refused.value.params == {"reason": reason}
    typed = changed(PAPER, "options", 0, "text", value="4\u202e")
    assert accept(EXAM, typed) == typed
    with pytest.raises(TextRefused):
        clean(EXAM, typed)


def test_numbers_of_entries_are_compared_before_the_rest():
    pair = {"question": "几只？", "answer": "两只"}
    assert fit(TREES["vqa"], {"pairs": [pair]}, pad=True) == {"pairs": [pair] + [{"question": "", "answer": ""}] * 2}
    assert fit(TREES["vqa"], {"pairs": [1, 2, 3], "x": 4}, pad=False) == {"pairs": [1, 2, 3], "x": 4}
    for given_, pad in (([pair], False), ([pair] * 4, True)):
        with pytest.raises(WrongCount) as refused:
            fit(TREES["vqa"], {"pairs": given_}, pad=pad)
        assert (refused.value.count, refused.value.expected) == (len(given_), 3)
    with pytest.raises(MalformedContent):
        fit(TREES["vqa"], {"pairs": "abc"}, pad=True)


# --- Paths and differences


def test_leaves_have_paths_of_positions_and_keys():
    assert [(path, value) for path, _, value in leaves(EXAM, PAPER)] == [
        ("type", "choice"),
        ("stem", "下图中\n$x^2$ 是几？"),
        ("options.a.text", "4"),
        ("options.a.right", True),
        ("options.b.text", "8"),
        ("options.b.right", False),
        ("blanks.p.question", "哪个？"),
        ("blanks.p.accepted.0.text", "甲"),
        ("blanks.p.accepted.1.text", "乙"),
        ("blanks.q.question", "几个？"),
        ("fixed_order", False),
    ]
    assert [leaf.path for leaf in leaves(TREES["vqa"], empty(TREES["vqa"]))][:3] == [
        "pairs.0.question",
        "pairs.0.answer",
        "pairs.1.question",
    ]


def test_differences_go_by_path_and_entries_by_key():
    after = copy.deepcopy(PAPER)
    after["options"] = [{"key": "c", "text": "16", "right": False}, after["options"][0] | {"right": False}]
    after["blanks"][0]["accepted"].reverse()
    after["blanks"][0]["question"] = "哪一个？"
    assert difference(EXAM, PAPER, after) == {
        "options.a.right": (True, False),
        "options.b": ({"key": "b", "text": "8", "right": False}, None),
        "options.c": (None, {"key": "c", "text": "16", "right": False}),
        "blanks.p.question": ("哪个？", "哪一个？"),
    }
    moved = PANDA | {"box": [1, 2.5, 30, 41]}
    assert difference(BOXES, {"boxes": [PANDA, LAMP]}, {"boxes": [LAMP, moved]}) == {
        "boxes.k7f3.box": ([1, 2.5, 30, 40], [1, 2.5, 30, 41])
    }
    fewer = {"captions": [*"abcd"]}
    assert difference(TREES["captions"], fewer, {"captions": [*"abxde"]}) == {
        "captions.2": ("c", "x"),
        "captions.4": (None, "e"),
    }


# --- Texts


def test_texts_go_by_groups():
    assert text_groups(EXAM) == {
        "stem": "stem",
        "options.text": "options.text",
        "blanks.question": "blanks.question",
        "blanks.accepted.text": "blanks.accepted.text",
    }
    assert texts_at(PAPER, "options.text") == ["4", "8"]
    assert texts_at(PAPER, "blanks.accepted.text") == ["甲", "乙"]
    assert first_text(EXAM, PAPER) == PAPER["stem"]
    assert first_text(TREES["captions"], {"captions": []}) == ""
    assert (text_groups(BOXES), first_text(BOXES, {"boxes": [PANDA]})) == ({}, "")


def test_content_is_built_from_texts():
    texts = {
        "question.local": ["几只？"],
        "question.translated": ["How many?"],
        "options.local": ["一", "二"],
        "options.translated": ["one", "two"],
    }
    assert from_texts(CHOICE, texts) == {
        "question": {"local": "几只？", "translated": "How many?"},
        "options": [{"local": "一", "translated": "one"}, {"local": "二", "translated": "two"}],
    }
    with pytest.raises(UnpairedTexts) as refused:
        from_texts(CHOICE, texts | {"options.local": ["一"]})
    assert refused.value.counts == {"options.local": 1, "options.translated": 2}
    for wrong in (texts | {"question.local": []}, texts | {"x": []}, {"question.local": ["几只？"]}):
        with pytest.raises(MalformedContent):
            from_texts(CHOICE, wrong)
    paper = {"stem": ["?"], "options.text": ["4", "8"], "blanks.question": [], "blanks.accepted.text": []}
    assert from_texts(EXAM, paper) == empty(EXAM) | {
        "stem": "?",
        "options": [{"key": "k0", "text": "4", "right": False}, {"key": "k1", "text": "8", "right": False}],
    }


# --- Published


def test_columns_have_the_types_of_their_nodes():
    assert columns(BOXES) == {
        "boxes": Column(
            [{"key": "string", "category": "string", "box": ["float64"]}],
            "objects, each with its category and its box in pixels: left, top, width, height",
        )
    }
    assert {name: column.shape for name, column in columns(EXAM).items()} == {
        "type": "string",
        "stem": "string",
        "options": [{"key": "string", "text": "string", "right": "bool"}],
        "blanks": [{"key": "string", "question": "string", "accepted": [{"key": "string", "text": "string"}]}],
        "fixed_order": "bool",
    }
    assert columns(TREES["captions"]) == {
        "captions": Column(["string"], "the captions, in the order they were written")
    }
    assert columns(TREES["vqa"]) == {
        "pairs": Column(
            [{"question": "string", "answer": "string"}],
            "questions about the picture, each with its answer, in the order they were written",
        )
    }


def test_answers_are_withheld_at_any_depth():
    record = {"id": 7} | PAPER
    public, answers = withhold(EXAM, record)
    assert public == record | {
        "options": [{"key": "a", "text": "4", "right": False}, {"key": "b", "text": "8", "right": False}],
        "blanks": [
            {"key": "p", "question": "哪个？", "accepted": []},
            {"key": "q", "question": "几个？", "accepted": []},
        ],
    }
    assert answers == {"options.right": [True, False], "solutions": [PAPER["blanks"][0]["accepted"], []]}
    assert record == {"id": 7} | PAPER
    choice = {"question": {"local": "几只？", "translated": ""}, "options": [{"local": "一", "translated": ""}] * 4}
    assert withhold(CHOICE, choice) == (choice | {"options": []}, {"options": choice["options"]})


def test_everything_below_an_answer_is_withheld():
    secret = RecordNode(fields={"box": NumbersNode(count=2), "say": BOTH, "sure": FlagNode()}, answer=True)
    tree = RecordNode(
        fields={"secret": secret, "notes": KeyedNode(of=RecordNode(fields={"x": TextNode()}, answer=True))}
    )
    content = {
        "secret": {"box": [1, 2], "say": {"local": "甲", "translated": "A"}, "sure": True},
        "notes": [{"key": "n", "x": "乙"}],
    }
    public, answers = withhold(tree, content)
    assert public == {
        "secret": {"box": [], "say": {"local": "", "translated": ""}, "sure": False},
        "notes": [{"key": "n", "x": ""}],
    }
    assert answers == {"secret": content["secret"], "notes": content["notes"]}


# --- For any content of any tree

_PIECES = st.text(st.sampled_from("甲e\u0301 \n字"), max_size=5)
_KEYS = st.text(st.sampled_from("abZ09_-"), min_size=1, max_size=4)


def contents(node):
    """Accepted contents of a tree."""
    match node:
        case TextNode():
            return _PIECES
        case CodeNode():
            return st.sampled_from(["", "panda", "a:b_c.d-1"])
        case FlagNode():
            return st.booleans()
        case NumbersNode():
            number = st.integers(-(10**9), 10**9) | st.floats(-(10**9), 10**9)
            return st.just([]) | st.lists(number, min_size=node.count, max_size=node.count)
        case RecordNode():
            return st.fixed_dictionaries({name: contents(child) for name, child in node.fields.items()})
        case ListNode():
            return st.lists(contents(node.of), min_size=node.count, max_size=node.count)
        case KeyedNode():
            entries = st.tuples(_KEYS, contents(node.of)).map(lambda pair: {"key": pair[0]} | pair[1])
            return st.lists(entries, max_size=4, unique_by=lambda entry: entry["key"])


@st.composite
def trees_and_contents(draw, count=1):
    tree = TREES[draw(st.sampled_from(sorted(TREES)))]
    return tree, *(draw(contents(tree)) for _ in range(count))


@given(trees_and_contents())
def test_what_fits_is_accepted_unchanged_and_cleaned_once(pair):
    tree, content = pair
    before = json.dumps(content)
    assert accept(tree, content) == content
    cleaned = clean(tree, content)
    assert clean(tree, cleaned) == cleaned
    assert fit(tree, content, pad=False) == content
    assert json.dumps(content) == before
    assert [leaf.path for leaf in leaves(tree, cleaned)] == [leaf.path for leaf in leaves(tree, content)]


@given(trees_and_contents())
def test_paths_name_one_value_each(pair):
    tree, content = pair
    paths = [leaf.path for leaf in leaves(tree, content)]
    assert len(set(paths)) == len(paths)
    by_group = {group: texts_at(content, group) for group in text_groups(tree)}
    texts = [leaf.value for leaf in leaves(tree, content) if isinstance(leaf.node, TextNode)]
    assert sorted(text for group in by_group.values() for text in group) == sorted(texts)


@given(trees_and_contents(count=2))
def test_a_difference_leads_from_one_content_to_the_other_and_back(triple):
    tree, one, other = triple
    there, back = difference(tree, one, other), difference(tree, other, one)
    assert there == {path: (before, after) for path, (after, before) in back.items()}
    assert difference(tree, one, copy.deepcopy(one)) == {}
    mine, theirs = ({leaf.path: leaf.value for leaf in leaves(tree, content)} for content in (one, other))
    # A leaf is equal on both sides, or it or an entry around it is a difference.
    for path in mine.keys() | theirs.keys():
        around = [path.rsplit(".", n)[0] for n in range(path.count(".") + 1)]
        assert (path not in mine or path not in theirs or mine[path] != theirs[path]) == any(p in there for p in around)


@given(trees_and_contents())
def test_a_public_record_has_the_columns_and_no_answer(pair):
    tree, content = pair
    record = {"id": 1} | content
    public, answers = withhold(tree, record)
    assert public.keys() == record.keys()
    assert all(leaf.value in ("", False) for leaf in leaves(tree, public) if leaf.node.answer)
    assert withhold(tree, public)[0] == public
    if tree is EXAM:
        assert {path for path in difference(tree, content, public) if not path.endswith(".right")} == {
            f"blanks.{blank['key']}.accepted.{entry['key']}"
            for blank in content["blanks"]
            for entry in blank["accepted"]
        }
        assert answers["solutions"] == [blank["accepted"] for blank in content["blanks"]]


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["key", "boxes", "box", "category", "captions", "pairs", "question"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(st.sampled_from(sorted(TREES)), _ANYTHING)
def test_anything_else_is_refused(name, value):
    tree = TREES[name]
    for content in (value, dict.fromkeys(tree.fields, value), {field: [value] for field in tree.fields}):
        with suppress(MalformedContent, TextRefused):
            accepted = clean(tree, content)
            assert accept(tree, accepted) == accepted
        with suppress(MalformedContent):
            fit(tree, content, pad=True)
