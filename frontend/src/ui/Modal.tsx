import { useEffect, useRef, type ReactNode } from "react";
import type { Action } from "./keys/action";
import { useActions } from "./keys/useActions";

const NO_ACTIONS: readonly Action<null>[] = [];

/**
 * The browser's own modal dialog: it traps the focus and makes the rest of the page inert. Escape and a click beside
 * it close it, the focus returns to where it was, and the keys of the page do nothing meanwhile. The focus begins at the
 * element marked `data-first-focus`, else where the browser puts it.
 */
export function Modal({
  onClose,
  label,
  labelledBy,
  className,
  testId,
  children,
}: {
  onClose: () => void;
  label?: string;
  labelledBy?: string;
  className: string | undefined;
  testId: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Bound before the children render, so that their keys come before this layer.
  useActions(NO_ACTIONS, null, { exclusive: true });
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
    element?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
