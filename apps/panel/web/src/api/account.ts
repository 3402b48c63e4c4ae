import { call, type ChangePasswordRequest, type CreateKeyRequest } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';
import { useForget } from './session.js';

// Mutations do not wait for the list to reload: their result shows at once, and the list follows.
const SESSIONS = ['sessions'];
const KEYS = ['keys'];

/** Changes the password of the user. That ends all other sessions, so their list is reloaded. */
export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePasswordRequest) => call(api.POST('/v1/auth/me/change-password', { body })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

export const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: async () => (await call(api.GET('/v1/auth/sessions'))).sessions });

/** Ends a session of the user. Ending the current one signs out here. */
export function useRevokeSession() {
  const queries = useQueryClient();
  const forget = useForget();
  return useMutation({
    mutationFn: ({ session_id }: { session_id: string; current: boolean }) =>
      call(api.POST('/v1/auth/sessions/{session_id}/revoke', { params: { path: { session_id } } })),
    onSuccess: (_answer, { current }) => (current ? forget() : void queries.invalidateQueries({ queryKey: SESSIONS })),
  });
}

export function useRevokeOtherSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST('/v1/auth/sessions/revoke-others')),
    onSuccess: () => void queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

export const useKeys = () => useQuery({ queryKey: KEYS, queryFn: () => call(api.GET('/v1/keys')) });

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateKeyRequest) => call(api.POST('/v1/keys', { body })),
    // Not cached: the answer contains the key itself.
    gcTime: 0,
    onSuccess: () => void queries.invalidateQueries({ queryKey: KEYS }),
  });
}

export function useDeleteKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key_id: string) => call(api.DELETE('/v1/keys/{key_id}', { params: { path: { key_id } } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: KEYS }),
  });
}
