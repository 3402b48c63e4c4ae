import { Injectable } from '@nestjs/common';
import type { AppLogsQuery, AppLogsResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { type CancellationSignal, Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { assertOwnApp } from './own-app.js';

/** Each waiting request holds a connection to the host, and calls need these connections too. */
const MAX_WAITS_OF_DEVELOPER = 5;
const RETRY_AFTER_SECONDS = 5;

/** Log lines of an app. */
@Injectable()
export class AppLogsService {
  /** Number of waiting requests per developer. */
  private readonly waits = new Map<string, number>();

  constructor(
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Returns log lines of an app of the caller. With `wait_seconds` it waits for a new line, at most
   * for that time; if the client disconnects meanwhile (`gone`), it returns no lines.
   *
   * @throws AppError 400 `logs.after_invalid` if `after` is not from an earlier answer; 404
   * `app.not_found` if there is no such app or it belongs to another developer; 429 `rate_limited`
   * if five requests of the developer wait already; 503 if the host is unreachable.
   */
  async getAppLogs(
    user: UserCaller,
    appId: string,
    query: AppLogsQuery,
    gone: CancellationSignal,
  ): Promise<AppLogsResponse> {
    await assertOwnApp(this.dataSource, user, appId);
    const read = () => forwardHostErrors(this.host.readLogs(appId, query, gone));
    const answer = await (query.wait_seconds ? this.limitWaits(user.userId, read) : read()).catch((error: unknown) => {
      // the client has disconnected
      if (gone.aborted) return { items: [], next: query.after ?? null };
      throw error;
    });
    return { items: answer.items.map(toLine), next: answer.next };
  }

  private async limitWaits<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const waits = this.waits.get(userId) ?? 0;
    if (waits >= MAX_WAITS_OF_DEVELOPER) throw Errors.rateLimited(RETRY_AFTER_SECONDS);
    this.waits.set(userId, waits + 1);
    try {
      return await work();
    } finally {
      const left = (this.waits.get(userId) ?? 1) - 1;
      if (left) this.waits.set(userId, left);
      else this.waits.delete(userId);
    }
  }
}

const toLine = ({ id, at, level, message, kind, handler, request_id, user_id }: AppLogsResponse['items'][number]) => ({
  id,
  at,
  level,
  message,
  kind,
  handler,
  request_id,
  user_id,
});
