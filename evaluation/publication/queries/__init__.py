"""Reads for public pages, and for the page on which heads decide about them."""

from evaluation.publication.queries.boards import board_file, public_board
from evaluation.publication.queries.files import closed_files, covered_files, public_archive, public_file, public_files
from evaluation.publication.queries.heads import changed_publication, publication_detail, release_opening
from evaluation.publication.queries.releases import change_list, facts, gone_images
from evaluation.publication.queries.samples import is_sample, picture, sample, samples
from evaluation.publication.queries.site import (
    Opened,
    Site,
    check_terms,
    default_publication,
    open_slugs,
    public_release_ids,
    release_in,
    site_of,
    terms_accepted,
)

__all__ = [
    "Opened",
    "Site",
    "board_file",
    "change_list",
    "changed_publication",
    "check_terms",
    "closed_files",
    "covered_files",
    "default_publication",
    "facts",
    "gone_images",
    "is_sample",
    "open_slugs",
    "picture",
    "public_archive",
    "public_board",
    "public_file",
    "public_files",
    "public_release_ids",
    "publication_detail",
    "release_in",
    "release_opening",
    "sample",
    "samples",
    "site_of",
    "terms_accepted",
]
