"""Creating a benchmark from a preset."""

import threading
import uuid

import pytest
from django.db import connection

from curation.benchmarks.errors import PresetUnknown, SlugTaken
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.errors import ClientKeyReused, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.taxonomy.models import Category
from curation.taxonomy.services import create_benchmark
from tests.people import Role, person
from tests.shared import shared

TITLE = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "Lanterns"}


def nothing_there():
    return not (Benchmark.objects.exists() or ProtocolVersion.objects.exists() or Category.objects.exists())


@shared
def owner():
    return person("owner", None, Role.OWNER)


def create(owner, **changes):
    return create_benchmark(
        actor=owner, **{"slug": "lanterns", "title": TITLE, "preset": "cvlue", "client_key": uuid.uuid4()} | changes
    )


def test_it_gets_the_protocol_as_version_one_and_the_categories(owner):
    made = create(owner)
    assert (made.protocol.version, made.protocol.name) == (1, "cvlue")
    assert made.protocol.content["kinds"]["captions"]["slots"] == 5
    rows = Category.objects.filter(benchmark=made).order_by("number")
    assert rows.count() == 92
    assert (rows[69].slug, rows[69].field, rows[69].distance) == ("lion_dance", "celebrations", "closest")
    assert rows[69].name == {"zh-Hans": "舞狮", "zh-Hant": "舞獅", "en": "lion dance"}
    event = AuditEvent.objects.get(action="benchmark_create")
    assert (event.actor_id, event.benchmark_id, event.data["preset"]) == (owner.pk, made.pk, "cvlue")


def test_the_same_key_gives_the_same_benchmark_and_other_content_is_refused(owner):
    key = uuid.uuid4()
    assert create(owner, client_key=key).pk == create(owner, client_key=key).pk
    with pytest.raises(ClientKeyReused):
        create(owner, client_key=key, preset="demo")
    assert (Benchmark.objects.count(), Category.objects.count()) == (1, 92)


def test_a_name_is_given_once(owner):
    create(owner)
    with pytest.raises(SlugTaken):
        create(owner)
    assert (Benchmark.objects.count(), AuditEvent.objects.count()) == (1, 1)


@pytest.mark.parametrize("name", ["nothing", "../protocols/cvlue", "/etc/passwd", "cvlue.yaml", ""])
def test_only_presets_that_ship_can_be_named(owner, name):
    with pytest.raises(PresetUnknown):
        create(owner, preset=name)
    assert nothing_there()


def test_only_the_sites_owner_creates(owner):
    other = create(owner)
    admin = person("admin", other, Role.ADMIN)
    with pytest.raises(OperationNotAllowed):
        create_benchmark(actor=admin, slug="mine", title=TITLE, preset="cvlue", client_key=uuid.uuid4())
    assert Benchmark.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_pressed_twice_at_the_same_moment_makes_one():
    owner = person("owner", None, Role.OWNER)
    key, made, gate = uuid.uuid4(), [], threading.Barrier(4)

    def press():
        gate.wait()
        try:
            made.append(create(owner, client_key=key).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(made) == 4
    assert len(set(made)) == 1
    assert (Benchmark.objects.count(), Category.objects.count(), AuditEvent.objects.count()) == (1, 92, 1)
