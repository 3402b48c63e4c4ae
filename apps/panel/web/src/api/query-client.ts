import { isTransient } from '@platform/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './problem.js';
import { SESSION } from './session.js';

const RETRIES = 1;

/** Once the panel says that nobody is signed in, every page knows; `RequireSession` then asks to sign in again. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (hasCode(error, 'not_signed_in')) client.setQueryData(SESSION, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Always: what the browser believes about its network says little about the platform.
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, error) => isTransient(error) && !hasCode(error, 'rate_limited') && failures < RETRIES,
      },
      // A person decides whether something that changes anything is sent again.
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}
