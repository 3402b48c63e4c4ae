// All spec files of a Jest worker run in the worker's own realm, so that they share the packages
// that it has loaded (runtime.cjs): a class of a package, `Array` and `Error` are the same
// everywhere. After each file the environment restores environment variables, `process.exit`,
// `process.stdin`, the terminal properties of standard output and error, and the listeners of the
// events below; Jest itself restores mocks. A file has to undo all other changes of the process
// itself. Specs do not see variables that describe the machine they run on.
require('reflect-metadata'); // before any class with decorators is loaded
const { AsyncLocalStorage } = require('node:async_hooks');
const { Socket } = require('node:net');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const EVENTS = /** @type {NodeJS.Signals[]} */ ([
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'message',
  'disconnect',
  'exit',
  'beforeExit',
]);

/**
 * Variables that change the command line: in CI it asks no questions, with NO_COLOR it has no
 * colours, and a proxy redirects requests. Specs about these set the variables themselves.
 */
const OF_THE_RUNNER = /^(?:CI|NO_COLOR|FORCE_COLOR|(?:https?|all|no)_proxy)$/i;
const TERMINAL_PROPERTIES = ['isTTY', 'columns'];

/**
 * Jest makes an AsyncLocalStorage for each file. Before Node.js 24, a used storage slows down every
 * promise of the process until it is disabled: after 60 files that was a quarter of a worker's
 * time.
 */
/** @type {Set<AsyncLocalStorage<unknown>>} */
let usedStorages = new Set();
for (const name of /** @type {const} */ (['run', 'enterWith'])) {
  const { [name]: use } = AsyncLocalStorage.prototype;
  /** @type {(this: AsyncLocalStorage<unknown>, ...parameters: unknown[]) => unknown} */
  const noted = function (...parameters) {
    usedStorages.add(this);
    return Reflect.apply(use, this, parameters);
  };
  Object.assign(AsyncLocalStorage.prototype, { [name]: noted });
}

/**
 * Lets `pg` connect to the tests' PostgreSQL through its Unix domain socket in this process: a
 * statement takes a quarter less time than over TCP. URLs stay as they are, for proxies and for the
 * processes that specs start.
 */
const { TEST_POSTGRES_URL: url, TEST_POSTGRES_SOCKET: path } = process.env;
if (url && path) {
  const { hostname, port } = new URL(url);
  const { connect } = Socket.prototype;
  /** @type {(this: Socket, ...parameters: any[]) => Socket} */
  const connectByPath = function (...parameters) {
    const isPostgres = parameters[0] === Number(port) && parameters[1] === hostname; // only `pg` passes these parameters
    return Reflect.apply(connect, this, isPostgres ? [path] : parameters);
  };
  Object.assign(Socket.prototype, { connect: connectByPath });
}

module.exports = class SharedRealmEnvironment {
  /** @param {import('@jest/environment').JestEnvironmentConfig} config */
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { env, exit } = process;
    const variables = { ...env };
    for (const name of Object.keys(env)) if (OF_THE_RUNNER.test(name)) delete env[name];
    const terminal = [process.stdout, process.stderr].flatMap((stream) =>
      TERMINAL_PROPERTIES.map((name) => ({ stream, name, property: Object.getOwnPropertyDescriptor(stream, name) })),
    );
    const stdin = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, 'stdin')); // a getter
    const outerStorages = usedStorages;
    usedStorages = new Set();
    const listeners = new Map(EVENTS.map((event) => [event, process.listeners(event)]));
    this.restore = () => {
      process.env = env;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
      process.exit = exit;
      this.moduleMocker.restoreAllMocks();
      Object.defineProperty(process, 'stdin', stdin);
      for (const { stream, name, property } of terminal) {
        if (property) Object.defineProperty(stream, name, property);
        else Reflect.deleteProperty(stream, name);
      }
      for (const storage of usedStorages) storage.disable(); // the next use enables it
      usedStorages = outerStorages;
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
