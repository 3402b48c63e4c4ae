export { RegistryTest } from '../../../auth-gateway/src/testing/registry.js';
