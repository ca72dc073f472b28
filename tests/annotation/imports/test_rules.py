"""Reading files: every form gives the same rows, and no file raises anything but its refusal."""

import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.imports.rules import FORMATS, Fault, Unreadable, detect, first_bad_byte, read
from annotation.imports.rules.rows import picture_reference
from annotation.kinds.content import MalformedContent, WrongCount, fit
from annotation.kinds.registry import KINDS
from curation.lib.json_rows import LONGEST_ROW
from tests.annotation.releases.exporters.generated import texts
from tests.annotation.releases.exporters.questions import Questions, facts
from tests.kinds import tree_of

SHA = "ab" * 32
FIVE = ["一", "二", "三", "四", "五"]
PAIRS = [{"question": "几盏？", "answer": "两盏"}, {"question": "何处？", "answer": "门口"}]


def textarea(name: str, *texts: str) -> dict:
    return {"from_name": name, "to_name": "image", "type": "textarea", "value": {"text": list(texts)}}


def task(*result: dict, **data: str) -> dict:
    return {
        "id": 1,
        "data": {"image": "/data/upload/1/0a1b2c3d-img-0042.jpg"} | data,
        "annotations": [{"result": result}],
    }


def rows_of(tmp_path: Path, text: str, kind: str = "captions", format_name: str | None = None) -> list:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    return list(read(path, format_name or detect(path), tree_of(kind)))


def one(tmp_path: Path, value: object, kind: str = "captions"):
    [row] = rows_of(tmp_path, json.dumps(value), kind)
    return row


# --- One row in every form


def test_our_own_release_line_names_its_picture_by_content_and_label(tmp_path):
    record = {"captions": FIVE, "id": 12, "image": "images/test/75-lantern/75-12.jpg", "label": "img-0012"}
    row = one(tmp_path, record | {"image_sha256": SHA, "split": "test"})
    assert (row.line, row.content, row.fault) == (1, {"captions": FIVE}, None)
    assert (row.picture.sha256, row.picture.number, row.picture.files) == (SHA, 12, ("75-12.jpg",))


@pytest.mark.parametrize("image", ["img-0042", "42", 42, "img-0042.jpg", "a/b/img-0042.webp"])
def test_a_plain_line_names_its_picture_by_label(tmp_path, image):
    assert one(tmp_path, {"image": image, "captions": FIVE}).picture.number == 42


@pytest.mark.parametrize(
    "record",
    [
        {"pairs": PAIRS},
        {"questions": ["几盏？", "何处？"], "answers": ["两盏", "门口"]},
    ],
)
def test_questions_come_as_pairs_or_side_by_side(tmp_path, record):
    assert one(tmp_path, {"image": "img-1"} | record, "vqa").content == {"pairs": PAIRS}


def test_questions_and_answers_must_pair(tmp_path):
    row = one(tmp_path, {"image": "img-1", "questions": ["几盏？"], "answers": []}, "vqa")
    assert row.fault == Fault("texts_do_not_pair", {"questions": 1, "answers": 0})


@pytest.mark.parametrize("format_name", ["jsonl", "label_studio"])
def test_choice_questions_of_a_release_come_back_in_every_script(tmp_path, format_name):
    release = Questions(facts())
    [text] = [text for name, text in texts(format_name, release).items() if "test" in name]
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    rows = list(read(path, format_name, release.facts.tree))
    records = [release.record(ordinal) for ordinal in release.facts.rows]
    assert [row.content for row in rows] == [{name: r[name] for name in release.facts.tree.fields} for r in records]
    assert [row.slot for row in rows] == [record["slot"] for record in records]


def test_a_choice_question_may_be_a_plain_line(tmp_path):
    tree = facts().tree
    sides = {"question.local": "这是什么？", "question.translated": "What is this?"}
    sides |= {"options.local": ["灯", "茶", "鱼", "猫"], "options.translated": ["Lamp", "Tea", "Fish", "Cat"]}
    (tmp_path / "file").write_text(json.dumps({"image": "img-1", "category": "objects"} | sides))
    [row] = read(tmp_path / "file", "jsonl", tree)
    assert row.content == {
        "category": "objects",
        "question": {"local": "这是什么？", "translated": "What is this?"},
        "options": [
            {"local": local, "translated": translated}
            for local, translated in zip(sides["options.local"], sides["options.translated"], strict=True)
        ],
    }


def test_annotations_with_other_choices_are_not_chosen_among(tmp_path):
    tree = facts().tree
    texts_of = [textarea("question.local", "甲？"), textarea("question.translated", "A?")]

    def annotation(category: str) -> dict:
        choice = {"from_name": "category", "to_name": "image", "type": "choices", "value": {"choices": [category]}}
        return {"result": [*texts_of, choice, {**choice, "from_name": "quality"}]}

    def row_of(*annotations: dict):
        (tmp_path / "file").write_text(json.dumps([{"data": {"image": "img-1"}, "annotations": annotations}]))
        [row] = read(tmp_path / "file", "label_studio", tree)
        return row

    assert row_of(annotation("food")).content["category"] == "food"
    assert row_of(annotation("food"), annotation("food")).content["category"] == "food"
    assert row_of(annotation("food"), annotation("sports")).fault == Fault("several_annotations", {"count": 2})


def test_label_studio_takes_areas_in_the_order_of_their_numbers(tmp_path):
    result = [
        textarea("caption10", "十"),
        textarea("caption2", "二"),
        textarea("comment", "x"),
        textarea("caption1", "一"),
    ]
    [row] = rows_of(tmp_path, json.dumps([task(*result, image_sha256=SHA)]))
    assert row.content == {"captions": ["一", "二", "十"]}
    assert (row.picture.sha256, row.picture.number) == (SHA, 42)


def test_label_studio_takes_one_area_with_five_texts_whatever_its_name(tmp_path):
    [row] = rows_of(tmp_path, json.dumps([task(textarea("beschreibung", *FIVE))]))
    assert row.content == {"captions": FIVE}


def test_label_studio_pairs_questions_with_answers(tmp_path):
    result = [textarea("answer1", "两盏"), textarea("question1", "几盏？")]
    result += [textarea("question2", "何处？"), textarea("answer2", "门口")]
    assert rows_of(tmp_path, json.dumps([task(*result)]), "vqa")[0].content == {"pairs": PAIRS}


@pytest.mark.parametrize(
    "values",
    [
        {"caption": {"text": FIVE}},
        {"caption": FIVE},
        {f"caption{n}": text for n, text in enumerate(FIVE, 1)},
        {"captions": FIVE},
    ],
)
def test_json_min_holds_texts_beside_the_data(tmp_path, values):
    value = {"id": 7, "image": "img-0042", "annotator": 1, "created_at": "2026-11-01", "lead_time": 3.5} | values
    [row] = rows_of(tmp_path, json.dumps([value]))
    assert (row.content, row.picture.number) == ({"captions": FIVE}, 42)


def test_several_peoples_texts_for_one_picture_are_not_chosen_among(tmp_path):
    two = task(textarea("caption", "一")) | {
        "annotations": [{"result": [textarea("caption", text)]} for text in ("一", "二")]
    }
    cancelled = {"result": [textarea("caption", "三")], "was_cancelled": True}
    truth = {"result": [textarea("caption", "二")], "ground_truth": True}
    chosen = two | {"annotations": [*two["annotations"], cancelled, truth]}
    [first, second] = rows_of(tmp_path, json.dumps([two, chosen]))
    assert first.fault == Fault("several_annotations", {"count": 2})
    assert second.content == {"captions": ["二"]}


def test_coco_gathers_captions_that_lie_apart(tmp_path):
    value = {
        "info": {"year": 2026},
        "annotations": [{"image_id": n % 2, "caption": f"{n}"} for n in range(4)] + [{"image_id": 9, "caption": "x"}],
        "images": [{"id": n, "file_name": f"img-000{n}.jpg", "sha256": SHA if n else 3} for n in (1, 0, 1)],
    }
    rows = rows_of(tmp_path, json.dumps(value))
    assert [(r.line, r.picture.number, r.content and r.content["captions"], r.fault) for r in rows] == [
        (1, 1, ["1", "3"], None),
        (2, 0, ["0", "2"], None),
        (3, 1, None, Fault("image_id_twice", {"first": 1})),
        (4, None, None, Fault("image_unknown", {"image": "9"})),
    ]


# --- Files and rows that are not as they should be


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\ufeff [", "label_studio"),
        ('{"images": [', "coco_captions"),
        ('{"info": {}, "images"', "coco_captions"),
        ('{"image": "img-1", "captions": []}\n{', "jsonl"),
        ("image,caption", None),
        ("", None),
        ("{", None),
        ('"text"', None),
    ],
)
def test_a_files_beginning_shows_its_format(tmp_path, text, found):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert detect(path) == found


def test_a_line_that_cannot_be_read_keeps_no_other_back(tmp_path):
    good = json.dumps({"image": "img-1", "captions": FIVE})
    bad = ["{", "[1]", "[" * 100_000, '{"a": NaN}', '{"a": ' + "9" * 5_000 + "}", '"' + "x" * LONGEST_ROW + '"']
    rows = rows_of(tmp_path, "\n".join(["", good, *bad, good]), format_name="jsonl")
    assert [(r.line, r.fault and r.fault.code) for r in rows] == [
        (2, None),
        (3, "row_not_json"),
        (4, "row_not_understood"),
        (5, "row_not_json"),
        (6, "row_not_json"),
        (7, "row_not_json"),
        (8, "row_too_long"),
        (9, None),
    ]


@pytest.mark.parametrize(
    ("text", "row", "reason"),
    [
        ("[{}", 1, "breaks_off"),
        ("[{}, ", 2, "not_json"),
        ("[{}] x", 1, "not_json"),
        ("[" * 100_000, 1, "not_json"),
        ('["' + "x" * (LONGEST_ROW + 200_000), 1, "row_too_long"),
    ],
)
def test_an_array_that_breaks_off_is_refused_as_a_whole(tmp_path, text, row, reason):
    with pytest.raises(Unreadable) as refused:
        rows_of(tmp_path, text)
    assert (refused.value.row, refused.value.reason) == (row, reason)


def test_rows_longer_than_a_block_are_read(tmp_path):
    texts = ["字" * 30_000, "🏮" * 30_000]
    rows = rows_of(tmp_path, json.dumps([{"image": "img-1", "captions": texts}] * 3, ensure_ascii=False))
    assert [row.content for row in rows] == [{"captions": texts}] * 3


def test_another_encoding_is_told_by_its_first_byte():
    assert first_bad_byte(io.BytesIO("花灯🏮".encode())) is None
    assert first_bad_byte(io.BytesIO(b"\xef\xbb\xbf{}")) is None
    assert first_bad_byte(io.BytesIO("花灯".encode("gb18030"))) == 0
    assert first_bad_byte(io.BytesIO(b"x" * 65_535 + "花".encode() + b"\xff")) == 65_538
    assert first_bad_byte(io.BytesIO(b"ab\xe8\x8a")) == 2


def test_a_draft_may_have_fewer_texts_and_nothing_may_have_more():
    captions = tree_of("captions")
    assert fit(captions, {"captions": FIVE[:3]}, pad=True) == {"captions": [*FIVE[:3], "", ""]}
    assert fit(tree_of("vqa"), {"pairs": PAIRS}, pad=True)["pairs"][2] == {"question": "", "answer": ""}
    for count, pad in ((3, False), (6, True)):
        with pytest.raises(WrongCount) as refused:
            fit(captions, {"captions": [*FIVE, "六"][:count]}, pad=pad)
        assert (refused.value.count, refused.value.expected) == (count, 5)


@pytest.mark.parametrize(
    ("reference", "files"),
    [
        ("/data/local-files/?d=lanterns/%E8%8A%B1.jpg", ("花.jpg",)),
        ("https://example.org/a/b.jpg?x=1", ("b.jpg",)),
        (r"C:\pictures\b.jpg", ("b.jpg",)),
        ("/data/upload/3/8a7b6c5d-b.jpg", ("8a7b6c5d-b.jpg", "b.jpg")),
        ("http://[", ("[",)),
    ],
)
def test_a_picture_is_named_by_the_end_of_its_address(reference, files):
    assert picture_reference(reference=reference).files == files


def test_a_row_whose_answers_are_withheld_has_no_text(tmp_path):
    assert one(tmp_path, {"image": "img-1", "captions": []}).fault == Fault("row_without_text", {})


_NAMES = [
    *("image", "captions", "caption", "pairs", "question", "data", "annotations", "result", "value", "text", "id"),
    *("from_name", "type", "image_id", "images", "slot", "file_name", "label", "sha256"),
]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["textarea", "img-0001"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4) | st.sampled_from(_NAMES),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(value=_JSON, cut=st.integers(0, 60), kind=st.sampled_from(sorted(KINDS)))
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path_factory, value, cut, kind):
    path = tmp_path_factory.getbasetemp() / "any"
    as_task = [{"data": value, "annotations": [{"result": value}]}]
    as_coco = {"images": [value, {"id": 1}], "annotations": [value, {"image_id": 1, "caption": value}]}
    for shaped in (value, [value], as_task, as_coco):
        path.write_text(json.dumps(shaped)[: -cut or None], encoding="utf-8")
        for name in FORMATS:
            with suppress(Unreadable):
                for row in read(path, name, tree_of(kind)):
                    assert (row.content is None) != (row.fault is None)
                    json.dumps([row.picture.display, row.fault and row.fault.params], ensure_ascii=False).encode()
                    if row.content is not None:
                        with suppress(MalformedContent):
                            fit(tree_of(kind), row.content, pad=True)
        detect(path)
