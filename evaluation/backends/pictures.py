"""Preparing pictures for a model: not larger than a limit, and once for all prompts about the same one.

A processor resizes, normalises and cuts the picture again for every prompt, which for a large picture takes longer than
a short prompt's pass.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from PIL import Image

from curation.prompts.rules import Picture
from evaluation.backends.asks import Ask


def bounded(picture: Image.Image, max_pixels: int | None) -> Image.Image:
    """Return a picture with at most ``max_pixels`` pixels, smaller in its own shape if it has more; None: no limit."""
    size = bounded_size(picture.size, max_pixels)
    return picture if size == picture.size else picture.resize(size, Image.Resampling.BICUBIC)


def bounded_size(size: tuple[int, int], max_pixels: int | None) -> tuple[int, int]:
    """Return the width and height that :func:`bounded` gives a picture of this width and height."""
    width, height = size
    if max_pixels is None or width * height <= max_pixels:
        return size
    factor = (max_pixels / (width * height)) ** 0.5
    return max(1, int(width * factor)), max(1, int(height * factor))


def processed_size(
    ask: Ask, inputs: Mapping[str, Any], image_processor: Any, max_pixels: int | None
) -> tuple[int, int] | None:
    """Return width and height of the question's picture as a model reads it; None if the prompt has none.

    Args:
        ask: The prompt.
        inputs: What the model gets for it.
        image_processor: What prepared its pictures.
        max_pixels: The limit of :func:`bounded` before that.
    """
    places = [part for message in ask.messages for part in message.parts if isinstance(part, Picture)]
    sent = [place for place in places if ask.picture_at(place) is not None]
    if ask.picture is None or Picture() not in sent:
        return None
    if "image_grid_thw" in inputs:
        # The processors of Qwen's families resize a picture so that a grid of patches covers it.
        _, rows, columns = inputs["image_grid_thw"][sent.index(Picture())].tolist()
        return columns * image_processor.patch_size, rows * image_processor.patch_size
    return bounded_size(ask.picture.size, max_pixels)


def remember_newest(image_processor: Any) -> None:
    """Make an image processor keep its newest result; for equal pixels and options it returns a copy of that."""
    if getattr(image_processor, "remembers_newest", False):
        return
    prepare = image_processor.preprocess
    newest: list[tuple[Hashable, Any]] = []

    def preprocess(images: Any, *args: Any, **options: Any) -> Any:
        pictures = list(_flat(images))
        if args or not all(isinstance(one, Image.Image) for one in pictures):
            return prepare(images, *args, **options)
        key = (_shape(images), repr(sorted(options.items())), tuple(_digest(one) for one in pictures))
        if not newest or newest[0][0] != key:
            newest[:] = [(key, prepare(images, **options))]
        # Processors take entries out of what they get.
        return copy.copy(newest[0][1])

    image_processor.preprocess = preprocess
    image_processor.remembers_newest = True


def _flat(images: Any) -> Iterator[Any]:
    if isinstance(images, list | tuple):
        for one in images:
            yield from _flat(one)
    else:
        yield images


def _shape(images: Any) -> Hashable:
    return tuple(map(_shape, images)) if isinstance(images, list | tuple) else None


def _digest(picture: Image.Image) -> Hashable:
    return picture.mode, picture.size, hashlib.blake2b(picture.tobytes()).digest()
