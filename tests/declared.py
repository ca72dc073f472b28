"""Sets of declared operations that several tests ask about."""

from curation.core.operations import OPERATIONS, Entry

BY_LINK = frozenset(name for name, o in OPERATIONS.items() if o.entry is Entry.LINK)
SIGNED_IN = frozenset(name for name, o in OPERATIONS.items() if o.entry is Entry.SIGNED_IN)
NEVER_BY_TOKEN = frozenset(name for name, o in OPERATIONS.items() if not o.by_token)
