import { Inject, Injectable } from '@nestjs/common';
import type { AppRuntimeInfo } from '@platform/contracts';
import { queryPrepared } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { DataSource } from 'typeorm';

const HASH = /^[0-9a-f]{64}$/;

const notFound = () => new AppError(404, 'app_version.not_found', 'There is no such version, or it has no document.');

/** What runs of each app. */
@Injectable()
export class AppRuntimes {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The version that is served, whether users may call it or not. @throws AppError 404, also when it has no document. */
  async get(appId: string): Promise<AppRuntimeInfo> {
    const [app] = await queryPrepared<AppRuntimeInfo>(
      this.dataSource,
      `SELECT a.app_id, v.version, encode(v.sha256, 'hex') AS sha256, u.tenant_id, a.developer_id, a.status = 'active' AS is_active
       FROM apps a JOIN users u ON u.id = a.developer_id
         JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version AND v.document IS NOT NULL
       WHERE a.app_id = $1`,
      [appId],
    );
    if (!app) throw notFound();
    return app;
  }

  /** The canonical document of any version, served or not. @throws AppError 404. */
  async document(appId: string, hash: string): Promise<Record<string, unknown>> {
    const [version] = HASH.test(hash)
      ? await this.dataSource.query<{ document: Record<string, unknown> }[]>(
          "SELECT document FROM app_versions WHERE app_id = $1 AND sha256 = decode($2, 'hex') AND document IS NOT NULL",
          [appId, hash],
        )
      : [];
    if (!version) throw notFound();
    return version.document;
  }
}
