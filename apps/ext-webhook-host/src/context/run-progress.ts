import { truncateText } from '@platform/contracts';
import { ApiError } from '@platform/client';
import { ExtensionError, MAX_PROGRESS_MESSAGE } from '@platform/extension-sdk/runtime';
import { isUnavailable } from '@platform/platform';
import type { GatewayClient } from '../kernel/gateway/gateway.client.js';
import type { RunState } from './run-state.js';
import type { Run } from './run.js';

/** Reports that come faster wait, and only the last one of them is sent. */
const EVERY_MS = 1_000;
const NOT_SHOWN = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu;

const cancelled = () => new ExtensionError('TASK_CANCELLED', 'The task was cancelled.');

/**
 * Reports the progress of a run's task to the gateway, at most once a second, and learns from the
 * answers if the task was cancelled. A failed report does not end the run.
 */
export class RunProgress {
  private isCancelled = false;
  private toldAt = -Infinity;
  private waiting: { percent: number; message?: string } | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly gateway: Pick<GatewayClient, 'reportProgress'>,
    private readonly run: Pick<Run, 'grant'> & { state: Pick<RunState, 'signal' | 'redactor'> },
  ) {
    run.state.signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
  }

  /**
   * Reports progress, rounded to whole percents; secrets that the run has read are removed from the
   * message. A report within a second of the previous one is sent later, and only if no other
   * follows it. A failed report is ignored.
   *
   * @throws ExtensionError TASK_CANCELLED after the answer to a report has said that the task was
   * cancelled; RUN_REFUSED if the permission of the run has ended and the report is sent at once.
   */
  async report(percent: number, message?: string): Promise<void> {
    this.assertWanted();
    this.waiting = { percent: Math.round(percent), ...(message !== undefined && { message: this.shown(message) }) };
    const waitMs = this.toldAt + EVERY_MS - performance.now();
    if (waitMs > 0) {
      this.timer ??= setTimeout(() => void this.tell().catch(() => undefined), waitMs);
      return;
    }
    await this.tell();
    this.assertWanted();
  }

  private async tell(): Promise<void> {
    const { waiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!waiting) return;
    this.waiting = null;
    this.toldAt = performance.now();
    try {
      const { is_cancelled } = await this.run.grant.callWithGrant((grant) =>
        this.gateway.reportProgress({ grant, ...waiting }),
      );
      this.isCancelled ||= is_cancelled;
    } catch (error) {
      if (!(error instanceof ApiError) && !isUnavailable(error, 'gateway')) throw error;
    }
  }

  private assertWanted(): void {
    if (this.isCancelled) throw cancelled();
  }

  private shown(message: string): string {
    return truncateText(this.run.state.redactor.redact(message).replace(NOT_SHOWN, ' '), MAX_PROGRESS_MESSAGE);
  }
}
