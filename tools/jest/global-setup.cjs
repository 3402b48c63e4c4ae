// Runs outside of Jest's module system, on what the build made: `npm test` and `nx test` build first.
module.exports = async () => {
  const { startTestCluster } = await import('../../dist/tools/jest/test-cluster.js');
  Object.assign(globalThis, { testCluster: await startTestCluster() });
};
