import { readFileSync } from 'node:fs';
import { OVERLAYS, parseManifests, readRendered, renderedFile, type Manifest } from './manifests.js';
import { canRender, hashLine, render } from './render.js';

const sorted = (manifests: Manifest[]) =>
  [...manifests].sort((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

it.each(OVERLAYS)('%s was rendered from the files as they are: npm run k8s', (overlay) => {
  expect(readFileSync(renderedFile(overlay), 'utf8').startsWith(hashLine())).toBe(true);
});

(canRender() ? it : it.skip).each(OVERLAYS)(
  'kustomize makes the same of %s',
  (overlay) => {
    expect(sorted(parseManifests(render(overlay)))).toEqual(sorted(readRendered(overlay)));
  },
  60_000,
);
