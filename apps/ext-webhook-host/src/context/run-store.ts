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
import type { DocumentStore } from '../store/document-store.service.js';
import type { StoreScope } from '../store/documents.js';
import { RunErrors } from './run-errors.js';
import type { RunState } from './run-state.js';
import { whileOpen } from './while-open.js';

/** `ctx.store` of one run. */
export class RunStore implements ContextStore {
  constructor(
    private readonly documents: DocumentStore,
    private readonly scope: StoreScope,
    private readonly state: Pick<RunState, 'storeOperations' | 'assertOpen' | 'once'>,
    /** See `Run.onlyFor`. */
    private readonly onlyFor: string | null = null,
  ) {}

  async create(collection: string, data: JsonObject): Promise<StoredDocument> {
    const id = idOf('doc', this.state.once.uuidFor(`documents of ${this.scope.userId} in ${collection}`));
    return this.counted().create(this.scope, collection, data, id);
  }

  async get(collection: string, id: string): Promise<StoredDocument | null> {
    return this.counted().get(this.scope, collection, id);
  }

  async query(collection: string, options?: QueryOptions): Promise<DocumentPage> {
    return this.counted().query(this.scope, collection, options);
  }

  async update(collection: string, id: string, changes: JsonObject, ifMatch?: string): Promise<StoredDocument> {
    return this.counted().update(this.scope, collection, id, changes, ifMatch);
  }

  async updateMany(collection: string, selection: Selection, changes: JsonObject): Promise<string[]> {
    return this.counted().updateMany(this.scope, collection, selection, changes);
  }

  async delete(collection: string, id: string): Promise<boolean> {
    return this.counted().delete(this.scope, collection, id);
  }

  async deleteMany(collection: string, selection: Selection): Promise<string[]> {
    return this.counted().deleteMany(this.scope, collection, selection);
  }

  async count(collection: string, selection?: Selection): Promise<number> {
    return this.counted().count(this.scope, collection, selection);
  }

  async set(path: string, data: JsonObject): Promise<StoredDocument> {
    const [collection = '', id = '', ...rest] = path.split('/');
    if (rest.length) throw StoreErrors.idInvalid();
    return this.counted().set(this.scope, collection, id, data);
  }

  forUser(userId: string): ContextStore {
    assertUserId(userId);
    if (this.onlyFor !== null && userId !== this.onlyFor) throw RunErrors.userNotAvailable(userId);
    return whileOpen(new RunStore(this.documents, { ...this.scope, userId }, this.state, this.onlyFor), this.state.assertOpen);
  }

  async listUsers(collection: string, options?: SystemListOptions): Promise<UserPage> {
    return this.counted().listUsers(this.scope, collection, options);
  }

  async queryAll(collection: string, options?: SystemListOptions): Promise<DocumentPage> {
    return this.counted().queryAll(this.scope, collection, options);
  }

  private counted(): DocumentStore {
    this.state.storeOperations.spend();
    return this.documents;
  }
}
