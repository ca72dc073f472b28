/** The reference of the API, made from the server's own description. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import { ButtonLink } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { WideTable } from "@/ui/WideTable";
import { curlOf, fieldsOf, matches, operationsIn, typeOf, type Body, type Description, type Operation } from "./description";
import styles from "./help.module.css";

/** By a glob, because the compiler would otherwise derive the type of the whole document. */
const FILES = import.meta.glob<Description>("../../api/openapi.json", { import: "default" });

async function loadDescription(): Promise<Description> {
  try {
    const [load] = Object.values(FILES);
    if (load === undefined) throw new Error("The API's description was not built.");
    return await load();
  } catch (error) {
    throw toApiError(error);
  }
}

export function ApiPage() {
  const { t } = useTranslation("help");
  const description = useQuery<Description, ApiError>({ queryKey: ["API description"], queryFn: loadDescription, staleTime: Infinity });
  return (
    <Page title={t("api.title")} lead={t("api.lead")} actions={<ButtonLink to="/help">{t("all")}</ButtonLink>}>
      <BeforeTheFirstCall />
      <Loaded of={description}>{(whole) => <Operations description={whole} />}</Loaded>
    </Page>
  );
}

function BeforeTheFirstCall() {
  const { t } = useTranslation("help");
  return (
    <section className="card" aria-labelledby="begin">
      <h2 id="begin">{t("api.begin")}</h2>
      <ul className={styles.rules}>
        <li>{t("api.token")}</li>
        <li>{t("api.address")}</li>
        <li>{t("api.clientKey")}</li>
        <li>{t("api.pages")}</li>
        <li>{t("api.refusals")}</li>
      </ul>
      <p>
        <ButtonLink small to="/account">
          {t("api.toTokens")}
        </ButtonLink>
      </p>
      <pre tabIndex={0}>
        <code>{`export SITE=${window.location.origin} TOKEN=…`}</code>
      </pre>
    </section>
  );
}

function Operations({ description: whole }: { description: Description }) {
  const { t } = useTranslation("help");
  const operations = useMemo(() => operationsIn(whole), [whole]);
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed);
  const matching = operations.filter((operation) => matches(operation, search.trim()));
  const rooms = [...new Set(matching.map(({ room }) => room))];
  return (
    <>
      <TextField
        label={t("api.search")}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        data-testid="api-search"
      />
      <p className="tiny" role="status" data-testid="api-count">
        {t("api.count", { count: matching.length })}
      </p>
      {rooms.map((room) => (
        <section key={room} lang="en" aria-label={room}>
          <h2>{room}</h2>
          {matching
            .filter((operation) => operation.room === room)
            .map((operation) => (
              <OperationEntry key={operation.id} operation={operation} description={whole} />
            ))}
        </section>
      ))}
    </>
  );
}

/** Folded up; its fields are computed when it is opened first. */
function OperationEntry({ operation, description: whole }: { operation: Operation; description: Description }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={(event) => setIsOpen(event.currentTarget.open)} data-testid={`operation-${operation.id}`}>
      <summary>
        <b>{operation.id}</b>{" "}
        <code>
          {operation.method} {operation.path}
        </code>
        <span className="dim">
          <Described text={operation.text} />
        </span>
      </summary>
      {isOpen && <OperationDetail operation={operation} description={whole} />}
    </details>
  );
}

/** A description from the server's code, where names are between backticks, some with a role before them. */
function Described({ text }: { text: string }) {
  const parts = text.split(/(?::\w+:)?`+([^`]+)`+/); // every second one is a name
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function OperationDetail({ operation, description: whole }: { operation: Operation; description: Description }) {
  const { t } = useTranslation("help");
  const parameters = operation.parameters.map(({ name, in: place, required = false, schema }) => ({
    name: `${name} (${place})`,
    type: typeOf(schema, whole),
    required,
  }));
  const rowsOf = (body: Body | null) => (body?.schema ? fieldsOf(body.schema, whole) : []);
  return (
    <div className={styles.detail}>
      <h3>{t("api.example")}</h3>
      <pre tabIndex={0} data-testid={`curl-${operation.id}`}>
        <code>{curlOf(operation, whole)}</code>
      </pre>
      <Fields title={t("api.parameters")} rows={parameters} />
      <Fields title={t("api.body", { type: operation.body?.type ?? "" })} rows={rowsOf(operation.body)} />
      {operation.answers.length === 0 && <p className="dim">{t("api.noAnswer")}</p>}
      {operation.answers.map((answer) =>
        answer.type === "application/json" ? (
          <Fields key={answer.type} title={t("api.answer", { type: answer.type })} rows={rowsOf(answer)} />
        ) : (
          <p key={answer.type}>{t("api.answer", { type: answer.type })}</p>
        ),
      )}
    </div>
  );
}

function Fields({ title, rows }: { title: string; rows: readonly { name: string; type: string; required: boolean }[] }) {
  const { t } = useTranslation("help");
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <WideTable label={title}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("api.field")}</th>
              <th scope="col">{t("api.type")}</th>
              <th scope="col">{t("api.required")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <td>
                  <code>{row.name}</code>
                </td>
                <td>{row.type}</td>
                <td>{row.required ? t("api.yes") : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}
