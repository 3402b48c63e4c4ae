module.exports = async () => {
  await /** @type {{ testCluster?: { stop(): Promise<void> } }} */ (globalThis).testCluster?.stop();
};
