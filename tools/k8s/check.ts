import { secretsOf, secretsOfDocumentation } from './environment.js';
import { OVERLAYS, parseManifests, renderedFile } from './manifests.js';
import { problemsOf } from './problems.js';
import { canRender, readRenderedText, render } from './render.js';

/**
 * Renders both overlays and prints their problems. Without kubectl it checks the committed
 * renderings. Returns true if there is no problem.
 */
export async function checkOverlays(): Promise<boolean> {
  const canRenderHere = canRender();
  if (!canRenderHere)
    console.log('kubectl 1.27 or later is not installed: checking the committed files in k8s/rendered.');
  const problems: string[] = [];
  for (const overlay of OVERLAYS) {
    const { rendered: committed } = readRenderedText(overlay);
    const rendered = canRenderHere ? render(overlay) : committed;
    if (rendered !== committed)
      problems.push(`${renderedFile(overlay)} is not current with k8s/overlays/${overlay}: run npm run k8s.`);
    const manifests = parseManifests(rendered);
    const secrets = overlay === 'development' ? secretsOf(manifests) : secretsOfDocumentation();
    problems.push(...(await problemsOf(renderedFile(overlay), manifests, secrets)));
    console.log(`${overlay}: ${manifests.length} objects checked`);
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}
