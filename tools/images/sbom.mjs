// The bill of materials of an image, in CycloneDX: of what npm says about the whole workspace, the packages that the image holds, and those of its system.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} type
 * @property {string} name
 * @property {string} version
 * @property {string} [purl]
 * @property {{ license: { id: string } }[]} [licenses]
 */

/**
 * @typedef {object} Sbom
 * @property {{ component: Component }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * @param {string} root the folder of the workspace
 * @param {string} [file] with what npm has said before
 * @returns {Sbom}
 */
export function readWorkspaceSbom(root, file) {
  const text = file
    ? readFileSync(file, 'utf8')
    : execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: MOST_BYTES,
      });
  return JSON.parse(text);
}

/**
 * Has neither a time nor a serial number, so that the same image has the same one.
 *
 * @param {string} image
 * @param {Sbom & { serialNumber?: string }} workspace
 * @param {string} root the folder of the workspace
 * @param {Iterable<string>} folders of the packages that the image holds, from the root
 * @returns {Sbom}
 */
export function sbomOf(image, { serialNumber: _serialNumber, ...workspace }, root, folders) {
  const held = new Set(Array.from(folders, (folder) => referenceOf(join(root, folder))));
  const components = workspace.components.filter((component) => held.has(component['bom-ref']));
  const missing = held.size - components.length;
  if (missing) {
    const known = new Set(components.map((component) => component['bom-ref']));
    throw new Error(
      `npm does not know ${[...held].filter((reference) => !known.has(reference)).join(', ')}, which the image ${image} holds.`,
    );
  }
  const { version } = workspace.metadata.component;
  const self = { 'bom-ref': `platform/${image}@${version}`, type: 'container', name: `platform/${image}`, version };
  const node = nodeComponent();
  return {
    ...workspace,
    metadata: { component: self },
    components: [node, ...components],
    dependencies: [
      { ref: self['bom-ref'], dependsOn: [node['bom-ref'], ...held].sort() },
      ...workspace.dependencies
        .filter(({ ref }) => held.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => held.has(needed)) })),
    ],
  };
}

/**
 * The same, with the packages of the system that the image is built on.
 *
 * @param {Sbom} sbom
 * @param {readonly Component[]} system
 * @returns {Sbom}
 */
export function withSystem({ components, dependencies: [image, ...others], ...rest }, system) {
  if (!image) throw new Error('The bill of materials does not say what the image holds.');
  const references = system.map((component) => component['bom-ref']);
  return {
    ...rest,
    components: [...components, ...system],
    dependencies: [{ ref: image.ref, dependsOn: [...image.dependsOn, ...references] }, ...others],
  };
}

/** docker/Dockerfile builds with the Node.js that is in the images. */
function nodeComponent() {
  const version = process.versions.node;
  return { 'bom-ref': `node@${version}`, type: 'application', name: 'node', version, purl: `pkg:generic/node@${version}` };
}

/** Name of a package in npm. @param {string} folder */
function referenceOf(folder) {
  /** @type {{ name: string, version: string }} */
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
