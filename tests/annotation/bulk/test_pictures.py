"""Changing category and licence of many pictures, and back where nobody changed them since."""

import uuid

import pytest

from curation.benchmarks.queries import preset
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.images.services import correct_image
from curation.taxonomy.models import Category
from tests.annotation.bulk.bulk import counts, finish, prepare
from tests.people import signed_in, world
from tests.protocols import names
from tests.ready import accepted_pictures
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    """Five pictures: three of lanterns, one of tea, one refused."""
    made = world(preset("cvlue").content)
    accepted_pictures(made.benchmark, made.contributor, made.curator, 5)
    for number, slug in enumerate(("lantern", "tea"), 1):
        Category.objects.create(
            benchmark=made.benchmark,
            slug=slug,
            number=number,
            name=names(slug),
            field="a",
            field_name=names("A"),
        )
    lantern, tea = Category.objects.order_by("number")
    Image.objects.filter(number__lt=4).update(category=lantern)
    Image.objects.filter(number=4).update(category=tea)
    Image.objects.filter(number=5).update(category=lantern, state="refused")
    return made


def categories():
    return list(Image.objects.order_by("number").values_list("category__slug", flat=True))


def corrections():
    return AuditEvent.objects.filter(action="image_correct").count()


def test_category_of_all_that_match_and_back(here):
    curator = signed_in(here.curator)
    preview = prepare(curator, "category", {"category": "tea"})
    assert counts(preview) == {"pending": 3, "refused": 2}
    assert [(reason["code"], reason["examples"]) for reason in preview["reasons"]] == [
        ("action_not_allowed", ["img-0005"]),
        ("bulk_no_change", ["img-0004"]),
    ]
    assert categories() == ["lantern", "lantern", "lantern", "tea", "lantern"]
    # The second is changed before, the third after; a change of the licence does not matter.
    second, third = Image.objects.filter(number__in=[2, 3]).order_by("number")
    correct_image(actor=here.admin, image_id=second.pk, category="tea", client_key=uuid.uuid4())
    done = finish(curator, preview)
    assert (categories(), counts(done)) == (["tea"] * 4 + ["lantern"], {"done": 2, "refused": 3})
    assert {reason["code"] for reason in done["reasons"]} == {
        "action_not_allowed",
        "bulk_no_change",
        "bulk_target_changed",
    }
    correct_image(actor=here.admin, image_id=third.pk, category="lantern", client_key=uuid.uuid4())
    assert corrections() == 4
    undone = finish(curator, preview, "undo")
    assert (categories(), counts(undone)) == (
        ["lantern", "tea", "lantern", "tea", "lantern"],
        {"undone": 1, "kept": 1, "refused": 3},
    )
    assert corrections() == 5


def test_a_value_that_was_chosen_again_since_stays(here):
    curator = signed_in(here.curator)
    preview = prepare(curator, "category", {"category": "tea"})
    finish(curator, preview)
    third = Image.objects.get(number=3)
    for slug in ("lantern", "tea"):
        correct_image(actor=here.admin, image_id=third.pk, category=slug, client_key=uuid.uuid4())
    for name in ("lantern", "tea"):  # another bulk action there and back again
        finish(curator, prepare(curator, "category", {"category": name}, ids=[Image.objects.get(number=2).pk]))
    undone = finish(curator, preview, "undo")
    assert (categories(), counts(undone)) == (
        ["lantern", "tea", "tea", "tea", "lantern"],
        {"undone": 1, "kept": 2, "refused": 2},
    )


def test_a_category_that_was_not_chosen_before_stays(here):
    Image.objects.filter(number=1).update(category=None)
    curator = signed_in(here.curator)
    preview = prepare(curator, "category", {"category": "tea"}, filters={"search": "1"})
    assert counts(finish(curator, preview)) == {"done": 1}
    undone = finish(curator, preview, "undo")
    assert (counts(undone), undone["reasons"][0]["code"]) == ({"kept": 1}, "bulk_nothing_before")
    assert categories()[0] == "tea"


def test_licence_and_values_that_the_protocol_does_not_list(here):
    admin = signed_in(here.admin)
    first = Image.objects.get(number=1)
    wrong = prepare(admin, "licence", {"licence": "mine"}, ids=[first.pk])
    assert (counts(wrong), wrong["reasons"][0]["code"]) == ({"refused": 1}, "licence_not_allowed")
    unknown = prepare(admin, "category", {"category": "moon"}, ids=[first.pk])
    assert (counts(unknown), unknown["reasons"][0]["code"]) == ({"refused": 1}, "category_unknown")
    preview = prepare(admin, "licence", {"licence": "CC-BY-4.0"}, ids=[first.pk])
    finish(admin, preview)
    licences = Image.objects.order_by("number").values_list("licence", flat=True)
    assert list(licences) == ["CC-BY-4.0", *["own-work"] * 4]
    finish(admin, preview, "undo")
    assert set(licences.all()) == {"own-work"}


def test_only_pictures_of_this_benchmark(here):
    other = world(preset("cvlue").content, slug="other", prefix="other-")
    [picture] = accepted_pictures(other.benchmark, other.contributor, other.curator, 1)
    assert counts(prepare(signed_in(here.curator), "category", {"category": "tea"}, ids=[picture.pk])) == {}
