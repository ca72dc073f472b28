"""Crews: people who submit together have one name, one list of submissions and the limits of one."""

import threading

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from curation.benchmarks.rules import OUTSIDER
from curation.core.errors import DomainError
from curation.core.models import AuditEvent
from curation.people.models import Person, RoleGrant
from evaluation.publication.models import Publication
from evaluation.submissions import queries
from evaluation.submissions.access import submitter
from evaluation.submissions.errors import SubmissionLimit
from evaluation.submissions.models import Crew, CrewMember, Submission
from tests.evaluation.submissions.predictions import right, scored, submit, world_with_release
from tests.evaluation.submissions.test_outsiders import post, public
from tests.people import key, person, send, signed_in, told

pytestmark = pytest.mark.django_db
CREW = "benchmarks/cvlue/crew"


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def here():
    team, release = world_with_release(1)
    return team, public(release)


def outsider(team, name="outsider"):
    return person(name, team.benchmark, OUTSIDER)


def name_crew(who, name="灯会组", client_key=None):
    return send(signed_in(who), "PUT", CREW, {"name": name, "client_key": client_key or key()})


def new_link(who):
    return send(signed_in(who), "POST", f"{CREW}/link", {"client_key": key()}).json()["token"]


def join(who, token, client_key=None):
    return send(signed_in(who), "POST", f"{CREW}/join", {"token": token, "client_key": client_key or key()})


def crew_of(who):
    return send(signed_in(who), "GET", CREW).json()["crew"]


def test_a_person_is_alone_until_they_name_a_crew_or_join_one(here):
    team, _ = here
    first, second = outsider(team), outsider(team, "second")
    assert send(signed_in(first), "GET", CREW).json() == {"crew": None, "may_join": True}
    same = key()
    for _ in range(2):
        answer = name_crew(first, client_key=same)
        assert (answer.status_code, answer.json()["crew"]["name"]) == (200, "灯会组")
    token = new_link(first)
    told_of = send(signed_in(second), "POST", f"{CREW}/invitation", {"token": token})
    assert told_of.json() == {"name": "灯会组", "members": 1}
    same = key()
    for _ in range(2):
        assert [one["id"] for one in join(second, token, same).json()["crew"]["members"]] == [first.pk, second.pk]
    assert told(join(second, "another", same)) == (422, "client_key_reused")
    assert told(join(second, token)) == (409, "in_crew_already")
    assert [one["id"] for one in crew_of(first)["members"]] == [first.pk, second.pk]
    log = list(AuditEvent.objects.filter(action__startswith="crew_").order_by("pk").values_list("action", flat=True))
    assert log == ["crew_name", "crew_link", "crew_join"]
    assert "灯会组" not in str(list(AuditEvent.objects.values_list("data", flat=True)))


@pytest.mark.parametrize(
    "other", ["lantern crew", "LANTERN  CREW", "Ｌantern Crew", "Lan\u200btern Crew", "Lan\u00adtern\u2060 Crew"]
)
def test_a_name_is_taken_however_it_is_written(here, other):
    team, _ = here
    assert name_crew(outsider(team), "Lantern Crew").status_code == 200
    assert told(name_crew(team.annotator, other)) == (409, "crew_name_taken")
    assert (Crew.objects.count(), CrewMember.objects.count()) == (1, 1)
    assert crew_of(team.annotator) is None


def test_a_crew_may_write_its_own_name_differently_and_a_name_is_free_elsewhere(here):
    team, _ = here
    who = outsider(team)
    assert name_crew(who, "Lantern").status_code == 200
    assert name_crew(who, "LANTERN").json()["crew"]["name"] == "LANTERN"
    elsewhere, _ = world_with_release(1, slug="other", prefix="other-")
    answer = send(
        signed_in(elsewhere.annotator), "PUT", "benchmarks/other/crew", {"name": "lantern", "client_key": key()}
    )
    assert answer.status_code == 200
    assert Crew.objects.count() == 2


def test_the_limit_of_a_day_is_the_crews(here):
    team, release = here
    members = [outsider(team), outsider(team, "second"), team.annotator]
    name_crew(members[0])
    token = new_link(members[0])
    for one in members[1:]:
        assert join(one, token).status_code == 200
    for n in range(5):
        assert post(signed_in(members[n % 3]), release).status_code == 201
    for one in members:
        assert told(post(signed_in(one), release)) == (429, "submission_limit")
        wants = send(signed_in(one), "GET", f"releases/{release.pk}/submissions").json()["requirements"]
        assert (wants["crew"], wants["day"]["used"], wants["total"]) == ("灯会组", 5, {"limit": 100, "used": 5})
    assert post(signed_in(team.senior), release).status_code == 201  # alone
    assert Submission.objects.filter(crew=None).count() == 1


def test_the_limit_in_all_is_the_crews():
    team, release = world_with_release(1, submissions_per_day=50, submissions_total=3)
    public(release)
    first, second = outsider(team), outsider(team, "second")
    submit(first, release, right(1))
    name_crew(first)  # what they submitted alone counts
    assert join(second, new_link(first)).status_code == 200
    assert [post(signed_in(who), release).status_code for who in (second, first)] == [201, 201]
    assert told(post(signed_in(second), release)) == (429, "submission_total_limit")
    assert set(Submission.objects.values_list("crew__name", flat=True)) == {"灯会组"}


def test_who_has_submitted_joins_no_other_crew_and_stays_in_theirs(here):
    team, release = here
    first, second = outsider(team), outsider(team, "second")
    name_crew(first)
    token = new_link(first)
    submit(second, release, right(1))
    assert send(signed_in(second), "GET", CREW).json() == {"crew": None, "may_join": False}
    assert told(join(second, token)) == (409, "submitted_before")
    assert CrewMember.objects.count() == 1
    third = outsider(team, "third")
    assert join(third, token).status_code == 200
    submit(third, release, right(1))
    assert crew_of(third)["may_leave"] is False
    leave = send(signed_in(third), "POST", f"{CREW}/leave", {"client_key": key()})
    assert told(leave) == (409, "submitted_before")
    # The database does not let them go either.
    for change in (lambda rows: rows.delete(), lambda rows: rows.update(crew=Crew.objects.get())):
        with pytest.raises(DatabaseError), transaction.atomic():
            change(CrewMember.objects.filter(person=third))
    with pytest.raises(DatabaseError), transaction.atomic():
        Submission.objects.filter(person=third).update(crew=None)
    assert CrewMember.objects.count() == 2


def test_a_person_leaves_before_their_first_file_and_the_last_one_takes_the_name_along(here):
    team, _ = here
    first, second = outsider(team), outsider(team, "second")
    name_crew(first)
    join(second, new_link(first))
    for who in (second, first):
        assert send(signed_in(who), "POST", f"{CREW}/leave", {"client_key": key()}).json()["crew"] is None
    assert (Crew.objects.count(), CrewMember.objects.count()) == (0, 0)
    assert told(send(signed_in(first), "POST", f"{CREW}/leave", {"client_key": key()})) == (409, "crew_missing")
    assert told(send(signed_in(first), "POST", f"{CREW}/link", {"client_key": key()})) == (409, "crew_missing")
    assert name_crew(second).status_code == 200


def test_a_link_is_replaced_expires_and_is_for_one_benchmark(here):
    team, _ = here
    first, second = outsider(team), outsider(team, "second")
    name_crew(first)
    old, new = new_link(first), new_link(first)
    assert crew_of(first)["link_until"] is not None
    assert told(join(second, old)) == (410, "crew_link_invalid")
    elsewhere, _ = world_with_release(1, slug="other", prefix="other-")
    body = {"token": new, "client_key": key()}
    assert told(send(signed_in(elsewhere.annotator), "POST", "benchmarks/other/crew/join", body)) == (
        410,
        "crew_link_invalid",
    )
    Crew.objects.update(link_until=timezone.now())
    assert told(join(second, new)) == (410, "crew_link_invalid")
    assert told(send(signed_in(second), "POST", f"{CREW}/invitation", {"token": new})) == (410, "crew_link_invalid")
    assert crew_of(first)["link_until"] is None
    assert CrewMember.objects.count() == 1


def test_a_crew_has_at_most_fifty_members(here):
    team, _ = here
    first = outsider(team)
    name_crew(first)
    crew, token = Crew.objects.get(), new_link(first)
    for n in range(49):
        CrewMember.objects.create(benchmark=team.benchmark, crew=crew, person=Person.objects.create(username=f"m{n}"))
    assert told(join(team.annotator, token)) == (409, "crew_full")


def test_members_of_a_crew_see_and_list_its_submissions_and_others_do_not(here):
    team, release = here
    first, second, other = outsider(team), outsider(team, "second"), outsider(team, "third")
    name_crew(first)
    join(second, new_link(first))
    found = scored(first, release, right(1))
    listing = send(signed_in(second), "GET", f"releases/{release.pk}/submissions").json()["results"]
    assert [(row["id"], row["crew"], row["person"]["id"]) for row in listing] == [(found.pk, "灯会组", first.pk)]
    assert send(signed_in(second), "GET", f"submissions/{found.pk}/file").status_code == 200
    listed = send(signed_in(second), "POST", f"submissions/{found.pk}/list-on", {"client_key": key()})
    assert (listed.status_code, listed.json()["listed"]) == (200, True)
    assert [row["mine"] for row in send(signed_in(second), "GET", "benchmarks/cvlue/submissions").json()] == [1]
    for address in (f"submissions/{found.pk}", f"submissions/{found.pk}/file"):
        assert told(send(signed_in(other), "GET", address)) == (404, "not_found")
    RoleGrant.objects.filter(person=second).update(ended_at=timezone.now())
    assert send(signed_in(second), "GET", f"submissions/{found.pk}").status_code in (403, 404)
    assert send(signed_in(second), "GET", CREW).status_code in (403, 404)


def test_an_outsider_without_accepted_terms_has_no_crew(here):
    team, _ = here
    who = outsider(team)
    Publication.objects.update(terms={"zh-Hans": "x", "zh-Hant": "x", "en": "x"}, terms_sha256="5" * 64)
    assert told(name_crew(who)) == (403, "terms_not_accepted")
    assert Crew.objects.count() == 0


def test_a_file_is_the_crews_whoever_writes_the_row(here):
    team, release = here
    first = outsider(team)
    name_crew(first)
    old = submit(first, release, right(1))
    elsewhere = Crew.objects.create(benchmark=team.benchmark, name="x", key="x")
    copied = {name: getattr(old, name) for name in ("release_id", "person_id", "system", "profile", "name", "sha256")}
    row = Submission.objects.create(**copied, bytes=1, key="x", crew=elsewhere)
    row.refresh_from_db()
    assert row.crew.name == "灯会组"
    other, _ = world_with_release(1, slug="other", prefix="other-")
    with pytest.raises(IntegrityError):
        CrewMember.objects.create(benchmark=other.benchmark, person=other.annotator, crew=elsewhere)


@pytest.mark.django_db(transaction=True)
def test_of_fifty_clients_at_once_exactly_five_are_within_the_limit_of_five(here):
    team, release = here
    crew = Crew.objects.create(benchmark=team.benchmark, name="五十人", key="k")
    people = [person(f"client-{n}", team.benchmark, OUTSIDER) for n in range(50)]
    for one in people:
        CrewMember.objects.create(benchmark=team.benchmark, person=one, crew=crew)
    barrier, outcomes = threading.Barrier(50), []

    def one_client(who):
        try:
            barrier.wait()
            submit(who, release, right(1))
            outcomes.append("accepted")
        except DomainError as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one_client, args=(who,)) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["accepted"] * 5 + [SubmissionLimit.code] * 45
    assert Submission.objects.filter(crew=crew).count() == 5
    assert queries.day_of(submitter(people[0], team.benchmark.pk), team.benchmark, "captions").used == 5
