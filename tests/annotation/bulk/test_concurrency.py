"""A preview that is applied while the same person prepares another one stays."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from annotation.bulk import services
from annotation.bulk.models import Bulk
from curation.people.models import Person
from tests.annotation.track import new_world


def waiting() -> bool:
    """Whether another connection waits for a lock of this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_a_preview_that_is_being_applied_is_not_deleted_by_the_next():
    here = new_world(pictures=2, size=1)
    params = {"person": here.annotator2.pk}

    def prepare() -> Bulk:
        try:
            actor = Person.objects.get(pk=here.admin.pk)
            return services.prepare_bulk(
                actor=actor, benchmark_slug="cvlue", action="assign", params=params, filters={}
            )
        finally:
            connection.close()

    first = services.prepare_bulk(actor=here.admin, benchmark_slug="cvlue", action="assign", params=params, filters={})
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            services.apply_bulk(actor=here.admin, bulk_id=first.pk, client_key=uuid.uuid4())
            second = pool.submit(prepare)
            deadline = time.monotonic() + 30
            while not waiting():
                assert time.monotonic() < deadline
                time.sleep(0.02)
        newer = second.result(30)
    assert list(Bulk.objects.order_by("pk").values_list("pk", "state")) == [
        (first.pk, "running"),
        (newer.pk, "prepared"),
    ]
    assert first.targets.count() == newer.targets.count() == 2
