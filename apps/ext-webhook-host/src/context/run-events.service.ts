import { pathOf, type AppFunction, type JsonObject, type JsonValue } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { MAX_EVENT_BYTES, MAX_EVENT_HOPS } from '@platform/contracts';
import { capabilityNotDeclared, ExtensionError, isPathAllowed, jsonObjectText } from '@platform/extension-sdk/runtime';
import { isUnavailable, newUuid } from '@platform/platform';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import type { Run } from './run.js';
import { schemaCheckOf } from './schema-checks.js';
import { EventBusService } from '../kernel/event-bus/event-bus.service.js';
import { EmitErrors } from '../kernel/event-bus/emit.errors.js';

/** The run that publishes an event. */
type Publisher = Pick<Run, 'app' | 'compiled' | 'capabilities' | 'tenantId' | 'userId' | 'hop' | 'grant'>;

/** Publishes the events of runs. */
@Injectable()
export class RunEventsService {
  constructor(private readonly bus: EventBusService) {}

  /**
   * Publishes an event of the app of the run, for the user of the run. A retry with the same `id`
   * publishes nothing.
   *
   * @throws ExtensionError CAPABILITY_NOT_DECLARED if the version may not publish events;
   * RUN_REFUSED in a run that handles the removal of the app, or if its permission has ended;
   * EVENT_TYPE_FOREIGN, EVENT_NOT_DECLARED, EVENT_INVALID, EVENT_TOO_LARGE or EVENT_TOO_MANY_HOPS
   * if the event is not allowed; EVENT_BACKLOG_FULL and EVENT_QUOTA_EXCEEDED as in
   * `EventBusService.publishEvent`; EVENTS_UNAVAILABLE if the gateway is unreachable.
   */
  async publishEvent(publisher: Publisher, type: string, data: JsonObject, id = newUuid()): Promise<void> {
    const { app, tenantId, userId, hop, grant } = publisher;
    // The event of a function is published without its context, which would check the same.
    if (!isPathAllowed(pathOf('emit'), publisher.capabilities)) throw capabilityNotDeclared('emit');
    if (grant.handlesRemoval) throw RunErrors.refused();
    this.check(publisher, type, data);
    const event = {
      event_id: id,
      type,
      tenant_id: tenantId,
      user_id: userId,
      source: app.app_id,
      data,
      hop,
      timestamp: new Date(),
    };
    await grant
      .callWithGrant((text) => this.bus.publishEvent(event, text))
      .catch((error: unknown) => {
        if (!isUnavailable(error, 'gateway')) throw error;
        throw unavailableError('EVENTS', 'Events cannot be published at the moment.', {
          retryable: true,
          cause: error,
        });
      });
  }

  /**
   * Publishes the event of a function that has succeeded, with its answer as data; an answer that
   * is not an object is in `value`. Returns the ExtensionError of `publishEvent` if the event could
   * not be published; null if it was published, or if the function declares none.
   *
   * @throws errors of `publishEvent` that are no ExtensionError: faults of the platform.
   */
  async publishResult(publisher: Publisher, { event }: AppFunction, data: JsonValue): Promise<ExtensionError | null> {
    if (event === null) return null;
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    try {
      await this.publishEvent(publisher, `${publisher.app.app_id}.${event}`, isObject ? data : { value: data });
      return null;
    } catch (error) {
      if (error instanceof ExtensionError) return error;
      throw error;
    }
  }

  private check({ app, compiled, hop }: Publisher, type: string, data: JsonObject): void {
    if (!type.startsWith(`${app.app_id}.`)) throw EmitErrors.foreign(type, app.app_id);
    const declared = compiled.document.app.events.emits.find((emission) => emission.type === type);
    if (!declared) throw EmitErrors.undeclared(type);
    if (Buffer.byteLength(jsonObjectText(data)) > MAX_EVENT_BYTES) throw EmitErrors.tooLarge();
    const issue = declared.payload_schema && schemaCheckOf(declared.payload_schema)(data);
    if (issue) throw EmitErrors.invalid(type, issue.message);
    if (hop > MAX_EVENT_HOPS) throw EmitErrors.tooManyHops();
  }
}
