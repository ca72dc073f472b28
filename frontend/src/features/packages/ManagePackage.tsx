/** An administrator's actions on a package: assign, revoke, withdraw. Each is confirmed in place. */
import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Package } from "@/api/types";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { confirmActions } from "./actions";
import { PickPeople, type Chosen } from "./PickPeople";
import styles from "./packages.module.css";

type Form = "assign" | "revoke" | "withdraw";

const FORMS: readonly (readonly [Form, string])[] = [
  ["assign", "package_assign"],
  ["revoke", "package_take_back"],
  ["withdraw", "package_withdraw"],
];

export function ManagePackage({ pkg, slug }: { pkg: Package; slug: string }) {
  const { t } = useTranslation("packages");
  const [open, setOpen] = useState<Form | null>(null);
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  const [comment, setComment] = useState("");
  const assign = useWrite("package_assign");
  const revoke = useWrite("package_take_back");
  const withdraw = useWrite("package_withdraw");
  const offered = FORMS.filter(([, operation]) => pkg.available_actions.includes(operation)).map(([form]) => form);
  const [person] = people;
  const busy = assign.isPending || revoke.isPending || withdraw.isPending;
  const error = assign.error ?? revoke.error ?? withdraw.error;
  const section = useFocusInForm(open);

  function show(form: Form | null) {
    for (const write of [assign, revoke, withdraw]) write.reset();
    setPeople([]);
    setComment("");
    setOpen(form);
  }
  function done(text: string) {
    toasts.show(text);
    show(null);
  }
  function confirm() {
    const path = { id: pkg.id };
    const move = { revision: pkg.revision };
    if (open === "assign" && person) {
      assign.mutate(
        { path, body: { ...move, person: person.id } },
        { onSuccess: () => done(t("manage.assigned", { label: pkg.label, name: person.name })) },
      );
    } else if (open === "revoke") {
      revoke.mutate(
        { path, body: { ...move, comment: comment.trim() } },
        { onSuccess: () => done(t("manage.revoked", { label: pkg.label })) },
      );
    } else if (open === "withdraw") {
      withdraw.mutate({ path, body: move }, { onSuccess: () => done(t("manage.withdrawn", { label: pkg.label })) });
    }
  }
  if (offered.length === 0) return null;
  return (
    <section ref={section} className={`card ${styles.manage}`} aria-label={t("manage.title")} data-testid="manage">
      <h2>{t("manage.title")}</h2>
      {open === null ? (
        <div className="row-actions">
          {offered.map((form) => (
            <Button key={form} small look={form === "withdraw" ? "danger" : undefined} onClick={() => show(form)} data-testid={`manage-${form}`}>
              {t(`manage.${form}.open`)}
            </Button>
          ))}
        </div>
      ) : (
        <div className="form">
          <ConfirmKeys ready={!busy && (open !== "assign" || person !== undefined)} confirm={confirm} cancel={() => show(null)} />
          <p className="dim">{t(`manage.${open}.text`, { name: pkg.assignee?.name ?? t("colleague"), label: pkg.label })}</p>
          {open === "assign" && (
            <PickPeople
              slug={slug}
              kind={pkg.kind}
              label={t("manage.person")}
              chosen={people}
              onChange={setPeople}
              single
              testId="manage-person"
            />
          )}
          {open === "revoke" && (
            <label className="field">
              <span className="label">{t("manage.comment")}</span>
              <textarea
                className="input"
                rows={2}
                maxLength={2000}
                value={comment}
                onChange={(event) => setComment(event.target.value)}
                data-testid="manage-comment"
              />
            </label>
          )}
          {error && <Problem error={error} />}
          <div className="row-actions">
            <Button
              small
              look={open === "withdraw" ? "danger" : "primary"}
              keys="Mod+Enter"
              busy={busy}
              disabled={open === "assign" && person === undefined}
              onClick={confirm}
              data-testid="manage-confirm"
            >
              {t(`manage.${open}.go`)}
            </Button>
            <Button small keys="Escape" onClick={() => show(null)}>
              {t("ui:cancel")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

/** Gives the focus to the first field of a form that was opened, else to its last button, and back when it is closed. */
function useFocusInForm(open: Form | null): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const last = useRef(open);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = open;
    if (open === before) return;
    const inside = (selector: string) => [...(section.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const target = open === null ? inside(`[data-testid="manage-${before}"]`)[0] : (inside("input, textarea")[0] ?? inside("button").at(-1));
    target?.focus();
  }, [open]);
  return section;
}

/** The keys of an open confirmation; the page's own keys are disabled while it is open. */
function ConfirmKeys({ ready, confirm, cancel }: { ready: boolean; confirm: () => void; cancel: () => void }) {
  useActions(confirmActions, { ready, confirm, cancel }, { exclusive: true });
  return null;
}
