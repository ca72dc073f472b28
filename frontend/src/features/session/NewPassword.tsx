import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "@/ui/Field";

/** Choosing a password: one field that can be looked at instead of two that have to agree. */
export function NewPassword({ value, onChange, wrong }: { value: string; onChange: (value: string) => void; wrong?: string | undefined }) {
  const { t } = useTranslation("session");
  const [shown, setShown] = useState(false);
  return (
    <div>
      <TextField
        label={t("newPassword")}
        name="new-password"
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={128}
        value={value}
        hint={t("newPasswordHint")}
        wrong={wrong}
        onChange={(event) => onChange(event.target.value)}
        data-testid="new-password"
      />
      <label className="signin-show">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} /> {t("showPassword")}
      </label>
    </div>
  );
}
