"""Fill a launched site for ``test_faults.py``: drawn scenes in a frozen release, one model under two names, two runs.

``python -m tests.evaluation.faulted PICTURES``, with the site's addresses in the environment; prints the runs' ids as
JSON. Both names have the same files, so that their answers can be compared though no vector of one is ever kept for
the other.
"""

import json
import sys
import uuid
from concurrent.futures import ProcessPoolExecutor

import django


def drawn(seed: int) -> tuple[bytes, list[str]]:
    """One scene as a file, and its five captions."""
    from fixtures import scenes  # noqa: PLC0415  (each process of the pool loads it, the site's tables it does not)

    scene = scenes.scene(seed)
    return scenes.encode(scene), scenes.captions(scene)


def main(pictures: int) -> None:
    """Fill the site."""
    from annotation.items.models import Item  # noqa: PLC0415  (after django.setup)
    from evaluation.runs import services  # noqa: PLC0415
    from evaluation.systems import services as system_services  # noqa: PLC0415
    from evaluation.systems.rules import SystemRecord  # noqa: PLC0415
    from tests.evaluation.accepted import accept, benchmark, frozen_release, image, revise, set_of  # noqa: PLC0415
    from tests.protocols import names  # noqa: PLC0415

    with ProcessPoolExecutor(2) as pool:
        scenes = list(pool.map(drawn, range(1, pictures + 1), chunksize=4))
    team, items = benchmark(), []
    for number, (content, captions) in enumerate(scenes, 1):
        shown = image(team, number, content)
        item = Item.objects.create(benchmark=team.benchmark, kind="captions", image=shown, number=number, state="made")
        revise(item, team.annotator, content={"captions": captions})
        accept(item)
        items.append(item)
    release = frozen_release(team, items)
    set_of(release)
    runs = {}
    for slug in ("left-alone", "faulted"):
        described = {"slug": slug, "name": slug, "description": names(slug), "is_demo": True}
        system_services.add_system(
            SystemRecord.model_validate(described | {"backend": "demo", "locator": "demo-dual-encoder"})
        )
        given = {"benchmark_slug": "cvlue", "suite_name": "retrieval", "release_id": release.pk}
        key = {"actor": team.admin, "client_key": uuid.uuid4()}
        runs[slug] = services.start_run(system_slug=slug, **given, **key).run_id
    services.pause_run(run_id=runs["faulted"], actor=team.admin, client_key=uuid.uuid4())
    sys.stdout.write(json.dumps(runs))


if __name__ == "__main__":
    django.setup()
    main(int(sys.argv[1]))
