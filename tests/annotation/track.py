"""Helpers that bring a package to a later state of its track."""

from __future__ import annotations

import uuid

from annotation.draws.models import Draw, Drawn
from annotation.items.models import Item
from annotation.packages import services
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.quality.models import Inspection
from annotation.tracks import services as writing
from curation.people.models import Person
from tests.people import World, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions


def new_world(pictures: int = 4, **protocol: int) -> World:
    """A benchmark with packages of accepted pictures."""
    made = world(captions_protocol(**({"size": 4} | protocol)))
    accepted_pictures(made.benchmark, made.contributor, made.curator, pictures)
    services.build_packages(
        actor=made.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=None,
        seed=7,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    return made


def items_of(package: Package) -> list:
    """Items in order, as they are now."""
    rows = PackageItem.objects.filter(package=package, active=True).select_related("item")
    return [m.item for m in rows.order_by("position")]


def command(call, who: Person, package: Package, **more) -> Package:
    """Run a command on a package at its current revision."""
    package.refresh_from_db()
    call(actor=who, package_id=package.pk, revision=package.revision, client_key=uuid.uuid4(), **more)
    package.refresh_from_db()
    return package


def write(who: Person, package: Package, numbers: dict[int, int] | None = None) -> None:
    """Submit the open items of a package; ``numbers`` chooses other texts by item id."""
    for item in items_of(package):
        if item.state in ("todo", "returned"):
            n = (numbers or {}).get(item.pk, item.number)
            writing.submit_item(
                actor=who,
                item_id=item.pk,
                base_no=item.revision_no,
                content=five_captions(n),
                reasons={},
                client_key=uuid.uuid4(),
            )


def submitted_package(here: World, who: Person | None = None) -> Package:
    """A package that was written, ticked and submitted."""
    who = who or here.annotator
    package, _ = services.claim_package(actor=who, benchmark_slug="cvlue", kind="captions")
    write(who, package)
    return tick_and_submit(who, package)


def tick_and_submit(who: Person, package: Package) -> Package:
    """Tick every item at its newest revision and submit the package."""
    command(services.self_check, who, package, ticks={i.pk: i.revision_no for i in items_of(package)})
    return command(services.submit_package, who, package)


def review(who: Person, item, outcome: str = "accept", **more) -> tuple[int, int]:
    """Judge an item in review."""
    fields = {"reasons": [], "comment": "", "content": None, "overrides": {}, "client_key": uuid.uuid4()}
    fields |= {"revision_no": item.revision_no} | more
    return quality.review_item(actor=who, item_id=item.pk, outcome=outcome, **fields)


def inspecting(here: World, package: Package | None = None) -> Package:
    """A package whose review is complete and whose sample is drawn."""
    package = package or submitted_package(here)
    command(quality.start_review, here.senior, package)
    for item in items_of(package):
        if not item.verdicts.filter(revision_no=item.revision_no).exists():
            review(here.senior, item)
    return command(quality.complete_review, here.senior, package)


def inspect(who: Person, item_id: int, outcome: str = "right", **more) -> tuple[int, int]:
    """Judge a drawn item."""
    fields = {"reasons": [], "comment": "", "client_key": uuid.uuid4()}
    sample = Drawn.objects.filter(item_id=item_id).order_by("-draw_id").first()
    fields |= {"revision_no": sample.revision_no if sample else 1} | more
    return quality.inspect_item(actor=who, item_id=item_id, outcome=outcome, **fields)


def drawn(package: Package, stratum: str = "random") -> list[int]:
    """Item ids of the newest draw in order."""
    rows = Drawn.objects.filter(draw__inspection__package=package, draw__inspection__round=package.round)
    return list(rows.filter(stratum=stratum).order_by("ordinal").values_list("item_id", flat=True))


def sample_of_one(package: Package, item: Item, **inspection: object) -> Inspection:
    """An inspection whose sample is one item, as rows."""
    draw = Draw.objects.create(
        benchmark_id=package.benchmark_id, kind=package.kind, purpose="inspection", population=1, seed=b"0" * 16, size=1
    )
    Drawn.objects.create(draw=draw, item=item, revision_no=item.revision_no, stratum="random", ordinal=1)
    return Inspection.objects.create(
        package=package, round=1, draw=draw, percent=25, pass_over_percent=97, errors_allowed=0, **inspection
    )


def passed(here: World) -> Package:
    """A package that passed its inspection."""
    package = inspecting(here)
    for item_id in drawn(package):
        inspect(here.curator, item_id)
    return command(quality.complete_inspection, here.curator, package)
