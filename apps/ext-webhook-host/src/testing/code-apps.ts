import type { JsonObject } from '@platform/app-document';
import type { CallResponse } from '@platform/contracts';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import type { HostTest } from './host.js';

/** A function of a document whose handler `main` exports under the same name. */
export const codeFunction = (name: string, more: JsonObject = {}): JsonObject => ({
  id: name,
  kind: 'function',
  action: name,
  params: { description: `Does ${name}.`, code: { module: 'main', entry: name }, ...more },
});

/** Deploys an app whose only function is what the module exports as `f`. */
export const deployCode = (host: HostTest, main: string, more: JsonObject = {}): DeployedApp =>
  host.deploy({ modules: { main }, steps: [codeFunction('f')], ...more });

/** Enough for the limit of computing to come first, however little of the processor other tests leave. */
const TIMEOUT_MS = 80_000;

/** Deploys it and runs the function once; `webhook` with the limits of a webhook. */
export async function runCode(
  host: HostTest,
  main: string,
  { params = {}, webhook = false, more = {} }: { params?: JsonObject; webhook?: boolean; more?: JsonObject } = {},
): Promise<CallResponse> {
  const app = deployCode(host, main, more);
  const { status, body } = await host.run(app, { function: 'f', params, timeout_ms: TIMEOUT_MS, ...(webhook && { user: null }) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
