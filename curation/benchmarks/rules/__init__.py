"""The protocol: every decision about a benchmark that its team makes, and not this software.

A protocol is a YAML file (``fixtures/protocols``). Validation is strict: unknown keys are faults, numbers must be
numbers, every name needs the three interface languages, and references must exist. The caller passes the models of
kinds' settings, because kinds are above this room. A kind that is not implemented is stored unchanged, and so is
everything under ``planned`` in other parts.
"""

from curation.benchmarks.rules.changes import LOCKED, Change, changes
from curation.benchmarks.rules.parts import Choices, Code, LabelledCode, Localised, Name, Part, Percent, each_code_once
from curation.benchmarks.rules.people import (
    OWNER,
    Capability,
    Consent,
    Cost,
    Credit,
    Donors,
    People,
    Qualification,
    Questionnaire,
    RoleBundle,
    Staff,
    Teams,
    Training,
)
from curation.benchmarks.rules.pictures import Between, Count, Images, Licence, Objects, Quota, Site, Subset
from curation.benchmarks.rules.protocol import (
    AvailableNames,
    Fault,
    Languages,
    Meta,
    Protocol,
    ProtocolWarning,
    Taxonomy,
    consent_sha256,
    parse,
    planned_parts,
    warnings_of,
)
from curation.benchmarks.rules.registered import REGISTERED, register_kinds, register_names
from curation.benchmarks.rules.results import (
    SUBMISSIONS_PER_DAY,
    Evaluation,
    PerCategory,
    PlannedEvaluation,
    PlannedRelease,
    Release,
    Splits,
)
from curation.benchmarks.rules.role_changes import LEADS, RoleChange, gaining, role_changes
from curation.benchmarks.rules.work import PackageTrack, Pool, Tracks

__all__ = [
    "LEADS",
    "LOCKED",
    "OWNER",
    "REGISTERED",
    "SUBMISSIONS_PER_DAY",
    "AvailableNames",
    "Between",
    "Capability",
    "Change",
    "Choices",
    "Code",
    "Consent",
    "Cost",
    "Count",
    "Credit",
    "Donors",
    "Evaluation",
    "Fault",
    "Images",
    "LabelledCode",
    "Languages",
    "Licence",
    "Localised",
    "Meta",
    "Name",
    "Objects",
    "PackageTrack",
    "Part",
    "People",
    "PerCategory",
    "Percent",
    "PlannedEvaluation",
    "PlannedRelease",
    "Pool",
    "Protocol",
    "ProtocolWarning",
    "Qualification",
    "Questionnaire",
    "Quota",
    "Release",
    "RoleBundle",
    "RoleChange",
    "Site",
    "Splits",
    "Staff",
    "Subset",
    "Taxonomy",
    "Teams",
    "Tracks",
    "Training",
    "changes",
    "consent_sha256",
    "each_code_once",
    "gaining",
    "parse",
    "planned_parts",
    "register_kinds",
    "register_names",
    "role_changes",
    "warnings_of",
]
