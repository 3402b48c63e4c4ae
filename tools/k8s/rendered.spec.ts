import { OVERLAYS } from './manifests.js';
import { canRender, headerOf, readRenderedText, render } from './render.js';

it.each(OVERLAYS)('%s was rendered from the files as they are, and not edited: npm run k8s', (overlay) => {
  const { header, rendered } = readRenderedText(overlay);
  expect(header).toBe(headerOf(rendered));
  if (canRender()) expect(rendered).toBe(render(overlay));
});
