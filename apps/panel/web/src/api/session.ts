import { ConnectionError, toApiError, type LoginRequest, type UserResponse } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { forgetPayments } from '../lib/payment-handover.js';
import { rememberTenant } from '../lib/tenant.js';

const TIMEOUT_MS = 15_000;
const NO_CONTENT = 204;

/** Cache key of the signed-in user; the value is null if no user is signed in. */
export const SESSION = ['session'];

export const useSession = () => useQuery({ queryKey: SESSION, queryFn: whoAmI, staleTime: 60_000 });

/** Signs in, and clears cached data of the previous user. */
export function useSignIn() {
  return useBeginning((credentials: LoginRequest) => send('POST', '/session', credentials));
}

export function useConfirmAddress() {
  return useBeginning((link: { token: string; password?: string }) => send('POST', '/session/verify-email', link));
}

export function useSignOut() {
  const forget = useForget();
  return useMutation({ mutationFn: () => send('DELETE', '/session'), onSuccess: () => forget() });
}

/**
 * Starts a session by `begin`. After success, it clears cached data of the previous user and
 * payments of this tab, and loads the user.
 */
function useBeginning<Input>(begin: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: begin,
    onSuccess: async () => {
      forgetPayments();
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
      await queries.invalidateQueries({ queryKey: SESSION });
    },
  });
}

/**
 * Returns a function that clears cached data and payments of this tab, so that all pages show that
 * no user is signed in. It does not sign out.
 */
export function useForget(): () => void {
  const queries = useQueryClient();
  return () => {
    forgetPayments();
    queries.setQueryData(SESSION, null);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  };
}

async function whoAmI(): Promise<UserResponse | null> {
  const answer = await request('GET', '/session');
  if (answer.response.status === 401) return null;
  if (!answer.response.ok) throw toApiError(answer.response, answer.body);
  const user = answer.body as UserResponse;
  rememberTenant(user.tenant_id);
  return user;
}

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await request(method, path, body);
  if (!answer.response.ok) throw toApiError(answer.response, answer.body);
}

/**
 * Calls routes of the panel itself, which are not in the OpenAPI document. Returns the answer
 * whatever its status.
 *
 * @throws ConnectionError if no answer with JSON, or 204, arrives within 15 s.
 */
async function request(method: string, path: string, body?: unknown): Promise<{ response: Response; body: unknown }> {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { response, body: response.status === NO_CONTENT ? undefined : await response.json() };
  } catch (cause) {
    throw new ConnectionError('unreachable', 'The panel cannot be reached. Check your connection.', { cause });
  }
}
