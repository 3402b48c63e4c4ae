import { useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Token after the `#` of a link in a mail; null without one. It is removed from the address bar and
 * the history before the page shows.
 */
export function useLinkToken(): string | null {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const inAddress = new URLSearchParams(hash.slice(1)).get('token');
  const [token, setToken] = useState(inAddress);
  if (inAddress && inAddress !== token) setToken(inAddress); // another link was opened in the same tab
  useLayoutEffect(() => {
    if (inAddress) void navigate(`${pathname}${search}`, { replace: true });
  }, [inAddress, navigate, pathname, search]);
  return token;
}
