import { EVENT_CATALOGUE } from '@platform/contracts';
import { isPlatformResource } from '../../kernel/scopes/platform-scopes.js';

const firstWordOf = (eventType: string): string => eventType.replace(/[.:].*$/s, '');

/**
 * Event types of an app begin with its id. With one of these ids they would look like events of the
 * platform.
 */
const RESERVED = new Set(['stream', 'webhook', 'webhooks', ...Object.keys(EVENT_CATALOGUE).map(firstWordOf)]);

/**
 * Scopes for calls of an app begin with its id. An app with the name of a platform resource would
 * share the scopes of that resource.
 */
export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId) || isPlatformResource(appId);
