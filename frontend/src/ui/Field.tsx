import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import "./ui.css";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value; marks the field invalid. */
  wrong?: string | undefined;
}

function FieldFrame({ id, label, hint, wrong, children }: FieldProps & { id: string; children: ReactNode }) {
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

function describedBy(id: string, { hint, wrong }: FieldProps): string | undefined {
  if (wrong !== undefined) return `${id}-wrong`;
  return hint === undefined ? undefined : `${id}-hint`;
}

export function TextField({ label, hint, wrong, ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} wrong={wrong}>
      <input
        {...rest}
        id={id}
        className="input"
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={describedBy(id, { label, hint, wrong })}
      />
    </FieldFrame>
  );
}

export function SelectField({ label, hint, wrong, children, ...rest }: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} wrong={wrong}>
      <select
        {...rest}
        id={id}
        className="input"
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={describedBy(id, { label, hint, wrong })}
      >
        {children}
      </select>
    </FieldFrame>
  );
}
