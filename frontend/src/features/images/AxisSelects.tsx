/** A value for each further dimension of a benchmark's pictures, such as the grade of an exam question. */
import type { Axis } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { SelectField } from "@/ui/Field";

interface Props {
  axes: readonly Axis[];
  valueOf: (code: string) => string | undefined;
  /** The text of no value. */
  emptyOf: (code: string) => string;
  /** "" for no value. */
  onChange: (code: string, value: string) => void;
  testId: string;
}

export function AxisSelects({ axes, valueOf, emptyOf, onChange, testId }: Props) {
  const name = useLocalised();
  return axes.map((axis) => (
    <SelectField key={axis.code} label={name(axis.name)} value={valueOf(axis.code) ?? ""} onChange={(event) => onChange(axis.code, event.target.value)} data-testid={`${testId}-${axis.code}`}>
      <option value="">{emptyOf(axis.code)}</option>
      {axis.values.map((value) => (
        <option key={value.slug} value={value.slug}>
          {name(value.name)}
        </option>
      ))}
    </SelectField>
  ));
}
