import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { newClientKey } from "@/api/client";
import { useWrite } from "@/api/queries";
import type { Benchmark } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { rolesOf, useRoleName, type GivenRole } from "./roles";
import "./people.css";

/** A first password that is easy to hand over and hard to guess: 4 × 4 characters without look-alikes, 80 bits. */
export function makePassword(random: (bytes: Uint8Array) => Uint8Array = (bytes) => crypto.getRandomValues(bytes)): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789_";
  const drawn = [...random(new Uint8Array(16))].map((byte) => letters[byte % letters.length] ?? "").join("");
  return (drawn.match(/.{4}/g) ?? []).join("-");
}

export function AddPerson({ slug, benchmark, onDone }: { slug: string; benchmark: Benchmark; onDone: () => void }) {
  const { t } = useTranslation("people");
  const roleName = useRoleName(benchmark);
  const create = useWrite("person_create", ["person_list"]);
  const [name, setName] = useState("");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState(makePassword);
  const [roles, setRoles] = useState<readonly GivenRole[]>([]);
  const [key, setKey] = useState(newClientKey);
  const [tried, setTried] = useState(false);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || username.trim().length < 2 || roles.length === 0) return;
    create.mutate(
      { path: { b: slug }, body: { name, username, password, roles: [...roles], client_key: key } },
      {
        onSuccess: (person) => {
          toasts.show(t("added", { name: person.name }));
          onDone();
        },
        onError: (error) => {
          if (!error.isPassing) setKey(newClientKey());
        },
      },
    );
  };

  return (
    <form className="card form add-person" onSubmit={onSubmit} noValidate>
      <h2>{t("add")}</h2>
      <div className="form-row">
        <TextField
          label={t("name")}
          hint={t("nameHint")}
          value={name}
          maxLength={120}
          autoFocus
          onChange={(event) => setName(event.target.value)}
          wrong={tried && name.trim() === "" ? t("nameMissing") : undefined}
          data-testid="person-name"
        />
        <TextField
          label={t("username")}
          hint={t("usernameHint")}
          value={username}
          maxLength={64}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setUsername(event.target.value)}
          wrong={tried && username.trim().length < 2 ? t("usernameShort") : undefined}
          data-testid="person-username"
        />
        <TextField
          label={t("password")}
          hint={t("passwordHint")}
          value={password}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setPassword(event.target.value)}
          data-testid="person-password"
        />
      </div>
      <fieldset className="roles">
        <legend>{t("roles")}</legend>
        {rolesOf(benchmark).map(({ code }) => (
          <label key={code} className="role">
            <input
              type="checkbox"
              checked={roles.includes(code)}
              onChange={(event) => setRoles(event.target.checked ? [...roles, code] : roles.filter((role) => role !== code))}
              data-testid={`role-${code}`}
            />
            <b>{roleName(code)}</b>
            <span className="dim">{t([`can.${code}`, ""])}</span>
          </label>
        ))}
        {tried && roles.length === 0 && <p className="wrong">{t("rolesMissing")}</p>}
      </fieldset>
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="save-person">
          {t("save")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
