"""Item sets: what runs are asked, entry by entry."""
