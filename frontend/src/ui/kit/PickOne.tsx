import { Select } from "antd";
import { useId } from "react";
import { KitProvider } from "./KitProvider";

export interface Option {
  value: string;
  label: string;
  /** Heading under which the option stands. */
  group?: string;
  /** More words that find it: names in other languages. */
  also?: string;
}

/** A list to choose one from by typing part of its name. */
export function PickOne({
  label,
  value,
  options,
  onChange,
  onSearch,
  placeholder,
  hint,
  wrong,
  testId,
}: {
  label: string;
  value: string | null;
  options: readonly Option[];
  onChange: (value: string | null) => void;
  /** The options come from the server: told what is typed, and all of them are shown. */
  onSearch?: (typed: string) => void;
  placeholder?: string;
  hint?: string;
  wrong?: string | undefined;
  testId?: string;
}) {
  const id = useId();
  const groups = [...new Set(options.map((option) => option.group))];
  const entries = (group: string | undefined) =>
    options
      .filter((option) => option.group === group)
      .map((option) => ({ value: option.value, label: option.label, words: `${option.label} ${option.also ?? ""}`.toLocaleLowerCase() }));
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <KitProvider>
        <Select<string | null>
          id={id}
          data-testid={testId}
          style={{ width: "100%" }}
          value={value}
          placeholder={placeholder}
          allowClear
          {...(wrong === undefined ? {} : { status: "error" as const })}
          showSearch={
            onSearch
              ? { filterOption: false, onSearch }
              : {
                  filterOption: (typed, option) =>
                    option !== undefined && "words" in option && String(option.words).includes(typed.trim().toLocaleLowerCase()),
                }
          }
          options={
            groups.length > 1
              ? groups.map((group) => ({ label: group ?? "", title: group ?? "", options: entries(group) }))
              : entries(groups[0])
          }
          onChange={(next: string | null | undefined) => onChange(next ?? null)}
        />
      </KitProvider>
      {wrong !== undefined && <p className="wrong">{wrong}</p>}
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}
