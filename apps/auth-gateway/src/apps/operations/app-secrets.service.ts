import { Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type { AppSecret, DeclaredSecret, SecretDeletedResponse, SecretSetResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient, type SecretOwner } from '../../kernel/peers/extension-host/extension-host-client.js';
import { passOn } from '../../kernel/peers/extension-host/pass-on.js';
import { SecretErrors } from '../../kernel/peers/extension-host/secrets.errors.js';
import { assertOwnApp } from './own-app.js';

const APP: SecretOwner = { scope: 'app' };

/**
 * Secrets that a developer sets for an app, for all of its users. The platform never shows a value
 * again; only the app reads it.
 */
@Injectable()
export class AppSecrets {
  constructor(
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Secrets that the served version declares; empty without a served version.
   *
   * @throws AppError 404 for an app of another developer.
   */
  async list(user: UserCaller, appId: string): Promise<AppSecret[]> {
    await assertOwnApp(this.dataSource, user, appId);
    const declared = await passOn(this.host.listSecrets(appId, APP).catch(noneOfNoVersion));
    return declared.map(toAppSecret);
  }

  /** @throws AppError 400 for a value that the app does not accept, 404. */
  async set(user: UserCaller, appId: string, name: string, value: string): Promise<SecretSetResponse> {
    await this.assertDeclared(user, appId, name);
    await passOn(this.host.setSecret(appId, name, APP, value));
    await this.record(user, appId, name, 'app_secret.set');
    return { name, is_set: true };
  }

  /** @throws AppError 404. */
  async delete(user: UserCaller, appId: string, name: string): Promise<SecretDeletedResponse> {
    await this.assertDeclared(user, appId, name);
    const { was_set } = await passOn(this.host.deleteSecret(appId, name, APP));
    if (was_set) await this.record(user, appId, name, 'app_secret.deleted');
    return { was_set };
  }

  private async assertDeclared(user: UserCaller, appId: string, name: string): Promise<void> {
    const secrets = await this.list(user, appId);
    if (!secrets.some((secret) => secret.name === name)) throw SecretErrors.notDeclared(appId, name);
  }

  /**
   * Runs after the change, which the host makes. If the entry fails, the caller gets an error and
   * can repeat the request.
   */
  private record({ tenantId, userId }: UserCaller, appId: string, name: string, action: string): Promise<void> {
    const metadata = { name, developer_id: userId };
    return recordAudit(this.dataSource.manager, { action, target: { type: 'app', id: appId }, tenantId, metadata });
  }
}

/** The host does not know an app without a served version. */
function noneOfNoVersion(error: unknown): DeclaredSecret[] {
  if (error instanceof ApiError && error.code === 'app.not_found') return [];
  throw error;
}

const toAppSecret = ({ name, description, is_set, updated_at }: DeclaredSecret): AppSecret => ({ name, description, is_set, updated_at });
