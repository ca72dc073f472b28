"""What annotators and administrators do with packages, a module for each step of a package."""

from annotation.packages.services.assigning import assign_package, take_back_package, withdraw_package
from annotation.packages.services.building import build_packages
from annotation.packages.services.claiming import claim_package, resume_package
from annotation.packages.services.following import FOLLOW_PICTURES, follow_pictures
from annotation.packages.services.importing import create_submitted_package
from annotation.packages.services.making import add_items, import_items, lock_benchmark
from annotation.packages.services.moving import move_package
from annotation.packages.services.skipping import skip_item
from annotation.packages.services.submitting import hand_over, self_check
from annotation.packages.services.writing import save_draft, submit_item

__all__ = [
    "FOLLOW_PICTURES",
    "add_items",
    "assign_package",
    "build_packages",
    "claim_package",
    "create_submitted_package",
    "follow_pictures",
    "hand_over",
    "import_items",
    "lock_benchmark",
    "move_package",
    "resume_package",
    "save_draft",
    "self_check",
    "skip_item",
    "submit_item",
    "take_back_package",
    "withdraw_package",
]
