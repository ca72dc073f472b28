/** The prompt as it was sent, message by message. */
import { useTranslation } from "react-i18next";
import type { Prediction } from "@/api/types";
import { Chip } from "@/ui/Chip";
import styles from "./samples.module.css";

export function Prompt({ messages }: { messages: Prediction["messages"] }) {
  const { t } = useTranslation("samples");
  return (
    <section className="card" aria-labelledby="sample-prompt" data-testid="prompt">
      <h2 id="sample-prompt">{t("prompt.title")}</h2>
      {messages === null && <p className="dim">{t("prompt.missing")}</p>}
      {messages?.length === 0 && <p className="dim">{t("prompt.none")}</p>}
      {messages?.map((message, index) => (
        <div key={index} className={styles.message}>
          <span className="tiny">{t(`prompt.role.${message.role}`)}</span>
          {message.parts.map((part, at) =>
            part.picture ? (
              <Chip key={at}>{t("prompt.picture")}</Chip>
            ) : (
              <p key={at} className={styles.raw} dir="auto">
                {part.text}
              </p>
            ),
          )}
        </div>
      ))}
    </section>
  );
}
