import { call } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from './client.js';

/**
 * The device that asks for access with a code that the user entered. Fetched once: the details must
 * not change while the user decides.
 */
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
    mutationFn: (action: 'approve' | 'deny') =>
      call(api.POST('/v1/auth/cli/device/approve', { body: { user_code: userCode, action } })),
  });
