import { isPlatformResource } from '../../permissions/platform-scopes.js';

/** Of the apps that the platform brings or may bring, and of what their events could be mistaken for. */
const RESERVED = new Set(
  `admin automations billing developer gateway kernel marketplace mcp notifications panel platform rbac registry system users wallet
  webhook webhooks`.split(/\s+/),
);

/** Who may call an app is said by scopes of its id: an app that is called like a resource of the platform would share the platform's. */
export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId) || isPlatformResource(appId);
