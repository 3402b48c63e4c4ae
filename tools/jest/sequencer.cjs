// The spec files that take longest come first, or one worker has nothing left to do while the other runs one of them. Jest knows how long a file
// took the last time. On a clean clone it goes by the size of a file, which says little about those of the tools: they start whole platforms.
// With TEST_ORDER_SEED the order is random, and the same for each run with that seed.
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
