import { keyIsInvalid } from '../../identity/api-keys/invalid-keys.js';
import { appIsRevoked } from './revoked-apps.js';

/** True if an API key that deployed the served version of `apps a` was deleted or has expired. */
export const SERVED_KEY_IS_INVALID = `EXISTS (
  SELECT FROM app_versions k WHERE k.app_id = a.app_id AND k.version = a.served_version AND ${keyIsInvalid("k.narrowing -> 'key'")})`;
/** A published app does not depend on that key. */
export const KEY_IS_INVALID = `(a.status <> 'active' AND ${SERVED_KEY_IS_INVALID})`;

/**
 * True if an app that deployed the served version of `apps a` can no longer act for the developer.
 */
export const SERVED_APP_IS_REVOKED = `EXISTS (SELECT FROM app_versions k
  WHERE k.app_id = a.app_id AND k.version = a.served_version AND ${appIsRevoked("k.narrowing -> 'apps'", 'a.developer_id')})`;
/** A published app does not depend on those apps. */
export const APP_IS_REVOKED = `(a.status <> 'active' AND ${SERVED_APP_IS_REVOKED})`;
