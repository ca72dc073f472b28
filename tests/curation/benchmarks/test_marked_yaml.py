"""Values of a YAML file know their lines; see also tests/curation/benchmarks/test_rules.py."""

import pytest
from pydantic import BaseModel, ConfigDict

from curation.benchmarks.rules.marked_yaml import MAX_REPORTED, Document, FileInvalid


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    size: int


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    one: Inner
    many: list[Inner]
    maybe: Inner | None = None


def problems(source):
    document = Document(source, file="f.yaml")
    document.check(document.value, Outer)
    with pytest.raises(FileInvalid) as refused:
        document.raise_problems()
    return [str(p) for p in refused.value.problems]


def test_a_valid_file_gives_the_model():
    document = Document("one: {size: 1}\nmany:\n  - size: 2\n", file="f.yaml")
    assert document.check(document.value, Outer) == Outer(one=Inner(size=1), many=[Inner(size=2)])
    document.raise_problems()


def test_lines_of_lists_and_of_what_is_missing():
    assert problems("one:\n  size: 1\nmany:\n  - size: 2\n  - size: x\n  - {}\n") == [
        "f.yaml:5: many.1.size: expected a whole number, got 'x'",
        "f.yaml:6: many.2.size: expected this key, which is missing",
    ]
    assert problems("one:\n  size: 1\n") == ["f.yaml:1: many: expected this key, which is missing"]


def test_unknown_keys_name_the_known_ones_at_every_depth():
    assert problems("one: {size: 1, sise: 2}\nmany: [{size: 1, x: 1}]\nmore: 1\nmaybe: {size: 1, y: 1}\n") == [
        "f.yaml:1: one.sise: expected one of the keys size",
        "f.yaml:2: many.0.x: expected one of the keys size",
        "f.yaml:3: more: expected one of the keys one, many, maybe",
        "f.yaml:4: maybe.y: expected one of the keys size",
    ]


@pytest.mark.parametrize("source", ["on: 1", "1: 2", "? [a]\n: b", "one: !!binary x", "one: 2024-13-45"])
def test_odd_keys_and_values_are_faults_and_no_crash(source):
    assert problems(source)


def test_the_refusal_carries_every_fault_for_the_api():
    document = Document("one: 1\none: 2\n", file="f.yaml")
    with pytest.raises(FileInvalid) as refused:
        document.raise_problems()
    assert refused.value.params == {
        "file": "f.yaml",
        "count": 1,
        "faults": [
            {
                "line": 2,
                "key": "one",
                "message": "expected each key once; it stands on line 1 too",
                "code": "key_twice",
                "params": {"first": 1},
            }
        ],
    }


def test_a_file_of_senseless_size_is_not_read():
    document = Document("a: " + "x" * 1_000_000, file="f.yaml")
    assert [str(p) for p in document.problems] == ["f.yaml:1: (whole file): expected at most 1000000 characters"]


@pytest.mark.parametrize("value", ["2024-01-01", ".nan", "-.inf", "!!binary aGk=", '"a\\0b"', "2024-01-01T10:00:00Z"])
def test_what_no_database_stores_is_a_fault(value):
    document = Document(f"one: 1\ntwo: {value}\n", file="f.yaml")
    assert [(p.line, p.key, p.expected) for p in document.problems] == [
        (2, "two", "a plain text, number, true or false")
    ]


def test_plain_values_are_read_as_they_are():
    document = Document("a: 1\nb: 1.5\nc: x\nd: true\ne: null\nf: 550_000\n", file="f.yaml")
    assert document.value == {"a": 1, "b": 1.5, "c": "x", "d": True, "e": None, "f": 550_000}
    assert document.problems == []


def test_a_lone_surrogate_is_a_fault_of_its_line():
    document = Document('one: 1\ntwo: "\\ud800"\n', file="f.yaml")
    assert [p.line for p in document.problems] == [2]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_nesting_is_bounded_before_anything_is_built(opening):
    document = Document("x: 1\ny:\n  " + opening * 3_000, file="f.yaml")
    assert [(p.line, p.code) for p in document.problems] == [(3, "too_deep")]


@pytest.mark.parametrize(("levels", "codes"), [(40, []), (41, ["too_deep"])])
def test_forty_levels_are_allowed_and_one_more_is_a_fault(levels, codes):
    """Each way of nesting counts alike, and a collection that has ended counts no more."""
    flow = "[" * levels + "]" * levels
    block = "".join(f"{'  ' * level}k:\n" for level in range(levels)) + "  " * levels + "1\n"
    siblings = "a: [1]\nb: {c: 1}\nd: " + "[" * (levels - 1) + "]" * (levels - 1)
    for source in (flow, block, siblings):
        assert [p.code for p in Document(source, file="f.yaml").problems] == codes


@pytest.mark.parametrize("number", ["9" * 90_000, "0x" + "f" * 90_000, "1" + ":59" * 30_000, "-1." + "0" * 90_000])
def test_numbers_have_a_bounded_length(number):
    (found,) = Document(f"size:\n  - {number}\n", file="f.yaml").problems
    assert (found.line, found.key, found.code, found.params) == (2, "size.0", "number_too_long", {"max": 40})
    assert Document(f"size: {number[:30]}\n", file="f.yaml").problems == []


def test_the_first_two_hundred_faults_are_reported_and_the_rest_counted():
    with pytest.raises(FileInvalid) as refused:
        Document("{" + "a," * 49_000 + "}", file="x.yaml").raise_problems()
    assert (refused.value.params["count"], len(refused.value.params["faults"])) == (48_999, MAX_REPORTED)
    assert str(refused.value).endswith("x.yaml: 48799 more faults")
    assert len(str(refused.value)) + len(str(refused.value.params)) < 60_000


def test_long_keys_are_faults_and_not_repeated():
    (found,) = Document("k" * 121 + ": {a, a, a}\n", file="f.yaml").problems
    assert (found.key, found.code) == ("", "key_not_plain")
