import { Injectable } from '@nestjs/common';
import type {
  DeclaredSecret,
  SecretDeletedResponse,
  SecretSetResponse,
  SecretValue,
  UserSecret,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient, type SecretOwner } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { SecretErrors } from '../../kernel/peers/extension-host/secrets.errors.js';
import { CallTargetsService } from '../calls/call-targets.service.js';

/** Secrets that a user gives to an app. The user must be able to call the app. */
@Injectable()
export class UserSecretsService {
  constructor(
    private readonly targets: CallTargetsService,
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the secrets that the app declares for users, without their values; none for an app of
   * the platform.
   *
   * @throws AppError 404 or 403 like `CallTargetsService.getTarget` if the user cannot call the
   * app. ServiceUnavailable while the host is unavailable.
   */
  async listSecrets(user: UserCaller, appId: string): Promise<UserSecret[]> {
    return (await this.listDeclared(user, appId)).map(toUserSecret);
  }

  /**
   * Returns a secret that the app declares for users, without its value; `is_set` tells if the user
   * has set it.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it, or like
   * `listSecrets`.
   */
  async getSecretMeta(user: UserCaller, appId: string, name: string): Promise<UserSecret> {
    return toUserSecret(await this.getDeclared(user, appId, name));
  }

  /**
   * Returns the value of a secret of the user.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it, `secret.not_set` if
   * the user has not set it, or like `listSecrets`.
   */
  async getSecretValue(user: UserCaller, appId: string, name: string): Promise<SecretValue> {
    const { is_set: isSet } = await this.getDeclared(user, appId, name);
    if (!isSet) throw SecretErrors.notSet(name);
    const { value } = await forwardHostErrors(this.host.getSecret(appId, name, ownerOf(user)));
    return { value };
  }

  /**
   * Sets a secret of the user for an app: the host stores the value, and the audit log records the
   * change without it.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it, 403
   * `secret.read_only` if only the app can set it, 400 `secret.invalid` if the app does not accept
   * the value, or like `listSecrets`.
   */
  async setSecret(user: UserCaller, appId: string, name: string, value: string): Promise<SecretSetResponse> {
    await this.assertWritable(user, appId, name);
    await forwardHostErrors(this.host.setSecret(appId, name, ownerOf(user), value));
    await this.recordChange(user, appId, name, 'user_secret.set');
    return { name, is_set: true };
  }

  /**
   * Deletes a secret of the user for an app, and records that in the audit log. `was_set` is false,
   * and nothing is recorded, if it was not set.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it, 403
   * `secret.read_only` if only the app can set it, or like `listSecrets`.
   */
  async deleteSecret(user: UserCaller, appId: string, name: string): Promise<SecretDeletedResponse> {
    await this.assertWritable(user, appId, name);
    const { was_set } = await forwardHostErrors(this.host.deleteSecret(appId, name, ownerOf(user)));
    if (was_set) await this.recordChange(user, appId, name, 'user_secret.deleted');
    return { was_set };
  }

  private async listDeclared(user: UserCaller, appId: string): Promise<DeclaredSecret[]> {
    const { isSystem } = await this.targets.getTarget(user, appId);
    return isSystem ? [] : forwardHostErrors(this.host.listSecrets(appId, ownerOf(user)));
  }

  private async getDeclared(user: UserCaller, appId: string, name: string): Promise<DeclaredSecret> {
    const secret = (await this.listDeclared(user, appId)).find((declared) => declared.name === name);
    if (!secret) throw SecretErrors.notDeclared(appId, name);
    return secret;
  }

  private async assertWritable(user: UserCaller, appId: string, name: string): Promise<void> {
    const { write_mode: writeMode } = await this.getDeclared(user, appId, name);
    if (writeMode === 'extension') throw SecretErrors.readOnly(name);
  }

  /**
   * Records the change in the audit log, after the host has made it. If this fails, the caller gets
   * an error and can retry.
   */
  private recordChange({ tenantId }: UserCaller, appId: string, name: string, action: string): Promise<void> {
    return recordAudit(this.dataSource.manager, {
      action,
      target: { type: 'app', id: appId },
      tenantId,
      metadata: { name },
    });
  }
}

const ownerOf = ({ userId, tenantId }: UserCaller): SecretOwner => ({
  scope: 'user',
  user_id: userId,
  tenant_id: tenantId,
});

const toUserSecret = ({
  name,
  description,
  is_set,
  write_mode,
  updated_at,
  last_accessed_at,
}: DeclaredSecret): UserSecret => ({
  name,
  description,
  is_set,
  write_mode,
  updated_at,
  last_accessed_at: last_accessed_at ? Math.floor(Date.parse(last_accessed_at) / 1_000) : null,
});
