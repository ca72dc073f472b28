"""Backup and restore: a dump of the database, a copy of the files, and a manifest with their SHA-256.

A backup is a folder named after its start time (UTC)::

    20261121T031500Z/
        backup.json      its summary: versions, rows and checksum of every table, SHA-256 of the other two; written last
        database.dump    a consistent snapshot in pg_dump's custom format
        manifest.jsonl   one line per file: path, bytes, sha256, mtime_ns
        media/           the files

An unfinished backup's name ends in ``.partial``, and the next run continues it. A file that has not changed since the
previous backup is a hard link to that backup's copy.
"""
