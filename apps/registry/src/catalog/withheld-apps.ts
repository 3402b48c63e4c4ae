import { Inject, Injectable } from '@nestjs/common';
import { ApiError, ConnectionError } from '@platform/client';
import type { WithheldAppsResponse } from '@platform/contracts';
import { Errors, sha256 } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { GatewayQuestions } from '../access/gateway-questions.js';

/** What changed at the gateway counts here within this time, as for API keys. */
const MAX_AGE_MS = 5_000;
const CACHED_USERS = 10_000;

interface Asked {
  user_id: string;
  app_ids: string[];
}

/** Which of the apps that a user has installed they may not call, as the gateway decides it at a call: at most 5 s old, or its last answer while it is away. */
@Injectable()
export class WithheldApps {
  private readonly answers = new LRUCache<string, ReadonlySet<string>, Asked>({
    max: CACHED_USERS,
    ttl: MAX_AGE_MS,
    // Who asks while a question is under way waits for its answer.
    fetchMethod: async (_key, _stale, { context }) =>
      new Set((await this.gateway.ask<WithheldAppsResponse>('withheld-apps', context)).app_ids),
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
  });

  constructor(@Inject(GatewayQuestions) private readonly gateway: GatewayQuestions) {}

  /** @throws AppError 503 when the gateway is away and was never asked about these. */
  async of(userId: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (!appIds.length) return NONE;
    const asked = { user_id: userId, app_ids: [...appIds] };
    const key = `${userId} ${sha256(asked.app_ids.join(' ')).toString('base64')}`;
    try {
      return (await this.answers.fetch(key, { context: asked })) ?? NONE;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      const known = this.answers.get(key, { allowStale: true });
      if (!known) throw Errors.unavailable(error);
      return known;
    }
  }
}

const NONE: ReadonlySet<string> = new Set();
