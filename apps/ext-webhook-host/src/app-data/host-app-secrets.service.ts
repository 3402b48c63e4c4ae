import { Injectable } from '@nestjs/common';
import type { SecretDeclaration } from '@platform/app-document';
import type { DeclaredSecret, SecretDeletedResponse, SecretOwnerQuery, SecretValue } from '@platform/contracts';
import { APP_IDENTITY, assertSecretValue, type SecretOwner } from '@platform/extension-sdk/runtime';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { DeployedAppsService } from '../kernel/deployed/deployed-apps.service.js';
import { AppDocumentErrors } from '../documents/app-documents.errors.js';
import { AppSecretErrors, asAppError } from './app-secrets.errors.js';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';

/** Lets users list and set the secrets that the running version of an app declares. */
@Injectable()
export class HostAppSecretsService {
  constructor(
    private readonly apps: DeployedAppsService,
    private readonly documents: AppDocumentsService,
    private readonly vault: SecretVaultService,
  ) {}

  /**
   * Secrets of a scope that the running version of an app declares, in the order of its document,
   * without their values.
   *
   * @throws AppError 404 `app.not_found` if the app runs no version; 404 `app_version.not_found` if
   * the gateway does not know the version; 400 `secret.user_missing` if a secret of a user is
   * requested without `user_id`; 503 `secret.unavailable` if the database cannot be read; 503
   * `gateway_unavailable` if the version or its document is not stored here and the gateway is
   * unreachable.
   */
  async listSecrets(appId: string, of: SecretOwnerQuery): Promise<DeclaredSecret[]> {
    const owner = ownerOf(appId, of);
    const declared = await this.declared(appId, of);
    const set = await this.vault
      .findTimes(
        owner,
        declared.map(({ name }) => name),
      )
      .catch(refuse);
    return declared.map(({ name, description, scope, write_mode }) => ({
      name,
      description,
      scope,
      write_mode,
      is_set: set.has(name),
      updated_at: set.get(name)?.updated_at.toISOString() ?? null,
      last_accessed_at: set.get(name)?.last_accessed_at?.toISOString() ?? null,
    }));
  }

  /**
   * Value of a secret, which counts as a read: it sets `last_accessed_at`.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it in this scope; 404
   * `secret.not_set` if it has no value; 503 `secret.unavailable` also if the key that encrypted it
   * is missing; others as in `listSecrets`.
   */
  async getSecret(appId: string, name: string, of: SecretOwnerQuery): Promise<SecretValue> {
    await this.declaration(appId, name, of);
    const value = await this.vault.find(ownerOf(appId, of), name).catch(refuse);
    if (value === null) throw AppSecretErrors.notSet(name);
    return { value };
  }

  /**
   * Sets a secret of the app or of a user, and replaces its earlier value.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it in this scope; 403
   * `secret.read_only` if only the app may set it; 400 `secret.invalid` if it is empty, not valid
   * Unicode, or longer than declared; others as in `listSecrets`.
   */
  async setSecret(appId: string, name: string, of: SecretOwnerQuery, { value }: SecretValue): Promise<void> {
    const { write_mode, max_bytes } = await this.declaration(appId, name, of);
    if (write_mode === 'extension') throw AppSecretErrors.readOnly(name);
    try {
      assertSecretValue(name, value, max_bytes);
      await this.vault.set(ownerOf(appId, of), name, value);
    } catch (error) {
      throw asAppError(error);
    }
  }

  /**
   * Deletes a secret. `was_set` is false if it had no value.
   *
   * @throws AppError 404 `secret.not_declared` if the app does not declare it in this scope; others
   * as in `listSecrets`.
   */
  async deleteSecret(appId: string, name: string, of: SecretOwnerQuery): Promise<SecretDeletedResponse> {
    await this.declaration(appId, name, of);
    return { was_set: await this.vault.delete(ownerOf(appId, of), name).catch(refuse) };
  }

  private async declaration(appId: string, name: string, of: SecretOwnerQuery): Promise<SecretDeclaration> {
    const declaration = (await this.declared(appId, of)).find((declared) => declared.name === name);
    if (!declaration) throw AppSecretErrors.notDeclared(name);
    return declaration;
  }

  private async declared(appId: string, { scope }: SecretOwnerQuery): Promise<SecretDeclaration[]> {
    const app = await this.apps.findApp(appId);
    if (!app) throw AppDocumentErrors.appNotFound();
    const { document } = await this.documents.loadCompiledApp(app);
    return document.app.secrets.filter((secret) => secret.scope === scope);
  }
}

function ownerOf(appId: string, { scope, user_id: userId }: SecretOwnerQuery): SecretOwner {
  if (scope === 'app') return { appId, identity: APP_IDENTITY };
  if (!userId) throw AppSecretErrors.userMissing();
  return { appId, identity: userId };
}

const refuse = (error: unknown): never => {
  throw asAppError(error);
};
