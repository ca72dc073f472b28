import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import { useSession } from "@/api/session";
import type { ApiToken } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { NewToken } from "./NewToken";
import { scopesIn } from "./scopes";
import styles from "./tokens.module.css";

/** Keys for programs: made here, shown once, revoked here. */
export function Tokens() {
  const { t } = useTranslation("tokens");
  const tokens = useRead("token_list", {});
  const somewhere = (useSession().data?.benchmarks.length ?? 0) > 0;
  const [making, setMaking] = useState(false);
  return (
    <section className="card" aria-labelledby="tokens">
      <div className={styles.tokensHead}>
        <h2 id="tokens">{t("title")}</h2>
        {somewhere && !making && (
          <Button small onClick={() => setMaking(true)} data-testid="new-token">
            {t("new")}
          </Button>
        )}
      </div>
      <p className="dim">{t("lead")}</p>
      {making && <NewToken onDone={() => setMaking(false)} />}
      <Loaded of={tokens}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="faint">{t("none")}</p>
          ) : (
            <ul className={styles.tokenList}>
              {rows.map((token) => (
                <TokenLine key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function stateOf(token: ApiToken, now: number): "revoked" | "expired" | "works" {
  if (token.revoked_at !== null) return "revoked";
  return Date.parse(token.expires_at) <= now ? "expired" : "works";
}

function TokenLine({ token }: { token: ApiToken }) {
  const { t } = useTranslation("tokens");
  const format = useFormat();
  const revoke = useWrite("token_revoke");
  const [asking, setAsking] = useState(false);
  const [now] = useState(Date.now);
  const state = stateOf(token, now);
  const scopes = [...scopesIn(token.operations).keys()].map((scope) => t(`scope.${scope}`));
  return (
    <li data-testid={`token-${token.id}`}>
      <div className={styles.tokenLine}>
        <div>
          <b>{token.name}</b> <span className="mono">{token.prefix}…</span> <Chip tone={state === "works" ? "good" : undefined}>{t(`state.${state}`)}</Chip>
          <p className="dim">
            {token.benchmark} · {format.list(scopes)}
          </p>
          <p className="tiny">
            <Time at={token.expires_at} sentence={(time) => t("expires", { time })} /> ·{" "}
            {token.last_used_at === null ? (
              t("neverUsed")
            ) : (
              <>
                <Time at={token.last_used_at} sentence={(time) => t("lastUsed", { time })} />
              </>
            )}
          </p>
        </div>
        {state === "works" &&
          (asking ? (
            <span className="row-actions">
              <Button
                small
                look="danger"
                busy={revoke.isPending}
                onClick={() => revoke.mutate({ path: { id: token.id } })}
                data-testid={`revoke-token-${token.id}-confirm`}
              >
                {t("revokeNow")}
              </Button>
              <Button small onClick={() => setAsking(false)}>
                {t("ui:cancel")}
              </Button>
            </span>
          ) : (
            <Button small look="danger" onClick={() => setAsking(true)} data-testid={`revoke-token-${token.id}`}>
              {t("revoke")}
            </Button>
          ))}
      </div>
      {revoke.error && <Problem error={revoke.error} />}
    </li>
  );
}
