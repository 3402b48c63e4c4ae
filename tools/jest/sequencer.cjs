// Runs the slowest spec files first; otherwise one worker would be idle while the other runs a slow
// file. Jest knows how long a file took the last time. In a clean clone it sorts by file size,
// which says little about the specs of tools: they start whole platforms, so they come first. With
// TEST_ORDER_SEED the order is random, and the same for each run with that seed.
const { createHash } = require('node:crypto');
const { join, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const root = join(__dirname, '../..') + sep;
const tools = join(root, 'tools') + sep;

module.exports = class ToolsFirst extends Sequencer {
  /**
   * @override
   * @param {Array<import('@jest/test-result').Test>} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const { TEST_ORDER_SEED: seed } = process.env;
    if (seed) return sorted.toSorted((a, b) => placeOf(seed, a).localeCompare(placeOf(seed, b)));
    const comesFirst = sorted.filter(({ path, duration }) => duration === undefined && path.startsWith(tools));
    return [...new Set([...comesFirst, ...sorted])];
  }
};

/**
 * @param {string} seed
 * @param {import('@jest/test-result').Test} test
 */
function placeOf(seed, { path }) {
  return createHash('sha256')
    .update(`${seed}/${path.slice(root.length)}`)
    .digest('hex');
}
