import { environmentOf, secretsOf, secretsOfDocumentation } from './environment.js';
import {
  containersOf,
  ofKind,
  OVERLAYS,
  readRendered,
  selects,
  workloadsOf,
  type Labels,
  type Selector,
} from './manifests.js';
import { portOf, type PolicySpec } from './network.js';

interface ServiceSpec {
  selector: Labels;
  ports: { name: string; port: number; targetPort: string }[];
}

interface RouteSpec {
  parentRefs: { name: string; sectionName: string }[];
  rules: { backendRefs?: { name: string; port: number }[] }[];
}

interface MonitorSpec {
  selector: Selector;
  endpoints: { port: string }[];
}

/** Labels of pods that are not part of the platform. */
const OTHERS = [{ 'registry-client': 'true' }];

describe.each(OVERLAYS)('%s', (overlay) => {
  const manifests = readRendered(overlay);
  const workloads = workloadsOf(manifests);
  const services = ofKind<ServiceSpec>(manifests, 'Service');
  const secrets = overlay === 'development' ? secretsOf(manifests) : secretsOfDocumentation();

  it('has no two objects of one name', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.length).toBe(new Set(names).size);
    expect(names.length).toBeGreaterThan(30);
  });

  it('has workloads that select their own pods, and no others', () => {
    const selecting = workloads.filter(({ selector }) => selector);
    expect(selecting.length).toBeGreaterThanOrEqual(6);
    for (const { metadata, selector } of selecting) {
      const selected = workloads.filter(({ labels }) => selects(selector as Selector, labels));
      expect(selected.map((workload) => workload.metadata.name)).toEqual([metadata.name]);
    }
    for (const { metadata, pod, labels } of workloads) {
      const spread = (pod.topologySpreadConstraints ?? []).filter(
        ({ labelSelector }) => !selects(labelSelector, labels),
      );
      expect([metadata.name, spread]).toEqual([metadata.name, []]);
    }
  });

  it('has Services that lead to one workload, at a port that it has', () => {
    for (const { metadata, spec } of services) {
      const behind = workloads.filter(({ labels }) => selects({ matchLabels: spec.selector }, labels));
      expect([metadata.name, behind.length]).toEqual([metadata.name, 1]);
      for (const { port, targetPort } of spec.ports)
        expect([metadata.name, portOf(behind[0], targetPort)]).toEqual([metadata.name, port]);
    }
  });

  it('has all ConfigMaps and Secrets that are named, with their keys, and mounts volumes that there are', () => {
    for (const workload of workloads) {
      for (const container of containersOf(workload)) {
        expect(() => environmentOf(container, manifests, secrets)).not.toThrow();
        const claims =
          (workload.spec as { volumeClaimTemplates?: { metadata: { name: string } }[] }).volumeClaimTemplates ?? [];
        const volumes = [
          ...(workload.pod.volumes ?? []).map(({ name }) => name),
          ...claims.map(({ metadata }) => metadata.name),
        ];
        expect((container.volumeMounts ?? []).filter(({ name }) => !volumes.includes(name))).toEqual([]);
      }
    }
  });

  it('brings the Secrets of development, and none of production', () => {
    expect(Object.keys(secretsOf(manifests)).length).toBe(overlay === 'development' ? 6 : 0);
  });

  it('calls Services that there are, at their ports', () => {
    const addresses = workloads.flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        Object.values(environmentOf(container, manifests, secrets)).filter((value) => URL.canParse(value)),
      ),
    );
    const inside = addresses
      .map((address) => new URL(address))
      .filter(({ hostname }) => hostname && hostname !== 'localhost' && !hostname.includes('.'));
    expect(inside.length).toBeGreaterThan(8);
    const missing = inside.filter(({ hostname, port }) => {
      const service = services.find(({ metadata }) => metadata.name === hostname);
      return !service?.spec.ports.some((known) => String(known.port) === port);
    });
    expect(missing.map(({ href }) => href)).toEqual([]);
  });

  it('scales and protects what there is', () => {
    const scaled = ofKind<{ scaleTargetRef: { kind: string; name: string } }>(manifests, 'HorizontalPodAutoscaler').map(
      ({ spec }) => spec.scaleTargetRef,
    );
    expect(
      scaled.filter(
        ({ kind, name }) => !workloads.some((workload) => workload.kind === kind && workload.metadata.name === name),
      ),
    ).toEqual([]);
    for (const { metadata, spec } of ofKind<{ selector: Selector }>(manifests, 'PodDisruptionBudget')) {
      expect(
        workloads.filter(({ labels }) => selects(spec.selector, labels)).map((workload) => workload.metadata.name),
      ).toEqual([metadata.name]);
    }
  });

  it('has policies about pods that there are, and ports that these have', () => {
    const all = [...workloads.map(({ labels }) => labels), ...OTHERS];
    for (const { metadata, spec } of ofKind<PolicySpec>(manifests, 'NetworkPolicy')) {
      const peers = [
        ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
        ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
      ];
      const selectors = [
        spec.podSelector,
        ...peers.flatMap(({ podSelector, namespaceSelector }) =>
          podSelector && !namespaceSelector ? podSelector : [],
        ),
      ];
      const empty = selectors.filter((selector) => !all.some((labels) => selects(selector, labels)));
      expect([metadata.name, empty]).toEqual([metadata.name, []]);
      const listeners = workloads.filter(({ labels }) => selects(spec.podSelector, labels));
      const named = (spec.ingress ?? []).flatMap(({ ports = [] }) => ports).flatMap(({ port = 0 }) => port);
      const known = listeners.flatMap(containersOf).flatMap(({ ports = [] }) => ports);
      const unknown = named.filter(
        (port) => !known.some(({ name, containerPort }) => port === name || port === containerPort),
      );
      expect([metadata.name, unknown]).toEqual([metadata.name, []]);
    }
  });

  it('leads from outside to Services that there are', () => {
    const routes = ofKind<RouteSpec>(manifests, 'HTTPRoute');
    const gateways = ofKind<{ listeners: { name: string }[] }>(manifests, 'Gateway');
    expect(routes.length).toBe(overlay === 'production' ? 3 : 0);
    for (const { spec } of routes) {
      for (const { name, sectionName } of spec.parentRefs) {
        const listeners = gateways
          .find(({ metadata }) => metadata.name === name)
          ?.spec.listeners.map((listener) => listener.name);
        expect(listeners).toContain(sectionName);
      }
      for (const { name, port } of spec.rules.flatMap(({ backendRefs = [] }) => backendRefs)) {
        const service = services.find(({ metadata }) => metadata.name === name);
        expect(service?.spec.ports.map((known) => known.port)).toContain(port);
      }
    }
  });

  it('reads the metrics of each process', () => {
    const monitors = ofKind<MonitorSpec>(manifests, 'ServiceMonitor');
    const read = services.filter(({ metadata, spec }) =>
      monitors.some(
        (monitor) =>
          selects(monitor.spec.selector, metadata.labels) &&
          monitor.spec.endpoints.every(({ port }) => spec.ports.some(({ name }) => name === port)),
      ),
    );
    const names = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name);
    const deployments = overlay === 'production' ? names.filter((name) => name !== 'operator') : [];
    expect(read.map(({ metadata }) => metadata.name).sort()).toEqual(deployments.sort());
  });
});
