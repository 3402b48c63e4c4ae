import { AUTOMATION_TRIGGERED } from '../automation-events.js';
import { definitionOf } from '../events/event-catalogue.js';
import { PLATFORM_SOURCE } from './events.dto.js';

export const APP_INSTALLED = 'marketplace.app_installed';
export const APP_UNINSTALLED = 'marketplace.app_uninstalled';

interface KnownEvent {
  source: string;
  type: string;
  data: Record<string, unknown>;
}

/**
 * App that an event of the platform is about: an install, a removal, or an automation that fired
 * because of one. No other app can receive the event. Null: the event is about no app. Empty: the
 * event does not name the app, so no app receives it.
 */
export function appOfEvent({ source, type, data }: KnownEvent): string | null {
  if (source !== PLATFORM_SOURCE) return null;
  if (type.startsWith('marketplace.')) return textOf(data['app_id']);
  return type === AUTOMATION_TRIGGERED && data['about_app'] != null ? textOf(data['about_app']) : null;
}

/** A scope that no API key can have. */
const OF_NO_KEY = 'none';

/**
 * Scope that an API key needs to receive an event of the platform, also in order to handle it with
 * a rule or a draft app. Null: it needs none. A scope that no key has: no API key can receive the
 * event.
 */
export function requiredKeyScope({ source, type }: Pick<KnownEvent, 'source' | 'type'>): string | null {
  const scope = source === PLATFORM_SOURCE ? definitionOf(type)?.keyScope : undefined;
  return scope === false ? OF_NO_KEY : (scope ?? null);
}

/** True if the event reports that its user removed an app. */
export const isRemoval = ({ source, type }: Pick<KnownEvent, 'source' | 'type'>): boolean =>
  source === PLATFORM_SOURCE && type === APP_UNINSTALLED;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
