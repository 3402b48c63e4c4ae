import { Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type {
  AppCost,
  AsJson,
  InstallRequest,
  InstallResult,
  RemovedInstall,
  UninstallResult,
} from '@platform/contracts';
import { QuotasService, type UserCaller } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { hasAccess, getAccessPolicy } from '../access/access-rules.js';
import { scopeConsent } from '../access/scope-consent.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { isRefusedWith } from '../../kernel/peers/registry/registry.errors.js';
import { AppPricesRepository, toAppCost } from '../../apps/prices/app-prices.repository.js';
import { getEffectiveScopes, getAccount } from '../../identity/sessions/signed-in-account.js';
import { InstallErrors } from './installs.errors.js';
import { ConsentsService, type Agreement, type AgreedVersion } from './consents.service.js';
import { DocumentPurgesService } from './document-purges.service.js';
import { InstallCopiesService, toInstallState } from './install-copies.service.js';
import { findKnownApp } from './known-app.js';
import { deleteNarrowing, extendNarrowing, storeNarrowing, type NarrowedChange } from './install-narrowings.js';

/** Limit per user for installations and removals. */
const INSTALLS_LIMIT = policy('installs', 120, MINUTE);

interface InstallableApp extends AgreedVersion {
  system: boolean;
  /** True if the user is the app's developer. */
  is_own: boolean;
  /** True if the user does not have the app yet. */
  is_first: boolean;
}

/**
 * Installs and removes apps. The Registry decides; the gateway has a copy for counts, lists, and
 * requests while the Registry is unavailable.
 */
@Injectable()
export class InstallsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopiesService,
    private readonly consents: ConsentsService,
    private readonly outbox: Outbox,
    private readonly purges: DocumentPurgesService,
    private readonly quotas: QuotasService,
    private readonly prices: AppPricesRepository,
  ) {}

  /**
   * Installs the app for the user, and grants it the scopes that it asks for; an API key grants at
   * most its own. A repeated call grants the scopes of the current version. The first call also
   * agrees to the price of the app; later calls only if the request names the price.
   *
   * @throws AppError 400 `app.not_active` if the app is unknown or not published; 403
   * `extension.access_denied` if the tenant does not allow it; 409 `install.too_many` if the user
   * has too many apps, `install.changed` or `extension.price_changed` if the version, scopes or
   * price differ from those in the request; 429 above 120 changes in a minute. ServiceUnavailable
   * while the Registry is unavailable.
   */
  async install(user: UserCaller, appId: string, shown: InstallRequest): Promise<InstallResult> {
    await this.quotas.consume(INSTALLS_LIMIT, user.userId);
    const [app] = await this.dataSource.query<InstallableApp[]>(
      `SELECT a.system, CASE WHEN NOT a.system AND NOT own.is_own THEN a.price_version END AS price_version, own.is_own, v.version,
         NOT EXISTS (SELECT FROM installs i WHERE i.app_id = a.app_id AND i.user_id = $2 AND i.removed_at IS NULL) AS is_first,
         coalesce(v.requested_scopes, '{}') AS requested_scopes
       FROM apps a CROSS JOIN LATERAL (SELECT a.developer_id IS NOT DISTINCT FROM $2 AS is_own) AS own LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = $1 AND a.status = 'active'`,
      [appId, user.userId],
    );
    if (!app) throw InstallErrors.notInstallable();
    const prices = await this.prices.findPrice(appId, app.price_version);
    const price = prices && toAppCost(prices);
    assertShown(app, price, shown);
    const { manager } = this.dataSource;
    const [access, account] = await Promise.all([
      getAccessPolicy(manager, user.tenantId, appId),
      getAccount(manager, user.userId),
    ]);
    if (!hasAccess(access, { ...user, scopes: getEffectiveScopes(account) })) throw InstallErrors.accessDenied();
    const { system, version, requested_scopes: requested } = app;
    const consent = shown.price_version !== undefined ? 'shown' : app.is_first ? 'first' : 'none';
    const { install, agreed } = await this.withStoredNarrowing(user, appId, async (noted) => {
      const install = await this.registry.install(user.userId, appId);
      const state = toInstallState(install);
      let agreed: Agreement = { scopes: [], price_version: null };
      await this.copies.copyStates([state], async (em) => {
        agreed = await this.consents.recordConsent(em, user, state, app, consent);
        await deleteNarrowing(em, noted);
      });
      return { install, agreed };
    }).catch((error: unknown) => {
      if (isRefusedWith(error, 'app.not_found')) throw InstallErrors.notInstallable();
      if (isRefusedWith(error, 'install.too_many')) throw InstallErrors.tooMany();
      throw error;
    });
    return {
      app_id: appId,
      version,
      installed: true,
      installed_at: new Date(install.installed_at),
      status: 'installed',
      price,
      price_version: agreed.price_version,
      install_count: await this.countInstalls(appId),
      ...scopeConsent(requested, system ? requested : agreed.scopes),
    };
  }

  /**
   * Removes an app from the user. A repeated call changes nothing. Also works for an app that is
   * not published. `uninstalled_at` is null if the user never had the app.
   *
   * @param purge true: the data that the app stores for the user is deleted at once instead of
   * after 30 days, even if the user removed the app before or the app was deleted.
   * @throws AppError 403 `app.system` for an app of the platform, 404 `app.not_found` for an
   * unknown app, 429 above 120 changes in a minute. ServiceUnavailable while the Registry is
   * unavailable.
   */
  async uninstall(user: UserCaller, appId: string, purge: boolean): Promise<UninstallResult> {
    await this.quotas.consume(INSTALLS_LIMIT, user.userId);
    const app = await findKnownApp(this.dataSource.manager, user.userId, appId);
    if (!app) {
      if (purge && (await this.purgeDeletedApp(user, appId))) return deletedAppResult(appId);
      throw InstallErrors.appNotFound();
    }
    if (app.system) throw InstallErrors.systemApp();
    const removed = await this.withStoredNarrowing(user, appId, (noted) =>
      this.removeInstall(user.userId, appId, async (em) => {
        if (purge) await this.purges.requestPurge(em, user, appId);
        await deleteNarrowing(em, noted);
      }),
    );
    return {
      app_id: appId,
      installed: false,
      status: 'uninstalled',
      uninstalled_at: removed && new Date(removed.removed_at),
      kept_until: await this.purges.findRetentionEnd(user.userId, appId),
      install_count: await this.countInstalls(appId),
    };
  }

  /**
   * Removes all apps of a deleted user. Safe to run again.
   *
   * @throws ServiceUnavailable while the Registry is unavailable.
   */
  async removeAll(userId: string): Promise<void> {
    for (const { app_id } of await this.registry.listInstalls(userId)) await this.removeInstall(userId, app_id);
  }

  /**
   * Requests the deletion of the data that a deleted app stored for the user. False if there is
   * still an app with this ID, or if no data of the app is kept any more.
   */
  private purgeDeletedApp(user: UserCaller, appId: string): Promise<boolean> {
    return this.outbox.transaction(async (em) => {
      const [kept] = await em.query<unknown[]>(
        `SELECT FROM document_purges p WHERE user_id IN ($1, '*') AND app_id = $2 AND NOT is_asked
           AND NOT EXISTS (SELECT FROM apps a WHERE a.app_id = p.app_id) LIMIT 1`,
        [user.userId, appId],
      );
      if (kept) await this.purges.requestPurge(em, user, appId);
      return kept !== undefined;
    });
  }

  /**
   * Removes the user's app at the Registry, and updates the gateway's copy. Returns the removal;
   * null if the user never had the app.
   *
   * @param also runs in the transaction that updates the copy.
   */
  private async removeInstall(
    userId: string,
    appId: string,
    also?: (em: EntityManager) => Promise<void>,
  ): Promise<AsJson<RemovedInstall> | null> {
    const removed = await this.registry.uninstall(userId, appId).catch((error: unknown) => {
      if (isRefusedWith(error, 'install.not_found')) return null;
      throw error;
    });
    await this.copies.copyStates(removed ? [toInstallState(removed)] : [], also);
    return removed;
  }

  /**
   * Runs `change`, which makes a change at the Registry, and returns its result. Meanwhile the
   * permission limit of the caller is stored with `storeNarrowing`; `change` must call
   * `deleteNarrowing` at its end. If the Registry refused the change, the limit is deleted. If it
   * is unknown whether the change was made, the limit stays until it expires.
   *
   * @throws ServiceUnavailable while the Registry is unavailable; the error of `change`.
   */
  private async withStoredNarrowing<T>(
    user: UserCaller,
    appId: string,
    change: (noted: NarrowedChange | null) => Promise<T>,
  ): Promise<T> {
    await this.registry.assertReachable();
    const noted = await storeNarrowing(this.dataSource.manager, user, appId);
    try {
      return await change(noted);
    } catch (error) {
      if (noted) {
        await this.dataSource.transaction(async (em) => {
          if (error instanceof ApiError) await deleteNarrowing(em, noted);
          else await extendNarrowing(em, noted);
        });
      }
      throw error;
    }
  }

  private async countInstalls(appId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ install_count: number }[]>(
      'SELECT install_count FROM app_listings WHERE app_id = $1',
      [appId],
    );
    return row?.install_count ?? 0;
  }
}

const deletedAppResult = (appId: string): UninstallResult => ({
  app_id: appId,
  installed: false,
  status: 'uninstalled',
  uninstalled_at: null,
  kept_until: null,
  install_count: 0,
});

/**
 * @throws AppError 409 `install.changed` if version or scopes of the app differ from those that the
 * user was shown, `extension.price_changed` if the price does.
 */
function assertShown(
  { version, requested_scopes: requested, is_own }: InstallableApp,
  price: AppCost | null,
  shown: InstallRequest,
): void {
  if (shown.version !== undefined && shown.version !== version) throw InstallErrors.otherVersion(version);
  if (shown.scopes !== undefined && canonical(shown.scopes) !== canonical(requested)) {
    throw InstallErrors.otherScopes(version, requested);
  }
  // The developer pays nothing, but may have been shown the price for others.
  if (!is_own && shown.price_version !== undefined && shown.price_version !== (price?.price_version ?? null))
    throw InstallErrors.otherPrice(price);
}

const canonical = (scopes: readonly string[]): string =>
  [...new Set(scopes.map((scope) => scope.replace('.', ':')))].sort().join();
