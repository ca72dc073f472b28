"""HTTP of this room."""
