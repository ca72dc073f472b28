"""People who press at the same moment, and the application's own database role."""

import threading
import uuid

import pytest
from django.conf import settings as site
from django.db import connection, connections

from annotation.releases import services
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile
from curation.core import jobs
from curation.core.errors import DomainError
from curation.core.models import AuditEvent, Job
from curation.core.privileges import grant_application_role
from tests.annotation.releases.content import filled, team


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


def create(here, client_key):
    return services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kind="captions", seed=1, client_key=client_key
    ).pk


@pytest.mark.django_db(transaction=True)
def test_one_request_sent_many_times_at_once_makes_one_release_and_freezes_it_once(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    filled(here, 12)
    key = uuid.uuid4()
    made = together(8, lambda: create(here, key))
    assert len(made) == 8
    assert set(made) == {Release.objects.get().pk}
    once = uuid.uuid4()
    freeze = lambda: services.freeze_release(actor=here.admin, release_id=made[0], client_key=once).digest  # noqa: E731
    assert set(together(8, freeze)) == {Release.objects.get().digest}
    assert ReleaseEntry.objects.count() == 12
    assert AuditEvent.objects.filter(action="release_freeze").count() == 1
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_freeze_at_once_one_does():
    here = team()
    filled(here, 4)
    release = create(here, uuid.uuid4())
    act = lambda: services.freeze_release(actor=here.admin, release_id=release, client_key=uuid.uuid4()).state  # noqa: E731
    assert sorted(together(4, act)) == ["action_not_allowed"] * 3 + ["frozen"]
    assert Job.objects.count() == 1


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
        release = services.freeze_release(
            actor=here.admin, release_id=create(here, uuid.uuid4()), client_key=uuid.uuid4()
        )
        assert jobs.run(release.job_id, services.write_files) == "done"
        cursor.execute("reset role")
    assert ReleaseFile.objects.filter(release=release).count() == 9
