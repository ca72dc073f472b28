"""Lists of one's own in versions, taking categories from them, and pictures that need a frozen list."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from curation.benchmarks.errors import (
    CategoriesInUse,
    CategoriesNotFrozen,
    CategoriesOnlyGrow,
    CategoryListInvalid,
    CategoryListNameTaken,
    CategoryListUnchanged,
    ProtocolNotRewritten,
)
from curation.benchmarks.models import ProtocolVersion
from curation.benchmarks.queries import preset
from curation.benchmarks.rules import TaxonomyNotReplaced, with_taxonomy
from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.core.errors import ClientKeyReused, NotFound, OperationNotAllowed, StaleRow
from curation.images.models import Image
from curation.images.services import create_upload
from curation.taxonomy.models import Category, CategoryListVersion
from curation.taxonomy.queries import benchmark_page, lists_in_force
from curation.taxonomy.queries.lists import check_list, list_page, list_rows
from curation.taxonomy.services import (
    adopt_protocol,
    create_benchmark,
    create_list,
    store_shipped_lists,
    use_list,
)
from tests.people import Role, person
from tests.shared import shared

SHIPPED = ("cmmu", "cmmu-difficulty", "cmmu-grades", "cvlue", "cvqa", "tcc-bench", "vistai")
TITLE = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "Lanterns"}
TWO = "zh,en,field_zh-Hans,field_en\n花灯,lantern,节庆,Festivals\n鼓,drum,乐器,Instruments\n"
THREE = TWO + "锣,gong,乐器,Instruments\n"
FIELD = {"code": "music", "name": {"zh-Hans": "音乐", "zh-Hant": "音樂", "en": "Music"}}
BOARD = {"proposers": 2, "per_field": {"minimum": 1, "maximum": 3}, "semantic_fields": [FIELD]}


def create(owner, **changes):
    given = {"slug": "lanterns", "title": TITLE, "preset": "cvlue", "client_key": uuid.uuid4()}
    return create_benchmark(actor=owner, **given | changes)


@shared
def owner():
    return person("owner", None, Role.OWNER)


@shared
def mine(owner):
    """A benchmark with a list of one's own."""
    return create(owner, categories={"own": {"name": "mine", "text": TWO, "form": "csv"}})


@shared
def decided(owner):
    """A benchmark whose categories a board decides on."""
    return create(owner, slug="decided", categories={"board": BOARD})


def slugs(benchmark):
    return list(Category.objects.filter(benchmark=benchmark).order_by("number").values_list("slug", flat=True))


def store(owner, text, base_version, name="mine", client_key=None):
    return create_list(
        actor=owner,
        benchmark_slug="lanterns",
        name=name,
        base_version=base_version,
        text=text,
        form="csv",
        client_key=client_key or uuid.uuid4(),
    )


def use(owner, version, base_version, name="mine", client_key=None, axis=None):
    return use_list(
        axis=axis,
        actor=owner,
        benchmark_slug="lanterns",
        name=name,
        version=version,
        base_version=base_version,
        client_key=client_key or uuid.uuid4(),
    )


def test_a_preset_freezes_the_version_that_ships(owner):
    made = create(owner)
    named = lists_in_force(made.protocol_id)[""]
    assert (named.benchmark, named.name, named.version, named.origin) == (None, "cvlue", 1, "shipped")
    store_shipped_lists()
    store_shipped_lists()
    shipped = CategoryListVersion.objects.order_by("name").values_list("name", "version")
    assert list(shipped) == [(name, 1) for name in SHIPPED]


def test_a_benchmark_is_made_from_a_list_of_ones_own(mine):
    assert slugs(mine) == ["lantern", "drum"]
    assert mine.protocol.content["taxonomy"]["list"] == {"own": "mine", "version": 1}
    # Everything else of the preset's text is as it was, comments included.
    assert mine.protocol.source.count("\n#") == preset("cvlue").source.count("\n#")
    before, after = preset("cvlue").content, mine.protocol.content
    assert {key: after[key] for key in after if key != "taxonomy"} == {k: before[k] for k in before if k != "taxonomy"}
    named = lists_in_force(mine.protocol_id)[""]
    assert (named.benchmark_id, named.name, named.version, named.origin) == (mine.pk, "mine", 1, "file")


def test_the_same_key_with_another_list_is_refused(owner):
    key = uuid.uuid4()
    own = {"name": "mine", "text": TWO, "form": "csv"}
    first = create(owner, categories={"own": own}, client_key=key)
    assert create(owner, categories={"own": own}, client_key=key).pk == first.pk
    with pytest.raises(ClientKeyReused):
        create(owner, categories={"own": own | {"text": THREE}}, client_key=key)


@pytest.mark.parametrize("name", ["cvlue", "vistai", "board"])
def test_a_list_of_ones_own_has_a_name_of_its_own(owner, mine, name):
    with pytest.raises(CategoryListNameTaken):
        store(owner, TWO, 0, name=name)
    with pytest.raises(CategoryListNameTaken):
        create(owner, slug="other", categories={"own": {"name": name, "text": TWO, "form": "csv"}})


def test_versions_follow_each_other_and_never_change(owner, mine):
    key = uuid.uuid4()
    second = store(owner, THREE, 1, client_key=key)
    assert (second.version, store(owner, THREE, 1, client_key=key).pk) == (2, second.pk)
    with pytest.raises(ClientKeyReused):
        store(owner, TWO, 1, client_key=key)
    with pytest.raises(StaleRow):
        store(owner, TWO + "笛,flute,乐器,Instruments\n", 1)
    with pytest.raises(CategoryListUnchanged):
        store(owner, THREE, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        CategoryListVersion.objects.filter(pk=second.pk).update(content={})
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("delete from curation_protocollist")
    assert slugs(mine) == ["lantern", "drum"]


def test_a_category_keeps_its_number_in_the_next_version(owner, mine):
    head, *rows = THREE.strip().split("\n")
    numbers = {row["slug"]: n for n, row in enumerate(list_page(owner, "lanterns", "mine", 1)["rows"], 1)}
    assert numbers == {"lantern": 1, "drum": 2}
    store(owner, "\n".join([head, rows[-1], *rows[:-1]]), 1)
    use(owner, 2, 1)
    assert slugs(mine) == ["lantern", "drum", "gong"]


def test_numbers_of_a_list_may_change_places(owner, mine):
    def numbered(*numbers):
        named = "{zh-Hans: %s, zh-Hant: %s, en: %s}"
        rows = zip(("lantern", "drum", "gong"), "灯鼓锣", numbers, strict=True)
        lines = [f"  - {{slug: {slug}, number: {n}, name: {named % (zh, zh, slug)}}}\n" for slug, zh, n in rows]
        return (
            f"name: x\nsource: y\nfields:\n- slug: all\n  name: {named % ('类', '類', 'all')}\n  categories:\n"
            + "".join(lines)
        )

    for version, numbers in ((2, (1, 2, 3)), (3, (5, 6, 4))):
        create_list(
            actor=owner,
            benchmark_slug="lanterns",
            name="mine",
            base_version=version - 1,
            text=numbered(*numbers),
            form="yaml",
            client_key=uuid.uuid4(),
        )
        use(owner, version, version - 1)
    assert slugs(mine) == ["gong", "lantern", "drum"]


def test_only_the_current_version_of_a_list_that_ships_can_be_used(owner, mine):
    with pytest.raises(NotFound):
        use(owner, 99, 1, name="vistai")
    assert slugs(mine) == ["lantern", "drum"]


def test_faults_are_refused_by_cell(owner, mine):
    with pytest.raises(CategoryListInvalid) as refused:
        store(owner, "zh,en\n鼓,\n", 1)
    assert refused.value.params["count"] == 1
    assert refused.value.params["faults"][0] | {"message": ""} == {
        "line": 2,
        "column": "name_en",
        "code": "cell_missing",
        "params": {},
        "message": "",
    }
    assert check_list(owner, "zh,en\n鼓,\n", "csv")["rows"] == [
        {"name_zh-Hans": "鼓", "name_en": "", "search": "鼓\ngu\ng"}
    ]


def test_a_newer_version_is_taken_in_one_step_and_keeps_the_categories_that_stay(owner, mine):
    drum = Category.objects.get(benchmark=mine, slug="drum")
    store(owner, THREE, 1)
    key = uuid.uuid4()
    adopted = use(owner, 2, 1, client_key=key)
    assert (adopted.version, use(owner, 2, 1, client_key=key).pk) == (2, adopted.pk)
    assert slugs(mine) == ["lantern", "drum", "gong"]
    assert Category.objects.get(benchmark=mine, slug="drum").pk == drum.pk
    rows = {(row["name"], row["version"]): row for row in list_rows(owner, "lanterns")}
    assert rows["mine", 1]["protocol_versions"] == [1]
    assert (rows["mine", 2]["protocol_versions"], rows["mine", 2]["in_use"], rows["mine", 1]["in_use"]) == (
        [2],
        True,
        False,
    )
    assert [row["slug"] for row in list_page(owner, "lanterns", "mine", 2)["rows"]] == ["lantern", "drum", "gong"]


def test_other_changes_of_the_protocol_keep_the_version_of_the_list(owner, monkeypatch):
    made = create(owner)
    changed = CategoryListVersion(name="cvlue", version=2, sha256="0" * 64, content={}, origin="shipped")
    changed.save(force_insert=True)
    text = made.protocol.source + "# Reviewed by all of us.\n"
    adopted = adopt_protocol(actor=owner, benchmark_slug="lanterns", text=text, base_version=1, client_key=uuid.uuid4())
    assert lists_in_force(adopted.pk)[""].version == 1


def test_a_protocol_cannot_name_a_list_that_is_not_there(owner, mine):
    text = mine.protocol.source.replace("own: mine\n    version: 1", "own: mine\n    version: 7", 1)
    with pytest.raises(FileInvalid) as refused:
        adopt_protocol(actor=owner, benchmark_slug="lanterns", text=text, base_version=1, client_key=uuid.uuid4())
    [problem] = refused.value.problems
    assert (problem.code, dict(problem.params)) == ("list_missing", {"name": "mine", "version": 7})
    assert text.splitlines()[problem.line - 1] == "  list:"
    with pytest.raises(FileInvalid):
        create(owner, slug="other", preset=None, text=mine.protocol.source)


def test_with_items_a_list_only_grows(owner, mine, monkeypatch):
    monkeypatch.setattr("curation.taxonomy.services.adopting.kinds_in_use", lambda _: {"captions": "package"})
    store(owner, TWO.replace("鼓,drum,乐器,Instruments\n", "") + "锣,gong,乐器,Instruments\n", 1)
    with pytest.raises(CategoriesOnlyGrow) as refused:
        use(owner, 2, 1)
    assert refused.value.params["slugs"] == ["drum"]
    assert slugs(mine) == ["lantern", "drum"]
    assert ProtocolVersion.objects.filter(benchmark=mine).count() == 1


def test_axes_are_lists_too(owner, mine):
    store(owner, "zh,en\n小学,primary school\n初中,middle school\n", 0, name="grades")
    name = "{zh-Hans: 学段, zh-Hant: 學段, en: Grade}"
    axis = f"  axes:\n  - {{code: grade, name: {name}, list: {{own: grades, version: 1}}}}\n"
    text = mine.protocol.source.replace("taxonomy:\n", "taxonomy:\n" + axis, 1)
    adopt_protocol(actor=owner, benchmark_slug="lanterns", text=text, base_version=1, client_key=uuid.uuid4())
    [grade] = benchmark_page(owner, "lanterns")["axes"]
    assert (grade["code"], [value["slug"] for value in grade["values"]]) == (
        "grade",
        ["primary_school", "middle_school"],
    )
    assert slugs(mine) == ["lantern", "drum"]


def test_a_list_becomes_a_dimension_in_one_step(owner, mine):
    store(owner, "zh,en\n小学,primary school\n初中,middle school\n", 0, name="grades")
    name = {"zh-Hans": "学段", "zh-Hant": "學段", "en": "Grade"}
    use(owner, 1, 1, name="grades", axis={"code": "grade", "name": name})
    assert slugs(mine) == ["lantern", "drum"]
    store(owner, "zh,en\n小学,primary school\n初中,middle school\n高中,high school\n", 1, name="grades")
    store(owner, "zh,en\n易,easy\n难,hard\n", 0, name="levels")
    use(owner, 1, 2, name="levels", axis={"code": "level", "name": name | {"en": "Difficulty"}})
    use(owner, 2, 3, name="grades", axis={"code": "grade", "name": name | {"en": "School grade"}})
    page = benchmark_page(owner, "lanterns")
    assert [(axis["name"]["en"], [value["slug"] for value in axis["values"]]) for axis in page["axes"]] == [
        ("School grade", ["primary_school", "middle_school", "high_school"]),
        ("Difficulty", ["easy", "hard"]),
    ]
    assert page["protocol"]["content"]["taxonomy"]["list"] == {"own": "mine", "version": 1}
    rows = {(row["name"], row["version"]): row for row in list_rows(owner, "lanterns")}
    assert {key: ([name["en"] for name in row["dimensions"]], row["in_use"]) for key, row in rows.items()} == {
        ("grades", 1): ([], False),
        ("grades", 2): (["School grade"], False),
        ("levels", 1): (["Difficulty"], False),
        ("mine", 1): ([], True),
    }


def test_pictures_need_a_frozen_list(owner, decided):
    assert (slugs(decided), lists_in_force(decided.protocol_id)) == ([], {})
    curator = person("curator", decided, Role.CURATOR)
    with pytest.raises(CategoriesNotFrozen):
        create_upload(actor=curator, benchmark_slug="decided", filename="a.jpg", length=9, client_key=uuid.uuid4())
    with pytest.raises(IntegrityError, match="not frozen"), transaction.atomic():
        Image.objects.create(
            benchmark=decided,
            number=1,
            sha256="0" * 64,
            phash=0,
            width=1,
            height=1,
            contributor=owner,
            source={},
            licence="own-work",
            client_key=uuid.uuid4(),
        )


def test_a_board_needs_its_settings(owner, decided):
    board = decided.protocol.content["taxonomy"]["board"]
    assert board == {"proposers": 2, "per_field": {"minimum": 1, "maximum": 3}, "fields": [FIELD]}
    text = with_taxonomy(decided.protocol.source, {"list": {"board": True}})
    with pytest.raises(FileInvalid) as refused:
        create(owner, slug="other", preset=None, text=text)
    assert [p.code for p in refused.value.problems] == ["board_missing"]


def test_only_those_who_adopt_protocols_store_lists(mine):
    for role in (Role.CURATOR, Role.ANNOTATOR):
        with pytest.raises(OperationNotAllowed):
            store(person(role, mine, role), THREE, 1)


def test_used_categories_cannot_be_taken_away(owner, mine):
    Image.objects.create(
        benchmark=mine,
        number=1,
        sha256="0" * 64,
        phash=0,
        width=1,
        height=1,
        contributor=owner,
        source={},
        licence="own-work",
        client_key=uuid.uuid4(),
        category=Category.objects.get(benchmark=mine, slug="drum"),
    )
    store(owner, "zh,en,field_zh-Hans,field_en\n花灯,lantern,节庆,Festivals\n", 1)
    with pytest.raises(CategoriesInUse) as refused:
        use(owner, 2, 1)
    assert refused.value.params["slugs"] == ["drum"]


def test_a_text_in_flow_style_is_left_to_people(owner, mine):
    with pytest.raises(TaxonomyNotReplaced):
        with_taxonomy("{meta: {}, taxonomy: {list: cvlue}}", {"list": "cvqa"})
    ProtocolVersion.objects.create(
        benchmark=mine, version=9, name="x", source_sha256="9" * 64, source="", content=mine.protocol.content
    )
    with pytest.raises(ProtocolNotRewritten):
        use(owner, 1, 9)


def test_rows_of_a_list_have_the_strings_that_find_them(mine, owner):
    rows = list_page(owner, mine.slug, "mine", 1)["rows"]
    assert [row["search"].split("\n") for row in rows] == [
        ["花灯", "花燈", "lantern", "huadeng", "hd"],
        ["鼓", "drum", "gu", "g"],
    ]
    assert check_list(owner, TWO, "csv")["rows"][1]["search"] == rows[1]["search"]
