import type { JsonObject } from '@platform/app-document';
import type { CallResponse } from '@platform/contracts';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import type { HostTest } from './host.js';

/** A function of a document. Its handler is the export of `main` with the same name. */
export const codeFunction = (name: string, more: JsonObject = {}): JsonObject => ({
  id: name,
  kind: 'function',
  action: name,
  params: { description: `Does ${name}.`, code: { module: 'main', entry: name }, ...more },
});

/** Deploys an app with one function: the export `f` of the module. */
export const deployCode = (host: HostTest, main: string, more: JsonObject = {}): DeployedApp =>
  host.deploy({ modules: { main }, steps: [codeFunction('f')], ...more });

/**
 * Long enough that a handler reaches its CPU limit first, even if other tests use most of the
 * processor.
 */
const TIMEOUT_MS = 80_000;

/**
 * Deploys an app and runs its function once; `webhook` runs it without a user, with the limits of a
 * webhook.
 *
 * @throws Error with the answer of the host if its status is not 200.
 */
export async function runCode(
  host: HostTest,
  main: string,
  { params = {}, webhook = false, more = {} }: { params?: JsonObject; webhook?: boolean; more?: JsonObject } = {},
): Promise<CallResponse> {
  const app = deployCode(host, main, more);
  const { status, body } = await host.runFunction(app, {
    function: 'f',
    params,
    timeout_ms: TIMEOUT_MS,
    ...(webhook && { user: null }),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
