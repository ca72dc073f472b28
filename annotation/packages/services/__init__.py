"""Commands of annotators and administrators on packages, one module for each step of a package."""

from annotation.packages.services.assigning import (
    assign_package,
    assignment_refusals,
    revocation_refusal,
    revoke_assignment,
    withdraw_package,
)
from annotation.packages.services.building import build_packages
from annotation.packages.services.claiming import claim_package, resume_package
from annotation.packages.services.following import FOLLOW_PICTURES, follow_pictures
from annotation.packages.services.importing import create_submitted_package
from annotation.packages.services.making import import_items
from annotation.packages.services.moving import move_package
from annotation.packages.services.skipping import skip_item
from annotation.packages.services.submitting import self_check, submit_package

__all__ = [
    "FOLLOW_PICTURES",
    "assign_package",
    "assignment_refusals",
    "build_packages",
    "claim_package",
    "create_submitted_package",
    "follow_pictures",
    "import_items",
    "move_package",
    "resume_package",
    "revocation_refusal",
    "revoke_assignment",
    "self_check",
    "skip_item",
    "submit_package",
    "withdraw_package",
]
