"""Rules about people: who may do what, links, notifications, and the demo's accounts."""

from curation.people.rules.accounts import LANGUAGES
from curation.people.rules.audiences import (
    ADMINISTRATORS,
    ASSIGNED_ANNOTATORS,
    COLLECTORS,
    CURATORS,
    HEADS,
    INVITERS,
    LEAD,
    MEMBER,
    MEMBERS,
    OWNERS,
    PICTURE_INSPECTORS,
    PICTURE_VIEWERS,
    RELEASE_READERS,
    STAFF,
)
from curation.people.rules.audit import AUDIT_DATA, AuditData, register_audit_data
from curation.people.rules.demo import DEMO_LOG_INS, DEMO_PASSWORD
from curation.people.rules.grants import (
    Grant,
    digest,
    has_exact_reach,
    narrowed,
    operations_of,
    planned_capabilities,
    reach,
)
from curation.people.rules.links import BITS, INVITATION_STATES, JOIN_DAYS, PASSWORD_DAYS, secret_sha256
from curation.people.rules.notices import NOTICES, NoticeType, notice_type, register_notices
from curation.people.rules.results import Member

__all__ = [
    "ADMINISTRATORS",
    "ASSIGNED_ANNOTATORS",
    "AUDIT_DATA",
    "BITS",
    "COLLECTORS",
    "CURATORS",
    "DEMO_LOG_INS",
    "DEMO_PASSWORD",
    "HEADS",
    "INVITATION_STATES",
    "INVITERS",
    "JOIN_DAYS",
    "LANGUAGES",
    "LEAD",
    "MEMBER",
    "MEMBERS",
    "NOTICES",
    "OWNERS",
    "PASSWORD_DAYS",
    "PICTURE_INSPECTORS",
    "PICTURE_VIEWERS",
    "RELEASE_READERS",
    "STAFF",
    "AuditData",
    "Grant",
    "Member",
    "NoticeType",
    "digest",
    "has_exact_reach",
    "narrowed",
    "notice_type",
    "operations_of",
    "planned_capabilities",
    "reach",
    "register_audit_data",
    "register_notices",
    "secret_sha256",
]
