import { runsPlatform, userOf, type Caller } from '@platform/guards';
import { AppErrors } from '../apps/apps.errors.js';

/** How far somebody reaches: `isPlatform` to everything, a user otherwise to what is active and what they own. */
export interface Reach {
  isPlatform: boolean;
  userId: string | null;
}

/** Trusted backends, and administrators of the platform's own tenant, reach everything. */
export const reachOf = (caller: Caller): Reach => ({ isPlatform: runsPlatform(caller), userId: userOf(caller)?.userId ?? null });

/** @throws AppError 403 for everyone but trusted backends and administrators of the platform. */
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

/** @throws AppError 404 where there is no app, or none that the caller may see. */
export function assertSeen<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  if (!app || !maySee(reach, app)) throw AppErrors.notFound();
}

/** @throws AppError 404 as in `assertSeen`, 403 where the app is somebody else's. */
export function assertManaged<App extends Owned>(reach: Reach, app: App | undefined): asserts app is App {
  assertSeen(reach, app);
  if (!mayManage(reach, app)) throw AppErrors.notYours();
}

/**
 * The user whose data is asked for; the caller where none is named.
 *
 * @throws AppError 403 when it is somebody else.
 */
export function reachableUser(caller: Caller, asked: string): string {
  const { isPlatform, userId } = reachOf(caller);
  if (!isPlatform && asked !== userId) throw AppErrors.otherUser();
  return asked;
}
