import { call, type DeployResponse, type PlatformClient } from '@platform/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgressLine } from '../text/progress-line.js';

const LOOK_EVERY_MS = 500;

const DONE: Record<DeployResponse['steps'][number]['name'], string> = {
  accepted: 'Document received',
  validated: 'Document validated',
  held: 'Functions registered',
  served: 'Version started',
  released: 'Version available to sessions',
};

/** Prints the finished steps of the newest deploy of an app until `stop` is called. */
export class DeployProgress {
  private readonly shown = new Set<string>();
  private readonly stopped = new AbortController();

  private constructor(
    private readonly client: PlatformClient,
    private readonly appId: string,
    private readonly line: ProgressLine,
    /** Number of the last deploy that had ended before this one. */
    private readonly former: number,
  ) {}

  /** Starts to follow the next deploy of the app. Call it before the deploy begins. */
  static async start(client: PlatformClient, appId: string, line: ProgressLine): Promise<DeployProgress> {
    const [newest] = await newestDeploy(client, appId);
    const former = newest ? newest.number - (newest.deployed_at === null ? 1 : 0) : 0;
    const progress = new DeployProgress(client, appId, line, former);
    void progress.follow();
    return progress;
  }

  /** Shows the steps that are done and stops. */
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

  /**
   * Prints the steps that were finished since the last look. Errors are ignored: the deploy
   * continues without its progress display.
   */
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
