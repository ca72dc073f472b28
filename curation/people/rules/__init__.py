"""Rules about people: who may do what, notifications, and the demo's accounts."""

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
from curation.people.rules.demo import DEMO_LOG_INS, DEMO_PASSWORD
from curation.people.rules.grants import Grant, digest, gives, narrowed, operations_of, planned_capabilities, reach
from curation.people.rules.notices import NOTICES, NoticeForm

__all__ = [
    "ADMINISTRATORS",
    "ASSIGNED_ANNOTATORS",
    "COLLECTORS",
    "CURATORS",
    "DEMO_LOG_INS",
    "DEMO_PASSWORD",
    "HEADS",
    "INVITERS",
    "LEAD",
    "MEMBER",
    "MEMBERS",
    "NOTICES",
    "OWNERS",
    "PICTURE_INSPECTORS",
    "PICTURE_VIEWERS",
    "RELEASE_READERS",
    "STAFF",
    "Grant",
    "NoticeForm",
    "digest",
    "gives",
    "narrowed",
    "operations_of",
    "planned_capabilities",
    "reach",
]
