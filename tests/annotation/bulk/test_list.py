"""The list of earlier bulk actions: results, and undo where it is still possible."""

import pytest

from annotation.packages.models import Package
from tests.annotation.bulk.bulk import finish, prepare
from tests.annotation.track import new_world, submitted_package
from tests.people import send, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db
LIST = "benchmarks/cvlue/bulk"


@shared
def here():
    """Six packages of one item; the first was submitted."""
    made = new_world(pictures=6, size=1)
    submitted_package(made)
    return made


def test_an_applied_action_is_listed_with_its_result_and_undone_from_there(here):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk})
    assert send(admin, "GET", LIST).json()["results"] == []  # nothing was applied
    finish(admin, preview)
    [row] = send(admin, "GET", LIST).json()["results"]
    assert (row["id"], row["action"], row["state"], row["person"]["id"], row["value"]) == (
        preview["id"],
        "assign",
        "done",
        here.annotator2.pk,
        "",
    )
    assert (row["applied_by"]["id"], {n: c for n, c in row["counts"].items() if c}) == (
        here.admin.pk,
        {"done": 5, "refused": 1},
    )
    assert row["available_actions"] == ["bulk_undo"]
    finish(admin, row, "undo")
    [row] = send(admin, "GET", LIST).json()["results"]
    assert (row["state"], row["counts"]["undone"], row["available_actions"]) == ("undone", 5, [])
    assert Package.objects.filter(state="available").count() == 5


def test_the_newest_is_first_and_pages_follow(here):
    admin = signed_in(here.admin)
    bulks = [
        finish(admin, prepare(admin, action, params))
        for action, params in (
            ("assign", {"person": here.annotator2.pk}),
            ("revoke", {}),
            ("assign", {"person": here.annotator.pk}),
        )
    ]
    first = send(admin, "GET", f"{LIST}?page_size=2").json()
    second = send(admin, "GET", f"{LIST}?page_size=2&cursor={first['next']}").json()
    ids = [row["id"] for page in (first, second) for row in page["results"]]
    assert ids == [bulk["id"] for bulk in reversed(bulks)]


def test_who_may_not_do_the_action_does_not_see_it(here):
    finish(signed_in(here.admin), prepare(signed_in(here.admin), "assign", {"person": here.annotator2.pk}))
    # Curators change pictures and exclude items; they assign nothing.
    assert send(signed_in(here.curator), "GET", LIST).json()["results"] == []
    assert told(send(signed_in(here.annotator), "GET", LIST)) == (403, "operation_not_allowed")
