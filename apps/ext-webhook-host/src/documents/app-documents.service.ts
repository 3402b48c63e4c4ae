import { Injectable } from '@nestjs/common';
import { documentHash, type AppDocument } from '@platform/app-document';
import { deleteExpired, Expiries, queryPrepared } from '@platform/persistence';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { GatewayClient } from '../kernel/gateway/gateway-client.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import { compileApp } from './compile-app.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { AppDocumentErrors } from './app-documents.errors.js';

/** Of the JSON of what stays compiled; that takes several times as much memory. */
const COMPILED_BYTES_KEPT = 8 * 1024 * 1024;

type Version = Pick<DeployedApp, 'app_id' | 'sha256'>;

/** The documents of versions of apps, compiled. What has a hash never changes: each is fetched from the gateway once, and kept. */
@Injectable()
export class AppDocuments {
  private readonly compiledApps = new LRUCache<string, CompiledApp, Version>({
    maxSize: COMPILED_BYTES_KEPT,
    // Whoever asks while one is being loaded waits for it.
    fetchMethod: async (_key, _stale, { context, options }) => {
      const json = await this.load(context);
      options.size = json.length;
      return compileApp(JSON.parse(json) as AppDocument);
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: GatewayClient,
    expiries: Expiries,
  ) {
    expiries.add(() => this.sweep());
  }

  /**
   * The same object as long as it is kept, so that what is made of it can be kept by it.
   *
   * @throws AppError 404 `app_version.not_found`, 503 when it is not here and the gateway is away.
   */
  async compiled({ app_id, sha256 }: Version): Promise<CompiledApp> {
    const app = await this.compiledApps.fetch(`${app_id} ${sha256}`, { context: { app_id, sha256 } });
    if (!app) throw AppDocumentErrors.versionNotFound();
    return app;
  }

  /** Drops a batch of documents that nobody has used for 30 days. Returns how many. */
  sweep(): Promise<number> {
    return deleteExpired(this.dataSource, { table: 'app_documents', key: 'app_id, sha256', where: "used_at < now() - interval '30 days'" });
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
      await queryPrepared(this.dataSource, 'UPDATE app_documents SET used_at = now() WHERE app_id = $1 AND sha256 = $2', [app_id, sha256]);
    }
    return stored.document;
  }

  private async fetch({ app_id, sha256 }: Version): Promise<string> {
    const document = await this.gateway.document(app_id, sha256);
    if (!document) throw AppDocumentErrors.versionNotFound();
    if (document.app.id !== app_id || documentHash(document) !== sha256)
      throw new Error(`The document of ${app_id} is not what its hash says.`);
    const json = JSON.stringify(document);
    await queryPrepared(
      this.dataSource,
      'INSERT INTO app_documents (app_id, sha256, document) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [app_id, sha256, json],
    );
    return json;
  }
}
