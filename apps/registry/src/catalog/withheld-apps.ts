import { Injectable } from '@nestjs/common';
import { ApiError, ConnectionError } from '@platform/client';
import type { WithheldAppsResponse } from '@platform/contracts';
import { Errors, sha256 } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { GatewayQuestions } from '../access/gateway-questions.js';

/** What changed at the gateway counts here within this time, as for API keys. */
const MAX_AGE_MS = 5_000;
/** How long an answer is kept, for when the gateway is away, of whom nobody asks about. */
const KEPT_MS = 60 * 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** What an answer and what an id take beside their letters, about. */
const BYTES_OF_ANSWER = 1024;
const BYTES_OF_ID = 64;

/** The last answer about a user. */
interface Known {
  /** A hash of the apps that were asked about. */
  list: string;
  withheld: ReadonlySet<string>;
  /** In `performance.now()`. */
  currentUntil: number;
}

/**
 * Which of the apps that a user has installed they may not call, as the gateway decides it at a call: at most 5 s old, or its last answer
 * while it is away.
 */
@Injectable()
export class WithheldApps {
  /** By user: what one has installed and removed since makes no more of them. */
  private readonly known = new LRUCache<string, Known>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ withheld }, userId) => sizeOf(userId, withheld),
    ttl: KEPT_MS,
    ttlResolution: 0,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  /** Under way, by user and list. */
  private readonly questions = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly gateway: GatewayQuestions) {}

  /** @throws AppError 503 when the gateway is away and was not asked about these when it was last asked about the user. */
  async of(userId: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (!appIds.length) return NONE;
    const list = sha256(appIds.join(' ')).toString('base64');
    const last = this.known.get(userId);
    const known = last?.list === list ? last : undefined;
    if (known && performance.now() < known.currentUntil) return known.withheld;
    try {
      return await this.asked(userId, list, appIds);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      if (!known) throw Errors.unavailable(error);
      return known.withheld;
    }
  }

  /** Who asks while the same question is under way waits for its answer. */
  private asked(userId: string, list: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    const question = `${userId} ${list}`;
    const underWay = this.questions.get(question);
    if (underWay) return underWay;
    const answer = this.ask(userId, list, appIds).finally(() => this.questions.delete(question));
    this.questions.set(question, answer);
    return answer;
  }

  private async ask(userId: string, list: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { app_ids } = await this.gateway.ask<WithheldAppsResponse>('withheld-apps', { user_id: userId, app_ids: appIds });
    const withheld = app_ids.length ? new Set(app_ids) : NONE;
    this.known.set(userId, { list, withheld, currentUntil: performance.now() + MAX_AGE_MS });
    return withheld;
  }
}

const NONE: ReadonlySet<string> = new Set();

function sizeOf(userId: string, withheld: ReadonlySet<string>): number {
  let bytes = BYTES_OF_ANSWER + userId.length;
  for (const id of withheld) bytes += BYTES_OF_ID + id.length;
  return bytes;
}
