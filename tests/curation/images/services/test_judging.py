"""Subsets, counts and batches of decisions."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.core.models import AuditEvent
from curation.images import errors
from curation.images.models import ImageVerdict
from curation.images.rules import Objects
from curation.images.services import Verdict, clear_images, judge_images
from tests.curation.images.services.test_holding import rows
from tests.pictures import image, judge


def test_a_subset_needs_its_counts(here):
    taken = image(here.contributor)
    with pytest.raises(errors.SubsetCounts) as refused:
        judge(here.curator, taken, subset="A", objects=Objects(3, 1, 1))
    assert refused.value.params == {
        "subset": "A",
        "faults": [{"count": "main", "found": 1, "minimum": 2, "maximum": None}],
    }
    with pytest.raises(errors.SubsetUnknown):
        judge(here.curator, taken, subset="Z")
    with pytest.raises(errors.CategoryUnknown):
        judge(here.curator, taken, category="panda")
    assert not ImageVerdict.objects.exists()
    with pytest.raises(errors.SubsetCounts) as refused:
        judge(here.curator, taken, subset="B", objects=Objects(7, 4, categories=2))
    assert refused.value.params["faults"] == [{"count": "categories", "found": 2, "minimum": 3, "maximum": 5}]
    assert not ImageVerdict.objects.exists()
    judge(here.curator, taken, subset="B", objects=Objects(7, 4, categories=3))
    taken.refresh_from_db()
    assert (taken.subset, taken.objects_all, taken.objects_listed, taken.objects_main) == ("B", 7, 4, None)
    assert taken.objects_categories == 3
    assert ImageVerdict.objects.get().details == {
        "subset": "B",
        "category": "",
        "objects": {"all": 7, "listed": 4, "main": None, "categories": 3},
    }
    assert taken.category_id == taken.collected_for_id


def verdicts(images, **more):
    return [Verdict(image_id=i.pk, no=0, outcome="accepted", client_key=uuid.uuid4(), **more) for i in images]


@pytest.mark.parametrize("work", ["judge", "clear"])
def test_two_hundred_take_as_many_statements_as_two(here, work):
    made = rows(here.benchmark, here.contributor, 202)
    here.curator.grants  # noqa: B018

    def counted(some):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            if work == "judge":
                done = judge_images(actor=here.curator, benchmark_slug="cvlue", verdicts=verdicts(some))
            else:
                marks = [(i.pk, uuid.uuid4()) for i in some]
                done = clear_images(actor=here.curator, benchmark_slug="cvlue", marks=marks)
        assert {d.error for d in done} == {None}
        return len(captured)

    assert counted(made[:2]) == counted(made[2:]) <= 14
    assert AuditEvent.objects.count() == 202


def test_each_decision_stands_or_falls_by_itself(here):
    theirs, mine = rows(here.benchmark, here.contributor, 2), rows(here.benchmark, here.curator, 1, start=2)
    wanted = verdicts([*theirs, *mine])
    wanted.append(Verdict(image_id=10**9, no=0, outcome="accepted", client_key=uuid.uuid4()))
    wanted.append(Verdict(image_id=theirs[0].pk, no=0, outcome="accepted", client_key=uuid.uuid4()))
    done = judge_images(actor=here.curator, benchmark_slug="cvlue", verdicts=wanted)
    assert [d.error and d.error.code for d in done] == [None, None, "own_work", "not_found", "judged_meanwhile"]
    assert ImageVerdict.objects.count() == 2
