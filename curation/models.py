"""Index of the tables of this app, for Django; they are defined in the features."""

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AuditEvent, Job, WorkerSeen
from curation.images.models import Image, ImageVerdict, NearPair, Rendition
from curation.people.models import Consent, Person, PersonSession, RoleGrant, Team
from curation.taxonomy.models import Category

__all__ = [
    "AuditEvent",
    "Benchmark",
    "Category",
    "Consent",
    "Image",
    "ImageVerdict",
    "Job",
    "NearPair",
    "Person",
    "PersonSession",
    "ProtocolVersion",
    "Rendition",
    "RoleGrant",
    "Team",
    "WorkerSeen",
]
