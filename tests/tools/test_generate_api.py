"""The generated files say exactly what the server says, and a file out of step is named."""

import json
from pathlib import Path

import pytest

from curation.core.errors import DomainError, NotFound, OwnWork
from tools import generate_api


def test_the_list_of_codes_is_a_typescript_constant() -> None:
    assert generate_api.error_codes_module(["not_found", "own_work"]) == (
        "/** Every code an error answer of the server can carry. Written by `make generated`; do not edit. */\n"
        'export const ERROR_CODES = [\n  "not_found",\n  "own_work",\n] as const;\n'
    )


def test_two_errors_of_one_name_are_a_fault() -> None:
    def another() -> type[DomainError]:
        class NotFound(DomainError):
            """Its code would be that of the core's error."""

        return NotFound

    assert generate_api.unique_codes([OwnWork, NotFound]) == ["not_found", "own_work"]
    with pytest.raises(
        generate_api.NotInStepError, match=r"Two errors share the code not_found: curation\.core\.errors"
    ):
        generate_api.unique_codes([NotFound, another()])


def test_a_file_out_of_step_is_named_with_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_api, "ROOT", tmp_path)
    same, other, absent = tmp_path / "same.ts", tmp_path / "other.ts", tmp_path / "absent.ts"
    same.write_text("a\n")
    other.write_text("old\n")
    assert generate_api.differences({same: "a\n"}) == ""
    said = generate_api.differences({same: "a\n", other: "new\n", absent: "b\n"})
    assert "same.ts" not in said
    assert "--- other.ts\n+++ generated\n" in said
    assert "\n-old\n+new\n" in said
    assert "--- absent.ts\n" in said


def test_operations_with_a_client_key_are_found_behind_references_and_alternatives() -> None:
    def operation(name: str, schema: dict[str, object] | None) -> dict[str, object]:
        if schema is None:
            return {"operationId": name}
        return {"operationId": name, "requestBody": {"content": {"application/json": {"schema": schema}}}}

    keyed = {"properties": {"client_key": {"type": "string"}}}
    document = {
        "components": {"schemas": {"Keyed": keyed, "Plain": {"properties": {"name": {}}}}},
        "paths": {
            "/a": {
                "get": operation("read", None),
                "post": operation("by_name", {"$ref": "#/components/schemas/Keyed"}),
            },
            "/b": {"post": operation("plain", {"$ref": "#/components/schemas/Plain"})},
            "/c": {"post": operation("either", {"oneOf": [{"$ref": "#/components/schemas/Plain"}, keyed]})},
            "/d": {"post": operation("deeper", {"properties": {"rows": {"items": keyed}}})},
        },
    }
    operations = generate_api.keyed_operations(json.dumps(document))
    assert operations == ["by_name", "either"]


def test_addresses_are_listed_as_the_page_fills_them_in() -> None:
    def operation(id_: str, content: dict[str, object], **path: str) -> dict[str, object]:
        parameters = [{"name": part, "in": "path", "schema": {"type": kind}} for part, kind in path.items()]
        return {"operationId": id_, "parameters": parameters, "responses": {"200": {"content": content}, "400": {}}}

    document = {
        "components": {"schemas": {}},
        "paths": {
            "/api/v1/benchmarks/{benchmark_slug}/protocols/{version}": {
                "get": operation("b_read", {"application/json": {}}, benchmark_slug="string", version="integer")
            },
            "/api/v1/items/{item_id}": {"get": operation("a_read", {"application/json": {}}, item_id="integer")},
            "/api/v1/files/{name}": {"get": operation("a_file", {"text/csv": {}}, name="string")},
        },
    }
    module = generate_api.operations_module(json.dumps(document))
    assert 'Exclude<keyof operations, "a_file">' in module
    assert '  a_read: ["GET", "items/{id}"],\n  b_read: ["GET", "benchmarks/{b}/protocols/{version}"],\n' in module
