import { isTransient } from '@platform/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './problem.js';
import { SESSION } from './session.js';

const RETRIES = 1;

/**
 * Creates the cache of all requests. If an answer says that the user is not signed in, it stores
 * that there is no user; `RequireSession` then leads to the sign-in page. Reads are retried once
 * after a temporary failure except `rate_limited`, changes never.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (hasCode(error, 'not_signed_in')) client.setQueryData(SESSION, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Requests are always sent: the browser's network state says little about the platform.
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, error) => isTransient(error) && !hasCode(error, 'rate_limited') && failures < RETRIES,
      },
      // Changes are not retried automatically; the user decides.
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}
