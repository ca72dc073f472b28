"""Index of the tables of this app, for Django; they are defined in the features."""

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.calls.models import Budget, Call, CallTotal, Offer
from curation.core.models import AuditEvent, Job, WorkerSeen
from curation.images.models import Image, ImageVerdict, InspectionHold, NearPair, Rendition, Takedown, Upload
from curation.mail.models import Mail, Mailbox, MailedNotice
from curation.people.models import ApiToken, Consent, Invitation, Notice, Person, PersonSession, RoleGrant, Team
from curation.prompts.models import Prompt
from curation.taxonomy.models import Category
from curation.url_lists.models import UrlHost, UrlList, UrlRow, UrlSetting

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Benchmark",
    "Budget",
    "Call",
    "CallTotal",
    "Category",
    "Consent",
    "Image",
    "ImageVerdict",
    "InspectionHold",
    "Invitation",
    "Job",
    "Mail",
    "Mailbox",
    "MailedNotice",
    "NearPair",
    "Notice",
    "Offer",
    "Person",
    "PersonSession",
    "Prompt",
    "ProtocolVersion",
    "Rendition",
    "RoleGrant",
    "Takedown",
    "Team",
    "Upload",
    "UrlHost",
    "UrlList",
    "UrlRow",
    "UrlSetting",
    "WorkerSeen",
]
