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
 * The app that an event of the platform is about, and that alone among apps may hear of it: of its installation and removal, and of an
 * automation that fired by these. Null for what is about none; empty where it does not say which, so that no app hears of it.
 */
export function aboutApp({ source, type, data }: KnownEvent): string | null {
  if (source !== PLATFORM_SOURCE) return null;
  if (type.startsWith('marketplace.')) return textOf(data['app_id']);
  return type === AUTOMATION_TRIGGERED && data['about_app'] != null ? textOf(data['about_app']) : null;
}

/** A scope that no API key is given. */
const OF_NO_KEY = 'none';

/**
 * The scope that an API key needs to hear of an event of the platform: to follow it, and where its rule or draft is to handle it. Null for none; one that
 * no key has where none may.
 */
export function keyScopeToHear({ source, type }: Pick<KnownEvent, 'source' | 'type'>): string | null {
  const scope = source === PLATFORM_SOURCE ? definitionOf(type)?.keyScope : undefined;
  return scope === false ? OF_NO_KEY : (scope ?? null);
}

/** Whether an event tells that its user has removed an app. */
export const isRemoval = ({ source, type }: Pick<KnownEvent, 'source' | 'type'>): boolean =>
  source === PLATFORM_SOURCE && type === APP_UNINSTALLED;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
