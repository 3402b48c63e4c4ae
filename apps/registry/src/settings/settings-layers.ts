import { DEFAULT_TENANT, isRecord } from '@platform/contracts';
import { isAdmin, type Caller } from '@platform/guards';
import { mayManage, reachOf, type Owned } from '../access/reach.js';
import { AppErrors } from '../apps/apps.errors.js';

type Settings = Record<string, unknown>;

/**
 * Layers of an app's settings that a caller can see or change. `layers.tenants` has the values that
 * tenants set, the rest of `layers` the values of the platform. Everything outside `layers` belongs
 * to the app's developer.
 */
interface SettingsReach {
  isPlatform: boolean;
  /** True if the caller may change the settings outside `layers`. */
  isDeveloper: boolean;
  /**
   * The tenant that the caller administers so that they may change its layer; null if there is none.
   */
  tenantId: string | null;
}

export function settingsReachOf(caller: Caller, app: Owned): SettingsReach {
  const reach = reachOf(caller);
  const administers = caller.kind === 'user' && caller.tenantId !== DEFAULT_TENANT && isAdmin(caller);
  return {
    isPlatform: reach.isPlatform,
    isDeveloper: mayManage(reach, app),
    tenantId: administers ? caller.tenantId : null,
  };
}

/**
 * Settings that the caller can see. The platform sees all. Others see everything outside `layers`,
 * and the layer of the tenant that they administer.
 */
export function visibleSettings({ isPlatform, tenantId }: SettingsReach, settings: Settings): Settings {
  if (isPlatform) return settings;
  const { layers, ...ofApp } = settings;
  const tenants = isRecord(layers) ? layers['tenants'] : undefined;
  if (tenantId === null || !isRecord(tenants) || !Object.hasOwn(tenants, tenantId)) return ofApp;
  return { ...ofApp, layers: { tenants: { [tenantId]: tenants[tenantId] } } };
}

/**
 * Checks that the caller may change all keys of an update. Keys outside the update stay because it
 * is merged, visible or not.
 *
 * @throws AppError 403 `app.not_yours` if the update has a key outside `layers`, or no key, and the
 * caller is not the app's developer; 403 `app.other_layer` if it has a layer other than that of the
 * tenant that the caller administers. The platform may change all.
 */
export function assertMayWrite(
  { isPlatform, isDeveloper, tenantId }: SettingsReach,
  { layers, ...ofApp }: Settings,
): void {
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
