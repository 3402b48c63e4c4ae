import { debianComponents } from './debian-components.mjs';

const STATUS = `Package: libstdc++6
Status: install ok installed
Priority: important
Architecture: amd64
Version: 12.2.0-14+deb12u1
Description: GNU Standard C++ Library v3
 Version: this line belongs to the description

Package: removed
Status: deinstall ok config-files
Architecture: amd64
Version: 1.0

Package: tini
Status: install ok installed
Architecture: amd64
Version: 0.19.0-1
`;

it('lists the packages that are installed, with their package URLs', () => {
  expect(debianComponents(STATUS).map(({ name, version, purl }) => [name, version, purl])).toEqual([
    [
      'libstdc++6',
      '12.2.0-14+deb12u1',
      'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
    ],
    ['tini', '0.19.0-1', 'pkg:deb/debian/tini@0.19.0-1?arch=amd64&distro=debian-12'],
  ]);
});
