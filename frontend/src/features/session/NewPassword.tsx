import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "@/ui/Field";
import styles from "./sign-in.module.css";

/** Sets a password in one field that can be shown, instead of two that must match. */
export function NewPassword({ value, onChange, wrong }: { value: string; onChange: (value: string) => void; wrong?: string | undefined }) {
  const { t } = useTranslation("session");
  const [isVisible, setIsVisible] = useState(false);
  return (
    <div>
      <TextField
        label={t("newPassword")}
        name="new-password"
        type={isVisible ? "text" : "password"}
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
      <label className={styles.signinShow}>
        <input type="checkbox" checked={isVisible} onChange={(event) => setIsVisible(event.target.checked)} /> {t("showPassword")}
      </label>
    </div>
  );
}
