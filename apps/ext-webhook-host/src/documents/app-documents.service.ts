import { Injectable } from '@nestjs/common';
import { documentHash, type AppDocument } from '@platform/app-document';
import { deleteExpired, RetentionService, queryPrepared } from '@platform/persistence';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import { compileApp } from './compile-app.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { AppDocumentErrors } from './app-documents.errors.js';

/**
 * Limit for the JSON of documents that stay compiled. A compiled document takes several times as
 * much memory.
 */
const COMPILED_BYTES_KEPT = 8 * 1024 * 1024;

type Version = Pick<DeployedApp, 'app_id' | 'sha256'>;

/**
 * Compiled documents of app versions. The document of a version has its functions, webhooks,
 * schedules and code, as the developer deployed them. The document of a hash never changes: it is
 * fetched from the gateway once and stored.
 */
@Injectable()
export class AppDocumentsService {
  private readonly compiledApps = new LRUCache<string, CompiledApp, Version>({
    maxSize: COMPILED_BYTES_KEPT,
    // Concurrent callers wait for the same load.
    fetchMethod: async (_key, _stale, { context, options }) => {
      const json = await this.load(context);
      options.size = json.length;
      return compileApp(JSON.parse(json) as AppDocument);
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: GatewayClient,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows(() => this.deleteUnusedDocuments());
  }

  /**
   * Returns the compiled document of a version: its functions, webhooks, schedules and code. It is
   * the same object while it is cached, so that it can be the key of data derived from it.
   *
   * @throws AppError 404 `app_version.not_found` if the gateway has no such version; 503
   * `gateway_unavailable` if the document is not stored here and the gateway is unreachable; Error
   * if the gateway's document does not match the hash.
   */
  async loadCompiledApp({ app_id, sha256 }: Version): Promise<CompiledApp> {
    const app = await this.compiledApps.fetch(`${app_id} ${sha256}`, { context: { app_id, sha256 } });
    if (!app) throw AppDocumentErrors.versionNotFound();
    return app;
  }

  /** Deletes a batch of documents that were not used for 30 days. Returns how many. */
  deleteUnusedDocuments(): Promise<number> {
    return deleteExpired(this.dataSource, {
      table: 'app_documents',
      key: 'app_id, sha256',
      where: "used_at < now() - interval '30 days'",
    });
  }

  private async load(version: Version): Promise<string> {
    const { app_id, sha256 } = version;
    const [stored] = await queryPrepared<{ document: string; is_old: boolean }>(
      this.dataSource,
      "SELECT document, used_at < now() - interval '1 day' AS is_old FROM app_documents WHERE app_id = $1 AND sha256 = $2",
      [app_id, sha256],
    );
    if (!stored) return this.fetch(version);
    if (stored.is_old) {
      await queryPrepared(
        this.dataSource,
        'UPDATE app_documents SET used_at = now() WHERE app_id = $1 AND sha256 = $2',
        [app_id, sha256],
      );
    }
    return stored.document;
  }

  private async fetch({ app_id, sha256 }: Version): Promise<string> {
    const document = await this.gateway.fetchDocument(app_id, sha256);
    if (!document) throw AppDocumentErrors.versionNotFound();
    if (document.app.id !== app_id || documentHash(document) !== sha256)
      throw new Error(`The document of ${app_id} does not match its hash.`);
    const json = JSON.stringify(document);
    await queryPrepared(
      this.dataSource,
      'INSERT INTO app_documents (app_id, sha256, document) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [app_id, sha256, json],
    );
    return json;
  }
}
