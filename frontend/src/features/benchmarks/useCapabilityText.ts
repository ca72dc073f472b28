import { useTranslation } from "react-i18next";

/** Names a capability of a protocol's role: `review`, or `annotate:captions` for one kind of work. */
export function useCapabilityText(): (capability: string) => string {
  const { t } = useTranslation("people");
  return (capability) => {
    const [what = "", kind] = capability.split(":");
    const label = t([`capability.${what}`, what]);
    return kind === undefined ? label : t("capabilityOf", { what: label, kind: t([`ui:kind.${kind}`, kind]) });
  };
}
