import type { ReactNode } from "react";
import { useFormat } from "@/i18n/format";
import "./ui.css";

/** A chip that is on or off. */
export function ToggleChip({
  on,
  onToggle,
  testId,
  title,
  lang,
  children,
}: {
  on: boolean;
  onToggle: () => void;
  testId?: string | undefined;
  title?: string | undefined;
  lang?: string | undefined;
  children: ReactNode;
}) {
  return (
    <button type="button" className="chip" aria-pressed={on} onClick={onToggle} title={title} lang={lang} data-testid={testId}>
      {children}
    </button>
  );
}

interface Choice<Value> {
  value: Value;
  text: ReactNode;
  /** How many rows the choice leads to. */
  count?: number | undefined;
  testId?: string | undefined;
  title?: string | undefined;
  lang?: string | undefined;
}

/** A few choices of which one holds; `children` follow them in the same line. */
export function ChoiceChips<Value extends string | number | undefined>({
  label,
  value,
  choices,
  onChoose,
  className,
  showsLabel = false,
  children,
}: {
  label: string;
  /** Where the choices alone do not say what is chosen. */
  showsLabel?: boolean;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
  className?: string;
  children?: ReactNode;
}) {
  const format = useFormat();
  return (
    <div className={className === undefined ? "chips" : `chips ${className}`} role="group" aria-label={label}>
      {showsLabel && <span className="tiny">{label}</span>}
      {choices.map(({ value: own, text, count, ...rest }) => (
        <ToggleChip key={own ?? ""} {...rest} on={own === value} onToggle={() => onChoose(own)}>
          {text}
          {count !== undefined && (
            <>
              {" "}
              <span className="number">{format.number(count)}</span>
            </>
          )}
        </ToggleChip>
      ))}
      {children}
    </div>
  );
}
