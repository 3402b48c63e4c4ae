// The spec files that take longest come first, or one worker has nothing left to do while the other runs one of them. Jest knows how long a file
// took the last time. On a clean clone it goes by the size of a file, which says little about those of the tools: they start whole platforms.
const { join, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const tools = join(__dirname, '..') + sep;

module.exports = class ToolsFirst extends Sequencer {
  /**
   * @override
   * @param {Array<import('@jest/test-result').Test>} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const comesFirst = sorted.filter(({ path, duration }) => duration === undefined && path.startsWith(tools));
    return [...new Set([...comesFirst, ...sorted])];
  }
};
