import json, time, uuid, pytest
from tests.annotation.imports.test_services import here_with, taken, finished, line
from annotation.imports.models import ImportRow
pytestmark = pytest.mark.django_db
def test_speed(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    here = here_with(1000, size=100)
    data = "\n".join(json.dumps(line(n), ensure_ascii=False) for n in range(1, 1001))
    for _ in range(2):
        im = taken(here, data); t = time.time(); im = finished(im)
        print("SPEED", im.counts, round(time.time() - t, 2))
