// Runs outside of Jest's module system and imports built files: `npm test` and `nx test` build
// first.
const BUILT = '../../dist/tools/jest/test-cluster.js';

module.exports = async () => {
  const { startTestCluster } = await import(BUILT);
  Object.assign(globalThis, { testCluster: await startTestCluster() });
};
