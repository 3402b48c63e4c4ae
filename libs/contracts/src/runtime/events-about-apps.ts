import { AUTOMATION_TRIGGERED } from '../automation-events.js';
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
  return type === AUTOMATION_TRIGGERED && data['about_app'] !== undefined ? textOf(data['about_app']) : null;
}

/** The scope that an API key needs whose rule, or draft, is to hear of an event of the platform: of plan and credits the one to read them. Null for none. */
export const keyScopeToHear = ({ source, type }: Pick<KnownEvent, 'source' | 'type'>): string | null =>
  source === PLATFORM_SOURCE && type.startsWith('billing.') ? 'billing:read' : null;

/** Whether an event tells that its user has removed an app. */
export const isRemoval = ({ source, type }: Pick<KnownEvent, 'source' | 'type'>): boolean =>
  source === PLATFORM_SOURCE && type === APP_UNINSTALLED;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
