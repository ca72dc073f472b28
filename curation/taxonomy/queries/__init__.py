"""Reads of benchmarks and their protocols; one module for each subject."""

from curation.taxonomy.queries.approval import open_proposals, other_proposers
from curation.taxonomy.queries.benchmarks import (
    benchmark_answer,
    benchmark_page,
    benchmark_rows,
    categories_with,
    category_list,
    kinds_in_use,
    preset_page,
    preset_rows,
)
from curation.taxonomy.queries.proposals import (
    proposal_answer,
    proposal_page,
    proposal_rows,
    proposal_state,
)
from curation.taxonomy.queries.protocols import (
    adopted_protocol,
    check_text,
    compare_versions,
    protocol_page,
    protocol_rows,
)

__all__ = [
    "adopted_protocol",
    "benchmark_answer",
    "benchmark_page",
    "benchmark_rows",
    "categories_with",
    "category_list",
    "check_text",
    "compare_versions",
    "kinds_in_use",
    "open_proposals",
    "other_proposers",
    "preset_page",
    "preset_rows",
    "proposal_answer",
    "proposal_page",
    "proposal_rows",
    "proposal_state",
    "protocol_page",
    "protocol_rows",
]
