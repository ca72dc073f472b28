"""Reads of consent."""

from __future__ import annotations

from curation.benchmarks.models import Benchmark
from curation.people import access
from curation.people.models import Consent, Person
from curation.people.shapes import ConsentAnswer


def consent_page(person: Person, benchmark_slug: str) -> ConsentAnswer:
    """Show what a benchmark requires people to agree to, and whether the reader did.

    Raises:
        NotFound.
    """
    return consent_answer(person, access.benchmark_for(person, benchmark_slug, "consent_show"))


def consent_answer(person: Person, benchmark: Benchmark) -> ConsentAnswer:
    """As :func:`consent_page`, for a benchmark that the person takes part in."""
    version = benchmark.protocol
    newest = Consent.objects.filter(person=person, benchmark=benchmark).order_by("-no").first()
    if version is None or not version.consent_sha256:
        return {
            "version": 0,
            "text": None,
            "text_sha256": "",
            "eligibility": [],
            "donors": None,
            "given_at": None,
            "needed": False,
        }
    required = version.content["consent"]
    valid = newest if newest is not None and newest.given and newest.text_sha256 == version.consent_sha256 else None
    return {
        "version": required["version"],
        "text": required["text"],
        "text_sha256": version.consent_sha256,
        "eligibility": required.get("eligibility", []),
        "donors": required.get("donors"),
        "given_at": valid.at if valid else None,
        "needed": valid is None,
    }
