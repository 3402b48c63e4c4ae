import { EVENT_CATALOGUE } from '@platform/contracts';
import { isPlatformResource } from '../../kernel/scopes/platform-scopes.js';

const firstWordOf = (eventType: string): string => eventType.replace(/[.:].*$/s, '');

/**
 * Event types of an app begin with its id. With one of these ids they would look like events of the
 * platform.
 */
const RESERVED = new Set(['stream', 'webhook', 'webhooks', ...Object.keys(EVENT_CATALOGUE).map(firstWordOf)]);

/**
 * True if no developer can take this app id: it is `stream`, `webhook`, `webhooks`, the first word
 * of an event type of the platform, or a resource of the platform's scopes. Event types and scopes
 * of an app begin with its id, so they would look like those of the platform.
 */
export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId) || isPlatformResource(appId);
