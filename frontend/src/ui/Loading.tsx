import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

/** A loading message, shown only when loading takes long enough to be noticed. */
export function Loading() {
  const { t } = useTranslation("ui");
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" style={{ padding: 24, minHeight: 80 }} className="dim">
      {late && (
        <>
          <span className="spinner" style={{ display: "inline-block", verticalAlign: -2 }} aria-hidden="true" /> {t("loading")}
        </>
      )}
    </div>
  );
}
