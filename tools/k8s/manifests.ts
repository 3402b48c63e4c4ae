import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

export const OVERLAYS = ['development', 'production'] as const;
export type Overlay = (typeof OVERLAYS)[number];

export type Labels = Record<string, string>;

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  spec?: unknown;
}

/** A problem of an object, at a path such as `spec.ports[0]`. */
export interface Problem {
  /** Kind and name of the object. */
  object: string;
  path: string;
  message: string;
}

export const objectOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

interface SecretKey {
  name: string;
  key: string;
  optional?: boolean;
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  ports?: { name?: string; containerPort: number }[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: SecretKey } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  resources?: Record<'requests' | 'limits', { cpu?: string | number; memory?: string } | undefined>;
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    privileged?: boolean;
    readOnlyRootFilesystem?: boolean;
    runAsUser?: number;
    capabilities?: { drop?: string[]; add?: string[] };
    seccompProfile?: { type: string };
  };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
  tcpSocket?: { port: string | number };
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  terminationGracePeriodSeconds?: number;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  initContainers?: Container[];
  containers: Container[];
  volumes?: Record<string, unknown>[];
  topologySpreadConstraints?: { labelSelector: Selector }[];
}

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** An object that creates pods. */
export interface Workload extends Manifest {
  pod: PodSpec;
  /** Labels of its pods. */
  labels: Labels;
  selector: Selector | undefined;
}

/** File that `npm run k8s` writes: the objects that `kubectl apply -k` would send. */
export const renderedFile = (overlay: Overlay): string => `k8s/rendered/${overlay}.yaml`;

export const readRendered = (overlay: Overlay): Manifest[] =>
  parseManifests(readFileSync(renderedFile(overlay), 'utf8'));

/** @throws Error at the position of invalid YAML. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

interface WorkloadSpec {
  selector?: Selector;
  template: { metadata: { labels?: Labels }; spec: PodSpec };
}

export function workloadsOf(manifests: Manifest[]): Workload[] {
  const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];
  return manifests
    .filter(({ kind }) => kinds.includes(kind))
    .map((manifest) => {
      const { selector, template } = manifest.spec as WorkloadSpec;
      return { ...manifest, pod: template.spec, labels: template.metadata.labels ?? {}, selector };
    });
}

export const containersOf = ({ pod }: Workload): Container[] => [...(pod.initContainers ?? []), ...pod.containers];

export const ofKind = <Spec>(manifests: Manifest[], kind: string): (Manifest & { spec: Spec })[] =>
  manifests.filter((manifest): manifest is Manifest & { spec: Spec } => manifest.kind === kind);

/**
 * True if the selector matches, by the rules of Kubernetes. An empty selector matches everything.
 */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  const byLabels = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return byLabels && matchExpressions.every(({ key, operator, values = [] }) => matches(operator, values, labels[key]));
}

function matches(operator: string, values: string[], value: string | undefined): boolean {
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  throw new Error(`Unknown selector operator ${operator}.`);
}

/** Converts a quantity to MiB. @throws Error unless its unit is Mi or Gi. */
export function mebibytes(quantity = ''): number {
  const [, number = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (!number) throw new Error(`expected Mi or Gi: ${quantity}`);
  return Number(number) * (unit === 'Gi' ? 1024 : 1);
}
