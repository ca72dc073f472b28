"""Parsing of request bodies: bounded in size, and without text that could not be stored or answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from curation.core.errors import BodyTooLarge, TextRefused


class BoundedJSON(JSONParser):
    """JSON in UTF-8 of at most ``DATA_UPLOAD_MAX_MEMORY_SIZE`` bytes.

    REST framework's own parser reads bodies of any length. Lone surrogates are refused in every text and every name,
    because the answer that quotes them could not be encoded.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the body's value.

        Raises:
            BodyTooLarge, TextRefused, ParseError.
        """
        maximum = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        data: bytes = stream.read(maximum + 1)
        if len(data) > maximum:
            raise BodyTooLarge(maximum=maximum)
        try:
            value = json.loads(data.decode(), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError("The body is not JSON in UTF-8.") from error
        if b"\\u" in data:  # a lone surrogate cannot be encoded in UTF-8 otherwise
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError as error:
                raise TextRefused(reason="lone_surrogate") from error
        return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
