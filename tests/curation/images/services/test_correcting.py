"""Correcting categories and licences: what changes, what history keeps, who may, what is refused."""

import uuid

import pytest

from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.images import errors
from curation.images.models import Image
from curation.images.rules import Objects
from curation.images.services import correct_image
from curation.taxonomy.models import Category
from tests.pictures import image, judge


@pytest.fixture
def here(here):
    """With a second category."""
    lantern = Category.objects.get(benchmark=here.benchmark)
    Category.objects.create(
        benchmark=here.benchmark,
        slug="tea",
        number=76,
        name=lantern.name,
        field="food",
        field_name=lantern.field_name,
        distance="moderate",
    )
    return here


def correct(who, picture, key=None, **values):
    return correct_image(actor=who, image_id=picture.pk, client_key=key or uuid.uuid4(), **values)


def values_of(picture):
    row = Image.objects.select_related("category", "collected_for").get(pk=picture.pk)
    return row.category.slug, row.licence, row.collected_for.slug, row.state, row.verdict_no


def history():
    events = AuditEvent.objects.filter(action="image_correct").order_by("pk")
    return [(event.actor_id, event.label, event.data) for event in events]


def test_a_curator_corrects_category_and_licence_and_the_history_keeps_both(here):
    picture, key = image(here.contributor), uuid.uuid4()
    judge(here.curator, picture)
    assert values_of(picture) == ("lantern", "own-work", "lantern", "accepted", 1)
    for _ in range(2):  # a repeated request
        correct(here.curator, picture, key, category="tea", licence="CC-BY-4.0")
    assert values_of(picture) == ("tea", "CC-BY-4.0", "lantern", "accepted", 1)
    correct(here.admin, picture, licence="own-work", category="tea")
    correct(here.admin, picture, licence="own-work")  # as it is
    assert values_of(picture) == ("tea", "own-work", "lantern", "accepted", 1)
    both = {"category": "tea", "licence": "CC-BY-4.0", "before": {"category": "lantern", "licence": "own-work"}}
    assert history() == [
        (here.curator.pk, "img-0001", both),
        (here.admin.pk, "img-0001", {"category": "tea", "licence": "own-work", "before": {"licence": "CC-BY-4.0"}}),
    ]
    with pytest.raises(ClientKeyReused):
        correct(here.curator, picture, key, category="lantern")


def test_what_the_protocol_does_not_list_is_refused_and_changes_nothing(here):
    picture = image(here.contributor)
    before = values_of(picture)
    for error, values in (
        (errors.CategoryUnknown, {"category": "dragon"}),
        (errors.LicenceNotAllowed, {"licence": "mine"}),
        (errors.LicenceNotAllowed, {"category": "tea", "licence": "mine"}),
    ):
        with pytest.raises(error):
            correct(here.curator, picture, **values)
    for who, error in (
        (here.contributor, OperationNotAllowed),
        (here.annotator, OperationNotAllowed),
        (here.stranger, NotFound),
    ):
        with pytest.raises(error):
            correct(who, picture, category="tea")
    judge(here.curator, picture, "refused", ["iconic"])
    with pytest.raises(ActionNotAllowed):
        correct(here.curator, picture, category="tea")
    assert (values_of(picture)[:3], history()) == (before[:3], [])


def test_a_picture_of_a_subset_keeps_a_category_that_the_subset_allows(here):
    picture = image(here.contributor)
    Image.objects.filter(pk=picture.pk).update(subset="A", objects_all=4, objects_listed=3, objects_main=1)
    with pytest.raises(errors.SubsetCounts) as refused:
        correct(here.curator, picture, category="tea")
    assert [fault["count"] for fault in refused.value.params["faults"]] == ["main"]
    Image.objects.filter(pk=picture.pk).update(objects_main=2)
    correct(here.curator, picture, category="tea")
    assert values_of(picture)[0] == "tea"


def test_a_picture_gets_another_subset_with_the_counts_that_it_requires(here):
    picture, key = image(here.contributor), uuid.uuid4()
    judge(here.curator, picture, subset="A", objects=Objects(4, 3, 2))
    for values, error in (
        ({"subset": "Z"}, errors.SubsetUnknown),
        ({"subset": "B"}, errors.SubsetCounts),  # how many categories was not counted
        ({"objects": Objects(4, 3, 1)}, errors.SubsetCounts),
        ({"subset": "B", "objects": Objects(4, 3, 2, 2)}, errors.SubsetCounts),
    ):
        with pytest.raises(error):
            correct(here.curator, picture, **values)
    picture.refresh_from_db()
    assert (picture.subset, picture.objects_main, picture.objects_categories, history()) == ("A", 2, None, [])
    for _ in range(2):  # a repeated request
        correct(here.curator, picture, key, subset="B", objects=Objects(5, 4, 1, 4))
    picture.refresh_from_db()
    assert (picture.subset, picture.objects_all, picture.objects_main, picture.objects_categories) == ("B", 5, 1, 4)
    counts = {"all": 5, "listed": 4, "main": 1, "categories": 4}
    before = {"all": 4, "listed": 3, "main": 2, "categories": None}
    changed = {"subset": "B", "objects": counts, "before": {"subset": "A", "objects": before}}
    assert history() == [(here.curator.pk, "img-0001", changed)]
