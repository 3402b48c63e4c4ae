import { isPlatformResource } from '../../kernel/scopes/platform-scopes.js';

/** What events of the platform could be mistaken for, beside its resources. */
const RESERVED = new Set(['webhook', 'webhooks']);

/** Who may call an app is said by scopes of its id: an app that is called like a resource of the platform would share the platform's. */
export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId) || isPlatformResource(appId);
