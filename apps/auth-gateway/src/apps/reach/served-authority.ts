import { keyIsGone } from '../../identity/api-keys/key-is-gone.js';
import { appIsGone } from './apps-gone.js';

/** Whether an API key is gone that had what is served of `apps a` deployed. */
export const SERVED_KEY_IS_GONE = `EXISTS (
  SELECT FROM app_versions k WHERE k.app_id = a.app_id AND k.version = a.served_version AND ${keyIsGone("k.narrowing -> 'key'")})`;
/** What is published is no longer the key's. */
export const KEY_IS_GONE = `(a.status <> 'active' AND ${SERVED_KEY_IS_GONE})`;

/** Whether one of the apps that had what is served of `apps a` deployed may not act for its developer. */
export const SERVED_APP_IS_GONE = `EXISTS (SELECT FROM app_versions k
  WHERE k.app_id = a.app_id AND k.version = a.served_version AND ${appIsGone("k.narrowing -> 'apps'", 'a.developer_id')})`;
/** What is published is no longer theirs. */
export const APP_IS_GONE = `(a.status <> 'active' AND ${SERVED_APP_IS_GONE})`;
