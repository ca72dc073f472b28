/** What came of an entry, in a word and a colour. */
import { useTranslation } from "react-i18next";
import { Chip, type Tone } from "@/ui/Chip";
import type { Outcome as Name } from "./filters";

const TONES: Readonly<Partial<Record<Name, Tone>>> = { right: "good", wrong: "bad", unparsed: "warn", refused: "warn", failed: "warn" };

export function Outcome({ of }: { of: Name }) {
  const { t } = useTranslation("samples");
  return <Chip tone={TONES[of]}>{t(`outcome.${of}`)}</Chip>;
}
