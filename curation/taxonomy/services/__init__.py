"""Creating benchmarks and adopting protocols.

Both need people (permissions), the protocol and the categories, so they are in the lowest room that may import all
three; the tables of benchmarks and protocols are two rooms below.
"""

from curation.taxonomy.services.adopting import adopt_protocol, propose_protocol, withdraw_proposal
from curation.taxonomy.services.creating import create_benchmark
from curation.taxonomy.services.lists import (
    create_list,
    next_version,
    note_board_list,
    shipped_list,
    store_list,
    store_shipped_lists,
)
from curation.taxonomy.services.using import use_list

__all__ = [
    "adopt_protocol",
    "create_benchmark",
    "create_list",
    "next_version",
    "note_board_list",
    "propose_protocol",
    "shipped_list",
    "store_list",
    "store_shipped_lists",
    "use_list",
    "withdraw_proposal",
]
