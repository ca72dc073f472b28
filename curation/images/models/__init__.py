"""Pictures: uploads, decisions about them, the cleaned files that everything else uses, covering, and who saw what."""

from curation.images.models.conditions import current_renditions, ticked, ticked_sql
from curation.images.models.covering import CoverHold, Destruction, DestructionDone, Redaction, RegionProposal
from curation.images.models.exposures import HAS_SEEN, Blindfold, Exposure, ExposureAll, ImagePublic, hidden_from
from curation.images.models.pictures import (
    Image,
    ImageVerdict,
    InspectionHold,
    NearPair,
    Rendition,
    Takedown,
    Upload,
    image_label,
    media_url,
)

__all__ = [
    "HAS_SEEN",
    "Blindfold",
    "CoverHold",
    "Destruction",
    "DestructionDone",
    "Exposure",
    "ExposureAll",
    "Image",
    "ImagePublic",
    "ImageVerdict",
    "InspectionHold",
    "NearPair",
    "Redaction",
    "RegionProposal",
    "Rendition",
    "Takedown",
    "Upload",
    "current_renditions",
    "hidden_from",
    "image_label",
    "media_url",
    "ticked",
    "ticked_sql",
]
