"""The demo's second benchmark: two teams of CVQA, one of which writes from right to left, with items in every state.

Like ``manage.py demo_data``, which calls it, it uses the services of real work, and each command carries a key derived
from what it does.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation.items.models import Item
from annotation.kinds.multiple_choice import KIND
from annotation.peer import services as peer
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.images import services as images
from curation.people import services as people
from curation.people.models import Person, Team
from curation.taxonomy.services import create_benchmark
from evaluation.management.demo_search import store_empty_searches
from fixtures.questions import TEAMS, Question, TeamWork

SLUG: Final = "lantern-teams"
TITLE: Final = {
    "zh-Hans": "花灯示例：两支国家队",
    "zh-Hant": "花燈範例：兩支國家隊",
    "en": "Lantern demo: two country teams",
}
# The pair's members: the first is the visitor, who leads the team; the second is a colleague.
MEMBERS: Final[Mapping[str, tuple[str, str]]] = {
    "china_chinese": ("team-china", "annotator2"),
    "egypt_egyptian_arabic": ("team-egypt", "contributor"),
}
_TRACK: Final = Item.Track.PEER.value


def _key(*what: object) -> uuid.UUID:
    """The client key of one step."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{SLUG}/{'/'.join(map(str, what))}")


@dataclass(frozen=True, slots=True)
class _Members:
    team: Team
    visitor: Person
    colleague: Person


def seeds() -> list[int]:
    """Return the scenes of both teams."""
    return [seed for work in TEAMS for seed in _categories(work)]


def fill(persons: Mapping[str, Person], file_of: Callable[[int], bytes]) -> None:
    """Make the benchmark, or the rest of it.

    Args:
        persons: the demo's, by user name.
        file_of: returns the scene of a seed as a file.
    """
    benchmark = Benchmark.objects.filter(slug=SLUG).first()
    if benchmark is None:
        benchmark = create_benchmark(
            actor=persons["owner"], slug=SLUG, title=TITLE, preset="cvqa", client_key=_key("benchmark")
        )
    admin, curator = persons["admin"], persons["curator"]
    for person, role in ((admin, "admin"), (curator, "curator")):
        _admit(person, benchmark, role, None)
    for work in TEAMS:
        team = people.create_team(
            actor=admin, benchmark_slug=SLUG, name=work.name, pair=work.pair, client_key=_key("team", work.pair)
        )
        visitor, colleague = (persons[name] for name in MEMBERS[work.pair])
        for person in (visitor, colleague):
            _admit(person, benchmark, "annotator", team)
        if team.lead_id is None:
            people.update_team(
                actor=admin, team_id=team.pk, lead_id=visitor.pk, changes_lead=True, client_key=_key("lead", work.pair)
            )
        _work(_Members(team, visitor, colleague), curator, work, file_of)


def _admit(person: Person, benchmark: Benchmark, role: str, team: Team | None) -> None:
    """Grant a role and agree to the benchmark's text."""
    people.grant_roles(person=person, benchmark_id=benchmark.pk, roles=[role], granted_by=None, team=team)
    person.grants = None
    version = benchmark.protocol
    if version is not None and version.consent_sha256:
        people.give_consent(
            actor=person,
            benchmark_slug=SLUG,
            text_sha256=version.consent_sha256,
            eligibility=[entry["code"] for entry in version.content["consent"]["eligibility"]],
            client_key=_key("consent", person.username, version.version),
        )
        person.grants = None


def _categories(work: TeamWork) -> dict[int, str]:
    """Return seed → category of a team's pictures."""
    written = [*work.accepted, work.to_check, work.returned, work.begun]
    return {question.seed: question.category for question in written} | dict([work.free])


def _work(members: _Members, curator: Person, work: TeamWork, file_of: Callable[[int], bytes]) -> None:
    """Bring a team's pictures and items to the states of ``work``; what a colleague wrote waits for the visitor."""
    visitor, colleague = members.visitor, members.colleague
    pictures = _pictures(members, curator, _categories(work), file_of)
    for question, (author, checker) in zip(work.accepted, ((colleague, visitor), (visitor, colleague)), strict=True):
        item = _submitted(author, question, pictures)
        if item.state == Item.State.MADE:
            peer.star_item(
                actor=checker, item_id=item.pk, revision_no=item.revision_no, client_key=_key("star", question.seed)
            )
    _submitted(colleague, work.to_check, pictures)
    item = _submitted(visitor, work.returned, pictures)
    if item.state == Item.State.MADE:
        peer.send_back_item(
            actor=colleague,
            item_id=item.pk,
            revision_no=item.revision_no,
            reasons=[work.reason],
            comment=work.comment,
            client_key=_key("send back", work.returned.seed),
        )
    item = _created(visitor, work.begun, pictures)
    if item.revision_no == 0 and not item.drafts.exists():
        writing.save_draft(actor=visitor, item_id=item.pk, base_no=0, seq=1, content=_half(work.begun), track=_TRACK)


def _pictures(
    members: _Members, curator: Person, categories: Mapping[int, str], file_of: Callable[[int], bytes]
) -> dict[int, int]:
    """Upload the scenes as the members' own photographs and accept them; return seed → picture."""
    pictures = {}
    for n, (seed, category) in enumerate(categories.items()):
        # One picture in a team may be used for research only.
        commercial = n != 1
        pictures[seed] = images.upload_image(
            actor=members.visitor if n % 2 else members.colleague,
            benchmark_slug=SLUG,
            file=io.BytesIO(file_of(seed)),
            source="own",
            licence="own-open" if commercial else "own-research",
            uses={"research": True, "commercial": commercial},
            category=category,
            team=members.team.pk,
            client_key=_key("upload", seed),
        ).image_id
    verdicts = [
        images.Verdict(image_id=image_id, no=0, outcome="accepted", client_key=_key("judge", seed))
        for seed, image_id in pictures.items()
    ]
    marks = [images.Mark(image_id, _key("clear", seed)) for seed, image_id in pictures.items()]
    store_empty_searches(members.team.benchmark, pictures.values())
    for done in (
        *images.judge_images(actor=curator, benchmark_slug=SLUG, verdicts=verdicts),
        *images.clear_images(actor=curator, benchmark_slug=SLUG, marks=marks),
    ):
        if done.error is not None:
            raise done.error
    return pictures


def _created(author: Person, question: Question, pictures: Mapping[int, int]) -> Item:
    return peer.create_item(
        actor=author,
        benchmark_slug=SLUG,
        kind=KIND.name,
        image_id=pictures[question.seed],
        client_key=_key("create", question.seed),
    )


def _submitted(author: Person, question: Question, pictures: Mapping[int, int]) -> Item:
    item = _created(author, question, pictures)
    if item.revision_no == 0:
        item, _, _ = writing.submit_item(
            actor=author,
            item_id=item.pk,
            base_no=0,
            content=question.as_json(),
            reasons={},
            track=_TRACK,
            client_key=_key("submit", question.seed),
        )
    return item


def _half(question: Question) -> dict[str, Any]:
    """The question and its first two options in the team's language, as typed so far."""
    options = [{"local": o.local if n < 2 else "", "translated": ""} for n, o in enumerate(question.options)]
    return {
        "category": question.category,
        "question": {"local": question.text.local, "translated": ""},
        "options": options,
    }
