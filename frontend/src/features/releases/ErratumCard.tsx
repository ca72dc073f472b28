/** An erratum with its decisions, and the form of the next one for those who may decide. */
import { useId, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useWrite } from "@/api/queries";
import { useMay, useSession } from "@/api/session";
import type { Erratum } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import styles from "./releases.module.css";

const TONES: Readonly<Record<Erratum["state"], Tone | undefined>> = { reported: "warn", confirmed: "accent", rejected: undefined, withdrawn: undefined };
const DECISIONS = ["confirm", "reject", "withdraw"] as const;
/** Where those who decide have buttons, except for what they reported themselves. */
const UNDECIDED: readonly Erratum["state"][] = ["reported", "confirmed"];
type Decision = (typeof DECISIONS)[number];

export function ErratumCard({ row, slug }: { row: Erratum; slug: string }) {
  const { t } = useTranslation("releases");
  const [deciding, setDeciding] = useState<Decision | null>(null);
  const me = useSession().data?.person.id;
  const decides = useMay(slug)("erratum_confirm");
  const isOwn = row.reported_by !== null && row.reported_by.id === me;
  const open = DECISIONS.filter((one) => row.available_actions.includes(`erratum_${one}`));
  return (
    <li className="card" data-testid={`erratum-${row.no}`} data-state={row.state}>
      <p>
        <b>{row.item_id === null ? (row.item ?? t("errata.whole")) : <Link to={`/b/${slug}/items/${row.item_id}`}>{row.item}</Link>}</b>{" "}
        <Chip tone={TONES[row.state]}>{t(`errata.state.${row.state}`)}</Chip>{" "}
        <span className="tiny">
          {row.release.label} · {t("errata.number", { no: row.no })} · {row.reported_by === null ? t("errata.reported") : t("errata.by", { name: row.reported_by.name })}{" "}
          <Time at={row.reported_at} />
        </span>
      </p>
      <p className={styles.erratumText}>{row.text}</p>
      {row.events.map((event) => (
        <div key={event.action} className={styles.erratumEvent}>
          <p className="dim">
            {t(`errata.event.${event.action}`)}
            {event.by !== null && ` · ${event.by.name}`} · <Time at={event.at} />
          </p>
          {LANGUAGES.filter((tag) => event.note[tag] !== "").map((tag) => (
            <p key={tag} lang={tag} className={styles.erratumText}>
              {event.note[tag]}
            </p>
          ))}
        </div>
      ))}
      {decides && isOwn && UNDECIDED.includes(row.state) && (
        <p className="dim" data-testid={`own-${row.no}`}>
          {t("errata.own")}
        </p>
      )}
      {deciding !== null && open.includes(deciding) ? (
        <DecisionForm row={row} decision={deciding} onClose={() => setDeciding(null)} />
      ) : (
        open.length > 0 && (
          <div className="row-actions">
            {open.map((one) => (
              <Button key={one} small look={one === "withdraw" ? "danger" : undefined} onClick={() => setDeciding(one)} data-testid={`${one}-${row.no}`}>
                {t(`errata.${one}`)}
              </Button>
            ))}
          </div>
        )
      )}
    </li>
  );
}

function DecisionForm({ row, decision, onClose }: { row: Erratum; decision: Decision; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const id = useId();
  const [note, setNote] = useState<Readonly<Record<string, string>>>({});
  const decide = useWrite(`erratum_${decision}`);
  const isEmpty = LANGUAGES.every((tag) => (note[tag] ?? "").trim() === "");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    decide.mutate({ path: { id: row.id }, body: { note } }, { onSuccess: onClose });
  };
  return (
    <form className="form" onSubmit={onSubmit} data-testid={`decide-${row.no}`}>
      <p id={id}>{t(`errata.noteFor.${decision}`)}</p>
      {LANGUAGES.map((tag) => (
        <div className="field" key={tag}>
          <label className="label" htmlFor={`${id}-${tag}`} lang={tag}>
            {LANGUAGE_NAMES[tag]}
          </label>
          <textarea
            id={`${id}-${tag}`}
            className="input"
            lang={tag}
            rows={2}
            maxLength={1_000}
            aria-describedby={id}
            value={note[tag] ?? ""}
            onChange={(event) => setNote({ ...note, [tag]: event.target.value })}
            data-testid={`note-${tag}`}
          />
        </div>
      ))}
      {decide.error && <Problem error={decide.error} />}
      <div className="row-actions">
        <Button
          type="submit"
          look={decision === "withdraw" ? "danger" : "primary"}
          busy={decide.isPending}
          disabled={isEmpty}
          data-testid="decide"
        >
          {t(`errata.${decision}`)}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
