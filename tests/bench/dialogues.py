"""Dialogues and questions of random letters about a picture, for measurements of ranking."""

import random
import string

from PIL import Image

from curation.prompts.rules import Message, Picture
from evaluation.backends.asks import Ask

SIDE = 448  # pixels; 16 × 16 tokens
LETTERS = ("A", "B", "C", "D")


def letters(draw: random.Random, least: int, most: int | None = None) -> str:
    """Random letters; nearly each is a token."""
    return "".join(draw.choices(string.ascii_uppercase, k=draw.randint(least, most or least)))


def dialogue(draw: random.Random, seen: Image.Image, rounds: int, count: int) -> list[tuple[Ask, list[str]]]:
    """The rounds with their candidates."""
    caption, history = letters(draw, 20), ""
    stems = [letters(draw, 5) for _ in range(4)]
    asks = []
    for _ in range(rounds):
        question = letters(draw, 10)
        first, then = f"{caption} {history}", f"{letters(draw, 20)} {question}:"
        drawn = [letters(draw, 6, 18) for _ in range(count)]
        candidates = [(stems[n % 4] + text)[: len(text)] if n % 3 == 0 else text for n, text in enumerate(drawn)]
        asks.append((Ask((Message("user", (Picture(), first, then)),), picture=seen, picture_key="one"), candidates))
        history += f"{question} {letters(draw, 12)} "
    return asks


def shifts(draw: random.Random, seen: Image.Image) -> list[Ask]:
    """One question in its four shifts."""
    question, options, end = letters(draw, 100), [letters(draw, 14) for _ in LETTERS], letters(draw, 14)
    asks = []
    for shift in range(4):
        turned = options[shift:] + options[:shift]
        text = f"{question} {' '.join(f'{a}{b}' for a, b in zip(LETTERS, turned, strict=True))} {end}"
        asks.append(Ask((Message("user", (Picture(), text)),), picture=seen, picture_key=str(id(seen))))
    return asks
