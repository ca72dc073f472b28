"""Pictures by lists of their addresses: a job fetches each file, which becomes an ordinary upload."""
