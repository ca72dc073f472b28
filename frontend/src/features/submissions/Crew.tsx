/** One's team for submissions: its name, its members, the link by which others join; without one, a person submits alone. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { CopyOnce } from "@/ui/CopyOnce";
import { TextField } from "@/ui/Field";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import styles from "./submissions.module.css";

type CrewPage = Answer<"crew_show">;
type Crew = NonNullable<CrewPage["crew"]>;

const LONGEST_NAME = 60;

export function CrewSection() {
  const { t } = useTranslation("submissions");
  const read = useRead("crew_show", { path: { b: useSlug() } });
  return (
    <section className={styles.submissionCrew} aria-labelledby="submission-crew" data-testid="crew">
      <h2 id="submission-crew">{t("crew.title")}</h2>
      <Loaded of={read}>{({ crew }) => (crew === null ? <Alone /> : <Members of={crew} />)}</Loaded>
    </section>
  );
}

function Alone() {
  const { t } = useTranslation("submissions");
  const [naming, setNaming] = useState(false);
  return (
    <>
      <p className="dim">
        {t("crew.alone")}<Gap />{t("crew.rule")}
      </p>
      {naming ? (
        <NameForm name="" onDone={() => setNaming(false)} />
      ) : (
        <Button small onClick={() => setNaming(true)} data-testid="crew-start">
          {t("crew.start")}
        </Button>
      )}
    </>
  );
}

function Members({ of }: { of: Crew }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const [naming, setNaming] = useState(false);
  return (
    <>
      {naming ? (
        <NameForm name={of.name} onDone={() => setNaming(false)} />
      ) : (
        <p>
          <b data-testid="crew-name">{of.name}</b>{" "}
          <button type="button" className="linklike" onClick={() => setNaming(true)} data-testid="crew-rename">
            {t("crew.rename")}
          </button>
        </p>
      )}
      <p data-testid="crew-members">{t("crew.members", { count: of.members.length, names: format.list(of.members.map(({ name }) => name)) })}</p>
      <p className="dim">{t("crew.rule")}</p>
      <JoinLink of={of} />
      {of.may_leave && <Leave />}
    </>
  );
}

function NameForm({ name, onDone }: { name: string; onDone: () => void }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const [typed, setTyped] = useState(name);
  const write = useWrite("crew_name");
  const isReady = typed.trim() !== "" && typed.trim() !== name;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) write.mutate({ path: { b: slug }, body: { name: typed.trim() } }, { onSuccess: onDone });
      }}
    >
      <TextField label={t("crew.name")} hint={t("crew.nameHint")} value={typed} maxLength={LONGEST_NAME} autoFocus onChange={(event) => setTyped(event.target.value)} data-testid="crew-name-field" />
      {write.error && <Problem error={write.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" small disabled={!isReady} busy={write.isPending} data-testid="crew-name-save">
          {t("crew.save")}
        </Button>
        <Button small onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}

function JoinLink({ of }: { of: Crew }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const format = useFormat();
  const write = useWrite("crew_link");
  const link = write.data;
  return (
    <>
      {write.error && <Problem error={write.error} />}
      {link?.token ? (
        <CopyOnce
          label={t("crew.link")}
          value={`${window.location.origin}/submit/${slug}/team#${link.token}`}
          hint={t("crew.linkHint", { until: format.exact(link.expires_at) })}
          testId="crew-link"
        />
      ) : (
        <p>
          <Button small busy={write.isPending} onClick={() => write.mutate({ path: { b: slug } })} data-testid="crew-make-link">
            {t(of.link_until === null ? "crew.makeLink" : "crew.newLink")}
          </Button>{" "}
          {of.link_until !== null && (
            <span className="dim">
              <Time at={of.link_until} sentence={(time) => t("crew.linkUntil", { time })} />
            </span>
          )}
        </p>
      )}
    </>
  );
}

function Leave() {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const write = useWrite("crew_leave");
  return (
    <>
      {write.error && <Problem error={write.error} />}
      <p>
        <Button small busy={write.isPending} onClick={() => write.mutate({ path: { b: slug } })} data-testid="crew-leave">
          {t("crew.leave")}
        </Button>{" "}
        <span className="dim">{t("crew.leaveHint")}</span>
      </p>
    </>
  );
}
