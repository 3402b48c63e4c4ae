import { ExtensionError } from '@platform/extension-sdk/runtime';

/**
 * Errors of requests. They name the host, but never its address or the query, which can contain
 * secrets.
 */
export const EgressErrors = {
  urlRefused: (why: string) => new ExtensionError('EGRESS_URL_REFUSED', why),
  requestRefused: (why: string) => new ExtensionError('EGRESS_REQUEST_REFUSED', why),
  /**
   * The host has an address that is not public, or does not exist. Both have the same error, so
   * that the caller cannot learn which names the platform's own network has.
   */
  addressRefused: (host: string) =>
    new ExtensionError('EGRESS_ADDRESS_REFUSED', `The host "${host}" has no public address.`),
  unresolved: (host: string, cause: unknown) =>
    new ExtensionError('EGRESS_UNRESOLVED', `The name servers did not answer for "${host}".`, {
      retryable: true,
      cause,
    }),
  timedOut: (host: string, ms: number) =>
    new ExtensionError('EGRESS_TIMEOUT', `The request to "${host}" took longer than ${ms} ms.`, { retryable: true }),
  tooLarge: (host: string, bytes: number) =>
    new ExtensionError('EGRESS_RESPONSE_TOO_LARGE', `The response of "${host}" is larger than ${bytes} bytes.`),
  tooManyRedirects: (host: string, limit: number) =>
    new ExtensionError('EGRESS_TOO_MANY_REDIRECTS', `"${host}" redirected again after ${limit} redirects.`),
  failed: (host: string, cause: unknown) =>
    new ExtensionError('EGRESS_FAILED', `The request to "${host}" failed${because(cause)}.`, {
      retryable: true,
      cause,
    }),
};

function because(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
}
