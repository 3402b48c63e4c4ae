import { readFileSync } from 'node:fs';
import { OVERLAYS, parseManifests, readRendered, type Manifest } from './manifests.js';
import { unknownKeys, violations } from './schemas.js';

const rendered = OVERLAYS.map((overlay) => [overlay, readRendered(overlay)] as const);
const ofNodes = ['namespace', 'daemon-set'].flatMap((name) => parseManifests(readFileSync(`k8s/nodes/${name}.yaml`, 'utf8')));

it.each(rendered)('every object of %s is as its schema says', async (_overlay, manifests) => {
  expect(manifests.length).toBeGreaterThan(30);
  expect((await Promise.all(manifests.map(violations))).flat()).toEqual([]);
});

it('so is what is for the machines', async () => {
  expect((await Promise.all(ofNodes.map(violations))).flat()).toEqual([]);
});

it('no object has a key that its schema does not have', () => {
  expect(unknownKeys([...rendered.flatMap(([, manifests]) => manifests), ...ofNodes])).toEqual([]);
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
  expect((await Promise.all([withoutSelector, withNumber].map(violations))).map(({ length }) => length)).toEqual([1, 1]);
  expect(unknownKeys([misspelt])).toEqual([expect.stringContaining('"hostname"')]);
});
