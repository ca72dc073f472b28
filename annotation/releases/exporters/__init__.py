"""What a frozen release is written as: one protocol (``base``), one module per format, one table (``registry``)."""
