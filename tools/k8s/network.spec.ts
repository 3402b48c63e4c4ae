import { containersOf, OVERLAYS, readRendered, workloadsOf, type Workload } from './manifests.js';
import { mayBeReached, mayCall } from './network.js';

const GATEWAY_CALLS = {
  auth: ['ext-webhook-host:4002', 'registry:4001'],
  development: ['mailbox:4025', 'payments:4042'],
};
const DATA = ['postgres:5432', 'redis:6379'];
/** Calls inside the cluster. All others are refused. */
const CALLS: Record<string, { always: string[]; inDevelopment: string[] }> = {
  'auth-gateway': { always: GATEWAY_CALLS.auth, inDevelopment: [...GATEWAY_CALLS.development, ...DATA] },
  'auth-gateway-worker': { always: GATEWAY_CALLS.auth, inDevelopment: [...GATEWAY_CALLS.development, ...DATA] },
  registry: { always: ['auth-gateway:4000'], inDevelopment: DATA },
  'ext-webhook-host': { always: ['auth-gateway:4000'], inDevelopment: DATA },
  'ext-webhook-host-worker': { always: ['auth-gateway:4000'], inDevelopment: DATA },
  panel: { always: ['auth-gateway:4000', 'ext-webhook-host:4002'], inDevelopment: DATA },
  migrate: { always: [], inDevelopment: DATA },
  operator: { always: [], inDevelopment: DATA },
  payments: { always: [], inDevelopment: ['auth-gateway:4000'] },
};
const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
const PRIVATE = [
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '198.18.0.1',
    '224.0.0.1',
    '0.0.0.0',
  ],
  ...['fd00::1', 'fe80::1', '::1', 'ff02::1', '64:ff9b::a00:1', '2002:a00:1::1'],
];

describe.each(OVERLAYS)('%s', (overlay) => {
  const manifests = readRendered(overlay);
  const workloads = workloadsOf(manifests);
  const portsOf = (workload: Workload) =>
    containersOf(workload).flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
  const listeners = workloads.flatMap((workload) => portsOf(workload).map((port) => ({ workload, port })));

  it.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
    '%s calls inside what it has to, and nothing else',
    (name, caller) => {
      const called = listeners.filter(
        ({ workload, port }) =>
          mayCall(caller, workload, port, manifests, workload) && mayBeReached(workload, caller, port, manifests),
      );
      const { always = [], inDevelopment = [] } = CALLS[name] ?? {};
      expect(called.map(({ workload, port }) => `${workload.metadata.name}:${port}`).sort()).toEqual(
        [...always, ...(overlay === 'development' ? inDevelopment : [])].sort(),
      );
    },
  );

  it('lets the gateway, the host and operators out to public addresses, and to nothing private', () => {
    const out = workloads.filter((workload) =>
      PUBLIC.some((address) => mayCall(workload, { address }, 443, manifests)),
    );
    expect(out.map(({ metadata }) => metadata.name).sort()).toEqual([
      'auth-gateway',
      'auth-gateway-worker',
      'ext-webhook-host',
      'ext-webhook-host-worker',
      'operator',
    ]);
    for (const workload of out) {
      expect(PUBLIC.filter((address) => !mayCall(workload, { address }, 25, manifests))).toEqual([]);
      const reached = [80, 443, 4000, 10250].flatMap((port) =>
        PRIVATE.filter((address) => mayCall(workload, { address }, port, manifests)),
      );
      expect([workload.metadata.name, reached]).toEqual([workload.metadata.name, []]);
    }
  });

  it('lets in from other namespaces the proxies, to what is public, and Prometheus, to metrics', () => {
    const reached = (namespace: string) =>
      listeners.flatMap(({ workload, port }) =>
        mayBeReached(workload, { namespace }, port, manifests) ? `${workload.metadata.name}:${port}` : [],
      );
    const isProduction = overlay === 'production';
    expect(reached('envoy-gateway-system').sort()).toEqual(isProduction ? ['auth-gateway:4000', 'panel:4003'] : []);
    expect(reached('monitoring').sort()).toEqual(
      isProduction
        ? [
            'auth-gateway-worker:4100',
            'auth-gateway:4100',
            'ext-webhook-host-worker:4102',
            'ext-webhook-host:4102',
            'panel:4103',
            'registry:4101',
          ]
        : [],
    );
    expect(reached('default')).toEqual([]);
  });

  it('lets a backend of the operator into the Registry alone', () => {
    const reached = listeners.filter(({ workload, port }) =>
      mayBeReached(workload, { labels: { 'registry-client': 'true' } }, port, manifests),
    );
    expect(reached.map(({ workload, port }) => `${workload.metadata.name}:${port}`)).toEqual(['registry:4001']);
  });
});
