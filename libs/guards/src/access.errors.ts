import { AppError, ValidationFailed } from '@platform/platform';

const challenge = (value: string) => ({ headers: { 'WWW-Authenticate': value } });

const scopeChallenge = (scope: string) => `Bearer realm="gateway", error="insufficient_scope", scope="${scope}"`;

/** Refusals, with challenges as in RFC 6750 section 3. */
export const AccessErrors = {
  notAuthenticated: () =>
    new AppError(401, 'not_authenticated', 'Missing Authorization header', challenge('Bearer realm="gateway"')),
  invalidToken: (reason = 'The access token is not valid or has expired.') =>
    new AppError(401, 'invalid_token', reason, challenge('Bearer realm="gateway", error="invalid_token"')),
  invalidApiKey: (reason = 'The API key is not valid, has expired or was deleted.') =>
    new AppError(401, 'invalid_api_key', reason, challenge('Bearer realm="gateway", error="invalid_token"')),
  twoCredentials: () => new AppError(400, 'two_credentials', 'Send either an Authorization or an x-api-key header.'),
  sessionRequired: () => new AppError(403, 'session_required', 'An API key cannot do this. Sign in instead.'),
  invalidServiceToken: () =>
    new AppError(
      401,
      'invalid_service_token',
      'A valid X-Service-Token header is required.',
      challenge('Service realm="gateway"'),
    ),
  serviceNotAllowed: (service: string, permission: string) =>
    new AppError(403, 'service_not_allowed', `The service token "${service}" lacks the permission ${permission}.`),
  actingUserNotAllowed: () =>
    new AppError(
      403,
      'acting_user_not_allowed',
      'Only a trusted backend can do this, for itself: remove X-Acting-User.',
    ),
  malformedHeader: (name: string) => new AppError(400, 'malformed_header', `The header ${name} is malformed.`),
  missingHeader: (name: string) =>
    new ValidationFailed([{ loc: ['header', name], msg: 'Field required', type: 'missing' }]),
  otherActingUser: () =>
    new AppError(
      403,
      'other_user',
      'X-Acting-User or X-Acting-Session names another user than the caller. Only a service token can act for other users.',
    ),
  otherUser: () => new AppError(403, 'other_user', 'user_id must be the id of the calling user.'),
  /** 401 for a header Authorization whose scheme is not Bearer, or whose rest cannot be a token. */
  invalidAuthorization: () =>
    AccessErrors.invalidToken(
      'Invalid Authorization header. Send "Bearer " and an access token or an API key. An API key can also be sent in x-api-key.',
    ),
  insufficientScope: (scope: string) =>
    new AppError(403, 'insufficient_scope', `Missing required scope: ${scope}`, challenge(scopeChallenge(scope))),
  /**
   * 403 for an API key without a required scope.
   *
   * @param scopes of which the key needs one.
   */
  keyLacksScope: (scopes: readonly string[]) =>
    new AppError(
      403,
      'insufficient_scope',
      `Missing required scope: ${scopes.join(' or ')}. The API key does not have it.`,
      challenge(scopeChallenge(scopes[0] ?? '*')),
    ),
  keyOwnerLacksScope: (scope: string) =>
    new AppError(
      403,
      'insufficient_scope',
      `Missing required scope: ${scope}. The API key has it, but its owner does not.`,
      challenge(scopeChallenge(scope)),
    ),
  /**
   * 403 for a program on a route that moves money.
   *
   * @param url page of the panel on which the user can do it; null if there is none.
   */
  moneyDenied: (url: string | null) =>
    new AppError(
      403,
      'money.release_denied',
      url === null
        ? 'This moves money, so it needs a user in a browser, or a trusted backend. A command line, an API key or an app cannot do it.'
        : `This moves money, so it needs a browser. Do it in the panel: ${url}`,
      { details: url === null ? {} : { panel_url: url } },
    ),
  adminOnly: () => new AppError(403, 'insufficient_scope', 'Only an administrator may do this.'),
  adminsKeyOnly: () =>
    new AppError(
      403,
      'insufficient_scope',
      "Only an administrator may do this. An API key of an administrator needs the scope '*'.",
    ),
};
