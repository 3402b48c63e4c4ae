/** @typedef {import('./sbom.mjs').Component} Component */

const INSTALLED = 'install ok installed';

/**
 * Installed packages in a status file of dpkg (deb822, https://manpages.debian.org/deb822), as
 * CycloneDX components.
 *
 * @param {string} status
 * @returns {Component[]}
 */
export function debianComponents(status) {
  return status
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        new Map(
          Array.from(paragraph.matchAll(/^(Package|Status|Version|Architecture): (.*)$/gm), ([, key, value]) => [
            key,
            value,
          ]),
        ),
    )
    .filter((fields) => fields.get('Status') === INSTALLED)
    .map((fields) =>
      component(fields.get('Package') ?? '', fields.get('Version') ?? '', fields.get('Architecture') ?? ''),
    );
}

/**
 * Component with its package URL:
 * https://github.com/package-url/purl-spec/blob/main/types-doc/deb-definition.md
 *
 * @param {string} name
 * @param {string} version
 * @param {string} architecture
 * @returns {Component}
 */
function component(name, version, architecture) {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}
