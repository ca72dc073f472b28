"""Sets up a benchmark of the demo's protocol for journeys in the pair track."""

_SET_UP = """
import io, uuid
from types import SimpleNamespace
from curation.images import services as images
from curation.images.models import Image
from curation.people.models import Person
from curation.taxonomy.services import create_benchmark
from tests.people import person
from tests.pictures import jpeg
owner = person("{prefix}-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{slug}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "{slug}"), preset="demo",
    client_key=uuid.uuid4(),
)
roles = ("admin", "curator", "contributor", "senior")
people = {{role: person(f"{prefix}-{{role}}", benchmark, role) for role in roles}}
for name in {annotators!r}:
    person(f"{prefix}-{{name}}", benchmark, "annotator")
Person.objects.filter(username__in={english!r}).update(language="en")
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{slug}", file=io.BytesIO(jpeg(seed)), source="own",
        licence="own-work", category="panda", client_key=uuid.uuid4(),
    ).image_id
    for seed in range({pictures})
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=people["curator"], benchmark_slug="{slug}", verdicts=verdicts),
    *images.clear_images(actor=people["curator"], benchmark_slug="{slug}", marks=[(i, uuid.uuid4()) for i in made]),
):
    if done.error is not None:
        raise done.error
Image.objects.filter(pk__in=made).update(subset="{subset}")
here = SimpleNamespace(benchmark=benchmark, senior=people["senior"])
pictures = Image.objects.filter(pk__in=made).order_by("pk")
"""


def set_up(
    slug: str,
    prefix: str,
    *,
    annotators: tuple[str, ...],
    english: tuple[str, ...],
    subset: str,
    pictures: int,
    then: str,
) -> str:
    """Code for the site's shell that creates a benchmark with accepted pictures of pandas in a subset.

    Args:
        slug: The benchmark's.
        prefix: Before the names of its people, who are "prefix-admin", "…-curator", "…-contributor", "…-senior".
        annotators: Names of its annotators, without the prefix.
        english: Names of those who read English, without the prefix.
        subset: The pictures' subset.
        pictures: How many there are.
        then: Further code, which knows ``here`` (benchmark, senior) and ``pictures``.
    """
    names = [f"{prefix}-{name}" for name in english]
    code = _SET_UP.format(
        slug=slug, prefix=prefix, annotators=annotators, english=names, subset=subset, pictures=pictures
    )
    return code + then
