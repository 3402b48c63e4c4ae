import type { WebhookEndpointDelivery } from '@platform/client';

const ERRORS: Record<NonNullable<WebhookEndpointDelivery['last_error']>, string> = {
  status: 'the endpoint answered with an error',
  redirect: 'the endpoint answered with a redirect, which is not followed',
  gone: 'the endpoint answered 410 Gone',
  timeout: 'the endpoint did not answer in time',
  connection: 'the connection failed or was interrupted',
  dns: 'the host name is unknown',
  address_refused: 'the host name resolves to a private address',
  url_refused: 'the address is not allowed',
  endpoint_disabled: 'the endpoint was disabled',
  backlog_full: 'too many deliveries wait for this endpoint',
};

/**
 * Result of a delivery in words, to follow `It`: it arrived, failed, or is pending, with the reason
 * of the last failure.
 */
export function outcomeOf({ status, last_status_code: code, last_error: error }: WebhookEndpointDelivery): string {
  if (status === 'delivered') return code === null ? 'arrived.' : `arrived, answered with ${code}.`;
  const why = error === null ? '' : `${ERRORS[error]}${code === null ? '' : ` (${code})`}`;
  if (status === 'failed') return `failed: ${why || 'all tries failed'}.`;
  return why ? `has not arrived yet: ${why}. It will be retried.` : 'is pending.';
}
