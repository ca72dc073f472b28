import { PickOne } from "./kit/PickOne";

interface Person {
  id: number;
  name: string;
  username: string;
}

/** One person, found by typing part of a name. */
export function PersonSelect({
  people,
  value,
  valueName,
  onChange,
  ...rest
}: {
  label: string;
  people: readonly Person[];
  /** The chosen person's id. */
  value: number | undefined;
  /** What the chosen person is called when the search does not list them. */
  valueName?: string | undefined;
  onChange: (id: number | undefined) => void;
  onSearch: (typed: string) => void;
  placeholder?: string;
  hint?: string;
  testId: string;
}) {
  const options = people.map((person) => ({ value: String(person.id), label: `${person.name} (${person.username})` }));
  if (value !== undefined && valueName !== undefined && !people.some((person) => person.id === value)) {
    options.unshift({ value: String(value), label: valueName });
  }
  return (
    <PickOne
      {...rest}
      value={value === undefined ? null : String(value)}
      options={options}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    />
  );
}
