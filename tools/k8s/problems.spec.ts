import { secretsOf, secretsOfDocumentation } from './environment.js';
import { OVERLAYS, readRendered, renderedFile, workloadsOf, type Container, type Manifest } from './manifests.js';
import { problemsOf } from './problems.js';

it.each(OVERLAYS)('%s has nothing wrong', async (overlay) => {
  const manifests = readRendered(overlay);
  const secrets = overlay === 'development' ? secretsOf(manifests) : secretsOfDocumentation();
  expect(await problemsOf(renderedFile(overlay), manifests, secrets)).toEqual([]);
});

describe('a broken manifest', () => {
  const production = readRendered('production');
  const secrets = secretsOfDocumentation();

  /** Problems after a change of one object. */
  async function problemsAfter(kind: string, name: string, change: (manifest: Manifest) => void): Promise<string[]> {
    const manifests = structuredClone(production);
    const manifest = manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name));
    if (!manifest) throw new Error(`There is no ${kind} ${name}.`);
    change(manifest);
    return problemsOf('broken.yaml', manifests, secrets);
  }

  const containerOf = (manifest: Manifest): Container => workloadsOf([manifest])[0]?.pod.containers[0] as Container;
  const CONTAINER = 'broken.yaml: Deployment registry: spec.template.spec.containers[0]';

  it('with a field that there is not', async () => {
    const problems = await problemsAfter('Deployment', 'registry', (manifest) =>
      Object.assign(manifest.spec as object, { replica: 2 }),
    );
    expect(problems).toEqual(['broken.yaml: Deployment registry: spec.replica: its schema has no such field']);
  });

  it('that runs as root', async () => {
    const problems = await problemsAfter('Deployment', 'registry', (manifest) => {
      const container = containerOf(manifest);
      container.securityContext = { ...container.securityContext, runAsUser: 0 };
    });
    expect(problems).toEqual([`${CONTAINER}.securityContext.runAsUser: runs as root: name a user above 0`]);
  });

  it('without a limit', async () => {
    const problems = await problemsAfter('Deployment', 'registry', (manifest) => {
      delete containerOf(manifest).resources?.limits?.memory;
    });
    expect(problems).toEqual([`${CONTAINER}.resources.limits.memory: is missing`]);
  });

  it('with a variable that the service does not know, in the Deployment or in its ConfigMap', async () => {
    const inDeployment = await problemsAfter('Deployment', 'registry', (manifest) => {
      containerOf(manifest).env?.unshift({ name: 'LOG_LEVELS', value: 'warn' });
    });
    expect(inDeployment).toEqual([`${CONTAINER}.env[0]: the service has no variable LOG_LEVELS`]);
    const inConfigMap = await problemsAfter('ConfigMap', 'registry', ({ data }) =>
      Object.assign(data ?? {}, { LOG_LEVELS: 'warn' }),
    );
    expect(inConfigMap).toEqual([
      expect.stringMatching(/^broken\.yaml: ConfigMap registry\S*: data\.LOG_LEVELS: the service has no variable/),
    ]);
  });

  it('without a variable that the service requires', async () => {
    const problems = await problemsAfter('Deployment', 'registry', (manifest) => {
      const container = containerOf(manifest);
      container.env = (container.env ?? []).filter(({ name }) => name !== 'DATABASE_URL');
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^broken\.yaml: Deployment registry: spec\.template\.spec\.containers\[0\]\.env: .*DATABASE_URL/s,
      ),
    ]);
  });

  it('with a port that nothing listens on, in a Service, a container or a probe', async () => {
    const inService = await problemsAfter('Service', 'registry', ({ spec }) => {
      Object.assign((spec as { ports: object[] }).ports[0] as object, { targetPort: 'https' });
    });
    expect(inService).toEqual(['broken.yaml: Service registry: spec.ports[0].targetPort: nothing listens at https']);
    const inContainer = await problemsAfter('Deployment', 'registry', (manifest) => {
      Object.assign(containerOf(manifest).ports?.[0] as object, { containerPort: 8080 });
    });
    expect(inContainer).toEqual([`${CONTAINER}.ports[0]: nothing listens at 8080, but at 4001`]);
    const inProbe = await problemsAfter('Deployment', 'registry', (manifest) => {
      Object.assign(containerOf(manifest).readinessProbe?.httpGet as object, { port: 8080 });
    });
    expect(inProbe).toEqual([`${CONTAINER}.readinessProbe.httpGet.port: nothing listens at 8080`]);
  });
});
