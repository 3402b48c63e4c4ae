import { readFileSync } from 'node:fs';
import { OVERLAYS, parseManifests, readRendered, type Manifest } from './manifests.js';
import { violations } from './schemas.js';

const rendered = OVERLAYS.map((overlay) => [overlay, readRendered(overlay)] as const);
const ofNodes = ['namespace', 'daemon-set'].flatMap((name) =>
  parseManifests(readFileSync(`k8s/nodes/${name}.yaml`, 'utf8')),
);

it.each(rendered)('every object of %s is as its schema says', async (_overlay, manifests) => {
  expect(manifests.length).toBeGreaterThan(30);
  expect((await Promise.all(manifests.map(violations))).flat()).toEqual([]);
});

it('so is what is for the machines', async () => {
  expect((await Promise.all(ofNodes.map(violations))).flat()).toEqual([]);
});

it('what is wrong is found', async () => {
  const [, production] = rendered[1] as (typeof rendered)[number];
  const change = (kind: string, mend: (spec: Record<string, unknown>) => void): Manifest => {
    const manifest = structuredClone(production.find((one) => one.kind === kind)) as Manifest;
    mend(manifest.spec as Record<string, unknown>);
    return manifest;
  };
  const withoutSelector = change('Deployment', (spec) => delete spec['selector']);
  const withNumber = change('Service', (spec) => (spec['ports'] = [{ port: 'http' }]));
  const misspelt = change('HTTPRoute', (spec) => (spec['hostname'] = 'api.example.com'));
  const found = (await Promise.all([withoutSelector, withNumber, misspelt].map(violations))).flat();
  expect(found.map(({ path, message }) => [path, message])).toEqual([
    ['spec', 'must have required property selector'],
    ['spec.ports[0].port', 'must be integer'],
    ['spec.hostname', 'its schema has no such field'],
  ]);
});

it('a field that its schema does not have is found wherever it is, and labels may have any name', async () => {
  const [, manifests] = rendered[1] as (typeof rendered)[number];
  const deployment = structuredClone(manifests.find(({ kind }) => kind === 'Deployment')) as Manifest;
  Object.assign(deployment, { specs: {} });
  Object.assign(deployment.metadata, { labels: { ...deployment.metadata.labels, anything: 'is a label' } });
  const { template } = deployment.spec as { template: { spec: { containers: object[] } } };
  Object.assign(template.spec.containers[0] as object, { lifecycle: { postStop: {} } });
  expect((await violations(deployment)).map(({ path }) => path).sort()).toEqual([
    'spec.template.spec.containers[0].lifecycle.postStop',
    'specs',
  ]);
});
