import { call, type NotificationsResponse, type ReadNotificationsRequest } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';

const NOTIFICATIONS = ['notifications'];

/**
 * A page of the user's notifications, newest first. `unread_count` counts the unread notifications
 * of all pages, up to 100.
 */
export const useNotifications = (limit: number, offset = 0) =>
  useQuery({
    queryKey: [...NOTIFICATIONS, limit, offset],
    queryFn: () => call(api.GET('/v1/me/notifications', { params: { query: { limit, offset } } })),
    placeholderData: (before) => before,
  });

/**
 * Marks notifications as read. After success, it updates the count of unread ones at once, and
 * reloads the lists. Other tabs and devices get an event.
 */
export function useReadNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReadNotificationsRequest) => call(api.POST('/v1/me/notifications/read', { body })),
    onSuccess: ({ unread_count }) => {
      queries.setQueriesData<NotificationsResponse>(
        { queryKey: NOTIFICATIONS },
        (list) => list && { ...list, unread_count },
      );
      void queries.invalidateQueries({ queryKey: NOTIFICATIONS });
    },
  });
}
