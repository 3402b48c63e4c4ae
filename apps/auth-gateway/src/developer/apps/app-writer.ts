import { Inject, Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import type { EntityManager } from 'typeorm';
import { enqueueAppSync } from '../../deploys/app-sync.jobs.js';
import { App, type AppStatus } from '../app.entity.js';
import { recordAppAudit } from './app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from './app-response.js';
import { AppErrors } from './apps.errors.js';

interface Move {
  action: string;
  /** The statuses that it starts from. */
  from: readonly AppStatus[];
  changes: Partial<ShownApp> & { status: AppStatus };
  metadata?: object;
}

/** The one way in which an app changes: with an entry in the audit log, and with the Registry brought in line after the commit. */
@Injectable()
export class AppWriter {
  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  /** @param before the app, which the transaction has locked. Returns what became of it. */
  async write(
    em: EntityManager,
    before: ShownApp,
    changes: Partial<ShownApp>,
    event: { action: string; metadata?: object },
  ): Promise<ShownApp> {
    const { appId, status } = before;
    const { affected } = await em.update(App, { appId, status }, { ...changes, updatedAt: () => 'now()' } as object);
    if (!affected) throw AppErrors.wrongStatus(status);
    const after = await em.findOneOrFail(App, { select: SHOWN_COLUMNS, where: { appId } });
    await recordAppAudit(em, { ...event, before, after });
    await enqueueAppSync(em, this.jobs, appId);
    return after;
  }

  /** Changes the status. @throws AppError 409 when the app has none that this starts from. */
  move(em: EntityManager, before: ShownApp, { from, changes, ...event }: Move): Promise<ShownApp> {
    if (!from.includes(before.status)) throw AppErrors.wrongStatus(before.status);
    return this.write(em, before, changes, event);
  }
}
