import { readFileSync } from 'node:fs';
import { OVERLAYS, renderedFile } from './manifests.js';
import { headerOf } from './render.js';

it.each(OVERLAYS)('%s was rendered from the files as they are, and not edited: npm run k8s', (overlay) => {
  const [header = '', ...lines] = readFileSync(renderedFile(overlay), 'utf8').split(/(?<=\n)/);
  expect(header).toBe(headerOf(lines.join('')));
});
