import time, uuid, hashlib, resource
import pytest
from django.db import connection
from annotation.items.models import Item, ItemRevision
from annotation.releases import services, queries
from annotation.releases.models import ReleaseEntry
from curation.core import jobs
from curation.images.models import Image, Rendition
from tests.annotation.releases.content import captions, team

@pytest.mark.django_db
@pytest.mark.parametrize("n", [3000, 30000])
def test_it(n, settings, tmp_path, capsys):
    settings.MEDIA_ROOT = tmp_path
    here = team()
    cats = list(here.benchmark.categories.all())
    Image.objects.bulk_create([Image(benchmark=here.benchmark, number=i, sha256=hashlib.sha256(b"%d" % i).hexdigest(), phash=i, width=24, height=16,
        contributor=here.contributor, source={"kind": "external", "url": "https://example.org", "author": "甲"}, licence="CC-BY-4.0", state="accepted",
        pii_clear_by=here.curator, category=cats[i % 3], subset="A", client_key=uuid.uuid4()) for i in range(1, n + 1)], batch_size=2000)
    images = list(Image.objects.order_by("number"))
    Rendition.objects.bulk_create([Rendition(image=im, role="clean", version=1, sha256=im.sha256, bytes=10, width=24, height=16, key=f"renditions/{im.pk}/1-clean.png") for im in images], batch_size=2000)
    Item.objects.bulk_create([Item(benchmark=here.benchmark, kind="captions", image=im, number=im.number, state="accepted", revision_no=1, accepted_no=1) for im in images], batch_size=2000)
    ItemRevision.objects.bulk_create([ItemRevision(item=it, no=1, author=here.annotator, origin="annotator", content=captions(it.number), protocol=here.benchmark.protocol, client_key=uuid.uuid4()) for it in Item.objects.all()], batch_size=2000)
    with connection.cursor() as c:
        c.execute("analyze")
    for k in range(2):
        release = services.create_release(actor=here.admin, benchmark_slug="cvlue", kind="captions", seed=k, client_key=uuid.uuid4())
        t0 = time.perf_counter(); services.check_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        t1 = time.perf_counter(); asked = services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
        t2 = time.perf_counter(); assert jobs.run(asked.job_id, services.freeze) == "done"
        t3 = time.perf_counter(); queries.release_detail(here.admin, release.pk)
        t4 = time.perf_counter()
        with capsys.disabled():
            print(n, k, f"check {t1-t0:.2f} freeze request {t2-t1:.2f} job {t3-t2:.2f} detail {t4-t3:.2f} rss {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024:.0f} MiB")
