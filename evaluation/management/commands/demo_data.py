"""``manage.py demo_data``: small benchmarks with work in every state, made through the same services as real work.

Every picture is drawn by ``fixtures.scenes``, so captions can be true, and some on purpose wrong. Each command carries
a key derived from what it does, so a run that was cut off goes on where it stopped and a second one changes nothing.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from annotation.comments.services import add_comment
from annotation.draws.models import Drawn
from annotation.guidelines import queries as guidelines
from annotation.guidelines.services import acknowledge_guideline, add_guideline
from annotation.items.models import Item
from annotation.kinds import boxes, dialogue, grounding, vqa
from annotation.kinds.captions import KIND
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.releases import services as releases
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core import jobs
from curation.images import services as images
from curation.images.models import Image
from curation.images.rules import Objects, subset_faults
from curation.people import services as people
from curation.people.models import Person
from curation.people.rules import DEMO_LOG_INS, DEMO_PASSWORD, DEMO_TEAM_LEADS
from curation.taxonomy.services import create_benchmark
from evaluation.management import (
    demo_board,
    demo_boxes,
    demo_dialogues,
    demo_grounding,
    demo_panel,
    demo_questions,
    demo_teams,
)
from evaluation.management.demo_search import store_empty_searches
from fixtures import scenes

SLUG: Final = "lantern-demo"
TITLE: Final = {"zh-Hans": "花灯示例", "zh-Hant": "花燈範例", "en": "Lantern demo"}
NAMES: Final = {
    "owner": "周宁",
    "admin": "陈曦",
    "curator": "何文",
    "senior": "沈青",
    "annotator": "李雷",
    "annotator2": "韩梅",
    "contributor": "王芳",
    "team-china": "赵敏",
    "team-egypt": "ليلى حسن",
}
PICTURES: Final = 110
TO_JUDGE: Final = 10  # the newest ones wait for the visitor who signs in as curator
# The packages' final states, in the order they are claimed; then one that the visitor has started, and one free.
FATES: Final = (
    *("passed",) * 5,
    "inspecting",
    "handed_over",
    "returned",
)
WRITTEN_AHEAD: Final = 3  # items of the package that the visitor finds open as annotator


def key(*what: object) -> uuid.UUID:
    """The client key of one step."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{SLUG}/{'/'.join(map(str, what))}")


def drawn(seed: int) -> bytes:
    """One scene as a file; runs in a process of its own, since drawing keeps a core busy."""
    return scenes.encode(scenes.scene(seed))


def _verdict(image_id: int, seed: int, limits: Images, categories: Collection[str]) -> images.Verdict:
    """Accept a scene, into its subset if its counts meet the rule."""
    scene = scenes.scene(seed)
    listed = [thing.slug for thing in scene.objects if thing.slug in categories]
    main = scene.main_category if scene.main_category in categories else ""
    objects = Objects(all=len(scene.objects), listed=len(listed), main=listed.count(main), categories=len(set(listed)))
    fits = main and not subset_faults(limits, scene.subset, objects, category=main)
    subset = scene.subset if fits else ""
    return images.Verdict(
        image_id=image_id, no=0, outcome="accepted", subset=subset, objects=objects, client_key=key("judge", seed)
    )


class Command(BaseCommand):
    """Only where LANTERN_DEMO is set: the log-ins are public."""

    help = "Fill an empty installation with the demo's benchmarks."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        if not settings.DEMO:
            raise CommandError("Demo data has public log-ins: set LANTERN_DEMO=true to allow them.")
        self.people = dict(self._people())
        benchmark = Benchmark.objects.filter(slug=SLUG).first()
        if benchmark is None:
            benchmark = create_benchmark(
                actor=self.people["owner"], slug=SLUG, title=TITLE, preset="demo", client_key=key("benchmark")
            )
        for entry in DEMO_LOG_INS:
            if entry["role"] != "owner" and entry["username"] not in DEMO_TEAM_LEADS:
                person = self.people[entry["username"]]
                people.grant_roles(person=person, benchmark_id=benchmark.pk, roles=[entry["role"]], granted_by=None)
                person.grants = None
                self._agree(person, benchmark)
        is_filled = benchmark.releases.exists()
        seeds = [] if is_filled else scenes.distinct_seeds(PICTURES)
        with _drawings([*demo_teams.seeds(), *demo_panel.seeds(), *seeds]) as file_of:
            demo_teams.fill(self.people, file_of)
            demo_board.fill(self.people)
            demo_panel.fill(self.people, file_of)
            if not is_filled:
                self._guidelines(benchmark)
                self._pictures(benchmark, seeds, file_of)
        if is_filled:
            self._print_log_ins()
            return
        self._packages(benchmark)
        for kind in (demo_boxes, demo_questions, demo_grounding, demo_dialogues):
            kind.fill(benchmark, self.people, self.seed_of, key)
        self._release([KIND.name], "")
        # What passed of every kind, over the same splits.
        every = (KIND, boxes.KIND, vqa.KIND, grounding.KIND, dialogue.KIND)
        self._release([kind.name for kind in every], "mixed ")
        demo_questions.answer(benchmark, self.people["admin"], key)
        self._print_log_ins()

    def _release(self, kinds: list[str], prefix: str) -> None:
        """Freeze a release; no worker runs yet, and the demo opens with it frozen."""
        admin = self.people["admin"]
        release = releases.create_release(
            actor=admin, benchmark_slug=SLUG, kinds=kinds, seed=2026, client_key=key(f"{prefix}release")
        )
        releases.check_release(actor=admin, release_id=release.pk, client_key=key(f"{prefix}check"))
        release = releases.freeze_release(actor=admin, release_id=release.pk, client_key=key(f"{prefix}freeze"))
        if release.job_id is not None:
            jobs.run(release.job_id, releases.freeze)

    def _print_log_ins(self) -> None:
        for entry in DEMO_LOG_INS:
            self.stdout.write(f"{entry['role']:12} {entry['username']:12} {entry['password']}")

    def _people(self) -> Iterator[tuple[str, Person]]:
        for entry in DEMO_LOG_INS:
            username = entry["username"]
            person = Person.objects.filter(username=username).first()
            if person is None and entry["role"] == "owner":
                person = people.create_owner(username=username, name=NAMES[username], password=DEMO_PASSWORD)
            elif person is None:
                person = Person.objects.create_person(username=username, name=NAMES[username], password=DEMO_PASSWORD)
            yield username, person

    def _agree(self, person: Person, benchmark: Benchmark) -> None:
        version = benchmark.protocol
        if version is not None and version.consent_sha256:
            people.give_consent(
                actor=person,
                benchmark_slug=SLUG,
                text_sha256=version.consent_sha256,
                eligibility=[entry["code"] for entry in version.content["consent"]["eligibility"]],
                client_key=key("consent", person.username, version.version),
            )

    def _guidelines(self, benchmark: Benchmark) -> None:
        """Add the guidelines that ship, and let each kind's annotators confirm them."""
        admin = self.people["admin"]
        for row in guidelines.guideline_rows(admin, SLUG):
            kind, version = row["kind"], row["version"]
            if version is None and row["has_preset"]:
                version = add_guideline(
                    actor=admin,
                    benchmark_slug=SLUG,
                    kind=kind,
                    base_version=0,
                    text=cast(dict[str, str], guidelines.preset(admin, SLUG, kind)["text"]),
                    note="",
                    client_key=key("guideline", kind),
                ).version
            for person in self.people.values():
                if version is not None and person.may(benchmark.pk, "item_submit", kind):
                    acknowledge_guideline(actor=person, benchmark_slug=SLUG, kind=kind, version=version)

    # --- pictures -----------------------------------------------------------------------------------------------------

    def _pictures(self, benchmark: Benchmark, seeds: Iterable[int], file_of: Callable[[int], bytes]) -> None:
        curator, contributor = self.people["curator"], self.people["contributor"]
        categories = set(benchmark.categories.values_list("slug", flat=True))
        self.seed_of: dict[int, int] = {}
        for seed in seeds:
            main = scenes.scene(seed).main_category
            uploaded = images.upload_image(
                actor=contributor,
                benchmark_slug=SLUG,
                file=io.BytesIO(file_of(seed)),
                source="own",
                licence="own-work",
                category=main if main in categories else "",
                client_key=key("upload", seed),
            )
            self.seed_of[uploaded.image_id] = seed
        limits = image_rules(benchmark)
        judged = list(self.seed_of.items())[: PICTURES - TO_JUDGE]
        verdicts = [_verdict(image_id, seed, limits, categories) for image_id, seed in judged]
        marks = [images.Mark(image_id, key("clear", seed)) for image_id, seed in judged]
        store_empty_searches(benchmark, (image_id for image_id, _ in judged))
        for done in (
            *images.judge_images(actor=curator, benchmark_slug=SLUG, verdicts=verdicts),
            *images.clear_images(actor=curator, benchmark_slug=SLUG, marks=marks),
        ):
            if done.error is not None:
                raise done.error

    # --- packages -----------------------------------------------------------------------------------------------------

    def _packages(self, benchmark: Benchmark) -> None:
        admin = self.people["admin"]
        packages.build_packages(
            actor=admin,
            benchmark_slug=SLUG,
            kind=KIND.name,
            size=None,
            seed=1,
            complete_only=False,
            client_key=key("build"),
        )
        for n, fate in enumerate(FATES):
            writer = self.people["annotator2" if n % 2 else "annotator"]
            package = self._package(benchmark, n + 1, writer)
            self._carry(package, writer, fate)
        visitor = self.people["annotator"]
        package = self._package(benchmark, len(FATES) + 1, visitor)
        for member in self._open(package)[:WRITTEN_AHEAD]:
            self._submit(visitor, member.item)
        for member in self._open(package)[:1]:
            half = [c if i < 2 else "" for i, c in enumerate(self._captions(member.item))]
            self._ask(visitor, member.item)
            writing.save_draft(actor=visitor, item_id=member.item_id, base_no=0, seq=1, content={"captions": half})

    def _ask(self, writer: Person, item: Item) -> None:
        """A question about the item that the visitor finds open, and its answer."""
        admin = self.people["admin"]
        for who, whom, text in (
            (writer, admin, "图里的东西有几个，我数了两遍都拿不准，这样的句子怎么写好？"),
            (admin, writer, "看得清几个就写几个；被挡住、数不准的，不写数目，写它在哪里、什么样子。"),
        ):
            add_comment(
                actor=who,
                item_id=item.pk,
                text=text,
                mentions=[whom.pk],
                client_key=key("comment", item.number, who.username),
            )

    def _package(self, benchmark: Benchmark, number: int, writer: Person) -> Package:
        package = Package.objects.get(benchmark=benchmark, kind=KIND.name, number=number)
        if package.state == Package.State.AVAILABLE:
            package, _ = packages.claim_package(actor=writer, benchmark_slug=SLUG, kind=KIND.name)
        return package

    def _carry(self, package: Package, writer: Person, fate: str) -> None:
        """Move a package to its intended state, from its present one."""
        senior, curator = self.people["senior"], self.people["curator"]
        if package.state == Package.State.WORKING:
            # Mistakes for the visitor who inspects, as many as the draw brings up; and what the senior returns.
            wrong = {"inspecting": 4, "returned": 2}.get(fate, 0)
            for n, member in enumerate(self._open(package)):
                self._submit(writer, member.item, wrong=n < wrong)
            ticks = dict(self._members(package).values_list("item_id", "item__revision_no"))
            self._give(packages.self_check, writer, package, ticks=ticks)
            self._give(packages.submit_package, writer, package)
        if fate == "handed_over":
            return
        if package.state == Package.State.HANDED_OVER:
            self._give(quality.start_review, senior, package)
        if package.state == Package.State.REVIEWING:
            for n, item in enumerate(i.item for i in self._members(package)):
                self._review(senior, item, package, returns=fate == "returned" and n < 2)
            self._give(quality.complete_review, senior, package)
        if fate != "passed":
            return
        if package.state == Package.State.INSPECTING:
            sample = Drawn.objects.filter(draw__inspection__package=package, draw__inspection__round=package.round)
            for item_id, revision_no in sample.values_list("item_id", "revision_no"):
                quality.inspect_item(
                    actor=curator,
                    item_id=item_id,
                    revision_no=revision_no,
                    outcome="right",
                    reasons=[],
                    comment="",
                    client_key=key("inspect", package.number, item_id),
                )
            self._give(quality.complete_inspection, curator, package)

    def _review(self, senior: Person, item: Item, package: Package, *, returns: bool) -> None:
        quality.review_item(
            actor=senior,
            item_id=item.pk,
            revision_no=item.revision_no,
            outcome="return" if returns else "accept",
            reasons=["not_true"] if returns else [],
            comment="数量或颜色与图片不符，请对照图片重写。" if returns else "",
            content=None,
            overrides={},
            client_key=key("review", package.number, item.number),
        )

    def _members(self, package: Package) -> Any:
        rows = PackageItem.objects.filter(package=package, active=True)
        return rows.select_related("item__image").order_by("position")

    def _open(self, package: Package) -> list[PackageItem]:
        unwritten = Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])
        return list(self._members(package).filter(unwritten))

    def _submit(self, writer: Person, item: Item, *, wrong: bool = False) -> None:
        captions = self._captions(item)
        if wrong:
            captions = [scenes.wrong_captions(scenes.scene(self._seed(item.image)))[0], *captions[1:]]
        # A planted mistake may happen to resemble a true caption; the reason tells the reviewer.
        writing.submit_item(
            actor=writer,
            item_id=item.pk,
            base_no=item.revision_no,
            content={"captions": captions},
            reasons={"caption_overlap": "同一物体只能这样称呼"},
            client_key=key("submit", item.number),
        )

    def _captions(self, item: Item) -> list[str]:
        return scenes.captions(scenes.scene(self._seed(item.image)))

    def _seed(self, image: Image) -> int:
        return self.seed_of[image.pk]

    def _give(self, command: Callable[..., Package], who: Person, package: Package, **more: Any) -> None:
        """Give a command on a package at its current revision."""
        command(
            actor=who,
            package_id=package.pk,
            revision=package.revision,
            client_key=key(command.__name__, package.number, package.revision),
            **more,
        )
        package.refresh_from_db()


@contextmanager
def _drawings(seeds: Iterable[int]) -> Iterator[Callable[[int], bytes]]:
    """Draw scenes in other processes, each once and in this order; yield a function that waits for a seed's file."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        files = {seed: pool.submit(drawn, seed) for seed in dict.fromkeys(seeds)}
        yield lambda seed: files[seed].result()
