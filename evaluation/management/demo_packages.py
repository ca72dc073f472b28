"""Packages of the demo's boxes and visual questions, each moved through its track to an intended state."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from annotation.draws.models import Drawn
from annotation.items.models import Item
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.people.models import Person

REVIEWED: Final = 4  # items of a package under review that the visitor finds judged


class DemoPackages:
    """The packages of one kind in the demo's benchmark; the two annotators claim them in turn.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        kind: The kind of work.
        content_of: Makes the content of an item; it gets the item and whether its annotator is the second one.
        key: Makes the client key of a step.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        people: Mapping[str, Person],
        kind: str,
        content_of: Callable[[Item, bool], dict[str, Any]],
        key: Callable[..., uuid.UUID],
    ) -> None:
        self._benchmark = benchmark
        self._people = people
        self._kind = kind
        self._content_of = content_of
        self._key = key

    def make(self, fates: tuple[str, ...], *, seed: int, maximum: int | None = None) -> None:
        """Build packages and move each to its state.

        Args:
            fates: ``passed`` or ``reviewing`` for each package in order.
            seed: Determines which pictures are in which package.
            maximum: The largest number of packages; None: of all pictures.
        """
        admin, slug = self._people["admin"], self._benchmark.slug
        packages.build_packages(
            actor=admin,
            benchmark_slug=slug,
            kind=self._kind,
            seed=seed,
            maximum=maximum,
            client_key=self._key(self._kind),
        )
        for n, fate in enumerate(fates):
            writer = self._people["annotator2" if n % 2 else "annotator"]
            package = Package.objects.get(benchmark=self._benchmark, kind=self._kind, number=n + 1)
            if package.state == Package.State.AVAILABLE:
                package, _ = packages.claim_package(actor=writer, benchmark_slug=slug, kind=self._kind)
            self._carry(package, writer, fate, is_second=bool(n % 2))

    def _carry(self, package: Package, writer: Person, fate: str, *, is_second: bool) -> None:
        """Move a package to its intended state, from its present one."""
        senior, curator = self._people["senior"], self._people["curator"]
        if package.state == Package.State.WORKING:
            for member in self._members(package).filter(item__state=Item.State.TODO):
                self._submit(writer, member.item, self._content_of(member.item, is_second))
            ticks = dict(self._members(package).values_list("item_id", "item__revision_no"))
            self._give(packages.self_check, writer, package, ticks=ticks)
            self._give(packages.submit_package, writer, package)
        if package.state == Package.State.HANDED_OVER:
            self._give(quality.start_review, senior, package)
        if package.state == Package.State.REVIEWING:
            items = [member.item for member in self._members(package)]
            for item in items if fate == "passed" else items[:REVIEWED]:
                self._accept(senior, item, package)
            if fate == "passed":
                self._give(quality.complete_review, senior, package)
        if package.state == Package.State.INSPECTING and fate == "passed":
            sample = Drawn.objects.filter(draw__inspection__package=package, draw__inspection__round=package.round)
            for item_id, revision_no in sample.values_list("item_id", "revision_no"):
                quality.inspect_item(
                    actor=curator,
                    item_id=item_id,
                    revision_no=revision_no,
                    outcome="right",
                    reasons=[],
                    comment="",
                    client_key=self._key(f"{self._kind} inspect", package.number, item_id),
                )
            self._give(quality.complete_inspection, curator, package)

    def _submit(self, writer: Person, item: Item, content: dict[str, Any]) -> None:
        writing.submit_item(
            actor=writer,
            item_id=item.pk,
            base_no=item.revision_no,
            content=content,
            reasons={},
            client_key=self._key(f"{self._kind} submit", item.number),
        )

    def _accept(self, senior: Person, item: Item, package: Package) -> None:
        quality.review_item(
            actor=senior,
            item_id=item.pk,
            revision_no=item.revision_no,
            outcome="accept",
            reasons=[],
            comment="",
            content=None,
            overrides={},
            client_key=self._key(f"{self._kind} review", package.number, item.number),
        )

    def _members(self, package: Package) -> Any:
        rows = PackageItem.objects.filter(package=package, active=True)
        return rows.select_related("item").order_by("position")

    def _give(self, command: Callable[..., Package], who: Person, package: Package, **more: Any) -> None:
        """Give a command on a package at its current revision."""
        command(
            actor=who,
            package_id=package.pk,
            revision=package.revision,
            client_key=self._key(self._kind, command.__name__, package.number, package.revision),
            **more,
        )
        package.refresh_from_db()
