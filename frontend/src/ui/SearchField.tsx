import { useEffect, useRef, useState } from "react";
import { TextField } from "./Field";

/** Milliseconds without a key after which the list is asked. */
const PAUSE_MS = 250;

/** A search box above a list; the search is kept in the address, and follows typing at pauses. */
export function SearchField({
  label,
  placeholder,
  value = "",
  onSearch,
  testId = "search",
}: {
  label: string;
  placeholder?: string;
  value?: string | undefined;
  onSearch: (search: string) => void;
  testId?: string;
}) {
  const [typed, setTyped] = useState(value);
  const [isComposing, setIsComposing] = useState(false);
  const sent = useRef(value);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  // Cleared by a button of the page, or changed by the browser's way back.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const text = typed.trim();
    if (isComposing || text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      search.current(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, isComposing]);
  return (
    <TextField
      type="search"
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={100}
      onChange={(event) => setTyped(event.target.value)}
      onCompositionStart={() => setIsComposing(true)}
      onCompositionEnd={() => setIsComposing(false)}
      data-testid={testId}
    />
  );
}
