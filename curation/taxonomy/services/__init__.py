"""What happens to benchmarks as a whole.

It needs people (who may), the protocol and the categories, so it stands in the lowest room that may know all three; the
tables of benchmarks and protocols lie two rooms below.
"""

from curation.taxonomy.services.adopting import adopt_protocol
from curation.taxonomy.services.creating import create_benchmark

__all__ = ["adopt_protocol", "create_benchmark"]
