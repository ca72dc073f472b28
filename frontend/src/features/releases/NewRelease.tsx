import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useWrite } from "@/api/queries";
import { useSessionBenchmark } from "@/api/session";
import { KIND_NAMES } from "@/kinds/registry";
import { SelectField } from "@/ui/Field";
import { Confirmation } from "./Confirmation";
import { isSeed, SettingsFields, type Settings } from "./SettingsFields";
import styles from "./releases.module.css";

/** Creates a draft. Everything but its kind can be changed until it is checked. */
export function NewRelease({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const navigate = useNavigate();
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((kind) => KIND_NAMES.includes(kind));
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [settings, setSettings] = useState<Settings>({ seed: "", splitsFrom: "earlier", notes: "" });
  const create = useWrite("release_create");
  const seed = settings.seed.trim();
  const confirm = () =>
    create.mutate(
      {
        path: { b: slug },
        body: {
          kind,
          splits_from: settings.splitsFrom,
          notes: settings.notes.trim(),
          ...(seed === "" ? {} : { seed }),
        },
      },
      {
        onSuccess: (release) => void navigate(`/b/${slug}/releases/${release.id}`),
      },
    );
  return (
    <section className={`card ${styles.releasesNew}`}>
      <Confirmation
        title={t("draft.title")}
        go={t("draft.submit")}
        ready={kind !== "" && isSeed(settings.seed)}
        busy={create.isPending}
        error={create.error}
        onConfirm={confirm}
        onCancel={onClose}
        testId="draft"
      >
        <p className="dim">{t("draft.text")}</p>
        <SelectField label={t("draft.kind")} value={kind} onChange={(event) => setKind(event.target.value)} data-testid="release-kind">
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`ui:kind.${one}`)}
            </option>
          ))}
        </SelectField>
        <SettingsFields settings={settings} onChange={setSettings} isNew />
      </Confirmation>
    </section>
  );
}
