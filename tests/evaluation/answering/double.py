"""A system whose replies a test can work out, and that keeps everything it was asked."""

import hashlib
from pathlib import Path

import numpy as np
import yaml

from curation.prompts.rules import Picture
from evaluation.backends.asks import Generated, Ranked, Ranker
from evaluation.backends.errors import SystemRefusedInput


def text(ask) -> str:
    return "\n".join(message.text for message in ask.messages)


class Double(Ranker):
    """Replies with the value of the first word of ``replies`` that the last message has; ranks by ``scores``."""

    def __init__(self, replies=(), scores=None) -> None:
        self.replies = dict(replies)
        self.scores = scores or {}
        self.asks: list = []
        self.calls: list = []

    def generate(self, asks, decoding):
        self.asks += asks
        self.calls.append((len(asks), decoding))
        return [self._said(ask) for ask in asks]

    def _said(self, ask) -> Generated:
        last = ask.messages[-1].text
        reply = next((reply for word, reply in self.replies.items() if word in last), "")
        if reply == "<refused>":
            return Generated("", "refused", 10, 0)
        if reply == "<fails>":
            raise SystemRefusedInput
        return Generated(reply, "stop", 10, len(reply))

    def rank(self, ask, candidates, *, count_end=True):
        self.asks.append(ask)
        self.calls.append((list(candidates), count_end))
        sums = tuple(float(self.scores.get(one, -len(one) - 10)) for one in candidates)
        return Ranked(sums, tuple(map(len, candidates)), tuple(len(one.encode()) for one in candidates))

    def describe(self):
        return {"double": True}

    # An embedder whose vector of a picture points to its colour, and of a text to the colour that it names.
    colours = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}

    def embed_images(self, images):
        self.asks += images
        vectors = np.array([np.asarray(image).reshape(-1, 3).mean(axis=0) for image in images], dtype="<f4")
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed_texts(self, texts):
        self.asks += texts
        rows = []
        for one in texts:
            named = [colour for name, colour in self.colours.items() if name in one]
            noise = hashlib.sha256(one.encode()).digest()[0] / 10_000
            rows.append(np.sum(named, axis=0) + noise if named else np.full(3, noise + 0.01))
        vectors = np.array(rows, dtype="<f4")
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Entry:
    """The double as an entry of the registry of backends."""

    def __init__(self, double) -> None:
        self.open_generator = self.open_ranker = self.open_embedder = lambda folder, parameters: double
        self.packages = ("numpy",)
        self.queue = "gpu"


def record(folder: Path, *capabilities: str, backend: str = "double", **parameters) -> Path:
    """Write the record of a system, and a file for its fingerprint."""
    model = folder / "model"
    model.mkdir(exist_ok=True)
    (model / "config.json").write_text("{}")
    file = folder / f"{'-'.join(capabilities)}.yaml"
    about = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}
    content = {"slug": "double", "name": "Double", "description": about, "backend": backend, "locator": str(model)}
    content |= {"capabilities": list(capabilities), "parameters": parameters}
    file.write_text(yaml.safe_dump(content))
    return file


def plain(asks):
    """Everything that reached the system, comparable."""
    return [
        (
            [
                (m.role, [("picture", part.shot) if isinstance(part, Picture) else part for part in m.parts])
                for m in a.messages
            ],
            a.picture_key,
            a.picture.tobytes() if a.picture else None,
            [shot.tobytes() if shot else None for shot in a.shots],
        )
        for a in asks
    ]
