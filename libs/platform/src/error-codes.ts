/**
 * Codes that any route can answer: about the form of a request, its sender, or the state of the
 * service.
 */
export const GENERAL_CODES = [
  // About the form of the request.
  'byte_order_mark',
  'connection_option',
  'duplicate_key',
  'headers_too_large',
  'http_version',
  'malformed_header',
  'malformed_request',
  'malformed_target',
  'method_not_allowed',
  'not_found',
  'not_implemented',
  'payload_too_large',
  'precondition_failed',
  'proxy_protocol',
  'request_timeout',
  'tls_to_http',
  'too_many_headers',
  'transfer_encoding',
  'unsupported_media_type',
  'validation_failed',
  // About the sender, or about signing in.
  'account_disabled',
  'acting_user_not_allowed',
  'acting_user_not_taken',
  'auth_method_not_allowed',
  'csrf',
  'email_not_verified',
  'insufficient_scope',
  'invalid_api_key',
  'invalid_credentials',
  'invalid_or_expired_token',
  'invalid_refresh_token',
  'invalid_service_token',
  'invalid_token',
  'not_authenticated',
  'not_signed_in',
  'other_tenant',
  'other_user',
  'privilege_escalation',
  'rate_limited',
  'service_not_allowed',
  'session_required',
  'too_much_waiting',
  'two_credentials',
  // About the service.
  'extension_host_timeout',
  'extension_host_unavailable',
  'extension_host_unreachable',
  'gateway_unavailable',
  'internal_error',
  'not_ready',
  'payment_provider_unavailable',
  'registry_unavailable',
  'unavailable',
] as const;

/**
 * Codes with the names of OAuth (RFC 6749 section 5.2, RFC 8628 section 3.5), for OAuth clients.
 */
export const OAUTH_CODES = ['access_denied', 'expired_token', 'invalid_grant'] as const;

const WORDS = '[a-z]+(_[a-z]+)*';

/** The form of every code: `<thing>.<reason>`, or one general name. */
export const CODE_PATTERN = `^${WORDS}(\\.${WORDS})?$`;

/**
 * An error about one kind of thing: `<thing>.<reason>`, with the thing in the singular, such as
 * `role.in_use`.
 */
export type CodeOfThing = `${Lowercase<string>}.${Lowercase<string>}`;

/** The `code` of an error response. Clients depend on it, so a released code never changes. */
export type ErrorCode = (typeof GENERAL_CODES)[number] | (typeof OAUTH_CODES)[number] | CodeOfThing;

const OF_NO_THING: ReadonlySet<string> = new Set([...GENERAL_CODES, ...OAUTH_CODES]);
const FORM = new RegExp(CODE_PATTERN);

/**
 * True if a service of the platform could answer with this code: it is a general code, a code of
 * OAuth, or has the form `<thing>.<reason>`.
 */
export const isErrorCode = (code: string): code is ErrorCode =>
  OF_NO_THING.has(code) || (code.includes('.') && FORM.test(code));
