// All spec files of a worker run in the worker's own realm, so that they can share the packages that it has loaded (runtime.cjs): a
// class of a package, and `Array` and `Error`, are the same everywhere. Undone after each file: environment variables, `process.exit`,
// and listeners of the events below; Jest itself restores mocks. What else a file changes in the process it has to undo itself.
require('reflect-metadata'); // before any class with decorators
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const EVENTS = /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'message', 'disconnect', 'exit', 'beforeExit']);

module.exports = class SharedRealmEnvironment {
  /** @param {import('@jest/environment').JestEnvironmentConfig} config */
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { env, exit } = process;
    const variables = { ...env };
    const listeners = new Map(EVENTS.map((event) => [event, process.listeners(event)]));
    this.restore = () => {
      process.env = env;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
      process.exit = exit;
      this.moduleMocker.restoreAllMocks();
      for (const [event, before] of listeners) {
        for (const listener of process.listeners(event)) if (!before.includes(listener)) process.off(event, listener);
      }
    };
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
