/** Whether the focus is inside an element: its keys then come before those of what lies beneath. */
import { useState, type FocusEvent } from "react";

export function useFocusWithin() {
  const [is, setIs] = useState(false);
  const props = {
    onFocus: () => setIs(true),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setIs(false);
    },
  };
  return { is, props };
}
