import type { SecretDeclaration } from '@platform/app-document';
import type { ContextSecrets } from './context.js';
import { isStorable } from './json-text.js';
import { SecretErrors } from './secrets.js';

/** Owner of a secret: an app, and its user or the app itself (`APP_IDENTITY`). */
export interface SecretOwner {
  appId: string;
  identity: string;
}

/** Storage of secrets. */
export interface SecretKeeper {
  /** Returns the value; null if the secret is not set. */
  find(owner: SecretOwner, name: string): Promise<string | null>;
  set(owner: SecretOwner, name: string, value: string): Promise<void>;
  /** Deletes the value. False if the secret was not set. */
  delete(owner: SecretOwner, name: string): Promise<boolean>;
  /** Returns those of the names whose secrets are set. */
  namesSet(owner: SecretOwner, names: readonly string[]): Promise<string[]>;
}

/** Identity under which an app stores values that all of its users share. */
export const APP_IDENTITY = '__app__';

/** Parts of a secret's declaration that are used here. */
export type SecretRules = Pick<SecretDeclaration, 'name' | 'scope' | 'write_mode' | 'max_bytes'>;

/**
 * Checks the value of a secret.
 *
 * @throws ExtensionError SECRET_INVALID if it is empty, no text, no valid Unicode, or longer than
 * `maxBytes` in UTF-8.
 */
export function assertSecretValue(name: string, value: unknown, maxBytes: number): asserts value is string {
  // Text that is not valid UTF-8 would change when it is stored.
  const isText = typeof value === 'string' && value !== '' && isStorable(value.replaceAll('\0', ''));
  if (!isText || Buffer.byteLength(value) > maxBytes) throw SecretErrors.invalid(name, maxBytes);
}

/** Implements `ctx.secrets` for one run, with the secrets that the app declares. */
export class DeclaredSecrets implements ContextSecrets {
  private readonly declarations: ReadonlyMap<string, SecretRules>;

  constructor(
    private readonly vault: SecretKeeper,
    /** The app and the identity of the run. */
    private readonly owner: SecretOwner,
    declarations: readonly SecretRules[],
    /** Receives every value that the run reads or writes, so that logs can be redacted. */
    private readonly redactor: { addSecret(name: string, value: string): void },
  ) {
    this.declarations = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  }

  /**
   * Returns the value of a secret; null if it is not set. Reads it from storage each time, and lets
   * the redactor know it, so that logs omit it.
   *
   * @throws ExtensionError SECRET_UNDECLARED if the app does not declare it.
   */
  async get(name: string): Promise<string | null> {
    const declaration = this.declared(name);
    const value = await this.vault.find(this.ownerOf(declaration), name);
    if (value !== null) this.redactor.addSecret(name, value);
    return value;
  }

  /**
   * Sets a secret, and lets the redactor know its value, so that logs omit it.
   *
   * @throws ExtensionError SECRET_UNDECLARED if the app does not declare it, SECRET_READ_ONLY if
   * only users can set it, SECRET_INVALID if the text is empty, too long or no valid Unicode.
   */
  async set(name: string, value: string): Promise<void> {
    const declaration = this.writable(name);
    assertSecretValue(name, value, declaration.max_bytes);
    this.redactor.addSecret(name, value);
    await this.vault.set(this.ownerOf(declaration), name, value);
  }

  /**
   * Deletes the value of a secret. False if it was not set.
   *
   * @throws ExtensionError SECRET_UNDECLARED if the app does not declare it, SECRET_READ_ONLY if
   * only users can set it.
   */
  async delete(name: string): Promise<boolean> {
    return this.vault.delete(this.ownerOf(this.writable(name)), name);
  }

  async isSet(name: string): Promise<boolean> {
    const names = await this.vault.namesSet(this.ownerOf(this.declared(name)), [name]);
    return names.length > 0;
  }

  /** Names of the secrets that are set, sorted. */
  async list(): Promise<string[]> {
    const named = (scope: SecretRules['scope']) =>
      [...this.declarations.values()].filter((declaration) => declaration.scope === scope).map(({ name }) => name);
    const { appId } = this.owner;
    const [ofApp, ofIdentity] = await Promise.all([
      this.vault.namesSet({ appId, identity: APP_IDENTITY }, named('app')),
      this.vault.namesSet(this.owner, named('user')),
    ]);
    return [...ofApp, ...ofIdentity].sort();
  }

  private declared(name: string): SecretRules {
    const declaration = this.declarations.get(name);
    if (!declaration) throw SecretErrors.undeclared(name);
    return declaration;
  }

  private writable(name: string): SecretRules {
    const declaration = this.declared(name);
    if (declaration.write_mode === 'user') throw SecretErrors.readOnly(name);
    return declaration;
  }

  private ownerOf({ scope }: SecretRules): SecretOwner {
    return scope === 'app' ? { appId: this.owner.appId, identity: APP_IDENTITY } : this.owner;
  }
}
