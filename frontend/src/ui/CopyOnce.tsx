import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import "./ui.css";

/** A secret that is shown once, with a button that copies it. */
export function CopyOnce({ label, value, hint, testId }: { label: string; value: string; hint: string; testId?: string }) {
  const { t } = useTranslation("ui");
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Without the clipboard (plain HTTP, permission refused) the text is selected: Ctrl/⌘ C copies it.
      setCopied(false);
    }
  };
  return (
    <div className="copyonce" role="group" aria-label={label}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input
          id={id}
          ref={field}
          className="input mono"
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          aria-describedby={`${id}-hint`}
          data-testid={testId}
        />
        <Button onClick={() => void copy()} data-testid={testId === undefined ? undefined : `${testId}-copy`}>
          {copied ? t("copied") : t("copy")}
        </Button>
      </div>
      <p className="tiny" id={`${id}-hint`} role="status">
        {hint}
      </p>
    </div>
  );
}
