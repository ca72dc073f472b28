"""Confirmed mistakes on public pages: beside the sample, on their page, on the board, in the feed, for programs."""

import json
import re
import uuid

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.releases import services as releases
from annotation.releases.models import ReleaseEntry
from tests.evaluation.publication.published import opened, world_with_release

pytestmark = pytest.mark.django_db

LABEL = "captions-v1"
NOTE = {"en": "The fourth caption names <another> animal."}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


@pytest.fixture
def public():
    here, release = world_with_release(per_split=3)
    opened(here, release)
    return here, release


def text(address):
    answer = Client().get(f"/p/cvlue/{address}")
    assert answer.status_code == 200, address
    return answer.content.decode()


def report(here, item="", release=""):
    return releases.report_erratum(
        actor=here.annotator,
        benchmark_slug="cvlue",
        item=item,
        release=release,
        text="只给处理的人看",
        client_key=uuid.uuid4(),
    )


def decide(here, action, erratum, note):
    command = getattr(releases, f"{action}_erratum")
    command(actor=here.curator, erratum_id=erratum.pk, note=note, client_key=uuid.uuid4())


def pages():
    item = re.search(r"samples/(cap-\d+)", text(f"en/{LABEL}/samples"))[1]
    return item, {
        "sample": f"en/{LABEL}/samples/{item}",
        "page": f"en/{LABEL}/errata",
        "lines": f"{LABEL}/errata.jsonl",
        "feed": "feed.atom",
        "board": f"en/{LABEL}/board",
    }


def test_a_confirmed_mistake_is_where_readers_look(public):
    here, _ = public
    item, every = pages()
    before = {name: text(address) for name, address in every.items()}
    erratum = report(here, item=item)
    assert {name: text(address) for name, address in every.items()} == before
    decide(here, "confirm", erratum, NOTE)
    escaped = "The fourth caption names &lt;another&gt; animal."
    assert [escaped in text(every[name]) for name in ("sample", "page", "feed")] == [True] * 3
    assert f"Erratum 1 of {LABEL}: {item}" in text("feed.atom")
    assert "Items with errata: 1" in text(every["board"])
    [line] = text(every["lines"]).splitlines()
    row = json.loads(line)
    assert (row["erratum"], row["release"], row["item"], row["note"]) == (1, LABEL, item, NOTE)
    assert (row["withdrawn_at"], row["withdrawn_note"]) == (None, {})
    assert not [name for name, address in every.items() if "只给处理的人看" in text(address)]
    assert here.annotator.name not in text(every["page"])


def test_a_withdrawn_one_stays_with_its_note_and_is_not_counted(public):
    here, _ = public
    item, every = pages()
    erratum = report(here, item=item)
    decide(here, "confirm", erratum, NOTE)
    decide(here, "withdraw", erratum, {"zh-Hans": "原句无误。"})
    for name in ("sample", "page"):
        assert ["names &lt;another&gt;" in text(every[name]), "原句无误。" in text(every[name])] == [True, True]
    assert '<div lang="zh-Hans"><p>原句无误。</p></div>' in text(every["page"])
    assert f"Erratum 1 of {LABEL} was withdrawn: {item}" in text("feed.atom")
    assert "Items with errata" not in text(every["board"])


def test_a_rejected_report_is_never_public(public):
    here, _ = public
    item, every = pages()
    decide(here, "reject", report(here, item=item), {"en": "It is a panda."})
    assert not [name for name, address in every.items() if "panda." in text(address)]
    assert text(every["lines"]) == ""


def test_of_the_release_as_a_whole_and_of_items_that_are_no_samples(public):
    here, release = public
    hidden = ReleaseEntry.objects.filter(release=release, split="test").select_related("item").first().item.label
    decide(here, "confirm", report(here, release=LABEL), {"en": "Sizes are swapped."})
    decide(here, "confirm", report(here, item=hidden), {"en": "Blurred."})
    body = text(f"en/{LABEL}/errata")
    assert ["The release as a whole" in body, hidden in body] == [True, True]
    assert [json.loads(line)["item"] for line in text(f"{LABEL}/errata.jsonl").splitlines()] == [None, hidden]


def test_pages_lead_to_where_a_mistake_is_reported(public):
    item, every = pages()
    assert f'href="/submit/cvlue/errata?release={LABEL}&amp;item={item}"' in text(every["sample"])
    assert f'href="/submit/cvlue/errata?release={LABEL}"' in text(every["page"])
