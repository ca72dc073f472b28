"""Requests to model servers: where they are, how they are sent, and requests that carry text only.

Pure: no Django, no table. Requests that cost money go through ``curation/calls``, which records each of them.
"""
