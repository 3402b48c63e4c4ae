import { Injectable } from '@nestjs/common';
import type { SyncManifestRequest, SyncManifestResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { onViolation, Outbox } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { lockAppForDeploy, getCallerName, getDeveloperReach, type LockedApp } from '../model/developer-reach.js';
import { DeploysService } from './deploys.service.js';
import { DeployErrors } from './versions/deploys.errors.js';
import { createManifestVersion } from './versions/versions.js';
import { sanitizeIcon } from './documents/icons.js';
import { parseExternalManifest } from './external-manifest.js';

/** Takes the results of an external pipeline. */
@Injectable()
export class ManifestSyncService {
  constructor(
    private readonly outbox: Outbox,
    private readonly deploys: DeploysService,
  ) {}

  /**
   * Applies all parts of a pipeline's request or none: the icon, the flag for system apps, and the
   * manifest, which is stored as a version and deployed unless the same content is already served
   * or being deployed. `updated` in the answer is false if nothing changed.
   *
   * @throws AppError 404 `app.not_found`; 409 `deploy.version_taken` if the version exists with
   * other content and cannot change, `app.ownerless` or `app.nothing_served` if the app can be only
   * a system app; ValidationFailed for an invalid icon or manifest.
   */
  async syncManifest(caller: Caller, appId: string, request: SyncManifestRequest): Promise<SyncManifestResponse> {
    const icon = request.icon_svg == null ? null : await sanitizeIcon(request.icon_svg);
    if (request.icon_svg != null && icon === null) throw noIcon();
    const manifest = request.manifest_json == null ? null : parseExternalManifest(request.manifest_json, appId);
    const updated = await this.outbox.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, getDeveloperReach(caller));
      const changes = {
        ...(icon !== null && icon !== app.icon_svg && { icon_svg: icon }),
        ...(request.system != null && request.system !== app.system && { system: request.system }),
      };
      const hasChanges = Object.keys(changes).length > 0;
      if (hasChanges) await this.change(em, app, changes);
      if (!manifest) return hasChanges;
      const deploy = { requestedBy: getCallerName(caller), changelog: 'Manifest of an external pipeline' };
      return (await this.deploys.startUnlessServed(em, app, createManifestVersion(manifest), deploy)) || hasChanges;
    });
    return { updated };
  }

  private async change(
    em: EntityManager,
    app: LockedApp,
    changes: { icon_svg?: string; system?: boolean },
  ): Promise<void> {
    await em
      .query(
        'UPDATE apps SET icon_svg = coalesce($2, icon_svg), system = coalesce($3, system), updated_at = now() WHERE app_id = $1',
        [app.app_id, changes.icon_svg, changes.system],
      )
      .catch(onViolation('apps_developer_check', DeployErrors.ownerless))
      .catch(onViolation('apps_served_check', DeployErrors.nothingServed));
    await recordAudit(em, {
      action: 'app.manifest_synced',
      target: { type: 'app', id: app.app_id },
      tenantId: app.tenant_id,
      before: { system: app.system },
      after: { system: changes.system ?? app.system, icon_changed: changes.icon_svg !== undefined },
    });
  }
}

const noIcon = () =>
  new ValidationFailed([
    {
      loc: ['body', 'icon_svg'],
      msg: 'Input should be an SVG of at most 64 KiB, without a DOCTYPE',
      type: 'value_error',
    },
  ]);
