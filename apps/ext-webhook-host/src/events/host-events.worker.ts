import type { JsonObject } from '@platform/app-document';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import { JobsService, Postponed, type JobInfo } from '@platform/messaging';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { isUnavailable, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { isGrantRefusal } from '../kernel/gateway/run-grant.js';
import { RunGrantsClient } from '../kernel/gateway/run-grants.client.js';
import { failureText } from '../runs/failure-text.js';
import { RunsService } from '../runs/runs.service.js';
import { EventBusService } from '../kernel/event-bus/event-bus.service.js';
import { EventDeliveriesService } from './event-deliveries.service.js';
import { EventSubscriptionsService, matchingSubscriptionTypes } from './event-subscriptions.service.js';
import { StoredEventDelivery } from './stored-event-delivery.entity.js';
import { StoredEventSubscription } from './stored-event-subscription.entity.js';
import { StoredEvent } from '../kernel/event-bus/stored-event.entity.js';
import { eventQueue, eventsToGatewayQueue } from '../kernel/event-bus/events.jobs.js';
import { eventDeliveryQueue, MAX_ATTEMPTS, waitAfter } from './event-deliveries.jobs.js';
import { GATEWAY_RETRY } from '../kernel/gateway/gateway-retry.js';

const EVENT_SCHEMA_VERSION = 1;
const NOT_LET =
  'The app may not handle this event: its user no longer has the app or may no longer use it, or the event is too old.';

const ATTEMPTS = columns(StoredEventDelivery, ['attempts'], 'd');
const OF_EVENT = columns(StoredEvent, ['type', 'source', 'data', 'hop', 'at'], 'e');
type Taken = RowOf<typeof ATTEMPTS> & RowOf<typeof OF_EVENT>;

const HANDLER = columns(StoredEventSubscription, ['appId', 'version', 'sha256', 'type']);
/**
 * Event handler of the running version of an app. `type` is the subscribed type, which can end in
 * `*`.
 */
type Handler = RowOf<typeof HANDLER>;

/** Delivers events to their subscribers. */
@Injectable()
export class HostEventsWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly subscribers: EventSubscriptionsService,
    private readonly deliveries: EventDeliveriesService,
    private readonly bus: EventBusService,
    private readonly gateway: GatewayClient,
    private readonly grants: RunGrantsClient,
    private readonly runs: RunsService,
    @Inject(LOGGER) private readonly logger: Logger,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(eventQueue, { give: ({ event_id }) => this.give(event_id) });
    jobs.registerHandlers(eventsToGatewayQueue, { post: ({ event_id, owner }) => this.post(event_id, owner) });
    jobs.registerHandlers(eventDeliveryQueue, {
      deliver: ({ event_id, app_id }, job) => this.deliver(event_id, app_id, job),
    });
  }

  /**
   * Gives an event that the gateway knows to its subscribers: an event of the platform, or of an
   * app after `markPosted`. Does nothing if the event was deleted or already given.
   *
   * @throws ServiceUnavailable if the gateway is unreachable, which decides the subscribers.
   */
  private async give(id: string): Promise<void> {
    const event = await this.find(id);
    if (event) await this.giveToSubscribers(event);
  }

  /**
   * Posts an event of an app to the gateway, and then gives it to its subscribers. The gateway
   * finds the user of the event by the grant, and so the apps that it reaches. If the subscribers
   * cannot be found, another job looks for them. Does nothing if the event was deleted or dropped,
   * or the gateway already knows it.
   */
  private async post(id: string, owner: string | null): Promise<void> {
    const event = await this.find(id);
    const grant = event && this.bus.grantOf(event);
    if (!grant || !(await this.isTold(event, grant))) return;
    try {
      await this.giveToSubscribers(event);
    } catch (error) {
      this.logger.warn(
        { err: error, event_id: id },
        'could not find the subscribers of an event; another job tries again',
      );
      await this.bus.markPosted(id, owner);
    }
  }

  /**
   * Adds deliveries to the apps that subscribe at this time, and marks the event as given. Does
   * this only once for each event.
   *
   * @throws ServiceUnavailable if the gateway is unreachable, which decides the subscribers.
   */
  private async giveToSubscribers(event: StoredEvent): Promise<void> {
    if (event.givenAt) return;
    const subscribers = await this.subscribers.findSubscribers(event);
    await this.outbox.transaction(async (em) => {
      const isGiven = await this.bus.markDispatched(em, event.id);
      if (isGiven && subscribers.length) await this.deliveries.createDeliveries(em, event, subscribers);
    });
  }

  /**
   * Posts an event of an app to the gateway, and returns true. Returns false if the gateway will
   * never accept it, or refuses its grant, which proves its user: the event is then dropped, and no
   * app gets it.
   *
   * @throws ServiceUnavailable if the gateway is unreachable; ApiError if it refuses for another
   * reason, after which a retry can help.
   */
  private async isTold(event: StoredEvent, grant: string): Promise<boolean> {
    const { id, type, data, at } = event;
    try {
      await this.gateway.postEvent({ grant, event_id: id, type, data, timestamp: at });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.logger.warn(
        { err: error, event_id: id, type },
        'the gateway has refused an event of an app, which is dropped',
      );
      await this.bus.markDropped(id, error.message);
      return false;
    }
    return true;
  }

  private async deliver(id: string, appId: string, { id: jobId, attempt }: JobInfo): Promise<void> {
    // A process that died leaves its delivery `running`.
    const [[taken]] = await this.dataSource.query<[Taken[], number]>(
      `UPDATE event_deliveries d SET status = 'running', attempts = d.attempts + 1, next_attempt_at = NULL
       FROM events e WHERE e.id = d.event_id AND d.event_id = $1 AND d.app_id = $2 AND d.job_id = $3 AND d.status IN ('pending', 'running')
       RETURNING ${ATTEMPTS}, ${OF_EVENT}`,
      [id, appId, jobId],
    );
    if (!taken) return;
    const { error, isFinal } = await this.attempt(id, appId, taken, jobId).catch(async (failure: unknown) => {
      if (!isUnavailable(failure, 'gateway')) throw failure;
      await this.putBack(id, appId, jobId);
      throw new Postponed(
        `The gateway is unreachable; it must permit ${appId} to handle the event ${id}.`,
        GATEWAY_RETRY.waitMs,
      );
    });
    const isLast = isFinal || Math.max(taken.attempts, attempt) >= MAX_ATTEMPTS;
    const status = error === null ? 'succeeded' : isLast ? 'dead' : 'pending';
    await this.dataSource.query(
      `UPDATE event_deliveries SET status = $4, error = $5, finished_at = CASE WHEN $4 = 'pending' THEN NULL ELSE now() END,
         next_attempt_at = CASE WHEN $4 = 'pending' THEN now() + make_interval(secs => $6) END
       WHERE event_id = $1 AND app_id = $2 AND job_id = $3 AND status = 'running'`,
      [id, appId, jobId, status, error, waitAfter(attempt) / 1_000],
    );
    if (status === 'pending') throw new Error(`The event ${id} was not handled by ${appId} and will be tried again.`);
  }

  /** Restores the state before the attempt, which then does not count. */
  private async putBack(id: string, appId: string, jobId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE event_deliveries SET status = 'pending', attempts = attempts - 1, next_attempt_at = now() + make_interval(secs => $4)
       WHERE event_id = $1 AND app_id = $2 AND job_id = $3 AND status = 'running'`,
      [id, appId, jobId, GATEWAY_RETRY.waitMs / 1_000],
    );
  }

  /**
   * Runs the handler of an app once for an event. `error` is the reason of a failure, and null
   * after a success. `isFinal` is true if a retry would change nothing: the app has no handler, it
   * may not handle the event, or the process died in each attempt.
   *
   * @throws ServiceUnavailable if the gateway is unreachable, or ApiError if it refuses the
   * request, before the handler starts.
   */
  private async attempt(
    id: string,
    appId: string,
    event: Taken,
    jobId: string,
  ): Promise<{ error: string | null; isFinal: boolean }> {
    const handler = await this.handler(appId, event.type);
    if (!handler) return { error: 'The app is suspended, or no longer handles events of this type.', isFinal: true };
    if (event.attempts > MAX_ATTEMPTS)
      return { error: 'The process that handled it died in each attempt.', isFinal: true };
    const { type, source, data, hop, at } = event;
    const { app_id, version, sha256 } = handler;
    const begun = await this.grants.authorizeEvent({ app_id, version, sha256, handler: handler.type, event_id: id });
    if (!begun) return { error: NOT_LET, isFinal: true };
    const envelope = {
      event_id: id,
      event_type: type,
      type,
      timestamp: at.toISOString(),
      user_id: begun.userId,
      tenant_id: begun.tenantId,
      data: data as JsonObject,
      source,
      schema_version: EVENT_SCHEMA_VERSION,
      hop,
    };
    try {
      await this.runs.runEventHandler(handler, handler.type, envelope, jobId, begun);
      return { error: null, isFinal: false };
    } catch (error) {
      return { error: failureText(error, this.logger, { app_id: appId, event_id: id }), isFinal: false };
    }
  }

  /**
   * Handler of the running version of an app for a type of event; null if it has none. If several
   * subscriptions match, the narrowest wins.
   */
  private async handler(appId: string, type: string): Promise<Handler | null> {
    const [handler] = await this.dataSource.query<Handler[]>(
      `SELECT ${HANDLER} FROM event_subscriptions WHERE app_id = $1 AND type = ANY ($2)
       ORDER BY array_position($2, type) LIMIT 1`,
      [appId, matchingSubscriptionTypes(type)],
    );
    return handler ?? null;
  }

  /** A stored event; null if it was deleted. */
  private async find(id: string): Promise<StoredEvent | null> {
    return this.dataSource.manager.findOneBy(StoredEvent, { id });
  }
}

/**
 * Statuses of an event that the gateway will never accept: a rule forbids it, another event has its
 * id, it is too large or malformed.
 */
const NEVER = [400, 409, 413, 422];

/**
 * True if a retry cannot help: the run may not publish, or the gateway will never accept the event.
 */
const isRefusal = (error: unknown): error is Error =>
  isGrantRefusal(error) || (error instanceof ApiError && NEVER.includes(error.status));
