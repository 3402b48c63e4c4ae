import type { CallResponse, TokenResponse } from '@platform/contracts';
import { createPlatformClient, followEvents } from '@platform/client';
import { until } from '@platform/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Answer, type ApiUser } from './api-user.js';

/** Short enough that some requests are running whenever a process is stopped. */
const EVERY_MS = 50;
/** Install changes run one after the other, and a pair takes longer than a round. */
const ROUNDS_PER_INSTALL = 10;
/** Sessions have a rate limit for refreshes. */
const ROUNDS_PER_REFRESH = 40;
export const NOTE = 'A steady load';

interface Loaded {
  url: string;
  administrator: ApiUser;
  /** Calls the function `note` of the developer's own app. */
  developer: ApiUser;
  /** Installs and removes the app repeatedly. */
  person: ApiUser;
  appId: string;
}

/**
 * Continuous requests of a few users. Requests begin on time, whether or not the previous ones
 * were answered.
 */
export class SteadyLoad {
  /** A line for each wrong answer. */
  readonly failures: string[] = [];
  /** Number of rounds. Each round gives credits and calls the function with its number, from 0. */
  rounds = 0;
  /** Number of installs and removals. */
  installChanges = 0;
  /** Ids of the received install events, in order. */
  readonly receivedEventIds: string[] = [];
  private readonly sent: Promise<void>[] = [];
  private readonly ended = new AbortController();
  private following: Promise<unknown> = Promise.resolve();
  private installing = Promise.resolve();
  private refreshing = Promise.resolve();
  private refreshToken: string;

  private constructor(private readonly on: Loaded) {
    this.refreshToken = on.person.tokens.refresh_token;
  }

  /** Runs the load while `work` runs, and until all requests are answered. */
  static async during(on: Loaded, work: () => Promise<void>): Promise<SteadyLoad> {
    const load = new SteadyLoad(on);
    await load.follow();
    let isOver = false;
    const sending = load.send(() => isOver);
    try {
      await work();
    } finally {
      isOver = true;
      await sending;
      await Promise.all([...load.sent, load.installing, load.refreshing]);
    }
    return load;
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.following;
  }

  private async send(isOver: () => boolean): Promise<void> {
    for (; !isOver(); this.rounds++) {
      const number = this.rounds;
      this.sent.push(
        this.try('adjust', () => this.adjust(number)),
        this.try('call', () => this.callFunction(number)),
      );
      if (number % ROUNDS_PER_INSTALL === 0) this.installing = this.installing.then(() => this.installAndRemove());
      if (number % ROUNDS_PER_REFRESH === 0) this.refreshing = this.refreshing.then(() => this.try('refresh', () => this.refresh()));
      await delay(EVERY_MS);
    }
  }

  private async try(what: string, work: () => Promise<Answer<unknown>>): Promise<void> {
    try {
      const { status, body } = await work();
      if (status !== 200) this.failures.push(`${what}: ${status} ${JSON.stringify(body)}`);
    } catch (error) {
      this.failures.push(`${what}: ${String(error)}, ${String((error as Error).cause)}`);
    }
  }

  private adjust(number: number): Promise<Answer<unknown>> {
    const { administrator, person } = this.on;
    const body = { amount: 1, note: NOTE };
    return administrator.ask('POST', `/v1/admin/wallets/${person.id}/adjust`, { body, idempotencyKey: `load-${number}` });
  }

  private async callFunction(number: number): Promise<Answer<unknown>> {
    const { developer, appId } = this.on;
    const body = { user_id: developer.id, function: 'note', params: { number } };
    const answer = await developer.ask<CallResponse>('POST', `/v1/extensions/${appId}/call`, { body });
    if (answer.status === 200 && answer.body.status !== 'success') throw new Error(JSON.stringify(answer.body));
    return answer;
  }

  private async installAndRemove(): Promise<void> {
    await this.try('install', () => this.changeInstall('POST'));
    await this.try('remove', () => this.changeInstall('DELETE'));
  }

  private async changeInstall(method: 'POST' | 'DELETE'): Promise<Answer<unknown>> {
    const { person, appId } = this.on;
    const answer = await person.ask(method, `/v1/marketplace/apps/${appId}/install`, method === 'POST' ? { body: {} } : {});
    this.installChanges++;
    return answer;
  }

  private async refresh(): Promise<Answer<unknown>> {
    const answer = await ask<TokenResponse>(this.on.url, 'POST', '/v1/auth/refresh', { body: { refresh_token: this.refreshToken } });
    if (answer.status === 200) this.refreshToken = answer.body.refresh_token;
    return answer;
  }

  private async follow(): Promise<void> {
    const { url, person } = this.on;
    const client = createPlatformClient({ baseUrl: url, headers: { Authorization: `Bearer ${person.tokens.access_token}` } });
    let isOpen = false;
    const follow = async (): Promise<never> => {
      for await (const { id, type } of followEvents(client, { signal: this.ended.signal, onOpen: () => (isOpen = true) }))
        if (id !== null && type.startsWith('marketplace.app_')) this.receivedEventIds.push(id);
      throw new Error('Events never end.');
    };
    this.following = follow().catch((error: unknown) => {
      if (!this.ended.signal.aborted) this.failures.push(`events: ${String(error)}`);
      isOpen = true;
    });
    await until(() => isOpen);
  }
}
