"""Commands of the pair track."""

from annotation.pair.services.clicking import claim_clicking, click
from annotation.pair.services.deciding import decide_item
from annotation.pair.services.following import follow_bases

__all__ = ["claim_clicking", "click", "decide_item", "follow_bases"]
