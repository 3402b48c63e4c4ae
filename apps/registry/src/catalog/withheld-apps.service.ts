import { Injectable } from '@nestjs/common';
import { ApiError, ConnectionError } from '@platform/client';
import type { WithheldAppsResponse } from '@platform/contracts';
import { Errors, sha256 } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { RegistryGatewayClient } from '../access/registry-gateway.client.js';

/** Longest age of a cached answer of the gateway, the same as for API keys. */
const MAX_AGE_MS = 5_000;
/**
 * Time after its last use at which an answer is deleted. Until then it replaces the gateway while
 * that is unreachable.
 */
const KEPT_MS = 60 * 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Approximate memory of an answer, and of an id, in addition to its characters. */
const BYTES_OF_ANSWER = 1024;
const BYTES_OF_ID = 64;

/** The last answer of the gateway about a user. */
interface Known {
  /** Hash of the app ids that were sent. */
  list: string;
  withheld: ReadonlySet<string>;
  /** Compared with `performance.now()`. */
  currentUntil: number;
}

/**
 * Knows which installed apps a user must not call, by the same rules that the gateway applies to a
 * call. An answer is used for 5 s, and longer while the gateway is unreachable: until nobody has
 * asked about the user for an hour.
 */
@Injectable()
export class WithheldAppsService {
  /**
   * By user, without the list of apps in the key: installing and removing apps does not add
   * entries.
   */
  private readonly known = new LRUCache<string, Known>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ withheld }, userId) => sizeOf(userId, withheld),
    ttl: KEPT_MS,
    ttlResolution: 0,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  /** Pending questions, by user and list. */
  private readonly questions = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly gateway: RegistryGatewayClient) {}

  /**
   * Returns the ids among `appIds` that the user must not call; an empty set if the user may call
   * all.
   *
   * @throws AppError 503 `unavailable` if the gateway is unreachable or refuses the question, and
   * no answer for the same user and list of apps is kept.
   */
  async findWithheldApps(userId: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
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

  /** Asks the gateway. Concurrent callers with the same question share one answer. */
  private asked(userId: string, list: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    const question = `${userId} ${list}`;
    const underWay = this.questions.get(question);
    if (underWay) return underWay;
    const answer = this.ask(userId, list, appIds).finally(() => this.questions.delete(question));
    this.questions.set(question, answer);
    return answer;
  }

  private async ask(userId: string, list: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { app_ids } = await this.gateway.sendRequest<WithheldAppsResponse>('withheld-apps', {
      user_id: userId,
      app_ids: appIds,
    });
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
