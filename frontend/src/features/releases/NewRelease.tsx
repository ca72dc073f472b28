import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useList, useRead, useWrite } from "@/api/queries";
import { useKinds } from "@/kinds/useTrackKinds";
import { ToggleChip } from "@/ui/ChoiceChips";
import { Confirmation } from "./Confirmation";
import { isSeed, SettingsFields, type Settings } from "./SettingsFields";
import styles from "./releases.module.css";

/** Creates a draft. Everything but its kinds can be changed until it is checked. */
export function NewRelease({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const navigate = useNavigate();
  const kinds = useKinds(slug);
  const earlier = useList("release_list", { path: { b: slug } });
  const board = useRead("board_show", { path: { b: slug } });
  const accepted = new Map((board.data?.kinds ?? []).map((row) => [row.kind, row.accepted]));
  const withItems = kinds.filter((kind) => (accepted.get(kind) ?? 0) > 0);
  const offered = withItems.length > 0 ? withItems : kinds.slice(0, 1);
  // A new benchmark's first release has every kind with accepted items; later ones are often of one kind.
  const preset = earlier.data !== undefined && earlier.rows.length === 0 ? offered : offered.slice(0, 1);
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const chosen = picked ?? preset;
  const toggle = (kind: string) => setPicked(kinds.filter((one) => chosen.includes(one) !== (one === kind)));
  const [settings, setSettings] = useState<Settings>({ seed: "", splitsFrom: "earlier", notes: "" });
  const create = useWrite("release_create");
  const seed = settings.seed.trim();
  const confirm = () =>
    create.mutate(
      {
        path: { b: slug },
        body: {
          kinds: [...chosen],
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
        ready={chosen.length > 0 && isSeed(settings.seed)}
        busy={create.isPending}
        error={create.error}
        onConfirm={confirm}
        onCancel={onClose}
        testId="draft"
      >
        <p className="dim">{t("draft.text")}</p>
        <div className="field">
          <span className="label" id="release-kinds">{t("draft.kinds")}</span>
          <div className="chips" role="group" aria-labelledby="release-kinds" data-testid="release-kinds">
            {kinds.map((one) => (
              <ToggleChip key={one} on={chosen.includes(one)} onToggle={() => toggle(one)} testId={`release-kind-${one}`}>
                {t(`ui:kind.${one}`)}
              </ToggleChip>
            ))}
          </div>
          {kinds.length > 1 && <span className="tiny">{t(chosen.length > 1 ? "draft.severalText" : "draft.kindsText")}</span>}
        </div>
        <SettingsFields settings={settings} onChange={setSettings} isNew />
      </Confirmation>
    </section>
  );
}
