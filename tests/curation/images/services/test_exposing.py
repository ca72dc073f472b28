"""Who was sent which picture: recorded before the first byte, and never together with a blindfold."""

import random
import re
import threading
import uuid
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.guidelines.models import Guideline
from annotation.releases import services as releases
from curation.benchmarks.models import ProtocolVersion
from curation.core import jobs
from curation.core.errors import NotFound
from curation.images.models import Blindfold, Exposure, ExposureAll, Image, ImagePublic, media_url
from curation.images.services import record_exposure, record_exposure_to_all, show_to_everybody
from tests.annotation.releases.content import filled, frozen, team
from tests.annotation.releases.content import protocol as release_protocol
from tests.evaluation.publication.published import content as public_content
from tests.evaluation.publication.published import opened, reduced
from tests.people import Role, key, people, send, signed_in, told
from tests.pictures import image, picture_world, upload
from tests.ready import accepted_pictures

pytestmark = pytest.mark.django_db


def blindfold(who, picture):
    with transaction.atomic():
        return Blindfold.objects.create(image=picture, person=who)


def refused(write):
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        write()
    return error.value.__cause__.diag.constraint_name


def address(picture, role="view"):
    file = picture.renditions.get(role=role)
    return media_url(picture.pk, file.pk, role, file.key)


def test_of_exposure_and_blindfold_the_second_is_refused(here):
    first, second, third = accepted_pictures(here.benchmark, here.contributor, here.curator, 3)
    record_exposure(here.annotator, first)
    assert refused(lambda: blindfold(here.annotator, first)) == "blindfold_has_seen"
    blindfold(here.annotator, second)
    with pytest.raises(NotFound):
        record_exposure(here.annotator, second)
    with pytest.raises(NotFound):
        record_exposure_to_all(here.annotator, here.benchmark, third.pk)
    record_exposure_to_all(here.annotator2, here.benchmark, second.pk)
    assert refused(lambda: blindfold(here.annotator2, second)) == "blindfold_has_seen"
    blindfold(here.annotator2, third)  # taken since
    assert refused(lambda: blindfold(here.contributor, third)) == "blindfold_has_seen"
    assert list(Exposure.objects.values_list("person_id", "image_id")) == [(here.annotator.pk, first.pk)]
    # When they have asked, they may see it.
    Blindfold.objects.filter(person=here.annotator).delete()
    record_exposure(here.annotator, second)
    record_exposure_to_all(here.annotator, here.benchmark, third.pk)
    record_exposure_to_all(here.annotator, here.benchmark, first.pk)
    assert ExposureAll.objects.get(person=here.annotator).up_to_image_id == third.pk


def test_what_everybody_may_have_seen_gets_no_blindfold_and_the_other_way_round(here):
    first, second = accepted_pictures(here.benchmark, here.contributor, here.curator, 2)
    show_to_everybody(Image.objects.filter(pk=first.pk).values_list("pk", flat=True))
    show_to_everybody(Image.objects.filter(pk=first.pk).values_list("pk", flat=True))
    assert refused(lambda: blindfold(here.annotator, first)) == "blindfold_has_seen"
    blindfold(here.annotator, second)
    with pytest.raises(Exception, match="1 picture") as asked:
        show_to_everybody(Image.objects.values_list("pk", flat=True))
    assert asked.value.code == "pictures_in_dialogue"
    assert asked.value.params == {"images": [second.label], "count": 1}
    assert list(ImagePublic.objects.values_list("image_id", flat=True)) == [first.pk]


def test_exposures_are_history(here):
    [picture] = accepted_pictures(here.benchmark, here.contributor, here.curator, 1)
    record_exposure(here.annotator, picture)
    with pytest.raises(IntegrityError), transaction.atomic():
        Exposure.objects.all().delete()


def test_a_file_is_recorded_before_its_first_byte_and_once(here):
    picture = image(here.contributor)
    client, url = signed_in(here.curator), address(picture)
    tag = client.get(url).headers["ETag"]
    assert list(Exposure.objects.values_list("person_id", "image_id")) == [(here.curator.pk, picture.pk)]
    with CaptureQueriesContext(connection) as statements:
        assert client.get(url).status_code == 200
    assert not [s for s in statements if not s["sql"].startswith("SELECT") and "select" not in s["sql"][:80].lower()]
    assert len(statements) == 3  # session, file with its picture, exposure
    other = signed_in(here.curator2)
    assert other.get(url, headers={"If-None-Match": tag}).status_code == 304
    assert Exposure.objects.filter(person=here.curator2).exists()


@pytest.mark.parametrize("role", ["clean", "view", "thumb"])
def test_a_refused_picture_is_not_found_whoever_asks(here, role):
    picture = image(here.contributor)
    everybody = [here.owner, here.admin, here.curator, here.senior]
    for who in everybody:
        Blindfold.objects.create(image=picture, person=who)
        for headers in ({}, {"If-None-Match": f'"{picture.renditions.get(role=role).sha256}"'}):
            answer = signed_in(who).get(address(picture, role), headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not Exposure.objects.exists()


def test_nothing_is_recorded_where_the_protocol_names_no_dialogue(here):
    adopt(here.benchmark, without_dialogue(here.benchmark.protocol.content))
    picture = image(here.contributor)
    assert signed_in(here.curator).get(address(picture)).status_code == 200
    assert not Exposure.objects.exists()


def without_dialogue(content):
    return content | {
        part: {k: v for k, v in content[part].items() if k != "dialogue"} for part in ("kinds", "planned")
    }


def adopt(benchmark, content):
    version = ProtocolVersion.objects.create(
        benchmark=benchmark,
        version=benchmark.protocol_versions.count() + 1,
        name="next",
        source_sha256="1" * 64,
        content=content,
    )
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])


def test_a_protocol_that_names_dialogue_for_the_first_time_counts_everybody_so_far(here):
    with_dialogue = here.benchmark.protocol.content
    adopt(here.benchmark, without_dialogue(with_dialogue))
    *_, newest = accepted_pictures(here.benchmark, here.contributor, here.curator, 3)
    assert not ExposureAll.objects.exists()
    adopt(here.benchmark, with_dialogue)
    assert ExposureAll.objects.get(person=here.annotator).up_to_image_id == newest.pk
    assert refused(lambda: blindfold(here.annotator, newest)) == "blindfold_has_seen"
    assert not ExposureAll.objects.filter(person=here.stranger).exists()
    count = ExposureAll.objects.count()
    adopt(here.benchmark, with_dialogue | {"x": 1})
    assert ExposureAll.objects.count() == count


@pytest.mark.django_db(transaction=True)
def test_fifty_clients_at_once_never_see_what_they_ask_about(make_world):
    here = make_world()
    pictures = accepted_pictures(here.benchmark, here.contributor, here.curator, 6)
    persons = people({f"p{n}": [Role.ANNOTATOR] for n in range(6)}, here.benchmark)
    record_exposure(
        here.curator, Image.objects.select_related("benchmark").get(pk=pictures[0].pk)
    )  # reads the protocol
    gate, outcomes, failures = threading.Barrier(50), [], []

    def run(n):
        chance = random.Random(n)
        try:
            gate.wait()
            for _ in range(40):
                who, picture = chance.choice(persons), chance.choice(pictures)
                kind = chance.choice(["exposure", "exposure", "blindfold", "all", "public"])
                picture.benchmark = here.benchmark
                try:
                    if kind == "exposure":
                        record_exposure(who, picture)
                    elif kind == "blindfold":
                        with transaction.atomic():
                            Blindfold.objects.create(image=picture, person=who)
                    elif kind == "all" and chance.random() < 0.05:
                        record_exposure_to_all(who, here.benchmark, pictures[1].pk)
                    elif kind == "public" and chance.random() < 0.05:
                        show_to_everybody(Image.objects.filter(pk=pictures[5].pk).values_list("pk", flat=True))
                    outcomes.append(kind)
                except (NotFound, IntegrityError):
                    outcomes.append("refused")
                except Exception as error:  # noqa: BLE001
                    if getattr(error, "code", "") != "pictures_in_dialogue":
                        failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(50)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures
    assert outcomes.count("refused") > 50
    seen = set(Exposure.objects.values_list("person_id", "image_id"))
    blind = {(b.person_id, b.image_id) for b in Blindfold.objects.all()}
    assert seen
    assert blind
    assert not seen & blind
    public = set(ImagePublic.objects.values_list("image_id", flat=True))
    assert not [pair for pair in blind if pair[1] in public]
    up_to = dict(ExposureAll.objects.values_list("person_id", "up_to_image_id"))
    assert not [(who, picture) for who, picture in blind if picture <= up_to.get(who, 0)]


# --- Every route that sends pictures

# What sends files, by the function that makes the answer; a new caller has to say here how it records them.
SENDERS = {
    "annotation/guidelines/api/views.py": "records the picture",
    "annotation/tracks/api/media.py": "records the picture",
    "annotation/releases/api/views.py": "records all pictures of the release, where the file has pictures inside",
    "curation/images/api/tus.py": "the sender's own upload; contributors are never asked to guess their own pictures",
    "evaluation/publication/api/downloads.py": "public, recorded when it is opened; in a preview the picture or all",
    "evaluation/runs/api/views.py": "no picture: predictions of a run over an item set",
    "evaluation/sets/api/views.py": "a picture of another benchmark's files, which nobody is asked about here",
    "evaluation/submissions/api/views.py": "no picture: a file of predictions",
}


def test_whatever_sends_files_is_listed():
    makes = re.compile(r"\b(answer_picture|answer_file|answer_parts|FileResponse|StreamingHttpResponse)\(")
    callers = set()
    for app in ("curation", "annotation", "evaluation"):
        for path in Path(app).rglob("*.py"):
            inside = path.as_posix()
            if inside.startswith("curation/core/"):
                continue
            if makes.search(path.read_text()):
                callers.add(inside)
    assert callers == set(SENDERS)


@pytest.fixture
def released(settings, tmp_path):
    """A release with files, under a protocol that names dialogue."""
    settings.MEDIA_ROOT = tmp_path / "media"
    here = team(content=release_protocol() | {"planned": {"dialogue": {}}} | public_content())
    filled(here, 12)
    for picture in Image.objects.filter(benchmark=here.benchmark):
        reduced(picture)
    release = frozen(here)
    requested = releases.write_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert jobs.run(requested.job_id, releases.write_files) == "done"
    releases.publish_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    release.refresh_from_db()
    return here, release


def files_with_pictures(release):
    names = [file.name for file in release.files.all() if file.name.endswith(".parquet")]
    return [f"/api/v1/releases/{release.pk}/archive.zip", *(f"/api/v1/releases/{release.pk}/files/{n}" for n in names)]


def test_downloads_count_as_seeing_all_their_pictures(released):
    here, release = released
    newest = Image.objects.order_by("-pk").first()
    urls = files_with_pictures(release)
    admins = people({f"a{n}": [Role.ADMIN] for n in range(len(urls))}, here.benchmark)
    for who, url in zip(admins, urls, strict=True):
        blind = blindfold(who, newest)
        answer = signed_in(who).get(url)
        assert answer.status_code == 404, url
        blind.delete()
        assert not ExposureAll.objects.filter(person=who).exists()
        answer = signed_in(who).get(url)
        assert answer.status_code == 200, url
        b"".join(answer.streaming_content)
        assert ExposureAll.objects.get(person=who).up_to_image_id == newest.pk
    plain = next(f.name for f in release.files.all() if f.name.endswith(".jsonl"))
    assert signed_in(here.curator2).get(f"/api/v1/releases/{release.pk}/files/{plain}").status_code == 200
    assert not ExposureAll.objects.filter(person=here.curator2).exists()


def test_opening_a_release_shows_its_pictures_to_everybody_and_is_refused_by_name(released):
    here, release = released
    asked = Image.objects.order_by("pk").first()
    blindfold(here.annotator, asked)
    admin = signed_in(here.admin)
    answer = send(admin, "POST", f"releases/{release.pk}/open", {"client_key": key()})
    assert told(answer) == (409, "pictures_in_dialogue")
    assert answer.json()["params"] == {"images": [asked.label], "count": 1}
    assert not ImagePublic.objects.exists()
    Blindfold.objects.all().delete()
    opened(here, release)
    assert ImagePublic.objects.count() == release.images.count()
    assert refused(lambda: blindfold(here.annotator, asked)) == "blindfold_has_seen"


def test_a_preview_of_public_pages_is_recorded(released):
    here, release = released
    client = signed_in(here.admin)
    base = f"/api/v1/benchmarks/cvlue/publication/preview/{release.label}"
    page = client.get(f"/api/v1/benchmarks/cvlue/publication/preview/en/{release.label}/samples").content.decode()
    shown = re.search(r"pictures/[0-9]+-(?:view|thumb)-[0-9]+\.[a-z]+", page).group()
    assert not Exposure.objects.exists()
    assert client.get(f"{base}/{shown}").status_code == 200
    [exposure] = Exposure.objects.all()
    assert exposure.person_id == here.admin.pk
    answer = client.get(f"{base}/archive.zip")
    assert (answer.status_code, b"".join(answer.streaming_content)[:2]) == (
        200,
        b"PK",
    )  # read to the end, or its place stays occupied
    assert ExposureAll.objects.filter(person=here.admin).exists()


def test_a_picture_in_guidelines_is_recorded(here):
    picture = image(here.contributor)
    Image.objects.filter(pk=picture.pk).update(state="accepted", pii_clear_by=here.curator)
    text = {"en": f"![x]({picture.label})"}
    Guideline.objects.create(
        benchmark=here.benchmark, kind="captions", version=1, text=text, created_by=here.admin, client_key=uuid.uuid4()
    )
    url = f"/api/v1/benchmarks/cvlue/guidelines/captions/pictures/{picture.label}"
    assert signed_in(here.annotator).get(url).status_code == 200
    assert list(Exposure.objects.values_list("person_id", "image_id")) == [(here.annotator.pk, picture.pk)]
    Blindfold.objects.create(image=picture, person=here.annotator2)
    assert signed_in(here.annotator2).get(url).status_code == 404


def test_uploads_are_the_senders_own(here):
    other = picture_world(slug="other", prefix="x")
    made = upload(here.contributor, slug="cvlue")
    assert Image.objects.get(pk=made.image_id).contributor == here.contributor
    assert refused(lambda: blindfold(here.contributor, Image.objects.get(pk=made.image_id))) == "blindfold_has_seen"
    assert other.benchmark.pk != here.benchmark.pk
