"""Answers about review, inspection, pools, history, quality and the home page."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import Content, PictureBrief, RulesRow
from annotation.judging.rules import OUTCOMES, STAGES
from annotation.judging.shapes import VerdictBrief
from annotation.packages.shapes import BoardRow, PackageRow, WorkItem
from annotation.quality.rules import agreement, doubles
from annotation.seats.rules import OF_PACKAGES
from curation.core.shapes import OneOf, PersonBrief


class EarlierVersion(TypedDict):
    """The version of an item that an earlier round returned, and the verdict that did."""

    revision_no: int
    content: Content
    stage: str
    verdict: VerdictBrief


class SheetItem(WorkItem):
    """An item on a review or self-check sheet.

    ``earlier`` is null if no earlier round returned an older version, and for inspectors, who judge the text alone.
    """

    author: PersonBrief | None
    origin: str | None
    revisions_count: int
    review: VerdictBrief | None
    earlier: EarlierVersion | None


class Sheet(PackageRow):
    """A package with all its items, for self-check or review."""

    rules: RulesRow
    items: list[SheetItem]


class PoolItem(SheetItem):
    """An item of which the person holds a seat."""

    seat: int
    lease_until: datetime
    package: int
    package_label: str
    round: int


class PoolAnswer(TypedDict):
    """A pool, and the seats that the person holds."""

    purpose: Annotated[str, OneOf(OF_PACKAGES)]
    kind: str
    free: int
    held: int
    done: int
    mine: int
    held_maximum: int
    people: int
    rules: RulesRow
    lease_seconds: int
    heartbeat_seconds: int
    items: list[PoolItem]


class SetAside(TypedDict):
    """An item that left its package."""

    item_id: int
    state: Annotated[str, OneOf(Item.State)]


class SampleItem(SheetItem):
    """A drawn item."""

    stratum: Literal["random", "corrected"]
    ordinal: int
    inspection_verdict: VerdictBrief | None


class PassChance(TypedDict):
    """The probability that a package with this share of right items passes."""

    right_percent: int
    chance: float


class RateInterval(TypedDict):
    """A 95% interval and the name of its method."""

    method: str
    low: float
    high: float


class IntervalRow(RateInterval):
    """The 95% interval of the share of right items in the whole package."""

    right: int
    n: int


class InspectionRow(TypedDict):
    """A draw and its result."""

    round: int
    seed: str
    population: int
    size: int
    sample: int
    percent: int
    pass_over_percent: int
    errors_allowed: int
    judged: int
    errors: int
    outcome: Literal["passed", "returned"] | None
    inspector: PersonBrief | None
    drawn_at: datetime
    completed_at: datetime | None
    pass_chances: list[PassChance]
    interval: IntervalRow | None


class InspectionAnswer(TypedDict):
    """The inspector's page."""

    package: PackageRow
    rules: RulesRow
    inspection: InspectionRow
    items: list[SampleItem]


class Rate(TypedDict):
    """A share with its interval; null if there is nothing to count."""

    rate: float | None
    interval: RateInterval | None


class ReasonCount(TypedDict):
    """How often a reason was given."""

    code: str
    n: int


class WriterFigures(Rate):
    """How a person's work of a kind was judged."""

    kind: str
    written: int
    submitted: int
    judged: int
    accepted_first: int
    median_active_ms: int | None
    returned_reasons: list[ReasonCount]


class WriterRow(WriterFigures):
    """How a person's work of a kind was judged; the person is null where names are hidden."""

    person: PersonBrief | None
    mine: bool


class OutcomeCount(TypedDict):
    """How many verdicts had an outcome; ``edit``: a colleague's text was edited instead."""

    code: Annotated[str, OneOf(OUTCOMES)]
    n: int


class JudgeFigures(Rate):
    """How often a person's verdicts were upheld."""

    kind: str
    stage: Annotated[str, OneOf(STAGES)]
    judged: int
    outcomes: list[OutcomeCount]
    checked: int
    upheld: int


class JudgeRow(JudgeFigures):
    """How often a person's verdicts were upheld by later verdicts; the person is null where names are hidden."""

    person: PersonBrief | None
    mine: bool


class MeasureRow(TypedDict):
    """A measure of agreement; the value is null if undefined."""

    name: Annotated[str, OneOf(agreement.NAMES)]
    value: float | None
    low: float | None
    high: float | None
    method: str


class AgreementRow(TypedDict):
    """Agreement between two stages, between colleagues of one, or within panels."""

    kind: str
    between: Annotated[str, OneOf(agreement.BETWEEN)]
    items: int
    observed: float | None
    measures: list[MeasureRow]


class RoundRow(Rate):
    """How many items of a kind passed one round of panels or of second people: the first ones, the second ones."""

    kind: str
    round: int
    judged: int
    passed: int


class PackageRate(TypedDict):
    """The result of a package's inspection."""

    id: int
    label: str
    right: int
    n: int
    rate: float


class DoublesMeasure(TypedDict):
    """A measure of the agreement of two people who did the same work; the value is null if undefined."""

    name: Annotated[str, OneOf(doubles.NAMES)]
    value: float | None
    low: float | None
    high: float | None
    method: str


class DoublesFigures(TypedDict):
    """Agreement over the pictures that two people did."""

    pictures: int
    boxes: int
    measures: list[DoublesMeasure]


class DoublesOfPackage(DoublesFigures):
    """Agreement on the pictures of a package with the people who did them, too."""

    id: int
    label: str


class KeptDoubles(DoublesFigures):
    """Agreement on a kind, and of each person, by their id, and package."""

    kind: str
    people: list[tuple[int, DoublesFigures]]
    packages: list[DoublesOfPackage]


class DoublesOfPerson(DoublesFigures):
    """Agreement of a person with everyone who did the same pictures; the person is null where names are hidden."""

    person: PersonBrief | None
    mine: bool


class DoublesRow(DoublesFigures):
    """Agreement on a kind of which a share is done by two people; people who see only their own row see no packages."""

    kind: str
    people: list[DoublesOfPerson]
    packages: list[DoublesOfPackage]


class KeptFigures(TypedDict):
    """Figures of all kinds, by the ids of people; sheets from before work was done twice have no ``doubles``."""

    writers: list[tuple[int, WriterFigures]]
    judges: list[tuple[int, JudgeFigures]]
    agreement: list[AgreementRow]
    rounds: NotRequired[list[RoundRow]]
    doubles: NotRequired[list[KeptDoubles]]


class DoubleVersion(TypedDict):
    """One of two people's work on a picture, as they first submitted it."""

    item: int
    label: str
    package: str
    author: PersonBrief | None
    revision_no: int
    content: Content


class DoubleMatch(TypedDict):
    """Two boxes of the same object, by their keys, with the intersection over union of their places."""

    one: str
    other: str
    iou: float


class DoubleAnswer(DoublesFigures):
    """What two people did independently on a picture, the asked item first, and how far it agrees."""

    kind: str
    image: PictureBrief
    rules: RulesRow
    one: DoubleVersion
    other: DoubleVersion
    matches: list[DoubleMatch]


class QualityAnswer(TypedDict):
    """Acceptance and agreement; ``as_of``: when they were computed, null: now. ``packages`` are always current."""

    blind: bool
    as_of: datetime | None
    people: list[WriterRow]
    judges: list[JudgeRow]
    agreement: list[AgreementRow]
    rounds: list[RoundRow]
    doubles: list[DoublesRow]
    packages: list[PackageRate]


class DayCount(TypedDict):
    """Items written on a day."""

    day: date
    written: int


class WeekRow(TypedDict):
    """A person's last seven days."""

    written: int
    accepted: int
    judged: int
    accepted_first: int
    active_ms: int
    by_day: list[DayCount]


class PoolWaiting(TypedDict):
    """A pool the person may judge from: free seats, and those they hold."""

    purpose: Annotated[str, OneOf(OF_PACKAGES)]
    kind: str
    free: int
    mine: int


class WaitingAnswer(TypedDict):
    """The work that waits for the person; null where no role of theirs allows it."""

    assigned: list[PackageRow]
    working: list[PackageRow]
    returned: list[PackageRow]
    available: int | None
    available_by_kind: dict[str, int] | None
    to_review: list[PackageRow]
    to_inspect: list[PackageRow]
    pools: list[PoolWaiting]
    images_to_judge: int | None
    week: WeekRow | None
    board: list[BoardRow] | None
