import { useStore } from "@/store/useStore";
import { toasts } from "./toasts";
import "./ui.css";

export function Toasts() {
  const messages = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {messages.map((toast) => (
        <div className="toast" key={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              onClick={() => {
                toasts.dismiss(toast.id);
                toast.undo?.perform();
              }}
            >
              {toast.undo.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
