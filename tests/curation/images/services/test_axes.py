"""Values of further dimensions: chosen at upload, corrected, listed; the database refuses values of no list."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from curation.benchmarks.errors import CategoriesInUse
from curation.benchmarks.queries import preset
from curation.benchmarks.rules import changes
from curation.core.models import AuditEvent
from curation.images import errors
from curation.images.models import Image, Upload
from curation.images.queries import ImageFilters, image_cells, image_page
from curation.images.services import correct_image, describe_uploads, finalize_uploads
from curation.taxonomy.queries import benchmark_page
from curation.taxonomy.services import adopt_protocol, create_benchmark
from tests.people import Role, key, person, send, signed_in, told
from tests.pictures import image, jpeg, ready

TITLE = {"zh-Hans": "试题", "zh-Hant": "試題", "en": "Exams"}
DETAILS = {"source": "external", "licence": "exam-board", "url": "https://exams.example/1", "author": "board"}
TEXT = preset("cmmu").source


class World:
    """A benchmark from CMMU's preset with its owner and a person who uploads."""

    def __init__(self):
        self.owner = person("owner", None, Role.OWNER)
        self.benchmark = create_benchmark(
            actor=self.owner, slug="exams", title=TITLE, preset="cmmu", client_key=uuid.uuid4()
        )
        self.editor = person("editor", self.benchmark, "annotator")

    def upload(self, seed=1, **details):
        return ready(self.editor, jpeg(seed), "exams", **DETAILS | {"category": "math"} | details)

    def picture(self, seed=1, **details):
        return image(self.editor, seed, slug="exams", **DETAILS | {"category": "math"} | details)

    def correct(self, picture, **axes):
        correct_image(actor=self.owner, image_id=picture.pk, client_key=uuid.uuid4(), axes=axes)
        return Image.objects.get(pk=picture.pk).axes

    def listed(self, axes):
        filters = ImageFilters(axes=axes)
        page = image_page(self.owner, "exams", page_size=50, filters=filters)
        return [row["label"] for row in page["results"]]


@pytest.fixture
def exams(db, media):
    return World()


def test_the_benchmark_names_its_dimensions_with_their_values(exams):
    axes = benchmark_page(exams.owner, "exams")["axes"]
    assert [(axis["code"], axis["name"]["en"], [value["slug"] for value in axis["values"]]) for axis in axes] == [
        ("grade", "Grade", ["primary", "middle", "high"]),
        ("difficulty", "Difficulty", ["normal", "hard"]),
    ]


def test_values_are_chosen_at_upload_one_after_the_other(exams):
    upload = exams.upload(axes={"grade": "high"})
    describe = {"actor": exams.editor, "benchmark_slug": "exams", "ids": [upload.pk]}
    describe_uploads(**describe, details={"axes": {"difficulty": "hard"}})
    assert Upload.objects.get(pk=upload.pk).details["axes"] == {"grade": "high", "difficulty": "hard"}
    describe_uploads(**describe, details={"axes": {"grade": ""}})
    assert Upload.objects.get(pk=upload.pk).details["axes"] == {"difficulty": "hard"}
    for axes in ({"grade": "college"}, {"colour": "red"}, {"": "red"}):
        with pytest.raises(errors.AxisValueUnknown):
            describe_uploads(**describe, details={"axes": axes})
    assert Upload.objects.get(pk=upload.pk).details["axes"] == {"difficulty": "hard"}
    (taken,) = finalize_uploads(actor=exams.editor, benchmark_slug="exams", ids=[upload.pk])
    assert Image.objects.get(pk=taken.image_id).axes == {"difficulty": "hard"}


def test_a_value_may_be_left_out(exams):
    assert exams.picture().axes == {}


def test_a_correction_changes_the_named_dimensions_only_and_the_history_has_both(exams):
    picture = exams.picture(axes={"grade": "high", "difficulty": "hard"})
    assert exams.correct(picture, difficulty="normal") == {"grade": "high", "difficulty": "normal"}
    assert exams.correct(picture, grade="") == {"difficulty": "normal"}
    with pytest.raises(errors.AxisValueUnknown) as refused:
        exams.correct(picture, grade="college", difficulty="hard")
    assert refused.value.params == {"axis": "grade", "value": "college"}
    assert Image.objects.get(pk=picture.pk).axes == {"difficulty": "normal"}
    events = AuditEvent.objects.filter(action="image_correct").order_by("pk")
    assert [event.data for event in events] == [
        {"axes": {"difficulty": "normal"}, "before": {"axes": {"difficulty": "hard"}}},
        {"axes": {"grade": ""}, "before": {"axes": {"grade": "high"}}},
    ]


def test_the_list_and_its_file_are_filtered_by_values(exams):
    exams.picture(1, axes={"grade": "high", "difficulty": "hard"})
    exams.picture(2, axes={"grade": "high"})
    exams.picture(3)
    assert exams.listed("grade:high") == ["img-0002", "img-0001"]
    assert exams.listed("grade:high difficulty:hard") == ["img-0001"]
    assert exams.listed("grade:primary") == []
    column = [cells[5] for cells in image_cells(exams.owner, "exams")]
    assert column == ["", "grade:high", "difficulty:hard grade:high"]


def test_over_http(exams):
    picture = exams.picture(axes={"grade": "middle"})
    browser = signed_in(exams.owner)
    body = {"client_key": key(), "axes": {"difficulty": "hard"}}
    answer = send(browser, "POST", f"images/{picture.pk}/correct", body)
    assert (answer.status_code, answer.json()["axes"]) == (200, {"grade": "middle", "difficulty": "hard"})
    body = {"client_key": key(), "axes": {"difficulty": "very"}}
    assert told(send(browser, "POST", f"images/{picture.pk}/correct", body)) == (422, "axis_value_unknown")
    for axes in ({"a" * 49: "x"}, {f"a{n}": "x" for n in range(21)}, {"grade": {}}, ["grade"]):
        answer = send(browser, "POST", f"images/{picture.pk}/correct", {"client_key": key(), "axes": axes})
        assert told(answer) == (400, "invalid_input"), axes
    found = browser.get("/api/v1/benchmarks/exams/images?axes=grade:middle").json()["results"]
    assert [row["label"] for row in found] == ["img-0001"]
    assert told(browser.get("/api/v1/benchmarks/exams/images?axes=grade")) == (400, "invalid_input")
    assert Image.objects.get().axes == {"grade": "middle", "difficulty": "hard"}


@pytest.mark.parametrize("axes", [{"grade": "college"}, {"colour": "red"}, {"": "math"}, {"grade": 1}])
def test_the_database_takes_no_value_that_is_in_no_list(exams, axes):
    picture = exams.picture(axes={"grade": "high"})
    with pytest.raises(IntegrityError, match="a value is in no list of the protocol"), transaction.atomic():
        Image.objects.filter(pk=picture.pk).update(axes=axes)
    assert Image.objects.get(pk=picture.pk).axes == {"grade": "high"}


def test_a_protocol_without_values_in_use_is_refused(exams):
    exams.picture(axes={"grade": "high"})
    lines = TEXT.splitlines(keepends=True)
    without = "".join(line for line in lines if "code: grade" not in line)
    adopt = {"actor": exams.owner, "benchmark_slug": "exams"}
    with pytest.raises(CategoriesInUse) as refused, transaction.atomic():
        adopt_protocol(**adopt, text=without, base_version=1, client_key=uuid.uuid4())
    assert refused.value.params == {"slugs": ["grade:high"]}
    exams.benchmark.refresh_from_db()
    assert exams.benchmark.protocol.version == 1
    others = "".join(line for line in lines if "code: difficulty" not in line)
    assert adopt_protocol(**adopt, text=others, base_version=1, client_key=uuid.uuid4()).version == 2


def test_a_value_that_a_newer_protocol_lacks_is_left_out_when_the_picture_is_added(exams):
    upload = exams.upload(axes={"grade": "high", "difficulty": "hard"})
    text = "".join(line for line in TEXT.splitlines(keepends=True) if "code: difficulty" not in line)
    adopt_protocol(actor=exams.owner, benchmark_slug="exams", text=text, base_version=1, client_key=uuid.uuid4())
    (taken,) = finalize_uploads(actor=exams.editor, benchmark_slug="exams", ids=[upload.pk])
    assert Image.objects.get(pk=taken.image_id).axes == {"grade": "high"}


def test_with_items_dimensions_are_added_but_not_changed(exams):
    one, other = ({"code": code, "name": TITLE, "list": f"cmmu-{code}"} for code in ("grades", "difficulty"))

    def is_locked(before, after):
        (change,) = changes({"taxonomy": {"axes": before}}, {"taxonomy": {"axes": after}})
        return change.is_locked({"captions": "package"})

    assert not is_locked([], [one])
    assert not is_locked([one], [one, other])
    assert is_locked([one, other], [one])
    assert is_locked([one], [one | {"list": "cvlue"}])


def test_a_list_of_ones_own_keeps_the_dimensions(exams):
    created = create_benchmark(
        actor=exams.owner,
        slug="own",
        title=TITLE,
        preset="cmmu",
        client_key=uuid.uuid4(),
        categories={
            "own": {"name": "mine", "text": "zh,en,field_zh-Hans,field_en\n音乐,music,学科,Subjects\n", "form": "csv"}
        },
    )
    page = benchmark_page(exams.owner, created.slug)
    assert [category["slug"] for category in page["categories"]] == ["music"]
    assert [axis["code"] for axis in page["axes"]] == ["grade", "difficulty"]
