import { Component, type ReactNode } from "react";

interface BoundaryProps {
  /** Shown in place of the part that failed. */
  failed: (error: unknown) => ReactNode;
  children: ReactNode;
}

/** Keeps a fault in one part of a page from taking the rest of it away. */
export class Boundary extends Component<BoundaryProps, { fault: { error: unknown } | null }> {
  override state: { fault: { error: unknown } | null } = { fault: null };

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } };
  }

  override render() {
    return this.state.fault === null ? this.props.children : this.props.failed(this.state.fault.error);
  }
}
