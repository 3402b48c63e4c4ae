// Software bill of materials (SBOM) of an image in CycloneDX: the packages in the image, taken from
// npm's SBOM of the whole workspace, and the packages of the image's system.
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
 * @param {string} [file] earlier output of `npm sbom`; without it the command runs
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
 * SBOM of one image. It has neither a time nor a serial number, so that the same image always has
 * the same SBOM.
 *
 * @param {string} image
 * @param {Sbom & { serialNumber?: string }} workspace
 * @param {string} root the folder of the workspace
 * @param {Iterable<string>} folders of the packages in the image, relative to the root
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
 * Adds the packages of the system that the image is built on.
 *
 * @param {Sbom} sbom
 * @param {readonly Component[]} system
 * @returns {Sbom}
 */
export function withSystem({ components, dependencies: [image, ...others], ...rest }, system) {
  if (!image) throw new Error('The SBOM has no entry for the image itself.');
  const references = system.map((component) => component['bom-ref']);
  return {
    ...rest,
    components: [...components, ...system],
    dependencies: [{ ref: image.ref, dependsOn: [...image.dependsOn, ...references] }, ...others],
  };
}

/** Component of Node.js. docker/Dockerfile builds with the same Node.js that is in the images. */
function nodeComponent() {
  const version = process.versions.node;
  return {
    'bom-ref': `node@${version}`,
    type: 'application',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
  };
}

/** Name and version of a package, as npm's SBOM refers to it. @param {string} folder */
function referenceOf(folder) {
  /** @type {{ name: string, version: string }} */
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
