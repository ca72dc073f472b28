"""``manage.py add_system``: add a model on this machine's disk as a system under test.

Example: a Chinese-CLIP folder with ``config.json``, ``model.safetensors``, ``vocab.txt`` and
``preprocessor_config.json``::

    manage.py add_system --backend clip --locator /models/chinese-clip-vit-base-patch16 \
        --slug chinese-clip-vit-b16 --name "Chinese-CLIP ViT-B/16" --languages zh-Hans --licence Apache-2.0

Then name the slug under ``evaluation.systems`` of a benchmark's protocol.

A language model on a model server that the environment lists has no folder::

    manage.py add_system --backend chat --locator big --model qwen2.5-vl-72b --slug large \
        --capabilities generate likelihood
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from pydantic import ValidationError

from curation.core.errors import DomainError
from evaluation.backends.registry import BACKENDS, CHAT
from evaluation.profiles.boxes import FORMS
from evaluation.systems import services
from evaluation.systems.rules import BOX_FORM, SystemRecord

_PARAMETERS = ("max_length", "model", "tokenizer", BOX_FORM)


def _capabilities(backend: str) -> list[str]:
    return ["generate"] if backend == CHAT else sorted(BACKENDS[backend].capabilities)


class Command(BaseCommand):
    """Checks the files by loading them once, then records them as a system; running it again changes nothing."""

    help = "Add a system under test from a folder on this machine."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slug", required=True, help="name in protocols and addresses")
        parser.add_argument("--name", help="name on pages; the slug where not given")
        parser.add_argument(
            "--backend", required=True, choices=sorted(n for n, b in BACKENDS.items() if b.capabilities or n == CHAT)
        )
        parser.add_argument(
            "--locator",
            required=True,
            help="folder: absolute, or inside one of MODEL_DIRS; for chat, the server's name",
        )
        parser.add_argument("--model", help="the model's name on its server (chat)")
        parser.add_argument("--tokenizer", help="the folder with which SGLang ranks (chat)")
        parser.add_argument("--revision", help="name of this state of the files; by default from their content")
        parser.add_argument("--organisation", default="")
        parser.add_argument("--licence", default="")
        parser.add_argument("--languages", nargs="*", default=[])
        for tag in ("zh-Hans", "zh-Hant", "en"):
            parser.add_argument(f"--description-{tag.lower()}", help=f"what it is, in {tag}")
        parser.add_argument(
            "--capabilities", nargs="*", help="of embed, generate, likelihood, ground; by default those of the backend"
        )
        parser.add_argument("--max-length", type=int, help="longest text in tokens (clip)")
        parser.add_argument("--box-form", choices=FORMS, help="how it writes boxes, for models that ground expressions")
        parser.add_argument("--no-check", action="store_true", help="do not load the model first")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"] or options["slug"]
        tags = {"zh-Hans": "zh_hans", "zh-Hant": "zh_hant", "en": "en"}
        try:
            record = SystemRecord.model_validate(
                {
                    "slug": options["slug"],
                    "name": name,
                    "description": {tag: options[f"description_{key}"] or name for tag, key in tags.items()},
                    "organisation": options["organisation"],
                    "backend": options["backend"],
                    "locator": options["locator"],
                    "revision": options["revision"],
                    "parameters": {name: options[name] for name in _PARAMETERS if options[name]},
                    "capabilities": options["capabilities"] or _capabilities(options["backend"]),
                    "languages": options["languages"],
                    "licence": options["licence"],
                }
            )
            # What a model on a server replies costs money: it is tried when it is first used.
            if not options["no_check"] and record.backend != CHAT:
                services.check_system(record)
            system = services.add_system(record)
        except ValidationError as error:
            raise CommandError("; ".join(f"{e['loc'][0]}: {e['msg']}" for e in error.errors())) from error
        except DomainError as error:
            raise CommandError(f"{error.code}: {error}") from error
        self.stdout.write(f"{system.slug} {system.revision} ({system.files_sha256})")
