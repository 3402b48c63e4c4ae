import { DEFAULT_TENANT, isRecord } from '@platform/contracts';
import { isAdmin, type Caller } from '@platform/guards';
import { mayManage, reachOf, type Owned } from '../access/reach.js';
import { AppErrors } from '../apps/apps.errors.js';

type Settings = Record<string, unknown>;

/**
 * Which parts of an app's settings are whose. Under `layers.tenants` stands what each tenant says, under the rest of `layers` what the
 * platform says, and everything else is the layer of the app's developer.
 */
interface SettingsReach {
  isPlatform: boolean;
  /** Whether the layer of the app is theirs to change. */
  isDeveloper: boolean;
  /** The tenant whose layer is theirs; null unless they administer one. */
  tenantId: string | null;
}

export function settingsReachOf(caller: Caller, app: Owned): SettingsReach {
  const reach = reachOf(caller);
  const administers = caller.kind === 'user' && caller.tenantId !== DEFAULT_TENANT && isAdmin(caller);
  return { isPlatform: reach.isPlatform, isDeveloper: mayManage(reach, app), tenantId: administers ? caller.tenantId : null };
}

/** What of the settings they see: the platform's all, others the app's layer and that of the tenant which they administer. */
export function visibleSettings({ isPlatform, tenantId }: SettingsReach, settings: Settings): Settings {
  if (isPlatform) return settings;
  const { layers, ...ofApp } = settings;
  const tenants = isRecord(layers) ? layers['tenants'] : undefined;
  if (tenantId === null || !isRecord(tenants) || !Object.hasOwn(tenants, tenantId)) return ofApp;
  return { ...ofApp, layers: { tenants: { [tenantId]: tenants[tenantId] } } };
}

/**
 * What an update names must all be theirs. It is merged, so what it does not name stays, whether they see it or not.
 *
 * @throws AppError 403.
 */
export function assertMayWrite({ isPlatform, isDeveloper, tenantId }: SettingsReach, { layers, ...ofApp }: Settings): void {
  if (isPlatform) return;
  const namesApp = Object.keys(ofApp).length > 0;
  if ((namesApp || layers === undefined) && !isDeveloper) throw AppErrors.notYours();
  if (layers !== undefined && !isOfTenant(layers, tenantId)) throw AppErrors.otherLayer();
}

function isOfTenant(layers: unknown, tenantId: string | null): boolean {
  if (tenantId === null || !isRecord(layers)) return false;
  const { tenants, ...ofPlatform } = layers;
  return !Object.keys(ofPlatform).length && isRecord(tenants) && Object.keys(tenants).every((id) => id === tenantId);
}
