"""Rules about lists of categories and about what the rooms above register."""

from curation.taxonomy.rules.groups import computed_group
from curation.taxonomy.rules.lists import CategoryList, Entry, SemanticField, content_sha256, parse
from curation.taxonomy.rules.registered import (
    AXIS_VALUES_IN_USE,
    COUNTS,
    KINDS_IN_USE,
    NOTICES,
    PROPOSAL_STATES,
    register_axis_values_in_use,
    register_counts,
    register_kinds_in_use,
)
from curation.taxonomy.rules.scripts import missing_script
from curation.taxonomy.rules.search import search_strings
from curation.taxonomy.rules.tables import (
    COLUMNS,
    FORMATS,
    LONGEST_LIST,
    CheckedTable,
    TableFault,
    free_slug,
    read_table,
    read_text,
    rows_of,
)

__all__ = [
    "AXIS_VALUES_IN_USE",
    "COLUMNS",
    "COUNTS",
    "FORMATS",
    "KINDS_IN_USE",
    "LONGEST_LIST",
    "NOTICES",
    "PROPOSAL_STATES",
    "CategoryList",
    "CheckedTable",
    "Entry",
    "SemanticField",
    "TableFault",
    "computed_group",
    "content_sha256",
    "free_slug",
    "missing_script",
    "parse",
    "read_table",
    "read_text",
    "register_axis_values_in_use",
    "register_counts",
    "register_kinds_in_use",
    "rows_of",
    "search_strings",
]
