import { processMegabytes, SANDBOXES } from '../../apps/ext-webhook-host/src/code/host/sandbox-command.js';
import { configurationOf, isService } from '../images/configurations.js';
import { readTargets } from '../images/targets.js';
import { environmentOf, secretsOf, secretsOfDocumentation } from './environment.js';
import {
  containersOf,
  mebibytes,
  OVERLAYS,
  readRendered,
  workloadsOf,
  type Container,
  type Workload,
} from './manifests.js';

const MIGRATE = ['DATABASE_URL', 'SECRET_KEYS', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'];
/** Memory of the host itself, without the handler process. */
const HOST_MEGABYTES = 512;

const targets = readTargets();
const targetOf = ({ image }: Container) =>
  targets.find(({ name }) => image.replace(/[:@].*$/, '').endsWith(`platform/${name}`));

describe.each(OVERLAYS)('%s', (overlay) => {
  const manifests = readRendered(overlay);
  const secrets = overlay === 'development' ? secretsOf(manifests) : secretsOfDocumentation();
  const workloads = workloadsOf(manifests);
  const environment = (container: Container) => environmentOf(container, manifests, secrets);
  const services = workloads.filter(({ pod: { containers } }) =>
    isService(targetOf(containers[0] as Container)?.contents),
  );
  const configOf = ({ pod: { containers } }: Workload) => {
    const [container] = containers as [Container];
    const given = environment(container);
    return { container, given, config: configurationOf(targetOf(container)?.contents ?? '', given) };
  };

  it('runs every image, but for those of development in production', () => {
    const used = new Set(workloads.flatMap(containersOf).flatMap((container) => targetOf(container)?.name ?? []));
    const all = targets.map(({ name }) => name);
    expect(used).toEqual(new Set(overlay === 'production' ? all.filter((name) => name !== 'development') : all));
    expect(services.length).toBe(6);
  });

  it.each(services.map((workload) => [workload.metadata.name, workload] as const))(
    '%s takes every variable that it is given, and misses none',
    (_name, workload) => {
      const { given, config } = configOf(workload);
      expect(Object.keys(given).filter((name) => !(name in config))).toEqual([]);
      expect(given['NODE_ENV']).toBe(overlay);
      expect([undefined, ...SANDBOXES]).toContain(given['CODE_SANDBOX']);
    },
  );

  it.each(services.map((workload) => [workload.metadata.name, workload] as const))(
    '%s listens at the ports that are named',
    (name, workload) => {
      const { container, config } = configOf(workload);
      const ports = Object.fromEntries(
        (container.ports ?? []).map(({ name: port, containerPort }) => [port, containerPort]),
      );
      expect(ports).toEqual({ ...(!name.endsWith('-worker') && { http: config.PORT }), metrics: config.METRICS_PORT });
    },
  );

  it.each(services.map((workload) => [workload.metadata.name, workload] as const))(
    '%s has the time that it takes to finish',
    (_name, workload) => {
      const { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS } = configOf(workload).config;
      expect(DRAIN_SECONDS).toBe(5); // endpoints of a Service change within this time
      expect(SHUTDOWN_TIMEOUT_SECONDS).toBeGreaterThan(30); // a call
      expect(workload.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        DRAIN_SECONDS + SHUTDOWN_TIMEOUT_SECONDS + 5,
      );
    },
  );

  it('has each service that others call for people believe them from where these come: else all people share one rate limit', () => {
    const called = services.filter(({ metadata }) =>
      ['auth-gateway', 'ext-webhook-host', 'panel'].includes(metadata.name),
    );
    expect(called.map((workload) => configOf(workload).given['TRUSTED_PROXIES'])).toEqual(
      called.map(() => 'uniquelocal'),
    );
    expect(called).toHaveLength(3);
  });

  it('runs the jobs in workers alone', () => {
    const withJobs = services.filter(({ metadata }) => /^(auth-gateway|ext-webhook-host)/.test(metadata.name));
    expect(withJobs.map((workload) => configOf(workload).given['WORKERS'])).toEqual(['off', 'off', 'off', 'off']);
  });

  it('migrates with what the program reads', () => {
    const job = workloads.find(({ kind }) => kind === 'Job') as Workload;
    const [container] = job.pod.containers as [Container];
    expect(container.args).toEqual(['dist/tools/migrate.js']);
    expect(Object.keys(environment(container)).sort()).toEqual([...MIGRATE].sort());
    const gateway = services.find(({ metadata }) => metadata.name === 'auth-gateway') as Workload;
    expect(environment(container)['SECRET_KEYS']).toBe(configOf(gateway).given['SECRET_KEYS']);
  });

  it('gives operators what the gateway is given', () => {
    const [operator, gateway] = ['operator', 'auth-gateway'].map((name) =>
      workloads.find(({ metadata }) => metadata.name === name),
    ) as [Workload, Workload];
    expect(environment(operator.pod.containers[0] as Container)).toEqual(configOf(gateway).given);
  });

  it('gives the host the memory that its handlers may take', () => {
    const hosts = services.filter(({ metadata }) => metadata.name.startsWith('ext-webhook-host'));
    expect(hosts.length).toBe(2);
    for (const workload of hosts) {
      const { container, given } = configOf(workload);
      const handlers = processMegabytes({
        lanes: Number(given['CODE_THREADS']),
        megabytes: Number(given['CODE_MEMORY_MB']),
      });
      expect(mebibytes(container.resources?.limits?.memory)).toBeGreaterThanOrEqual(handlers + HOST_MEGABYTES);
    }
  });

  it('has services that know each other', () => {
    const by = (name: string) => configOf(services.find(({ metadata }) => metadata.name === name) as Workload).given;
    const [gateway, registry, host, panel] = [by('auth-gateway'), by('registry'), by('ext-webhook-host'), by('panel')];
    expect(registry['SERVICE_TOKENS']).toBe(`gateway:${gateway['REGISTRY_SERVICE_TOKEN']}`);
    expect(host['SERVICE_TOKENS']).toBe(`gateway:${gateway['EXT_WEBHOOK_HOST_SERVICE_TOKEN']}`);
    expect(gateway['SERVICE_TOKENS']?.split(',').sort()).toEqual(
      [
        `ext-webhook-host:${host['AUTH_GATEWAY_SERVICE_TOKEN']}`,
        `panel:${panel['GATEWAY_SERVICE_TOKEN']}`,
        `registry:${registry['AUTH_GATEWAY_SERVICE_TOKEN']}`,
      ].sort(),
    );
    expect([gateway['PANEL_URL'], host['PANEL_URL']]).toEqual([panel['PUBLIC_URL'], panel['PUBLIC_URL']]);
  });
});
