import ipaddr from 'ipaddr.js';
import {
  containersOf,
  ofKind,
  selects,
  type Labels,
  type Manifest,
  type Selector,
  type Workload,
} from './manifests.js';

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol?: string; port?: number | string; endPort?: number }[];
}

export interface PolicySpec {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

/** The other side of a connection: pods of this namespace, another namespace, or an IP address. */
export type Side = { labels: Labels } | { namespace: string } | { address: string };

type Direction = 'Ingress' | 'Egress';

const policiesFor = (direction: Direction, labels: Labels, manifests: Manifest[]) =>
  ofKind<PolicySpec>(manifests, 'NetworkPolicy')
    .map(({ spec }) => spec)
    .filter(({ podSelector, policyTypes }) => policyTypes.includes(direction) && selects(podSelector, labels));

/**
 * True if the network policies allow connections from there to the workload's pods, at this TCP
 * port.
 */
export const mayBeReached = (workload: Workload, from: Side, port: number, manifests: Manifest[]): boolean =>
  allows('Ingress', workload, from, port, workload, manifests);

/**
 * True if the network policies allow the workload's pods to connect to this side. Port names are
 * looked up in `listener`, the workload that listens.
 */
export const mayCall = (
  workload: Workload,
  to: Side,
  port: number,
  manifests: Manifest[],
  listener?: Workload,
): boolean => allows('Egress', workload, to, port, listener, manifests);

function allows(
  direction: Direction,
  workload: Workload,
  side: Side,
  port: number,
  listener: Workload | undefined,
  manifests: Manifest[],
) {
  const policies = policiesFor(direction, workload.labels, manifests);
  if (policies.length === 0) return true;
  const rules = policies.flatMap(({ ingress = [], egress = [] }) => (direction === 'Ingress' ? ingress : egress));
  return rules.some(
    (rule) =>
      matchesPort(rule, port, listener) && matchesPeer((direction === 'Ingress' ? rule.from : rule.to) ?? [], side),
  );
}

function matchesPort({ ports }: Rule, port: number, listener: Workload | undefined): boolean {
  if (!ports) return true;
  return ports.some(({ protocol = 'TCP', port: first = 0, endPort }) => {
    const number = typeof first === 'number' ? first : portOf(listener, first);
    return protocol === 'TCP' && number !== undefined && port >= number && port <= (endPort ?? number);
  });
}

/** A rule without peers applies to all. */
const matchesPeer = (peers: Peer[], side: Side): boolean =>
  peers.length === 0 || peers.some((peer) => isPeer(peer, side));

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, side: Side): boolean {
  if ('address' in side)
    return (
      ipBlock !== undefined &&
      isWithin(side.address, ipBlock.cidr) &&
      !ipBlock.except?.some((block) => isWithin(side.address, block))
    );
  if ('namespace' in side)
    return (
      namespaceSelector !== undefined && selects(namespaceSelector, { 'kubernetes.io/metadata.name': side.namespace })
    );
  return podSelector !== undefined && namespaceSelector === undefined && selects(podSelector, side.labels);
}

function isWithin(address: string, block: string): boolean {
  const parsed = ipaddr.parse(address);
  const [range, bits] = ipaddr.parseCIDR(block);
  return parsed.kind() === range.kind() && parsed.match(range, bits);
}

/** Number of a named port. */
export function portOf(workload: Workload | undefined, name: string): number | undefined {
  const ports = workload ? containersOf(workload).flatMap(({ ports = [] }) => ports) : [];
  return ports.find((port) => port.name === name)?.containerPort;
}
