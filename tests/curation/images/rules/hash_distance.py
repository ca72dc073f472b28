"""The distance of pictures' hashes as the database computes it when it looks for near duplicates."""

from curation.images.rules import Hashes


def _bits_between(one: int, other: int) -> int:
    """Count the bits in which two hashes differ."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def distance(one: Hashes, other: Hashes) -> int:
    """Return the bits between two pictures: the least of whole to whole and of each whole to the other's inner part."""
    return min(
        _bits_between(one.whole, other.whole),
        _bits_between(one.whole, other.inner),
        _bits_between(one.inner, other.whole),
    )
