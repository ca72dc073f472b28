import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { useSession } from "@/api/session";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CopyOnce } from "@/ui/CopyOnce";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { AREAS, scopesIn, type Scope } from "./scopes";
import styles from "./tokens.module.css";

const DAYS = [7, 30, 90, 180, 365] as const;

export function NewToken({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("tokens");
  const title = useLocalised();
  const benchmarks = useSession().data?.benchmarks ?? [];
  const create = useWrite("token_create");
  const [name, setName] = useState("");
  const [slug, setSlug] = useState(benchmarks[0]?.slug ?? "");
  const [days, setDays] = useState<number>(90);
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [tried, setTried] = useState(false);
  const scopes = scopesIn(benchmarks.find((one) => one.slug === slug)?.operations ?? []);
  const operations = chosen.flatMap((scope) => scopes.get(scope) ?? []);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || operations.length === 0) return;
    create.mutate(
      { body: { name: name.trim(), benchmark: slug, operations, days } },
      {
      },
    );
  };

  if (create.data) {
    return (
      <div className={`form ${styles.newToken}`}>
        {create.data.token === null ? (
          <Notice tone="warn">{t("replayed")}</Notice>
        ) : (
          <CopyOnce label={t("made", { name: create.data.name })} value={create.data.token} hint={t("once")} testId="token-value" />
        )}
        <div className="row-actions">
          <Button onClick={onDone} data-testid="token-done">
            {t("done")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form className={`form ${styles.newToken}`} onSubmit={onSubmit} noValidate>
      <div className="form-row">
        <TextField
          label={t("name")}
          hint={t("nameHint")}
          value={name}
          maxLength={120}
          autoFocus
          onChange={(event) => setName(event.target.value)}
          wrong={tried && name.trim() === "" ? t("nameMissing") : undefined}
          data-testid="token-name"
        />
        <SelectField label={t("benchmark")} value={slug} onChange={(event) => setSlug(event.target.value)} data-testid="token-benchmark">
          {benchmarks.map((one) => (
            <option key={one.slug} value={one.slug}>
              {title(one.title)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t("days")} value={days} onChange={(event) => setDays(Number(event.target.value))} data-testid="token-days">
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {t("forDays", { count: one })}
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset className={styles.scopes}>
        <legend>{t("may")}</legend>
        {AREAS.map((area) => (
          <div key={area} className={styles.scopeRow}>
            <b>{t(`area.${area}`)}</b>
            {(["read", "write"] as const).map((way) => {
              const scope: Scope = `${area}.${way}`;
              const held = scopes.get(scope);
              return (
                <label key={way} className={held === undefined ? "off" : undefined} title={held?.join("\n")}>
                  <input
                    type="checkbox"
                    disabled={held === undefined}
                    checked={held !== undefined && chosen.includes(scope)}
                    onChange={(event) => setChosen(event.target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
                    data-testid={`scope-${area}-${way}`}
                  />{" "}
                  {t(`way.${way}`)}
                </label>
              );
            })}
          </div>
        ))}
        {tried && operations.length === 0 && <p className="wrong">{t("scopesMissing")}</p>}
      </fieldset>
      {operations.length > 0 && (
        <details>
          <summary className="dim">{t("operations", { count: operations.length })}</summary>
          <p className="mono">{operations.join(", ")}</p>
        </details>
      )}
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="make-token">
          {t("make")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
