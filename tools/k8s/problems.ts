import { configurationOf, isService } from '../images/configurations.js';
import { readTargets, type Target } from '../images/targets.js';
import { environmentOf, type Secrets } from './environment.js';
import {
  containersOf,
  objectOf,
  ofKind,
  selects,
  workloadsOf,
  type Container,
  type Labels,
  type Manifest,
  type Problem,
  type Workload,
} from './manifests.js';
import { violations } from './schemas.js';

interface ServiceSpec {
  selector: Labels;
  ports: { port: number; targetPort?: number | string }[];
}

/** A container with its path in the file. */
interface Place {
  workload: Workload;
  container: Container;
  path: string;
}

const AMOUNTS = ['requests', 'limits'] as const;
const RESOURCES = ['cpu', 'memory'] as const;
const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

/** A line for each problem of the objects in a file: file, object, path, message. */
export async function problemsOf(file: string, manifests: Manifest[], secrets: Secrets): Promise<string[]> {
  const places = workloadsOf(manifests).flatMap(placesIn);
  const targets = readTargets();
  const problems = [
    ...(await Promise.all(manifests.map(violations))).flat(),
    ...places.flatMap((place) => [
      ...userProblems(place),
      ...resourceProblems(place),
      ...imageProblems(place),
      ...probeProblems(place),
    ]),
    ...places.flatMap((place) => variableProblems(place, manifests, secrets, targets)),
    ...servicePortProblems(manifests),
  ];
  return problems.map(({ object, path, message }) => `${file}: ${object}: ${path}: ${message}`);
}

function placesIn(workload: Workload): Place[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (workload.pod[list] ?? []).map((container, at) => ({
      workload,
      container,
      path: `spec.template.spec.${list}[${at}]`,
    })),
  );
}

const problem = ({ workload, path }: Place, below: string, message: string): Problem => ({
  object: objectOf(workload),
  path: `${path}.${below}`,
  message,
});

function userProblems(place: Place): Problem[] {
  const { container, workload } = place;
  const user = container.securityContext?.runAsUser ?? workload.pod.securityContext?.runAsUser;
  return user ? [] : [problem(place, 'securityContext.runAsUser', 'runs as root: name a user above 0')];
}

function resourceProblems(place: Place): Problem[] {
  return AMOUNTS.flatMap((amount) =>
    RESOURCES.filter((resource) => place.container.resources?.[amount]?.[resource] === undefined).map((resource) =>
      problem(place, `resources.${amount}.${resource}`, 'is missing'),
    ),
  );
}

function imageProblems(place: Place): Problem[] {
  const version = /(?::([\w.-]+)|@sha256:[0-9a-f]{64})$/.exec(place.container.image)?.[0];
  return version && version !== ':latest' ? [] : [problem(place, 'image', 'names no version')];
}

function probeProblems(place: Place): Problem[] {
  const { ports = [] } = place.container;
  return PROBES.flatMap((name) => {
    const probe = place.container[name];
    const [kind, port] = probe?.httpGet ? ['httpGet', probe.httpGet.port] : ['tcpSocket', probe?.tcpSocket?.port];
    if (port === undefined || ports.some((known) => known.name === port || known.containerPort === port)) return [];
    return [problem(place, `${name}.${kind}.port`, `nothing listens at ${port}`)];
  });
}

/** Checks the variables of services against their configuration; other processes have none. */
function variableProblems(
  place: Place,
  manifests: Manifest[],
  secrets: Secrets,
  targets: readonly Target[],
): Problem[] {
  const contents = contentsOf(place.container, targets);
  if (contents === undefined || !isService(contents)) return [];
  let given: Record<string, string>;
  try {
    given = environmentOf(place.container, manifests, secrets);
  } catch (error) {
    return [problem(place, 'env', (error as Error).message)];
  }
  try {
    const config = configurationOf(contents, given);
    const unknown = Object.keys(given).filter((name) => !(name in config));
    return [
      ...unknown.map((name) => unknownVariable(place, name, manifests)),
      ...portProblems(place, { http: config.PORT, metrics: config.METRICS_PORT }),
    ];
  } catch (error) {
    return [problem(place, 'env', (error as Error).message)];
  }
}

const contentsOf = ({ image }: Container, targets: readonly Target[]): string | undefined =>
  targets.find(({ name }) => image.replace(/[:@].*$/, '').endsWith(`platform/${name}`))?.contents;

/** Reports the variable at the ConfigMap that contains it, otherwise at the container. */
function unknownVariable(place: Place, name: string, manifests: Manifest[]): Problem {
  const message = `the service has no variable ${name}`;
  const at = (place.container.env ?? []).findIndex((variable) => variable.name === name);
  if (at >= 0) return problem(place, `env[${at}]`, message);
  const maps = (place.container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const map = manifests.find(
    ({ kind, metadata, data = {} }) => kind === 'ConfigMap' && maps.includes(metadata.name) && name in data,
  );
  return map ? { object: objectOf(map), path: `data.${name}`, message } : problem(place, 'envFrom', message);
}

function portProblems(place: Place, listening: Record<string, number>): Problem[] {
  return (place.container.ports ?? []).flatMap(({ name = '', containerPort }, at) => {
    if (listening[name] === containerPort) return [];
    const said = name in listening ? `, but at ${listening[name]}` : '';
    return [problem(place, `ports[${at}]`, `nothing listens at ${containerPort}${said}`)];
  });
}

function servicePortProblems(manifests: Manifest[]): Problem[] {
  const workloads = workloadsOf(manifests);
  return ofKind<ServiceSpec>(manifests, 'Service').flatMap((service) => {
    const behind = workloads.filter(({ labels }) => selects({ matchLabels: service.spec.selector }, labels));
    const ports = behind.flatMap(containersOf).flatMap(({ ports: known = [] }) => known);
    return service.spec.ports.flatMap(({ port, targetPort = port }, at) => {
      if (ports.some(({ name, containerPort }) => name === targetPort || containerPort === targetPort)) return [];
      return [
        {
          object: objectOf(service),
          path: `spec.ports[${at}].targetPort`,
          message: `nothing listens at ${targetPort}`,
        },
      ];
    });
  });
}
