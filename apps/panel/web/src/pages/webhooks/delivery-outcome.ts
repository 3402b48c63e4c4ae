import type { WebhookEndpointDelivery } from '@platform/client';

const ERRORS: Record<NonNullable<WebhookEndpointDelivery['last_error']>, string> = {
  status: 'the answer was no success',
  redirect: 'the answer led elsewhere, which is not followed',
  gone: 'it answered that it is gone',
  timeout: 'no answer came in time',
  connection: 'no connection could be made, or it broke off',
  dns: 'its name is not known',
  address_refused: 'its name leads to an address that is not of the internet',
  url_refused: 'its address is not allowed',
  endpoint_disabled: 'the endpoint was disabled',
  backlog_full: 'too much waits for this endpoint',
};

/** What became of a delivery, in words. */
export function outcomeOf({ status, last_status_code: code, last_error: error }: WebhookEndpointDelivery): string {
  if (status === 'delivered') return code === null ? 'arrived.' : `arrived, answered with ${code}.`;
  const why = error === null ? '' : `${ERRORS[error]}${code === null ? '' : ` (${code})`}`;
  if (status === 'failed') return `did not arrive: ${why || 'all tries failed'}.`;
  return why ? `has not arrived yet: ${why}. It is tried again.` : 'is under way.';
}
