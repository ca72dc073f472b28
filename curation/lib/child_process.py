"""Runs a function on an untrusted file in a child process with limits on time, memory and output.

Decoders are written in C and cannot be interrupted from Python, so they run where the kernel can stop them. Every call
gets a process of its own, forked from a server that has imported the function's module already (multiprocessing's
``forkserver``): a crash, a leak or a raised limit of one call does not reach the next.

No Django here: functions to be run must be importable without it.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar, cast

Args = ParamSpec("Args")
Result = TypeVar("Result")

_processes = get_context("forkserver")
_preloaded: list[str] = []


def preload(module: str) -> None:
    """Have the server import a module, so that no child has to; call it before the first function runs."""
    _preloaded.append(module)
    _processes.set_forkserver_preload(_preloaded)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child process may use.

    Attributes:
        processor_seconds: Processor time, after which the kernel kills it.
        seconds: Time by the clock, after which the parent kills it.
        memory: Bytes of address space, which allocations beyond are refused.
        niceness: How far others go first on a busy machine, from 0 to 19.
    """

    processor_seconds: int
    seconds: float
    memory: int
    niceness: int = 0


class ChildFailed(Exception):
    """The child process ended without a result, because of a limit or a crash of native code."""


def run_in_child(function: Callable[Args, Result], limits: Limits, *args: Args.args, **kwargs: Args.kwargs) -> Result:
    """Call a function of a module in a child process and return its result.

    Args:
        function: What to call; it, its arguments, its result and its exceptions are pickled.
        limits: What the call may use.
        *args: Its arguments.
        **kwargs: Its named arguments.

    Raises:
        ChildFailed: The child process ended without a result.
        Exception: Whatever the function raised.
    """
    receiver, sender = _processes.Pipe(duplex=False)
    child = _processes.Process(target=_call, args=(sender, limits, function, args, kwargs), daemon=True)
    with receiver:
        child.start()
        sender.close()  # only the child's copy stays open, so that its end is seen here
        try:
            if not receiver.poll(limits.seconds):
                raise ChildFailed(f"not done after {limits.seconds} seconds")
            has_result, result = receiver.recv()
        except EOFError:
            child.join()
            raise ChildFailed(f"exit code {child.exitcode}") from None
        finally:
            child.kill()
            child.join()
            child.close()
    if not has_result:
        raise result
    return cast(Result, result)


def _call(sender: Connection, limits: Limits, function: Callable[..., Any], args: Any, kwargs: Any) -> None:
    os.nice(limits.niceness)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.processor_seconds, limits.processor_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer = (True, function(*args, **kwargs))
    except MemoryError:
        answer = (False, ChildFailed(f"more than {limits.memory} bytes of memory"))
    except Exception as error:  # noqa: BLE001 - raised again by the parent
        answer = (False, error)
    sender.send(answer)
