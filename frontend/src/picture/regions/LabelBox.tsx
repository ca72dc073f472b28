/** A list of labels beside a region, found by typing part of a name in any language or as pinyin. Enter takes the first. */
import { useEffect, useId, useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "@/ui/keys";
import { matching, type LabelChoice } from "./labels";
import "./regions.css";

/** More are not shown at once: another letter is quicker than scrolling. */
const MOST_SHOWN = 100;
/** Rows that Page Up and Page Down move by. */
const PAGE = 8;

interface LabelBoxProps {
  choices: readonly LabelChoice[];
  /** Codes of the labels used last, the latest first. */
  recent: readonly string[];
  /** The present label's code; empty where there is none. */
  value: string;
  /** What is labelled, in words. */
  title: string;
  onChoose: (code: string) => void;
  /** `isLeft`: the focus went elsewhere by itself. */
  onClose: (isLeft: boolean) => void;
  /** Puts the box in place, now and whenever the picture moves below it. */
  place?: (element: HTMLElement) => (() => void) | undefined;
  style?: CSSProperties;
}

export function LabelBox({ choices, recent, value, title, onChoose, onClose, place }: LabelBoxProps) {
  const { t } = useTranslation("picture");
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = matching(choices, typed, recent);
  const shown = found.slice(0, MOST_SHOWN);
  const active = shown[Math.min(at, shown.length - 1)];

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => (box.current && place ? place(box.current) : undefined));
  useEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active?.code]);

  function onKeyDown(event: KeyboardEvent) {
    // What an input method composes is its own, also the Enter that ends it.
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) setAt(Math.min(shown.length - 1, Math.max(0, Math.min(at, shown.length - 1) + step)));
    else if (event.key === "Enter") {
      if (active) onChoose(active.code);
    } else if (event.key === "Escape") onClose(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      ref={box}
      className="label-box"
      data-testid="label-box"
      onMouseDown={stop}
      onPointerDown={stop}
      onPointerMove={stop}
      onPointerUp={stop}
      onDoubleClick={stop}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose(true);
      }}
    >
      <input
        ref={input}
        className="input"
        role="combobox"
        aria-label={title}
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={active && `${id}-${active.code}`}
        placeholder={t("regions.labels.placeholder")}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={t("regions.labels.list")}>
        {shown.map((choice) => (
          <li
            key={choice.code}
            id={`${id}-${choice.code}`}
            role="option"
            aria-selected={choice === active}
            data-current={choice.code === value || undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice.code)}
          >
            <span>{choice.name}</span>
            {choice.isMain === true && <span className="label-box-note">{t("regions.labels.main")}</span>}
            {choice.isMain !== true && typed === "" && recent.includes(choice.code) && <span className="label-box-note">{t("regions.labels.recent")}</span>}
          </li>
        ))}
      </ul>
      {/* Always there: what is inserted together with its text is not announced everywhere. */}
      <p className={shown.length === 0 ? "label-box-empty" : "visually-hidden"} role="status">
        {shown.length === 0 ? t("regions.labels.none") : typed !== "" && t("regions.labels.matches", { count: found.length })}
      </p>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/** Over a picture, a press in the box is none on the picture. */
function stop(event: SyntheticEvent) {
  event.stopPropagation();
}
