import type { JsonObject } from '@platform/app-document';
import {
  assertUserId,
  type ContextStore,
  type DocumentPage,
  type QueryOptions,
  type Selection,
  type StoredDocument,
  StoreErrors,
  type SystemListOptions,
  type UserPage,
} from '@platform/extension-sdk/runtime';
import { idOf } from '@platform/platform';
import type { DocumentStore } from '../kernel/store/document-store.js';
import type { StoreScope } from '../kernel/store/documents.js';
import { RunErrors } from '../handlers/run-errors.js';
import type { RunState } from './run-state.js';
import { withOpenCheck } from './open-check.js';

/** Documents that a run can reach. */
interface StoreReach {
  /** See `Run.onlyFor`. */
  onlyFor: string | null;
  /** Tenant of a user. @throws ExtensionError if the app may not act for the user. */
  tenantOf: (userId: string) => Promise<string>;
  /**
   * Computes `StoreScope.changedUntil` for the run's own documents before each operation; null: no
   * limit.
   */
  changedUntil: (() => Promise<string>) | null;
}

/** The member `ctx.store` of one run. */
export class RunStore implements ContextStore {
  constructor(
    private readonly documents: DocumentStore,
    private readonly own: StoreScope,
    private readonly state: Pick<RunState, 'storeOperations' | 'assertOpen' | 'once'>,
    private readonly reach: StoreReach,
    /** Owner of the documents; null: the user of the run. */
    private readonly other: string | null = null,
  ) {}

  async create(collection: string, data: JsonObject): Promise<StoredDocument> {
    const id = idOf(
      'doc',
      this.state.once.deriveUuid(`documents of ${this.other ?? this.own.userId} in ${collection}`),
    );
    return this.counted().createDocument(await this.scope(), collection, data, id);
  }

  async get(collection: string, id: string): Promise<StoredDocument | null> {
    return this.counted().findDocument(await this.scope(), collection, id);
  }

  async query(collection: string, options?: QueryOptions): Promise<DocumentPage> {
    return this.counted().queryDocuments(await this.scope(), collection, options);
  }

  async update(collection: string, id: string, changes: JsonObject, ifMatch?: string): Promise<StoredDocument> {
    return this.counted().updateDocument(await this.scope(), collection, id, changes, ifMatch);
  }

  async updateMany(collection: string, selection: Selection, changes: JsonObject): Promise<string[]> {
    return this.counted().updateDocuments(await this.scope(), collection, selection, changes);
  }

  async delete(collection: string, id: string): Promise<boolean> {
    return this.counted().deleteDocument(await this.scope(), collection, id);
  }

  async deleteMany(collection: string, selection: Selection): Promise<string[]> {
    return this.counted().deleteDocuments(await this.scope(), collection, selection);
  }

  async count(collection: string, selection?: Selection): Promise<number> {
    return this.counted().countDocuments(await this.scope(), collection, selection);
  }

  async set(path: string, data: JsonObject): Promise<StoredDocument> {
    const [collection = '', id = '', ...rest] = path.split('/');
    if (rest.length) throw StoreErrors.idInvalid();
    return this.counted().setDocument(await this.scope(), collection, id, data);
  }

  forUser(userId: string): ContextStore {
    assertUserId(userId);
    const { onlyFor } = this.reach;
    if (onlyFor !== null && userId !== onlyFor) throw RunErrors.userNotAvailable(userId);
    const other = userId === this.own.userId ? null : userId;
    return withOpenCheck(new RunStore(this.documents, this.own, this.state, this.reach, other), this.state.assertOpen);
  }

  async listUsers(collection: string, options?: SystemListOptions): Promise<UserPage> {
    return this.counted().listUsers(await this.scope(), collection, options);
  }

  async queryAll(collection: string, options?: SystemListOptions): Promise<DocumentPage> {
    return this.counted().queryAllUsers(await this.scope(), collection, options);
  }

  private counted(): DocumentStore {
    this.state.storeOperations.spend();
    return this.documents;
  }

  private async scope(): Promise<StoreScope> {
    const { tenantOf, changedUntil } = this.reach;
    if (this.other !== null) return { ...this.own, tenantId: await tenantOf(this.other), userId: this.other };
    return changedUntil ? { ...this.own, changedUntil: await changedUntil() } : this.own;
  }
}
