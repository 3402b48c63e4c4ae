export * from './egress.js';
export * from './egress.errors.js';
export { parseEgressUrl, addressAndPort, addressesAndPorts, portOf } from './egress-url.js';
export { isPublicAddress } from './public-addresses.js';
export { isLocalhost, type ResolveHost } from './resolve-host.js';
