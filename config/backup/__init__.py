"""Backup and restore: the database as one dump, the files beside it, and a list of both with their SHA-256.

Layout of a backup, a folder named after the moment it began (UTC)::

    20261121T031500Z/
        backup.json      what it is: versions, rows and checksum of every table, SHA-256 of the other two; written last
        database.dump    pg_dump's custom format, of one moment
        manifest.jsonl   one line a file: path, bytes, sha256, mtime_ns
        media/           the files

While it is being made its name ends in ``.partial``, and the next run goes on with it. A file that has not changed
since the backup before is a second name (hard link) of that backup's copy.
"""
