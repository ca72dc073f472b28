import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The secret of a link somebody was given: it stands behind "#", which browsers send to no server and write into no
 * log, and is taken off the address bar at once. Empty when the address has none.
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
