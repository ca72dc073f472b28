import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { ReleaseDetail } from "@/api/types";
import { toasts } from "@/ui/toasts";
import { Confirmation } from "./Confirmation";
import { isSeed, SettingsFields, type Settings } from "./SettingsFields";

/** Changes a draft's settings; the server computes its content again. */
export function ReleaseSettings({ release, onClose }: { release: ReleaseDetail; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const [settings, setSettings] = useState<Settings>({
    seed: release.seed,
    splitsFrom: release.splits_from,
    notes: release.notes,
  });
  const update = useWrite("release_update");
  const seed = settings.seed.trim();
  const confirm = () =>
    update.mutate(
      {
        path: { id: release.id },
        body: { seed, splits_from: settings.splitsFrom, notes: settings.notes.trim() },
      },
      {
        onSuccess: () => {
          toasts.show(t("settings.saved"));
          onClose();
        },
      },
    );
  return (
    <section className="card">
      <Confirmation
        title={t("settings.title")}
        go={t("settings.save")}
        ready={seed !== "" && isSeed(seed)}
        busy={update.isPending}
        error={update.error}
        onConfirm={confirm}
        onCancel={onClose}
        testId="settings"
      >
        <SettingsFields settings={settings} onChange={setSettings} />
      </Confirmation>
    </section>
  );
}
