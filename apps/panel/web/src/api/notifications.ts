import { call, type NotificationsResponse, type ReadNotificationsRequest } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';

const NOTIFICATIONS = ['notifications'];

/** Newest first. `unread_count` counts all notifications. */
export const useNotifications = (limit: number, offset = 0) =>
  useQuery({
    queryKey: [...NOTIFICATIONS, limit, offset],
    queryFn: () => call(api.GET('/v1/me/notifications', { params: { query: { limit, offset } } })),
    placeholderData: (before) => before,
  });

/** Updates the count of unread notifications at once. Other tabs and devices get an event. */
export function useReadNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReadNotificationsRequest) => call(api.POST('/v1/me/notifications/read', { body })),
    onSuccess: ({ unread_count }) => {
      queries.setQueriesData<NotificationsResponse>({ queryKey: NOTIFICATIONS }, (list) => list && { ...list, unread_count });
      void queries.invalidateQueries({ queryKey: NOTIFICATIONS });
    },
  });
}
