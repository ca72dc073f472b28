import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link, type To } from "react-router";
import { KeyCap } from "./keys/KeyCap";
import "./ui.css";

interface Look {
  look?: "primary" | "plain" | "danger" | undefined;
  small?: boolean | undefined;
  /** The key that does the same, printed on the button. */
  keys?: string | undefined;
}

function classes({ look, small }: Look, more?: string): string {
  return ["button", look && `button-${look}`, small === true && "button-small", more].filter(Boolean).join(" ");
}

export function Button({
  look,
  small,
  keys,
  busy = false,
  children,
  className,
  type = "button",
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Look & { busy?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      className={classes({ look, small }, className)}
      // Not disabled, which would take the focus away from it.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
      {keys !== undefined && <KeyCap keys={keys} />}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ look, small, keys, to, children, ...rest }: Look & { to: To; children: ReactNode; "data-testid"?: string }) {
  return (
    <Link {...rest} to={to} className={classes({ look, small })}>
      {children}
      {keys !== undefined && <KeyCap keys={keys} />}
    </Link>
  );
}
