import { mkdirSync, writeFileSync } from 'node:fs';
import { checkOverlays } from './check.js';
import { OVERLAYS, renderedFile } from './manifests.js';
import { canRender, headerOf, render } from './render.js';

function renderOverlays(): void {
  if (!canRender()) {
    console.error('npm run k8s needs kubectl 1.27 or later in the PATH.');
    process.exit(1);
  }
  mkdirSync('k8s/rendered', { recursive: true });
  for (const overlay of OVERLAYS) {
    const rendered = render(overlay);
    writeFileSync(renderedFile(overlay), headerOf(rendered) + rendered);
    console.log(`${renderedFile(overlay)} is written.`);
  }
}

if (process.argv[2] === '--check') process.exit((await checkOverlays()) ? 0 : 1);
renderOverlays();
