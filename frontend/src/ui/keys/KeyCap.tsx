import { useTranslation } from "react-i18next";
import { keyCap } from "./chord";
import "./keys.css";

/** A chord or sequence drawn as key caps: "g p" is two caps, "Mod+Enter" one. */
export function KeyCap({ keys }: { keys: string }) {
  const { t } = useTranslation("ui");
  return (
    <span className="keycaps">
      {keys.split(" ").map((chord, i) => (
        <kbd key={i} className="keycap">
          {keyCap(chord, t("keys.space"))}
        </kbd>
      ))}
    </span>
  );
}
