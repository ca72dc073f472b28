"""Index of the tables of this app, for Django; they are defined in the features."""

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.board.models import Board, BoardDraft, BoardEntry, BoardEvent, BoardProposal
from curation.calls.models import Budget, Call, CallTotal, Offer
from curation.core.models import AuditEvent, Job, Presence, WorkerSeen
from curation.images.models import (
    Blindfold,
    CoverHold,
    Destruction,
    DestructionDone,
    Exposure,
    ExposureAll,
    Image,
    ImagePublic,
    ImageVerdict,
    InspectionHold,
    NearPair,
    Redaction,
    RegionProposal,
    Rendition,
    Takedown,
    Upload,
)
from curation.mail.models import Mail, Mailbox, MailedNotice
from curation.people.models import ApiToken, Consent, Invitation, Notice, Person, PersonSession, RoleGrant, Team
from curation.prompts.models import Prompt
from curation.taxonomy.models import Category, CategoryListVersion, ProtocolList
from curation.url_lists.models import UrlHost, UrlList, UrlRow, UrlSetting

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Benchmark",
    "Blindfold",
    "Board",
    "BoardDraft",
    "BoardEntry",
    "BoardEvent",
    "BoardProposal",
    "Budget",
    "Call",
    "CallTotal",
    "Category",
    "CategoryListVersion",
    "Consent",
    "CoverHold",
    "Destruction",
    "DestructionDone",
    "Exposure",
    "ExposureAll",
    "Image",
    "ImagePublic",
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
    "Presence",
    "Prompt",
    "ProtocolList",
    "ProtocolVersion",
    "Redaction",
    "RegionProposal",
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
