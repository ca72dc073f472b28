"""What was accepted for a picture that was covered since: held back from releases until it is judged again."""

import uuid
from pathlib import Path

import pytest

from annotation.items.errors import PictureChanged
from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.judging.services import Judgement, replayed_verdict, write_verdict
from annotation.releases import services
from annotation.releases.exporters import registry
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile
from annotation.releases.services import writing
from annotation.releases.services.content import StoredContent
from curation.core import jobs
from curation.core.errors import ClientKeyReused
from curation.core.models import AuditEvent, Job
from curation.images.models import Image
from curation.images.rules import Region
from curation.images.services import cover_image, destroy_files, destroyed_keys
from tests.annotation.releases.content import filled, freeze, team
from tests.evaluation.publication.published import content
from tests.people import key, send, signed_in, told
from tests.pictures import clear, files

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(settings, tmp_path):
    """A draft of three items; something in the picture of the second is covered, and somebody has looked at it."""
    settings.MEDIA_ROOT = tmp_path / "media"
    here = team(content=content())
    items = filled(here, 3)
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=7, client_key=uuid.uuid4()
    )
    image = Image.objects.get(pk=items[1].image_id)
    regions = [Region("a", (2.0, 2.0, 8.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=0, regions=regions, client_key=uuid.uuid4())
    clear(here.curator, image)
    return here, release, items[1], image


def judge(here, item, outcome, stage="review", picture_no=1):
    Verdict.objects.create(
        item=item,
        revision_no=item.accepted_no,
        author_id=here.annotator.pk,
        judge=here.senior if stage == "review" else here.curator,
        stage=stage,
        round=1,
        outcome=outcome,
        picture_no=picture_no,
        client_key=uuid.uuid4(),
    )


def test_a_release_of_it_is_refused_and_nothing_is_written(draft):
    here, release, item, image = draft
    admin = signed_in(here.admin)
    shown = admin.get(f"/api/v1/releases/{release.pk}").json()
    gate = {"code": "picture_changed", "params": {"picture": image.label, "total": 1}, "label": item.label}
    assert [{name: row[name] for name in gate} for row in shown["gates"]] == [gate]
    assert shown["gates"][0]["link"].endswith(f"/items/{item.pk}")
    assert shown["gate_counts"] == [{"code": "picture_changed", "n": 1}]
    kept = (Release.objects.values().get(), Job.objects.count(), AuditEvent.objects.count())
    assert told(send(admin, "POST", f"releases/{release.pk}/check", {"client_key": key()})) == (409, "gates_failed")
    assert (Release.objects.values().get(), Job.objects.count(), AuditEvent.objects.count()) == kept
    assert not ReleaseEntry.objects.exists()


@pytest.mark.parametrize(("outcome", "stage"), [("accept", "review"), ("right", "inspection")])
def test_a_verdict_on_the_new_picture_releases_it(draft, outcome, stage):
    here, release, item, _ = draft
    judge(here, item, outcome, stage)
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gates"] == []


def test_a_curator_confirms_it_once_and_the_release_holds_it(draft):
    here, release, item, _ = draft
    curator = signed_in(here.curator)
    at, body = f"/api/v1/items/{item.pk}", {"revision_no": item.revision_no, "picture_no": 1, "client_key": key()}
    assert "item_confirm" in curator.get(at).json()["available_actions"]
    assert "item_confirm" not in signed_in(here.senior).get(at).json()["available_actions"]
    assert told(send(signed_in(here.senior), "POST", f"items/{item.pk}/confirm", body)) == (
        403,
        "operation_not_allowed",
    )
    for _ in range(2):  # a repeat changes nothing
        shown = send(curator, "POST", f"items/{item.pk}/confirm", body)
        assert (shown.status_code, "item_confirm" in shown.json()["available_actions"]) == (200, False)
    [verdict] = Verdict.objects.filter(item=item)
    assert (verdict.stage, verdict.outcome, verdict.judge) == ("inspection", "right", here.curator)
    assert AuditEvent.objects.filter(action="item_confirm", target_id=item.pk).count() == 1
    again = send(curator, "POST", f"items/{item.pk}/confirm", body | {"client_key": key()})
    assert told(again) == (409, "nothing_to_confirm")
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gates"] == []


def test_nobody_judges_a_picture_that_waits_to_be_looked_at_again(draft):
    here, _, item, image = draft
    regions = [Region("b", (12.0, 2.0, 6.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=1, regions=regions, client_key=uuid.uuid4())
    body = {"revision_no": item.revision_no, "picture_no": 1, "client_key": key()}
    assert told(send(signed_in(here.curator), "POST", f"items/{item.pk}/confirm", body)) == (409, "picture_changed")
    assert not Verdict.objects.exists()


def test_a_verdict_about_the_picture_as_it_was_is_refused_and_releases_nothing(draft):
    here, release, item, image = draft
    judge(here, item, "accept", picture_no=0)
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gate_counts"] != []
    regions = [Region("b", (12.0, 2.0, 6.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=1, regions=regions, client_key=uuid.uuid4())
    clear(here.curator, image)
    body = {"revision_no": item.revision_no, "picture_no": 1, "client_key": key()}
    curator = signed_in(here.curator)
    assert told(send(curator, "POST", f"items/{item.pk}/confirm", body)) == (409, "picture_changed")
    assert Verdict.objects.count() == 1
    assert send(curator, "POST", f"items/{item.pk}/confirm", body | {"picture_no": 2}).status_code == 200
    assert Verdict.objects.get(judge=here.curator).picture_no == 2
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gates"] == []


def test_a_verdict_that_names_no_version_is_about_the_text_s(draft):
    here, _, item, _ = draft
    judgement = Judgement(item.pk, item.revision_no, "inspection", "right", [], "", uuid.uuid4())
    with pytest.raises(PictureChanged):
        write_verdict(here.curator, item, judgement, round_no=1)
    write_verdict(here.curator, item, judgement._replace(picture_no=1), round_no=1)
    verdict = Verdict.objects.get()
    assert verdict.picture_no == 1
    same = judgement._replace(client_key=verdict.client_key)
    assert (
        replayed_verdict(here.curator, same) == replayed_verdict(here.curator, same._replace(picture_no=1)) == verdict
    )
    with pytest.raises(ClientKeyReused):
        replayed_verdict(here.curator, same._replace(picture_no=0))


def test_what_was_not_covered_has_nothing_to_confirm(draft):
    here, *_ = draft
    other = Item.objects.exclude(pk=draft[2].pk).first()
    body = {"revision_no": other.revision_no, "picture_no": 0, "client_key": key()}
    curator = signed_in(here.curator)
    assert told(send(curator, "POST", f"items/{other.pk}/confirm", body)) == (409, "nothing_to_confirm")
    assert told(send(curator, "POST", f"items/{other.pk}/confirm", body | {"revision_no": 9})) == (409, "stale_row")
    assert not Verdict.objects.exists()


def test_a_file_that_is_published_while_its_picture_is_covered_is_destroyed_by_its_writer(draft, monkeypatch, settings):
    here, release, item, image = draft
    judge(here, item, "accept")
    release = freeze(here.admin, release)
    save = writing._save_row

    def late(release, job, written):
        if registry.holds_pictures(job.file.name):
            cover_more(here, image)
        save(release, job, written)

    monkeypatch.setattr(writing, "_save_row", late)
    assert jobs.run(release.job_id, services.write_files) == "failed"
    assert Job.objects.get(pk=release.job_id).error_code == "release_file_covered"
    assert with_pictures(settings) == []


def with_pictures(settings):
    """The files of releases that hold pictures."""
    return [name for name in files(settings.MEDIA_ROOT / "releases") if registry.holds_pictures(name)]


def cover_more(here, image):
    regions = [Region("b", (12.0, 2.0, 6.0, 8.0), "face", "fill")]
    cover_image(actor=here.curator, image_id=image.pk, no=1, regions=regions, client_key=uuid.uuid4())
    destroy_files()


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_what_is_covered_before_the_files_are_written_is_no_damage(draft, monkeypatch, settings, when):
    here, release, item, image = draft
    judge(here, item, "accept")
    release = freeze(here.admin, release)
    if when == "before":
        cover_more(here, image)
    verify = StoredContent.verify_records

    def late(content):
        if when == "meanwhile":
            cover_more(here, image)
        return verify(content)

    monkeypatch.setattr(StoredContent, "verify_records", late)
    assert jobs.run(release.job_id, services.write_files) == "failed"
    job = Job.objects.get(pk=release.job_id)
    assert (job.error_code, job.error_params) == ("release_file_covered", {"label": release.label})
    assert with_pictures(settings) == []
    written = ReleaseFile.objects.filter(release=release)
    assert [file.name for file in written if registry.holds_pictures(file.name)] == []


def test_a_file_whose_writer_was_killed_before_it_saved_the_row_is_destroyed(draft, monkeypatch, settings):
    here, release, item, image = draft
    judge(here, item, "accept")
    release = freeze(here.admin, release)
    save = writing._save_row

    def killed(release, job, written):
        if registry.holds_pictures(job.file.name):
            raise KeyboardInterrupt
        save(release, job, written)

    monkeypatch.setattr(writing, "_save_row", killed)
    with pytest.raises(KeyboardInterrupt):
        jobs.run(release.job_id, services.write_files)
    [left] = with_pictures(settings)
    assert not ReleaseFile.objects.filter(release=release, name=Path(left).name).exists()
    cover_more(here, image)
    assert services.destroy_release_files() == 1
    assert with_pictures(settings) == []
    assert f"releases/{left}" in set(destroyed_keys())


def test_a_verdict_against_it_does_not(draft):
    here, release, item, _ = draft
    judge(here, item, "return")
    [gate] = signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gates"]
    assert gate["code"] == "picture_changed"


def test_a_text_for_the_new_picture_passes(draft):
    here, release, item, _ = draft
    item.revision_no = 3
    revision = item.revisions.get(no=2)
    revision.pk, revision.no, revision.picture_no, revision.client_key = None, 3, 1, uuid.uuid4()
    revision.save(force_insert=True)
    item.accepted_no = 3
    item.save(update_fields=["revision_no", "accepted_no"])
    assert signed_in(here.admin).get(f"/api/v1/releases/{release.pk}").json()["gates"] == []
