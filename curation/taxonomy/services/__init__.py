"""Creating benchmarks and adopting protocols.

Both need people (permissions), the protocol and the categories, so they are in the lowest room that may import all
three; the tables of benchmarks and protocols are two rooms below.
"""

from curation.taxonomy.services.adopting import adopt_protocol, propose_protocol, withdraw_proposal
from curation.taxonomy.services.creating import create_benchmark

__all__ = ["adopt_protocol", "create_benchmark", "propose_protocol", "withdraw_proposal"]
