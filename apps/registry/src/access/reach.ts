import { runsPlatform, userOf, type Caller } from '@platform/guards';
import { AppErrors } from '../apps/apps.errors.js';

/**
 * Apps that a caller can reach: all if `isPlatform` is true, otherwise the active apps and the
 * user's own.
 */
export interface Reach {
  isPlatform: boolean;
  userId: string | null;
}

/** Trusted backends and administrators of the platform's own tenant reach all apps. */
export const reachOf = (caller: Caller): Reach => ({ isPlatform: runsPlatform(caller), userId: userOf(caller)?.userId ?? null });

/**
 * @throws AppError 403 unless the caller is a trusted backend or an administrator of the platform.
 */
export function assertPlatform(caller: Caller): void {
  if (!runsPlatform(caller)) throw AppErrors.platformOnly();
}

export interface Owned {
  status: string;
  owner_id: string | null;
}

export const isOwner = ({ userId }: Reach, { owner_id }: Owned): boolean => userId !== null && owner_id === userId;

export const mayManage = (reach: Reach, app: Owned): boolean => reach.isPlatform || isOwner(reach, app);

const maySee = (reach: Reach, app: Owned): boolean => app.status === 'active' || mayManage(reach, app);

/** @throws AppError 404 if the app does not exist or the caller cannot see it. */
export function assertSeen<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  if (!app || !maySee(reach, app)) throw AppErrors.notFound();
}

/** @throws AppError 404 like `assertSeen`, 403 if another user owns the app. */
export function assertManaged<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  assertSeen(reach, app);
  if (!mayManage(reach, app)) throw AppErrors.notYours();
}

/**
 * Returns the id of the requested user, which must be the caller's own unless the caller is the
 * platform.
 *
 * @throws AppError 403 if it is another user.
 */
export function reachableUser(caller: Caller, asked: string): string {
  const { isPlatform, userId } = reachOf(caller);
  if (!isPlatform && asked !== userId) throw AppErrors.otherUser();
  return asked;
}
