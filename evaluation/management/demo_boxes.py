"""The demo's boxes: packages in every state, some of whose pictures two people boxed, and a release of boxes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from annotation.draws.models import Drawn
from annotation.items.models import Item
from annotation.kinds.boxes import KIND
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.releases import services as releases
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.people.models import Person
from fixtures import scenes

# In the order of the packages, whose writers alternate; the last one is free. With this seed the two items of each
# double are with different writers, and both in packages that were submitted.
FATES: Final = ("passed", "passed", "passed", "passed", "passed", "reviewing")
BUILD_SEED: Final = 285
REVIEWED: Final = 4  # items of the package under review that the visitor finds judged


class Boxes:
    """The boxes of the demo's benchmark.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        seed_of: The scene of each picture.
        key: Makes the client key of a step.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        people: Mapping[str, Person],
        seed_of: Mapping[int, int],
        key: Callable[..., uuid.UUID],
    ) -> None:
        self._benchmark = benchmark
        self._people = people
        self._seed_of = seed_of
        self._key = key
        self._categories: Collection[str] = frozenset(benchmark.categories.values_list("slug", flat=True))

    def draw(self) -> None:
        """Box the pictures of subset A."""
        admin, slug = self._people["admin"], self._benchmark.slug
        packages.build_packages(
            actor=admin, benchmark_slug=slug, kind=KIND.name, seed=BUILD_SEED, client_key=self._key("boxes")
        )
        for n, fate in enumerate(FATES):
            writer = self._people["annotator2" if n % 2 else "annotator"]
            package = Package.objects.get(benchmark=self._benchmark, kind=KIND.name, number=n + 1)
            if package.state == Package.State.AVAILABLE:
                package, _ = packages.claim_package(actor=writer, benchmark_slug=slug, kind=KIND.name)
            self._carry(package, writer, fate, is_hasty=bool(n % 2))

    def release(self) -> None:
        """Freeze a release of the captions and of the boxes that passed, over the same splits."""
        admin, slug = self._people["admin"], self._benchmark.slug
        release = releases.create_release(
            actor=admin,
            benchmark_slug=slug,
            kinds=["captions", KIND.name],
            seed=2026,
            client_key=self._key("boxes release"),
        )
        releases.check_release(actor=admin, release_id=release.pk, client_key=self._key("boxes check"))
        release = releases.freeze_release(actor=admin, release_id=release.pk, client_key=self._key("boxes freeze"))
        if release.job_id is not None:
            jobs.run(release.job_id, releases.freeze)

    def _carry(self, package: Package, writer: Person, fate: str, *, is_hasty: bool) -> None:
        """Move a package to its intended state, from its present one."""
        senior, curator = self._people["senior"], self._people["curator"]
        if package.state == Package.State.WORKING:
            for member in self._members(package).filter(item__state=Item.State.TODO):
                self._draw(writer, member.item, is_hasty=is_hasty)
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
                    client_key=self._key("boxes inspect", package.number, item_id),
                )
            self._give(quality.complete_inspection, curator, package)

    def _draw(self, writer: Person, item: Item, *, is_hasty: bool) -> None:
        scene = scenes.scene(self._seed_of[item.image_id])
        drawn = (scenes.hasty_boxes if is_hasty else scenes.boxes)(scene, self._categories)
        content = {
            "boxes": [{"key": f"b{n}", "category": box.slug, "box": list(box.box)} for n, box in enumerate(drawn, 1)]
        }
        writing.submit_item(
            actor=writer,
            item_id=item.pk,
            base_no=item.revision_no,
            content=content,
            reasons={},
            client_key=self._key("boxes submit", item.number),
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
            client_key=self._key("boxes review", package.number, item.number),
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
            client_key=self._key("boxes", command.__name__, package.number, package.revision),
            **more,
        )
        package.refresh_from_db()
