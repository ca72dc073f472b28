"""Declares an operation beside its view, and makes the methods of views that only parse, call and answer.

:func:`query` and :func:`command` make the usual methods: a read with its parameters, a write with its body;
:func:`csv_file` one that answers with a table as a file.
:func:`operation` declares any other method. Each states who may use it, tokens included, and what it changes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, get_type_hints

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.serializers import Input
from curation.core.operations import Entry, Operation, Reaches, declare
from curation.lib.spreadsheets import csv_lines

Method = TypeVar("Method", bound=Callable[..., Any])


class Declared(Protocol):
    """A view's method with the attributes that :func:`operation` sets."""

    operation: Operation
    query: type[Input] | None
    shape: Any


def operation(
    name: str,
    open_to: Reaches,
    *,
    entry: Entry = Entry.ROLE,
    contributes: bool = False,
    by_token: bool = True,
    shows: str = "",
    changes: str = "",
    query: type[Input] | None = None,
    body: Any = None,
    answer: Any = None,
    status: int = 200,
) -> Callable[[Method], Method]:
    """Declare the operation that a view's method carries out.

    Args:
        name: See :class:`curation.core.operations.Operation`, as for the following up to ``changes``.
        open_to: How far it goes for each capability.
        entry: What opens it besides capabilities.
        contributes: Whether consent is needed.
        by_token: Whether a program may use it.
        shows: Subjects, separated by spaces.
        changes: Subjects, separated by spaces.
        query: The parameters of a GET.
        body: The input of a method with a body.
        answer: The type of the answer, from which the API's description is made; None: the method has ``extend_schema``
            of its own.
        status: The status of success.
    """
    declaration = declare(
        Operation(
            name=name,
            reaches=open_to,
            entry=entry,
            contributes=contributes,
            by_token=by_token,
            shows=frozenset(shows.split()),
            changes=frozenset(changes.split()),
        )
    )

    def note(method: Method) -> Method:
        described: Any = method
        described.operation, described.query, described.shape = declaration, query, answer
        parts: dict[str, Any] = {}
        if query is not None:
            parts["parameters"] = [query]
        if answer is not None:
            # ``OperationSchema`` describes the answer by its type; drf-spectacular itself accepts serializers only.
            parts |= {"request": body, "responses": {status: None}}
        if parts:
            extend_schema(**parts)(method)
        return method

    return note


def answers(shape: Any, *, operation_id: str) -> Callable[[Method], Method]:
    """Describe a method that declares no operation by the type of its answer and an id of its own."""

    def note(method: Method) -> Method:
        described: Any = method
        described.shape = shape
        extend_schema(operation_id=operation_id, responses={200: None})(method)
        return method

    return note


def query(
    name: str, read: Callable[..., Any], open_to: Reaches, *, parameters: type[Input] | None = None, **declaration: Any
) -> Callable[..., Response]:
    """Make the GET method that answers with the result of ``read``.

    Args:
        name: The operation.
        read: Called with the person, the address's parts by name, and the parameters; its return annotation is the
            answer's type.
        open_to: How far the operation goes for each capability.
        parameters: The query parameters.
        declaration: As for :func:`operation`.
    """

    @operation(name, open_to, query=parameters, answer=_answer_type(read), **declaration)
    def get(self: Any, request: Request, **address: Any) -> Response:
        arguments = {} if parameters is None else parameters.parse(request.query_params.dict())
        return Response(read(request.user, **address, **arguments))

    _describe(get, read)
    return get


def command(
    name: str,
    service: Callable[..., Any],
    body: type[Input],
    open_to: Reaches,
    *,
    then: Callable[..., Any] | None = None,
    status: int = 200,
    **declaration: Any,
) -> Callable[..., Response]:
    """Make the method that calls a service with the fields of its body.

    Args:
        name: The operation.
        service: Called with ``actor``, the address's parts and the body's fields by name.
        body: The input.
        open_to: How far the operation goes for each capability.
        then: Called with the person and the service's result; its return annotation is the answer's type. Its reads
            reach as far as the operation (``Grant.answering``), those of the service do not. Without it, the service's
            result is the answer.
        status: The status of success.
        declaration: As for :func:`operation`.
    """

    @operation(name, open_to, body=body, answer=_answer_type(then or service), status=status, **declaration)
    def write(self: Any, request: Request, **address: Any) -> Response:
        result = service(actor=request.user, **address, **body.parse(request.data))
        if then is None:
            return Response(result, status=status)
        if request.user.is_authenticated:
            request.user.answer_under(name)
        return Response(then(request.user, result), status=status)

    _describe(write, service)
    return write


def csv_file(
    name: str,
    read: Callable[..., Iterable[Sequence[Any]]],
    columns: Sequence[str],
    open_to: Reaches,
    *,
    title: str,
    parameters: type[Input] | None = None,
) -> Callable[..., StreamingHttpResponse]:
    """Make the GET method of a benchmark's address that sends rows as CSV while they are read.

    Args:
        name: The operation.
        read: Called with the person, the benchmark's slug and the parameters; returns the cells of each row. It refuses
            at once, not at the first row.
        columns: The names of the columns.
        open_to: How far the operation goes for each capability.
        title: What the file is called, after the benchmark's slug.
        parameters: The query parameters.
    """

    @operation(name, open_to, query=parameters)
    @extend_schema(
        parameters=[parameters] if parameters else None,
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY, description="CSV")},
    )
    def get(self: Any, request: Request, benchmark_slug: str) -> StreamingHttpResponse:
        arguments = {} if parameters is None else parameters.parse(request.query_params.dict())
        lines = csv_lines(columns, read(request.user, benchmark_slug, **arguments))
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{benchmark_slug}-{title}.csv"'
        response["X-Content-Type-Options"] = "nosniff"
        return response

    _describe(get, read)
    return get


def _answer_type(answer: Callable[..., Any]) -> Any:
    return get_type_hints(answer, include_extras=True)["return"]


def _describe(method: Callable[..., Any], called: Callable[..., Any]) -> None:
    """Describe a method in the API by the first paragraph of the function it calls."""
    method.__doc__ = (inspect.getdoc(called) or "").partition("\n\n")[0]


def declared_methods(view: type) -> Iterable[tuple[str, Declared]]:
    """A view's declared methods, each with its HTTP method."""
    for name in ("get", "head", "post", "put", "patch", "delete", "options"):
        method = getattr(view, name, None)
        if hasattr(method, "operation"):
            yield name.upper(), method  # type: ignore[misc]  # set by ``operation``
