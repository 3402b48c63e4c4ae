import type { CallResponse, NotificationsResponse } from '@platform/contracts';
import type { Tour } from './tour.js';

/**
 * Creates a rule that fires when the user installs an app. Returns a function that waits until it
 * has fired.
 */
export async function automation(
  tour: Tour,
  { userId, token }: { userId: string; token: string },
): Promise<() => Promise<void>> {
  tour.step('Create an automation from a text');
  const message = 'You have a new app:';
  const { data } = await tour.call<CallResponse>('/v1/extensions/automations/call', {
    method: 'POST',
    token,
    body: {
      user_id: userId,
      function: 'create_automation',
      params: { prompt: `when marketplace.app_installed: message "${message} {{ event.data.app_id }}"` },
    },
  });
  const { id } = data as { id: number };
  return async () => {
    tour.step('The automation fires');
    await tour.until('notification of the automation', async () => {
      const { items } = await tour.call<NotificationsResponse>('/v1/me/notifications', { token });
      return items.find((notification) => notification.message.startsWith(message));
    });
    await tour.call('/v1/extensions/automations/call', {
      method: 'POST',
      token,
      body: { user_id: userId, function: 'get_automation_details', params: { rule_id: id } },
    });
  };
}
