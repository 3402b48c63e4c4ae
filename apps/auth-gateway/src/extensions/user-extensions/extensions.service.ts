import { Injectable } from '@nestjs/common';
import type {
  ExtensionBlock,
  InstalledExtension,
  UserExtension,
  UserExtensionsResponse,
  WithheldAppsRequest,
  WithheldAppsResponse,
} from '@platform/contracts';
import type { Caller, UserCaller } from '@platform/guards';
import { isUnavailable } from '@platform/platform';
import { DataSource } from 'typeorm';
import { getFunctionPrice } from '../../apps/prices/app-prices.repository.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { PUBLIC_POLICY, hasAccess, type Subject } from '../access/access-rules.js';
import { getExtensionOwner, type ExtensionOwner } from '../access/extension-owner.js';
import { ExtensionErrors } from '../access/extensions.errors.js';
import { InstalledExtensionsService, type ExtensionRow } from './installed-extensions.service.js';
import { findKnownApp } from '../installs/known-app.js';
import { isStopped } from '../run-grants/eligibility-rows.js';
import type { Refusal } from '../run-grants/run-grants.errors.js';
import { scopeConsent } from '../access/scope-consent.js';

/** Apps of a user, and which of them are disabled. */
@Injectable()
export class ExtensionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly installed: InstalledExtensionsService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep(rowsOfUser('disabled_extensions'));
  }

  /**
   * Returns the apps of the user, with the functions that can be called; `functions` is empty for
   * an app that the user cannot call now.
   */
  async listOfCaller({ userId }: UserCaller): Promise<InstalledExtension[]> {
    return (await this.installed.listInstalled(userId)).map(toInstalledExtension);
  }

  /**
   * Returns the apps of a user, each with the user's access to it.
   *
   * @throws AppError 404 `user.not_found` unless the caller is the user, an administrator of their
   * tenant, or a backend; and for an unknown user.
   */
  async listOfUser(caller: Caller, userId: string): Promise<UserExtensionsResponse> {
    const owner = await getExtensionOwner(caller, this.dataSource.manager, userId);
    const extensions = await this.installed.listInstalled(userId);
    return { extensions: extensions.map((row) => toUserExtension(row, owner)) };
  }

  /**
   * Returns those of `app_ids` that the user cannot call, such as suspended apps and apps that are
   * not installed; never unknown apps, and none for an unknown user. The Registry leaves them out
   * of its catalog.
   *
   * @throws ServiceUnavailable if an app is not in the gateway's copy of the installations, and the
   * Registry is unavailable.
   */
  async listWithheld({ user_id, app_ids }: WithheldAppsRequest): Promise<WithheldAppsResponse> {
    return { app_ids: await this.installed.findWithheld(user_id, app_ids) };
  }

  /**
   * Disables an app for the user, and publishes that: the app stays installed, but calls are
   * refused and it cannot act for the user. A retry changes nothing. Removing the app also removes
   * this state.
   *
   * @throws AppError 403 `app.system` for an app of the platform, 404 `extension.not_installed` if
   * the user does not have the app, and like `listOfUser`.
   */
  async disable(caller: Caller, userId: string, appId: string): Promise<void> {
    const owner = await getExtensionOwner(caller, this.dataSource.manager, userId);
    await this.assertOptional(userId, appId);
    if (await this.insertDisabled(owner, appId)) return;
    // The copy may lack an installation that was made directly at the Registry.
    await this.installed.refreshCopy(userId).catch((error: unknown) => {
      if (!isUnavailable(error, 'registry')) throw error;
    });
    if (!(await this.insertDisabled(owner, appId))) throw ExtensionErrors.notInstalled();
  }

  /**
   * Enables an app again for the user, and publishes that. Does nothing for an app that is not
   * disabled.
   *
   * @throws AppError 403 `app.system` for an app of the platform, 404 `extension.not_installed` for
   * an unknown app, and for an unpublished one that the user never had; and like `listOfUser`.
   */
  async enable(caller: Caller, userId: string, appId: string): Promise<void> {
    const owner = await getExtensionOwner(caller, this.dataSource.manager, userId);
    await this.assertOptional(userId, appId);
    await this.dataSource.transaction(async (em) => {
      const [enabled] = await em.query<[unknown[], number]>(
        'DELETE FROM disabled_extensions WHERE user_id = $1 AND app_id = $2 RETURNING 1',
        [userId, appId],
      );
      if (!enabled.length) return;
      await publishEvent(em, {
        type: 'marketplace.app_enabled',
        tenantId: owner.tenantId,
        userId,
        data: { app_id: appId },
      });
      if (!owner.isSelf) await recordAudit(em, entryOf('extension.enabled', owner, appId));
    });
  }

  /**
   * Disables the app for the user, and publishes that. Returns false, and changes nothing, if the
   * user does not have the app by the gateway's copy of the installations, or is deleted.
   */
  private insertDisabled(owner: ExtensionOwner, appId: string): Promise<boolean> {
    return this.dataSource.transaction(async (em) => {
      if (!(await lockAccount(em, owner.userId))) return false;
      // Locked until the end of the transaction. Otherwise the app could be removed meanwhile, and
      // would still be disabled after it is installed again.
      const install = await em.query<unknown[]>(
        'SELECT 1 FROM installs WHERE user_id = $1 AND app_id = $2 AND removed_at IS NULL FOR SHARE',
        [owner.userId, appId],
      );
      if (!install.length) return false;
      const disabled = await em.query<unknown[]>(
        'INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
        [owner.userId, appId],
      );
      if (!disabled.length) return true;
      const { tenantId, userId } = owner;
      await publishEvent(em, { type: 'marketplace.app_disabled', tenantId, userId, data: { app_id: appId } });
      if (!owner.isSelf) await recordAudit(em, entryOf('extension.disabled', owner, appId));
      return true;
    });
  }

  private async assertOptional(userId: string, appId: string): Promise<void> {
    const app = await findKnownApp(this.dataSource.manager, userId, appId);
    if (!app) throw ExtensionErrors.notInstalled();
    if (app.system) throw ExtensionErrors.systemProtected();
  }
}

const entryOf = (action: string, { userId, tenantId }: ExtensionOwner, app_id: string) => ({
  action,
  target: { type: 'user', id: userId },
  tenantId,
  metadata: { app_id },
});

const toInstalledExtension = (row: ExtensionRow): InstalledExtension => ({
  app_id: row.app_id,
  name: row.display_name,
  description: row.short_description || row.description,
  functions: row.refusal
    ? []
    : (row.tools ?? []).map(({ name, description, action_type, params_schema }) => ({
        name,
        description,
        action_type,
        params_schema,
        price: getFunctionPrice(row.function_prices, name),
      })),
  monthly_price: Number(row.monthly_price) || null,
  price_version: row.price_version,
  agreed_price_version: row.agreed_price_version,
  ...scopeConsent(row.requested_scopes, row.agreed_scopes ?? (row.system ? row.requested_scopes : [])),
  is_install_key_gone: !row.system && row.is_unagreed,
  blocked_by: blockOf(row),
  version: row.version,
  is_installed: true,
  is_disabled: row.is_disabled,
});

const toUserExtension = (row: ExtensionRow, subject: Subject): UserExtension => ({
  app_id: row.app_id,
  name: row.display_name,
  category: row.category,
  has_access: hasAccess(row.policy ?? PUBLIC_POLICY, subject),
  enabled: !row.is_disabled,
  source: row.system ? 'auto_system' : 'user',
  system: row.system,
  blocked_by: blockOf(row),
});

/**
 * Reasons as lists show them. `not_installed` and refusals of runs never occur in a list; other
 * refusals depend on the status of the app.
 */
const BLOCKS: Partial<Record<Refusal, ExtensionBlock>> = {
  disabled: 'disabled',
  closed: 'restricted',
  not_agreed: 'not_agreed',
  key_gone: 'key_gone',
  app_gone: 'app_gone',
  user_inactive: 'user_inactive',
};

function blockOf(row: ExtensionRow): ExtensionBlock | null {
  if (!row.refusal) return null;
  return BLOCKS[row.refusal] ?? (isStopped(row) ? 'suspended' : 'not_published');
}
