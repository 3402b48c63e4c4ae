/** What any route may refuse: the form of a request, who sends it, or the service as a whole. */
export const GENERAL_CODES = [
  // Of the form of the request.
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
  // Of who sends it, or wants to sign in.
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
  // Of the service.
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

/** As OAuth names them (RFC 6749 section 5.2, RFC 8628 section 3.5), whose clients read them. */
export const OAUTH_CODES = ['access_denied', 'expired_token', 'invalid_grant'] as const;

const WORDS = '[a-z]+(_[a-z]+)*';

/** The form of every code: that of a thing, or one name. */
export const CODE_PATTERN = `^${WORDS}(\\.${WORDS})?$`;

/** What is wrong with a thing of the interface: `<thing>.<reason>`, such as `role.in_use`, in the singular. */
export type CodeOfThing = `${Lowercase<string>}.${Lowercase<string>}`;

/** The `code` of an error answer. Programs go by it, so one that has been released stays. */
export type ErrorCode = (typeof GENERAL_CODES)[number] | (typeof OAUTH_CODES)[number] | CodeOfThing;

const OF_NO_THING: ReadonlySet<string> = new Set([...GENERAL_CODES, ...OAUTH_CODES]);
const FORM = new RegExp(CODE_PATTERN);

/** Whether a code that came from elsewhere is one that a service of the platform may answer. */
export const isErrorCode = (code: string): code is ErrorCode => OF_NO_THING.has(code) || (code.includes('.') && FORM.test(code));
