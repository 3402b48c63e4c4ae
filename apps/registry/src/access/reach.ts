import { isPlatformAdmin, userOf, type Caller } from '@platform/guards';
import { AppErrors } from '../apps/apps.errors.js';

/**
 * Apps that a caller can reach: all if `isPlatform` is true, otherwise the active apps and the
 * user's own.
 */
export interface Reach {
  isPlatform: boolean;
  userId: string | null;
}

/**
 * Apps that the caller can reach. Trusted backends and administrators of the platform's own tenant
 * reach all apps.
 */
export const reachOf = (caller: Caller): Reach => ({
  isPlatform: isPlatformAdmin(caller),
  userId: userOf(caller)?.userId ?? null,
});

/**
 * Checks that the caller is a trusted backend or an administrator of the platform's own tenant.
 *
 * @throws AppError 403 `app.platform_only` if not.
 */
export function assertPlatform(caller: Caller): void {
  if (!isPlatformAdmin(caller)) throw AppErrors.platformOnly();
}

export interface Owned {
  status: string;
  owner_id: string | null;
}

export const isOwner = ({ userId }: Reach, { owner_id }: Owned): boolean => userId !== null && owner_id === userId;

export const mayManage = (reach: Reach, app: Owned): boolean => reach.isPlatform || isOwner(reach, app);

const maySee = (reach: Reach, app: Owned): boolean => app.status === 'active' || mayManage(reach, app);

/**
 * Checks that the app exists and the caller can see it: it is active, or the caller is its owner or
 * reaches all apps.
 *
 * @throws AppError 404 `app.not_found` if not.
 */
export function assertVisible<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  if (!app || !maySee(reach, app)) throw AppErrors.notFound();
}

/**
 * Checks that the caller may change the app: as its owner, or because the caller reaches all apps.
 *
 * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it; 403
 * `app.not_yours` if the caller can only see it.
 */
export function assertManageable<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  assertVisible(reach, app);
  if (!mayManage(reach, app)) throw AppErrors.notYours();
}

/**
 * Returns the id of the requested user. A caller who does not reach all apps can request only their
 * own user.
 *
 * @throws AppError 403 `app.other_user` if it is another user.
 */
export function reachableUser(caller: Caller, asked: string): string {
  const { isPlatform, userId } = reachOf(caller);
  if (!isPlatform && asked !== userId) throw AppErrors.otherUser();
  return asked;
}
