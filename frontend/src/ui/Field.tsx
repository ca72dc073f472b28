import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import "./ui.css";

interface Around {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value; marks the field invalid. */
  wrong?: string | undefined;
}

function Frame({ id, label, hint, wrong, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
      {wrong !== undefined && (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {hint !== undefined && wrong === undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function described(id: string, { hint, wrong }: Around): string | undefined {
  if (wrong !== undefined) return `${id}-wrong`;
  return hint === undefined ? undefined : `${id}-hint`;
}

export function TextField({ label, hint, wrong, ...rest }: Around & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} wrong={wrong}>
      <input
        {...rest}
        id={id}
        className="input"
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={described(id, { label, hint, wrong })}
      />
    </Frame>
  );
}

export function SelectField({ label, hint, wrong, children, ...rest }: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} wrong={wrong}>
      <select
        {...rest}
        id={id}
        className="input"
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={described(id, { label, hint, wrong })}
      >
        {children}
      </select>
    </Frame>
  );
}
