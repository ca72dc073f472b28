import json, resource, time
import numpy as np, pytest
from django.db import connection
from evaluation.runs.rules import to_bytes
from evaluation.scoring import queries, services
from evaluation.scoring.models import QueryRank, Score
from tests.evaluation.accepted import benchmark
from tests.evaluation.leaderboards.test_api import a_run, Here
from tests.people import signed_in
from annotation.releases.models import Release
pytestmark = pytest.mark.django_db
N=8973
def test_size(capsys):
    team=benchmark("x"); b=team.benchmark
    with connection.cursor() as c:
        c.execute("""insert into curation_category(benchmark_id,slug,name,field,field_name,distance,number)
          select %s,'c'||n,'{"zh-Hans":"a","zh-Hant":"a","en":"a"}','f','{}',(array['coco','moderate','closest'])[1+n%%3],n from generate_series(1,92) n""",[b.pk])
        from tests.evaluation.accepted import accepted_item, frozen_release
        seeditem=accepted_item(team,1)
        def clone(table, over, where):
            c.execute("select column_name from information_schema.columns where table_name=%s and column_name<>'id' and is_generated='NEVER' and is_identity='NO' order by ordinal_position",[table])
            cols=[r[0] for r in c.fetchall()]
            sel=[over.get(x,'t.'+x) for x in cols]
            c.execute(f"insert into {table}({','.join(cols)}) select {','.join(sel)} from {table} t cross join generate_series(2,{N}) n where {where}")
        clone("curation_image",{"number":"n","sha256":"lpad(n::text,64,'0')","phash":"n","client_key":"gen_random_uuid()","category_id":f"(select id from curation_category where benchmark_id={b.pk} and number=1+n%92)"},f"t.id={seeditem.image_id}")
        c.execute(f"insert into curation_rendition(image_id,role,version,sha256,bytes,width,height,key) select p.id,'clean',1,p.sha256,1,24,16,'k'||p.id from curation_image p where p.benchmark_id={b.pk} and p.number>1")
        clone("annotation_item",{"number":"n","image_id":f"(select id from curation_image where benchmark_id={b.pk} and number=n)"},f"t.id={seeditem.pk}")
        clone("annotation_itemrevision",{"item_id":f"(select id from annotation_item where benchmark_id={b.pk} and number=n)","client_key":"gen_random_uuid()"},f"t.item_id={seeditem.pk}")
        r=Release.objects.create(benchmark=b,number=1,kind="captions",protocol=b.protocol,seed=7)
        c.execute(f"insert into annotation_releaseimage(release_id,image_id,split) select {r.pk},id,'test' from curation_image where benchmark_id={b.pk}")
        c.execute(f"insert into annotation_releaseentry(release_id,item_id,revision_no,image_id,rendition_id,split,ordinal,record) select {r.pk},i.id,1,i.image_id,f.id,'test',i.number,'{{}}' from annotation_item i join curation_rendition f on f.image_id=i.image_id and f.role='clean' where i.benchmark_id={b.pk}")
    r.state,r.event_id="frozen",1
    from django.utils import timezone
    r.frozen_at=timezone.now(); r.save(update_fields=["state","event_id","frozen_at"])
    rng=np.random.default_rng(0); D=512
    runs=[]
    items=list(r.entries.order_by("ordinal").values_list("item_id",flat=True))
    for k,noise in enumerate((4.0,4.5)):
        run=a_run(team,f"s{k}")
        seen=rng.normal(size=(N,D)).astype(np.float32); seen/=np.linalg.norm(seen,axis=1,keepdims=True)
        with connection.cursor() as c, c.cursor.copy("copy evaluation_prediction(run_id,item_id,revision_no,variant,outcome,raw,vector) from stdin") as copy:
            for n,item in enumerate(items):
                copy.write_row((run.pk,item,1,"image","ok","",to_bytes(seen[n])))
                for v in range(5):
                    t=seen[n]+noise*rng.normal(size=D).astype(np.float32)/D**.5; t/=np.linalg.norm(t)
                    copy.write_row((run.pk,item,1,f"caption-{v}","ok","",to_bytes(t.astype(np.float32))))
        runs.append(run)
    with connection.cursor() as c: c.execute("set constraints all immediate"); c.execute("set constraints all deferred"); c.execute("analyze")
    out={}
    marks=[time.perf_counter()]
    class L(Here):
        def progress(self,d,t): marks.append(time.perf_counter())
    for run in runs:
        marks[:]=[time.perf_counter()]
        services.score_release(L(release_id=r.pk,run_id=run.pk))
        with connection.cursor() as c:
            c.execute("set constraints all immediate"); c.execute("set constraints all deferred")
        marks.append(time.perf_counter())
        out[f"score{run.pk}"]=[round(b-a,2) for a,b in zip(marks,marks[1:])]
    out["peak_mb"]=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss//1024
    out["ranks"]=QueryRank.objects.count(); out["scores"]=Score.objects.count()
    cl=signed_in(team.senior); base=f"/api/v1/releases/{r.pk}/"
    for name,u in {"first board":"leaderboard","board":"leaderboard","board by category":"leaderboard?group_by=category","compare":f"comparison?one={runs[0].pk}&other={runs[1].pk}&scope=t2i&metric=R@1","samples":f"samples?run={runs[0].pk}&outcome=miss","samples rank":f"samples?run={runs[0].pk}&order=-rank","sample":f"samples/t2i/20000?run={runs[0].pk}","csv":"leaderboard/groups-category.csv","svg":"leaderboard/leaderboard.svg","heat svg":"leaderboard/groups-category.svg"}.items():
        t=time.perf_counter(); a=cl.get(base+u); out[name]=(a.status_code,round(time.perf_counter()-t,3),len(a.content))
    t=time.perf_counter(); out["ready"]=queries.ready_to_score(); out["ready_s"]=round(time.perf_counter()-t,3)
    with capsys.disabled(): print(json.dumps(out,indent=1))
