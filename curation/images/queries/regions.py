"""Reads for covering: regions that were found, what people decided, pictures that wait for a tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.detectors.searching import DETECTORS
from curation.images import access, rules
from curation.images.models import Image, Redaction, RegionProposal
from curation.images.queries.pictures import for_lists, image_row
from curation.images.rules import HeldBatch
from curation.images.shapes.covering import CoverAnswer, CoverDetail, CoverRow, ProposedRegions
from curation.people.access import names_visible
from curation.people.models import Person
from curation.people.shapes import person_brief

_ACTIONS: Final = frozenset({"image_cover", "image_clear", "image_share"})


def detectors_of(benchmark: Benchmark) -> dict[str, str]:
    """The names of the detectors that a benchmark's protocol requests, by what they look for."""
    redaction = image_rules(benchmark).redaction if benchmark.protocol is not None else None
    return {target: DETECTORS[target] for target in (redaction.propose if redaction else ())}


def proposals_of(images: Iterable[Image]) -> dict[int, list[RegionProposal]]:
    """The newest result of each detector for the current versions of pictures, by picture; one statement."""
    versions = {image.pk: image.version for image in images}
    rows = RegionProposal.objects.filter(image__in=versions, version__in=set(versions.values()))
    proposals: dict[int, list[RegionProposal]] = defaultdict(list)
    for row in rows.order_by("image_id", "version", "detector", "-pk").distinct("image_id", "version", "detector"):
        if row.version == versions[row.image_id]:
            proposals[row.image_id].append(row)
    return proposals


def open_regions(
    images: Iterable[Image], proposals: dict[int, list[RegionProposal]] | None = None
) -> dict[int, list[str]]:
    """The keys of proposed regions that nobody decided on, by picture; at most two statements."""
    undecided = open_proposals(images, proposals)
    return {pk: [str(region["key"]) for region in regions] for pk, regions in undecided.items()}


def open_proposals(
    images: Iterable[Image], proposals: dict[int, list[RegionProposal]] | None = None
) -> dict[int, list[Mapping[str, Any]]]:
    """Proposed regions that nobody decided on, by picture; at most two statements."""
    images = list(images)
    proposals = proposals_of(images) if proposals is None else proposals
    if not any(row.regions for rows in proposals.values() for row in rows):
        return {image.pk: [] for image in images}
    decided: dict[int, list[Redaction]] = defaultdict(list)
    for redaction in Redaction.objects.filter(image__in=list(proposals)):
        decided[redaction.image_id].append(redaction)
    return {
        image.pk: rules.undecided(
            [region for row in proposals.get(image.pk, []) for region in row.regions],
            decided=[
                region
                for redaction in decided[image.pk]
                if not redaction.covers and redaction.no == image.redaction_no
                for region in redaction.regions
            ],
            exempt=[
                region["box"]
                for redaction in decided[image.pk]
                for region in redaction.regions
                if region["how"] == "exempt"
            ],
        )
        for image in images
    }


def held_to_cover(person: Person, batch: HeldBatch) -> CoverAnswer:
    """Answer with the pictures that a curator reserved to look at."""
    images = {image.pk: image for image in for_lists(Image.objects.filter(pk__in=batch.image_ids))}
    proposals = proposals_of(images.values())
    undecided = open_regions(images.values(), proposals)
    return {
        "images": [
            _cover_row(person, images[image_id], proposals, undecided)
            for image_id in batch.image_ids
            if image_id in images
        ],
        "until": batch.until,
        "held_by_others": batch.held_by_others,
        "others_until": batch.others_until,
    }


def _cover_row(
    person: Person, image: Image, proposals: dict[int, list[RegionProposal]], undecided: dict[int, list[str]]
) -> CoverRow:
    looked_at = proposals.get(image.pk)
    return {**image_row(person, image), "proposals": None if looked_at is None else len(undecided[image.pk])}


def image_regions(person: Person, image_id: int) -> CoverDetail:
    """Show a picture with the regions that were found in it, those that nobody decided on, and earlier decisions.

    Raises:
        NotFound: The person may not see it before its tick.
        OperationNotAllowed.
    """
    rows = for_lists(Image.objects.all())
    image = access.image_for(person, image_id, "image_regions", rows=rows)
    proposals = proposals_of([image])
    undecided = open_regions([image], proposals)
    limits, protocol = image_rules(image.benchmark), image.benchmark.protocol
    show_names = names_visible(person, image.benchmark_id, protocol.content if protocol else None)
    history = Redaction.objects.filter(image=image).select_related("by").order_by("pk")
    row = _cover_row(person, image, proposals, undecided)
    detectors = detectors_of(image.benchmark)
    searched = {proposal.detector for proposal in proposals.get(image.pk, [])}
    return {
        "image": row,
        "redaction_no": image.redaction_no,
        "tick": image.tick,
        "width": image.width,
        "height": image.height,
        "view_url": row["view_url"],
        "clean_url": row["clean_url"],
        "style": limits.redaction.style if limits.redaction else "fill",
        "keep_originals": limits.keep_originals,
        "searches": list(detectors),
        "pending": [target for target, detector in detectors.items() if detector not in searched],
        "proposals": [_proposed(proposal) for proposal in proposals.get(image.pk, [])],
        "open": undecided[image.pk],
        "history": [
            {
                "no": redaction.no,
                "covers": redaction.covers,
                "by": person_brief(redaction.by) if show_names or redaction.by_id == person.pk else None,
                "at": redaction.at,
                "regions": redaction.regions,
            }
            for redaction in history
        ],
        "available_actions": [action for action in row["available_actions"] if action in _ACTIONS],
    }


def covered_picture(person: Person, image: Image) -> CoverDetail:
    """Answer with a picture after something in it was covered."""
    return image_regions(person, image.pk)


def _proposed(proposal: RegionProposal) -> ProposedRegions:
    regions: list[Any] = proposal.regions
    return {"detector": proposal.detector, "at": proposal.at, "failed": proposal.failed, "regions": regions}
