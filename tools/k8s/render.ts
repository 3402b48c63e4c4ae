import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderedFile, type Overlay } from './manifests.js';

const SOURCES = ['k8s/base', 'k8s/components', 'k8s/overlays'];
/**
 * First usable major version of the kustomize in `kubectl`. Earlier versions do not support all
 * fields of our files.
 */
const FIRST_VERSION = 5;

/** Renders an overlay with kustomize. */
export const render = (overlay: Overlay): string =>
  execFileSync('kubectl', ['kustomize', `k8s/overlays/${overlay}`], { encoding: 'utf8' });

/** True if a `kubectl` with a usable kustomize is installed. */
export function canRender(): boolean {
  try {
    const version = execFileSync('kubectl', ['version', '--client'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/Kustomize Version: v(\d+)/.exec(version)?.[1]) >= FIRST_VERSION;
  } catch {
    return false;
  }
}

/** Committed rendering of an overlay, split into its header and the rest. */
export function readRenderedText(overlay: Overlay): { header: string; rendered: string } {
  const text = readFileSync(renderedFile(overlay), 'utf8');
  const end = text.indexOf('\n') + 1;
  return { header: text.slice(0, end), rendered: text.slice(end) };
}

/**
 * First line of a rendered file. Its hash covers the sources and the output of kustomize, so that
 * manual changes of either are found.
 */
export function headerOf(rendered: string): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return `# Written by npm run k8s. Do not edit: SHA-256 of the sources and of this file ${hash.update(rendered).digest('hex')}.\n`;
}
