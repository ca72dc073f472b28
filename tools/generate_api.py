"""Write what the front end generates from the server, or check that it is in step.

Four files under ``frontend/src/api/``: ``openapi.json`` (the API as drf-spectacular reads it from the views),
``schema.d.ts`` (its TypeScript types), ``error-codes.ts`` (every code an error answer can carry) and
``operations.ts`` (every operation's address, whether it carries a client key, and the reads that it makes stale).

``python -m tools.generate_api`` writes them; with ``--check`` it writes nothing and fails if one would change.
"""

import argparse
import difflib
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import django
from django.core.management import CommandError, call_command

from curation.core.errors import DomainError
from curation.core.operations import OPERATIONS, stale_after

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "frontend" / "src" / "api"
APPS = ("curation", "annotation", "evaluation")


class NotInStepError(Exception):
    """Something cannot be generated; carries the sentence for the person."""


def openapi_document() -> str:
    """Return the API's description; a warning of the generator counts as a fault."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "openapi.json"
        try:
            call_command("spectacular", file=str(path), format="openapi-json", validate=True, fail_on_warn=True)
        except CommandError as fault:
            raise NotInStepError(f"The API's description has the faults named above ({fault}).") from fault
        return path.read_text().rstrip() + "\n"


def typescript_types(document: str) -> str:
    """Return the TypeScript types of an API description."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        source.write_text(document)
        program = ROOT / "frontend" / "node_modules" / ".bin" / "openapi-typescript"
        path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        done = subprocess.run(
            [program, source, "--output", target, "--alphabetize"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": path},
        )
        if done.returncode:
            raise NotInStepError(f"openapi-typescript failed:\n{done.stdout}{done.stderr}")
        return target.read_text()


def _subclasses(error: type[DomainError]) -> Iterator[type[DomainError]]:
    for subclass in error.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def unique_codes(errors: Iterable[type[DomainError]]) -> list[str]:
    """Return the codes of errors, sorted; two errors with one code are a fault."""
    owners: dict[str, str] = {}
    for error in errors:
        name = f"{error.__module__}.{error.__qualname__}"
        if owners.setdefault(error.code, name) != name:
            raise NotInStepError(f"Two errors share the code {error.code}: {owners[error.code]} and {name}.")
    return sorted(owners)


def error_codes() -> list[str]:
    """Return the code of every error of the project, wherever it is defined."""
    for app in APPS:
        package = importlib.import_module(app)
        for module in pkgutil.walk_packages(package.__path__, f"{app}."):
            if not {"migrations", "management"} & set(module.name.split(".")):
                importlib.import_module(module.name)
    return unique_codes(_subclasses(DomainError))


def error_codes_module(codes: list[str]) -> str:
    """Return the TypeScript module that lists the codes."""
    lines = "\n".join(f'  "{code}",' for code in codes)
    return (
        "/** Every code an error answer of the server can carry. Written by `make generated`; do not edit. */\n"
        f"export const ERROR_CODES = [\n{lines}\n] as const;\n"
    )


def keyed_operations(document: str) -> list[str]:
    """Return the operations whose request body has a ``client_key`` of its own, sorted."""
    api = json.loads(document)
    schemas = api["components"]["schemas"]

    def has_key(schema: dict[str, Any]) -> bool:
        if "$ref" in schema:
            return has_key(schemas[schema["$ref"].rsplit("/", 1)[1]])
        parts = [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]
        return "client_key" in schema.get("properties", {}) or any(has_key(part) for part in parts)

    return sorted(
        operation["operationId"]
        for methods in api["paths"].values()
        for operation in methods.values()
        if any(has_key(body["schema"]) for body in operation.get("requestBody", {}).get("content", {}).values())
    )


# How the parts of addresses are called where the page fills them in; the number of a row is always ``id``.
PATH_NAMES = {
    "benchmark": "b",
    "benchmark_slug": "b",
    "system": "slug",
    "system_slug": "slug",
    "upload": "uuid",
    "upload_id": "uuid",
}
# Numbers in addresses that are no row's.
POSITIONS = {"version", "ordinal"}


def operations_module(document: str) -> str:
    """Return the TypeScript module with every operation's address, client key, and the reads it makes stale."""
    table, others = [], []
    for path, methods in json.loads(document)["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            if _is_called(operation):
                table.append((name, method.upper(), _address(path, operation)))
            else:
                others.append(name)
    keyed = keyed_operations(document)
    stale = {name: stale_after(operation) for name, operation in OPERATIONS.items()}
    lines = [
        "/** Every operation of the API by its id. Written by `make generated`; do not edit. */",
        'import type { operations } from "./schema";',
        "",
        "/** Downloads are links, not calls; parts of an upload are sent by upload.ts. */",
        f"export type OperationId = Exclude<keyof operations, {' | '.join(_quoted(sorted(others)))}>;",
        "",
        'type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";',
        "",
        "/** `path` is below /api/v1; {b} is a benchmark's short name, {id} a row's number. */",
        "export const OPERATIONS = {",
        *(f'  {name}: ["{method}", "{address}"],' for name, method, address in sorted(table)),
        "} as const satisfies Record<OperationId, readonly [Method, string]>;",
        "",
        "/** Operations whose request carries a client key. */",
        "export const KEYED_OPERATIONS: ReadonlySet<string> = new Set([",
        *(f'  "{name}",' for name in keyed),
        "]);",
        "",
        "/** The reads that show something an operation changes. */",
        "export const STALE_AFTER: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {",
        *(f"  {name}: [{', '.join(_quoted(reads))}]," for name, reads in sorted(stale.items()) if reads),
        "};",
        "",
    ]
    return "\n".join(lines)


def _is_called(operation: dict[str, Any]) -> bool:
    """Whether the page calls an operation: it answers JSON or nothing, and is asked with JSON, a form or nothing."""
    [success, *_] = (answer for status, answer in operation["responses"].items() if status.startswith("2"))
    sent = operation.get("requestBody", {}).get("content", {})
    return all("json" in media for media in success.get("content", {})) and (
        not sent or bool({"application/json", "multipart/form-data"} & set(sent))
    )


def _quoted(names: Iterable[str]) -> list[str]:
    return [f'"{name}"' for name in names]


def _address(path: str, operation: dict[str, Any]) -> str:
    """The address of an operation below ``/api/v1``, with its parameters named as in the front end."""
    schemas = {p["name"]: p["schema"] for p in operation.get("parameters", []) if p["in"] == "path"}
    for name, schema in schemas.items():
        is_row = schema.get("type") == "integer" and name not in POSITIONS
        path = path.replace(f"{{{name}}}", f"{{{PATH_NAMES.get(name, 'id' if is_row else name)}}}")
    return path.removeprefix("/api/v1/")


def generated() -> dict[Path, str]:
    """Return each generated file with its text."""
    document = openapi_document()
    return {
        FOLDER / "openapi.json": document,
        FOLDER / "schema.d.ts": typescript_types(document),
        FOLDER / "error-codes.ts": error_codes_module(error_codes()),
        FOLDER / "operations.ts": operations_module(document),
    }


def differences(files: dict[Path, str]) -> str:
    """Return what would change on disk, as a short difference; empty when all is in step."""
    parts = []
    for path, text in files.items():
        old = path.read_text() if path.exists() else ""
        if old != text:
            name = str(path.relative_to(ROOT))
            lines = list(difflib.unified_diff(old.splitlines(), text.splitlines(), name, "generated", lineterm="", n=1))
            parts.append("\n".join(lines[:20]))
    return "\n".join(parts)


def main(words: list[str] | None = None) -> int:
    """Write or check the generated files."""
    parser = argparse.ArgumentParser(description="Write what the front end generates from the server.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    check = parser.parse_args(words).check
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        files = generated()
    except NotInStepError as fault:
        print(fault, file=sys.stderr)
        return 1
    if check:
        changed = differences(files)
        if changed:
            print(
                f"{changed}\n\nThe front end's generated files are out of step: run `make generated`.", file=sys.stderr
            )
        return 1 if changed else 0
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
