import { call, type DeployResponse, type PlatformClient } from '@platform/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgressLine } from '../text/progress-line.js';

const LOOK_EVERY_MS = 500;

const DONE: Record<DeployResponse['steps'][number]['name'], string> = {
  accepted: 'The platform has the document',
  validated: 'The document is good',
  held: 'The Registry has the functions',
  served: 'The version runs',
  released: 'Sessions find it',
};

/** Shows how far the newest deploy of an app is, as long as it is followed. */
export class DeployProgress {
  private readonly shown = new Set<string>();
  private readonly stopped = new AbortController();

  private constructor(
    private readonly client: PlatformClient,
    private readonly appId: string,
    private readonly line: ProgressLine,
    /** The last deploy that was there before, and over. */
    private readonly former: number,
  ) {}

  /** To be started before the deploy that it shows. */
  static async start(client: PlatformClient, appId: string, line: ProgressLine): Promise<DeployProgress> {
    const [newest] = await newestDeploy(client, appId);
    const former = newest ? newest.number - (newest.deployed_at === null ? 1 : 0) : 0;
    const progress = new DeployProgress(client, appId, line, former);
    void progress.follow();
    return progress;
  }

  /** Shows what is done by then. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.look();
  }

  private async follow(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      await this.look();
      await delay(LOOK_EVERY_MS, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }

  /** The deploy goes on when nobody can look, so that is no reason to end. */
  private async look(): Promise<void> {
    const [deploy] = await newestDeploy(this.client, this.appId).catch(() => []);
    if (!deploy || deploy.number <= this.former) return;
    for (const { name, at } of deploy.steps) {
      if (at === null || this.shown.has(name)) continue;
      this.shown.add(name);
      this.line.done(DONE[name]);
    }
  }
}

const newestDeploy = (client: PlatformClient, appId: string): Promise<DeployResponse[]> =>
  call(client.GET('/v1/developer/apps/{app_id}/deploys', { params: { path: { app_id: appId }, query: { limit: 1 } } }));
