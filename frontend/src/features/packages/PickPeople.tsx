/** People who may annotate, found by typing part of a name; one, or several that stay as chips. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { PickOne } from "@/ui/kit/PickOne";
import { useSettled } from "@/ui/useSettled";
import { annotatingRoles } from "./roles";

export interface Chosen {
  id: number;
  name: string;
}

interface PickPeopleProps {
  slug: string;
  kind: string;
  label: string;
  hint?: string;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
  /** Choosing another takes the place of the one before. */
  single?: boolean;
  testId: string;
}

export function PickPeople({ slug, kind, label, hint, chosen, onChange, single = false, testId }: PickPeopleProps) {
  const { t } = useTranslation("packages");
  const roles = annotatingRoles(inProtocol(useBenchmark(slug).data?.protocol.content, "roles"), kind);
  const [words, setWords] = useState("");
  const search = useSettled(words.trim());
  const people = useList("person_list", { path: { b: slug }, query: { search: search === "" ? undefined : search, page_size: 50 } });
  const able = people.rows.filter((one) => one.active && one.grants.some((grant) => roles.has(grant.role)));
  const open = able.filter((one) => single || !chosen.some((other) => other.id === one.id));
  const options = open.map((one) => ({ value: String(one.id), label: `${one.name} (${one.username})` }));
  const [only] = chosen;
  if (single && only && !options.some((one) => one.value === String(only.id))) {
    options.unshift({ value: String(only.id), label: only.name });
  }
  return (
    <div className="pick-people">
      <PickOne
        label={label}
        value={single && only ? String(only.id) : null}
        options={options}
        placeholder={people.data && options.length === 0 && search === "" ? t("pick.nobody") : t("pick.placeholder")}
        onSearch={setWords}
        onChange={(value) => {
          const person = able.find((one) => String(one.id) === value);
          if (single) onChange(person ? [{ id: person.id, name: person.name }] : []);
          else if (person) onChange([...chosen, { id: person.id, name: person.name }]);
        }}
        {...(hint === undefined ? {} : { hint })}
        testId={testId}
      />
      {!single && chosen.length > 0 && (
        <div className="chips">
          {chosen.map((one) => (
            <button
              key={one.id}
              type="button"
              className="chip"
              aria-label={t("pick.remove", { name: one.name })}
              onClick={() => onChange(chosen.filter((other) => other.id !== one.id))}
            >
              {one.name} ✕
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
