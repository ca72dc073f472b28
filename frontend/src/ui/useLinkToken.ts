import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The secret of an invitation or reset link: it is behind "#", which browsers neither send to servers nor write into
 * logs, and is removed from the address bar at once. Empty when the address has none.
 */
export function useLinkToken(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => hash.slice(1));
  // Another link opened in the same tab.
  if (hash.length > 1 && hash.slice(1) !== token) setToken(hash.slice(1));
  useEffect(() => {
    if (hash !== "") void navigate(pathname, { replace: true });
  }, [hash, navigate, pathname]);
  return token;
}
