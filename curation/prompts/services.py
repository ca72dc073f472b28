"""Adding a benchmark's own version of a prompt, and the rows that calls and runs refer to."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Max

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.prompts.errors import PromptUnchanged
from curation.prompts.models import Prompt
from curation.prompts.queries import FILE, Key, shipped, version_of
from curation.prompts.rules import FIRST_OWN, body_sha256, parse_body


@transaction.atomic
def add_prompt(
    *, actor: Person, benchmark_slug: str, name: str, language: str, base_no: int, text: str, client_key: UUID
) -> Prompt:
    """Add a benchmark's own version of a prompt, a changed copy of another version.

    Args:
        actor: The person who adds it.
        benchmark_slug: The benchmark.
        name: The prompt's name.
        language: The language of the text.
        base_no: The number of the version that was copied, shipped or the benchmark's own.
        text: The changed text.
        client_key: A repeat with the same key has the same result.

    Raises:
        PromptVariable, FileInvalid: The text has faults, by line.
        PromptUnchanged: It is the text of the copied version.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    reached = benchmark_for(actor, benchmark_slug, "prompt_add")
    base = version_of(reached, Key(name, language, base_no))
    body = parse_body(text, file=FILE)
    sha256 = body_sha256(body)
    # Numbers follow one another: whoever adds a version waits for the one before.
    benchmark = Benchmark.objects.select_related("protocol").select_for_update(of=("self",), no_key=True)
    locked = benchmark.get(pk=reached.pk)
    decision = Decision(actor_id=actor.pk, action="prompt_add", client_key=client_key, benchmark_id=locked.pk)
    same = {"prompt": name, "language": language, "base_no": base_no, "sha256": sha256}
    if earlier := decision.earlier(**same):
        return Prompt.objects.select_related("benchmark__protocol", "author").get(pk=earlier.target_id)
    if sha256 == base.sha256:
        raise PromptUnchanged(no=base_no)
    own = Prompt.objects.filter(benchmark=locked, name=name, language=language)
    new = Prompt.objects.create(
        benchmark=locked,
        name=name,
        no=(own.aggregate(no=Max("no"))["no"] or FIRST_OWN - 1) + 1,
        language=language,
        reading="ours",
        body=body.model_dump(mode="json"),
        sha256=sha256,
        base_no=base_no,
        author=actor,
        client_key=client_key,
    )
    decision.row = new
    decision.record(**same, no=new.no)
    return new


def stored_prompt(benchmark: Benchmark, key: Key) -> Prompt:
    """The row of a version, which calls and runs refer to; one that ships is stored the first time.

    Raises:
        NotFound: There is no such version.
        ValueError: The file's text is another than the one that was stored under its number.
    """
    version = version_of(benchmark, key)
    if key not in shipped():
        return Prompt.objects.get(benchmark=benchmark, **key._asdict())
    Prompt.objects.bulk_create(
        [
            Prompt(
                **key._asdict(),
                reading=version.reading,
                body=version.body.model_dump(mode="json"),
                sha256=version.sha256,
                source=version.source["en"] if version.source else "",
            )
        ],
        ignore_conflicts=True,  # stored before, or by another transaction at this moment
    )
    row = Prompt.objects.get(benchmark=None, **key._asdict())
    if row.sha256 != version.sha256:
        raise ValueError(f"{row.label} ({row.language}) changed since it was used: give the new text another number")
    return row
