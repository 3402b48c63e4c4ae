import type { UserResponse } from '@platform/client';
import { Navigate, Outlet, useLocation, useOutletContext } from 'react-router';
import { useSession } from '../api/session.js';
import { signInPath } from '../lib/own-path.js';
import { Unreachable, Waiting } from './waiting.js';

/**
 * Shows the pages inside to a signed-in user. Other users sign in first and then return. If the
 * platform cannot tell, it shows a notice with a button to try again.
 */
export function RequireSession() {
  const { data: user, isPending, isFetching, refetch } = useSession();
  const { pathname, search } = useLocation();
  if (user) return <Outlet context={user} />;
  if (user === null) return <Navigate to={signInPath(`${pathname}${search}`)} replace />;
  if (isPending && isFetching) return <Waiting />;
  return <Unreachable busy={isFetching} retry={() => void refetch()} />;
}

/** The signed-in user, for pages inside `RequireSession`. */
export const useUser = () => useOutletContext<UserResponse>();
