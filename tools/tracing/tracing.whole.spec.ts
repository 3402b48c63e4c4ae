import { until } from '@platform/testing';
import { ServiceProcess } from '../smoke/service-process.js';
import type { ReceivedSpan } from './testing/trace-receiver.js';
import { TracedPlatform, USER } from './testing/traced-platform.js';

const STRANGER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${STRANGER.traceId}-${STRANGER.spanId}-01`;
const CALL = 'POST /v1/extensions/:app_id/call';

describe('a platform that exports traces', () => {
  let platform: TracedPlatform;
  let called: ReceivedSpan;

  beforeAll(async () => {
    platform = await TracedPlatform.start();
    await platform.deploy();
    expect(await (await platform.call({ 'X-Request-Id': 'the-call' })).json()).toMatchObject({ status: 'success' });
    called = await spanNamed(CALL);
  }, 60_000);
  afterAll(() => platform.stop());

  const spanNamed = (name: string): Promise<ReceivedSpan> =>
    until(() => platform.receiver.spans.find((span) => span.name === name));

  /** Waits for spans in which each is the parent of the next. */
  const chain = (traceId: string, names: string[]): Promise<ReceivedSpan[]> =>
    until(() => {
      const [first, ...rest] = names;
      const spans = platform.receiver.spans.filter((span) => span.traceId === traceId);
      const extend = (path: ReceivedSpan[], [name, ...later]: string[]): ReceivedSpan[] | undefined =>
        name === undefined
          ? path
          : spans
              .filter((span) => `${span.service}: ${span.name}` === name && span.parentSpanId === path.at(-1)?.spanId)
              .map((span) => extend([...path, span], later))
              .find(Boolean);
      const starts = spans.filter((span) => `${span.service}: ${span.name}` === first);
      return starts.map((span) => extend([span], rest)).find(Boolean);
    });

  const logLine = (service: ServiceProcess, text: string): Record<string, unknown> | undefined => {
    const line = service.output
      .join('')
      .split('\n')
      .find((one) => one.includes(text));
    return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
  };

  it('has one trace from the gateway to the host, its database, its job and back', async () => {
    expect(called.parentSpanId ?? '').toBe('');
    const run = [
      `auth-gateway: ${CALL}`,
      'auth-gateway: extension_host run',
      'ext-webhook-host: POST /v1/internal/runs',
    ];
    await chain(called.traceId, [...run, 'ext-webhook-host: INSERT events']);
    const job = [...run, 'ext-webhook-host: events-to-gateway post'];
    await chain(called.traceId, [
      ...job,
      'ext-webhook-host: gateway postEvent',
      'auth-gateway: POST /v1/internal/events',
    ]);
  });

  it('begins a trace for a job that a job enqueues, with a link to the one before', async () => {
    const delivery = await until(() =>
      platform.receiver.spans.find(({ name }) => name.startsWith('event-deliveries ')),
    );
    expect(delivery.parentSpanId ?? '').toBe('');
    expect(delivery.traceId).not.toBe(called.traceId);
    expect(delivery.links?.map(({ traceId }) => traceId)).toEqual([called.traceId]);
  });

  it('has the Registry in the trace of a deploy', async () => {
    const request = await spanNamed('POST /v1/apps');
    await chain(request.traceId, [
      'auth-gateway: deploys run',
      'auth-gateway: registry createApp',
      'registry: POST /v1/apps',
      'registry: INSERT apps',
    ]);
  });

  it('goes on from the panel, which calls with the rights of its visitors', async () => {
    await fetch(`${platform.services.panel.url}/api/v1/auth/signup-status`);
    const { traceId } = await spanNamed('GET /api/v1/auth/signup-status');
    await chain(traceId, [
      'panel: GET /api/v1/auth/signup-status',
      'panel: gateway request',
      'auth-gateway: GET /v1/auth/signup-status',
    ]);
  });

  it.each([
    ['without a proof', undefined],
    ['with a proof of its own making', `platform=${'A'.repeat(43)}`],
  ])('links a traceparent of a stranger, %s, and does not go on from it', async (_how, tracestate) => {
    const before = platform.receiver.spans.length;
    const headers = { traceparent: TRACEPARENT, ...(tracestate !== undefined && { tracestate }) };
    await fetch(`${platform.services.gateway.url}/v1/auth/email-available?email=someone@example.com`, { headers });
    const span = await until(() =>
      platform.receiver.spans.slice(before).find(({ name }) => name === 'GET /v1/auth/email-available'),
    );
    expect(span.traceId).not.toBe(STRANGER.traceId);
    expect(span.parentSpanId ?? '').toBe('');
    expect(span.links).toEqual([expect.objectContaining(STRANGER)]);
  });

  it('logs the trace beside the request, in each service and in jobs', async () => {
    const { gateway, host } = platform.services;
    const ofRequest = '"request_id":"the-call"';
    for (const service of [gateway, host]) {
      expect(await until(() => logLine(service, ofRequest))).toMatchObject({
        request_id: 'the-call',
        trace_id: called.traceId,
      });
    }
    const ofJob = await until(() => logLine(host, '"queue":"event-deliveries"'));
    expect(ofJob).toHaveProperty(
      'trace_id',
      (await until(() => platform.receiver.spans.find(({ name }) => name.startsWith('event-deliveries ')))).traceId,
    );
  });

  it('tells nothing of users, secrets, addresses and parameters', () => {
    const all = platform.receiver.texts.join('\n');
    for (const secret of [USER, 'example.com', platform.serviceToken, '?', 'the-call'])
      expect(all).not.toContain(secret);
  });

  it('exports nothing where the variable is not set', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env } = await platform.envOfAnotherRegistry();
    const silent = await ServiceProcess.start('apps/registry/src/main.js', {
      ...env,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint ?? ''}/v1/traces`,
    });
    const before = platform.receiver.spans.filter(({ name }) => name === 'GET /v1/openapi.json').length;
    await fetch(`${silent.url}/v1/openapi.json`, { headers: { 'X-Request-Id': 'not-traced' } });
    expect(await until(() => logLine(silent, 'not-traced'))).not.toHaveProperty('trace_id');
    expect(await silent.stop()).toBe(0); // its shutdown exports the remaining spans
    expect(platform.receiver.spans.filter(({ name }) => name === 'GET /v1/openapi.json')).toHaveLength(before);
  });
});
