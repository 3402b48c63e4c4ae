import { Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type { AppSecret, DeclaredSecret, SecretDeletedResponse, SecretSetResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient, type SecretOwner } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { SecretErrors } from '../../kernel/peers/extension-host/secrets.errors.js';
import { assertOwnApp } from './own-app.js';

const APP: SecretOwner = { scope: 'app' };

/**
 * Secrets that a developer sets for an app, for all of its users. The platform never shows a value
 * again; only the app reads it.
 */
@Injectable()
export class AppSecretsService {
  constructor(
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns the secrets that the served version of the caller's app declares, without values; empty
   * without a served version.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer; 503 if the host is unreachable.
   */
  async listAppSecrets(user: UserCaller, appId: string): Promise<AppSecret[]> {
    await assertOwnApp(this.dataSource, user, appId);
    const declared = await forwardHostErrors(this.host.listSecrets(appId, APP).catch(emptyWithoutVersion));
    return declared.map(toAppSecret);
  }

  /**
   * Sets a secret of the caller's app, with an entry in the audit log.
   *
   * @throws AppError 400 `secret.invalid` for a value that the app does not accept; 403
   * `secret.read_only` if only the app can set it; 404 `app.not_found` if there is no such app or
   * it belongs to another developer, `secret.not_declared` if the served version does not declare
   * it; 503 if the host is unreachable.
   */
  async setAppSecret(user: UserCaller, appId: string, name: string, value: string): Promise<SecretSetResponse> {
    await this.assertDeclared(user, appId, name);
    await forwardHostErrors(this.host.setSecret(appId, name, APP, value));
    await this.recordChange(user, appId, name, 'app_secret.set');
    return { name, is_set: true };
  }

  /**
   * Deletes the value of a secret of the caller's app. `was_set` in the answer is false if it had
   * none.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer, `secret.not_declared` if the served version does not declare it; 503 if the host is
   * unreachable.
   */
  async deleteAppSecret(user: UserCaller, appId: string, name: string): Promise<SecretDeletedResponse> {
    await this.assertDeclared(user, appId, name);
    const { was_set } = await forwardHostErrors(this.host.deleteSecret(appId, name, APP));
    if (was_set) await this.recordChange(user, appId, name, 'app_secret.deleted');
    return { was_set };
  }

  private async assertDeclared(user: UserCaller, appId: string, name: string): Promise<void> {
    const secrets = await this.listAppSecrets(user, appId);
    if (!secrets.some((secret) => secret.name === name)) throw SecretErrors.notDeclared(appId, name);
  }

  /**
   * Writes the change of a secret to the audit log. Runs after the change, which the host makes: if
   * this fails, the caller gets an error and can repeat the request.
   */
  private recordChange({ tenantId, userId }: UserCaller, appId: string, name: string, action: string): Promise<void> {
    const metadata = { name, developer_id: userId };
    return recordAudit(this.dataSource.manager, { action, target: { type: 'app', id: appId }, tenantId, metadata });
  }
}

/**
 * Turns the host's error for an app without a served version into an empty list.
 *
 * @throws any other error as it is.
 */
function emptyWithoutVersion(error: unknown): DeclaredSecret[] {
  if (error instanceof ApiError && error.code === 'app.not_found') return [];
  throw error;
}

const toAppSecret = ({ name, description, is_set, updated_at }: DeclaredSecret): AppSecret => ({
  name,
  description,
  is_set,
  updated_at,
});
