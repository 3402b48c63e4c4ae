import { EVENT_CATALOGUE } from '@platform/contracts';
import { isPlatformResource } from '../../kernel/scopes/platform-scopes.js';

const firstWordOf = (eventType: string): string => eventType.replace(/[.:].*$/s, '');

/** Events of apps begin with the app's id: with one of these they could be taken for the platform's. */
const RESERVED = new Set(['stream', 'webhook', 'webhooks', ...Object.keys(EVENT_CATALOGUE).map(firstWordOf)]);

/** Who may call an app is said by scopes of its id: an app that is called like a resource of the platform would share the platform's. */
export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId) || isPlatformResource(appId);
