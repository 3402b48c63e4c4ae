import { call } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from './client.js';

/** What is asking with a user code. Asked once: what a person sees while deciding must not change under their hand. */
export const useDeviceRequest = (userCode: string) =>
  useQuery({
    queryKey: ['device', userCode],
    queryFn: () => call(api.POST('/v1/auth/cli/device/lookup', { body: { user_code: userCode } })),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

export const useDeviceDecision = (userCode: string) =>
  useMutation({
    mutationFn: (action: 'approve' | 'deny') => call(api.POST('/v1/auth/cli/device/approve', { body: { user_code: userCode, action } })),
  });
