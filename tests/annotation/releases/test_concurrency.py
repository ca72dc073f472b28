"""People who press at the same moment, and the application's own database role."""

import threading
import uuid

import pytest
from django.conf import settings as site
from django.db import connection, connections

from annotation.releases import services
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from curation.core import jobs
from curation.core.errors import DomainError
from curation.core.models import AuditEvent, Job
from curation.core.privileges import grant_application_role
from tests.annotation.releases.content import filled, frozen, team


def together(count, act):
    """Run ``act`` in so many threads with connections of their own; what each returned or raised."""
    gate, answers = threading.Barrier(count), []

    def one():
        try:
            gate.wait()
            answers.append(act())
        except DomainError as error:
            answers.append(error.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def create(here, client_key, seed=1):
    return services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=seed, client_key=client_key
    ).pk


def check(here, release):
    services.check_release(actor=here.admin, release_id=release, client_key=uuid.uuid4())


@pytest.mark.django_db(transaction=True)
def test_one_request_sent_many_times_at_once_makes_one_release_and_freezes_it_once(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    filled(here, 12)
    key = uuid.uuid4()
    made = together(8, lambda: create(here, key))
    assert len(made) == 8
    assert set(made) == {Release.objects.get().pk}
    check(here, made[0])
    once = uuid.uuid4()
    requested = lambda: services.freeze_release(actor=here.admin, release_id=made[0], client_key=once).job_id  # noqa: E731
    assert set(together(8, requested)) == {Job.objects.get().pk}
    job = Job.objects.get().pk
    states = together(4, lambda: jobs.run(job, services.freeze))
    assert sorted(states) == ["done", "lost", "lost", "lost"]
    assert ReleaseEntry.objects.count() == 12
    assert AuditEvent.objects.filter(action="release_freeze", state_to="frozen").count() == 1
    assert list(Job.objects.order_by("pk").values_list("task", flat=True)) == [services.FREEZE, services.WRITE_FILES]


@pytest.mark.django_db(transaction=True)
def test_two_people_who_freeze_at_once_get_the_same_job():
    here = team()
    filled(here, 4)
    release = create(here, uuid.uuid4())
    check(here, release)
    act = lambda: services.freeze_release(actor=here.admin, release_id=release, client_key=uuid.uuid4()).job_id  # noqa: E731
    assert set(together(4, act)) == {Job.objects.get().pk}


@pytest.mark.django_db(transaction=True)
def test_two_releases_frozen_at_once_put_no_picture_into_two_splits():
    here = team()
    filled(here, 12)
    requested = []
    for _ in range(2):
        release = create(here, uuid.uuid4(), seed=len(requested))
        check(here, release)
        requested.append(services.freeze_release(actor=here.admin, release_id=release, client_key=uuid.uuid4()).job_id)
    waiting = iter(requested)
    assert together(2, lambda: jobs.run(next(waiting), services.freeze)) == ["done", "done"]
    assert len(set(ReleaseImage.objects.values_list("image_id", "split"))) == 12
    assert ReleaseImage.objects.count() == 24


@pytest.mark.django_db(transaction=True)
def test_different_drafts_at_once_get_numbers_of_their_own():
    here = team()
    together(6, lambda: create(here, uuid.uuid4()))
    assert sorted(Release.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.django_db
def test_the_application_role_may_do_all_of_it(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    filled(here, 4)
    with connection.cursor() as cursor:
        grant_application_role(cursor, site.APPLICATION_ROLE)
        cursor.execute(f"set local role {site.APPLICATION_ROLE}")
        release = frozen(here)
        assert jobs.run(release.job_id, services.write_files) == "done"
        services.publish_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        services.withdraw_release(actor=here.admin, release_id=release.pk, reason="错", client_key=uuid.uuid4())
        cursor.execute("reset role")
    assert ReleaseFile.objects.filter(release=release).count() == 11
