import { Injectable } from '@nestjs/common';
import type { CompiledApp } from '../runs/handler-runtime.js';
import type { DeployedApp } from './deployed-apps.service.js';

/** The documents of versions of apps, compiled. */
@Injectable()
export abstract class AppDocuments {
  /**
   * The same object as long as it is kept, so that what is made of it can be kept by it.
   *
   * @throws AppError 404 `app_version.not_found`, 503 when it is not here and the gateway is away.
   */
  abstract compiled(app: Pick<DeployedApp, 'app_id' | 'sha256'>): Promise<CompiledApp>;
}
