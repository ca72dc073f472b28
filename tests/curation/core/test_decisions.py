"""A decision is made once for its key, on the revision that was read, and written down with what it moved."""

import uuid

import pytest

from annotation.packages.models import Package
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, StaleRow
from curation.core.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def package() -> Package:
    """A row that was never saved: a decision only reads its attributes."""
    return Package(pk=7, number=3, kind="captions", state="available", revision=4)


@pytest.fixture
def key() -> uuid.UUID:
    return uuid.uuid4()


def decision(package: Package, key: uuid.UUID | None, *, actor_id: int | None = 1, action: str = "package_assign"):
    return Decision(actor_id=actor_id, action=action, row=package, client_key=key)


def test_it_is_recorded_with_the_states_that_it_moved_between(package, key) -> None:
    made = decision(package, key)
    package.state = "assigned"
    made.record(person_id=5)
    event = AuditEvent.objects.get(client_key=key)
    assert (event.action, event.target_type, event.target_id, event.label) == (
        "package_assign",
        "package",
        7,
        package.label,
    )
    assert (event.actor_id, event.benchmark_id) == (1, None)
    assert (event.state_from, event.state_to, event.data) == ("available", "assigned", {"person_id": 5})


def test_what_moved_nothing_names_no_states(package, key) -> None:
    decision(package, key).record()
    event = AuditEvent.objects.get(client_key=key)
    assert (event.state_from, event.state_to) == ("", "")


def test_a_repeat_is_recognised_even_after_the_row_moved_on(package, key) -> None:
    first = decision(package, key)
    assert first.is_repeat(revision=4, person_id=5) is False
    first.record(person_id=5)
    package.revision = 5
    assert decision(package, key).is_repeat(revision=4, person_id=5) is True


def test_a_key_serves_one_command(package, key) -> None:
    decision(package, key).record(person_id=5)
    with pytest.raises(ClientKeyReused):
        decision(package, key).is_repeat(revision=4, person_id=6)
    with pytest.raises(ClientKeyReused):
        decision(package, key, action="package_withdraw").is_repeat(revision=4)
    with pytest.raises(ClientKeyReused):
        decision(Package(pk=8, number=4, kind="captions", revision=4), key).is_repeat(revision=4, person_id=5)
    assert AuditEvent.objects.filter(client_key=key).count() == 1


def test_a_first_try_on_an_older_revision_is_refused(package, key) -> None:
    with pytest.raises(StaleRow) as refusal:
        decision(package, key).is_repeat(revision=3)
    assert refusal.value.params == {"revision": 4, "named": 3}
    assert not AuditEvent.objects.filter(client_key=key).exists()


def test_the_application_itself_repeats_nothing(package) -> None:
    own = decision(package, None, actor_id=None)
    assert own.is_repeat() is False
    own.record()
    assert AuditEvent.objects.get(target_id=7, target_type="package").actor_id is None


def creating(key: uuid.UUID, action: str = "package_build") -> Decision:
    return Decision(actor_id=1, action=action, client_key=key)


def test_a_decision_that_creates_a_row_is_recorded_with_its_first_state_and_returned_to_a_repeat(package, key) -> None:
    made = creating(key)
    assert made.earlier(size=2) is None
    made.row = package
    made.record(size=2)
    event = creating(key).earlier(size=2)
    assert event is not None
    assert (event.target_id, event.label) == (7, package.label)
    assert (event.state_from, event.state_to) == ("", "available")
    with pytest.raises(ClientKeyReused):
        creating(key).earlier(size=3)
    with pytest.raises(ClientKeyReused):
        creating(key, "item_import").earlier(size=2)
    with pytest.raises(ClientKeyReused):
        Decision(actor_id=1, action="package_build", client_key=key, benchmark_id=5).earlier(size=2)


def test_a_decision_without_a_row_cannot_be_recorded(key) -> None:
    with pytest.raises(ValueError, match="about a row"):
        creating(key).record()
