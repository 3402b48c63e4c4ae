import type { CallResponse, TokenResponse } from '@platform/contracts';
import { createPlatformClient, followEvents } from '@platform/client';
import { until } from '@platform/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Answer, type ApiUser } from './api-user.js';

/** Short enough that some requests are in progress whenever a process is told to stop. */
const EVERY_MS = 50;
/**
 * Rounds between two installs. Installs run one after the other, and an install with its removal
 * takes longer than a round.
 */
const ROUNDS_PER_INSTALL = 10;
/** Rounds between two refreshes; the platform limits refreshes of a session. */
const ROUNDS_PER_REFRESH = 40;
export const NOTE = 'A steady load';

interface Loaded {
  url: string;
  administrator: ApiUser;
  /** The developer owns the app and calls its function `note`. */
  developer: ApiUser;
  /** This user installs and removes the app again and again. */
  person: ApiUser;
  appId: string;
}

/**
 * Constant load of a few users. Requests start at fixed times, even if earlier ones are not
 * answered yet.
 */
export class SteadyLoad {
  /** A line for each request with a wrong answer. */
  readonly failures: string[] = [];
  /**
   * Number of rounds. Each gives credits and calls the function with the number of the round, from
   * 0 on.
   */
  rounds = 0;
  /** Number of installs and removals of the app. */
  installChanges = 0;
  /** Ids of the events about them that the user received, in order of arrival. */
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

  /** Runs the load while `work` runs, and waits for the answers of all its requests. */
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

  /** Ends the event stream. */
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
      if (number % ROUNDS_PER_REFRESH === 0)
        this.refreshing = this.refreshing.then(() => this.try('refresh', () => this.refresh()));
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
    return administrator.ask('POST', `/v1/admin/wallets/${person.id}/adjust`, {
      body,
      idempotencyKey: `load-${number}`,
    });
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
    const answer = await person.ask(
      method,
      `/v1/marketplace/apps/${appId}/install`,
      method === 'POST' ? { body: {} } : {},
    );
    this.installChanges++;
    return answer;
  }

  private async refresh(): Promise<Answer<unknown>> {
    const answer = await ask<TokenResponse>(this.on.url, 'POST', '/v1/auth/refresh', {
      body: { refresh_token: this.refreshToken },
    });
    if (answer.status === 200) this.refreshToken = answer.body.refresh_token;
    return answer;
  }

  private async follow(): Promise<void> {
    const { url, person } = this.on;
    const client = createPlatformClient({
      baseUrl: url,
      headers: { Authorization: `Bearer ${person.tokens.access_token}` },
    });
    let isOpen = false;
    const follow = async (): Promise<never> => {
      for await (const { id, type } of followEvents(client, {
        signal: this.ended.signal,
        onOpen: () => (isOpen = true),
      }))
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
