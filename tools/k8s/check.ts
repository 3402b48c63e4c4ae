import { secretsOf, secretsOfDocumentation } from './environment.js';
import { OVERLAYS, parseManifests, renderedFile } from './manifests.js';
import { problemsOf } from './problems.js';
import { canRender, readRenderedText, render } from './render.js';

/** Renders both overlays and prints what is wrong with them; the committed renderings where there is no kubectl. Returns whether all is well. */
export async function checkOverlays(): Promise<boolean> {
  const canRenderHere = canRender();
  if (!canRenderHere) console.log('There is no kubectl 1.27 or later here: k8s/rendered is checked as it is.');
  const problems: string[] = [];
  for (const overlay of OVERLAYS) {
    const { rendered: committed } = readRenderedText(overlay);
    const rendered = canRenderHere ? render(overlay) : committed;
    if (rendered !== committed) problems.push(`${renderedFile(overlay)} is not what k8s/overlays/${overlay} renders to: run npm run k8s.`);
    const manifests = parseManifests(rendered);
    const secrets = overlay === 'development' ? secretsOf(manifests) : secretsOfDocumentation();
    problems.push(...(await problemsOf(renderedFile(overlay), manifests, secrets)));
    console.log(`${overlay}: ${manifests.length} objects checked`);
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}
