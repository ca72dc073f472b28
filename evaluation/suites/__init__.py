"""What a system is asked about an item."""
