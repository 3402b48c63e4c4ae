import type { ToolManifest } from '@platform/contracts';
import type { AppDocument } from '../document.js';
import { documentHash } from '../hash.js';
import { hostsOf } from '../hosts.js';
import { capabilitiesOf } from '../capabilities.js';
import type { DocumentIssue } from '../issues.js';
import { toolManifest, stepCount } from '../manifest.js';
import { compileParamsCheck, type ParamsIssue } from '../params-check.js';
import { parseAppDocument } from '../parse.js';

/** A document that passed, as far as whoever stores it has to know it. All that may be large is JSON already. */
export interface CheckedDocument {
  /** In its canonical form. */
  json: string;
  /** Of that, in hexadecimal. */
  sha256: string;
  manifest: string;
  version: string;
  irVersion: string;
  steps: number;
  panels: number;
  icon: string | null;
  /** Where it asks to send requests. */
  hosts: string[];
  /** What of its context it asks for. */
  capabilities: string[];
  warnings: DocumentIssue[];
}

export type Refused = { ok: false; issues: DocumentIssue[] };
export type ReadResult = ({ ok: true } & CheckedDocument) | Refused;

/** A document as JSON, with what is to be found out of it. */
export interface ToRead {
  json: string;
  appId?: string;
}

export function read({ json, appId }: ToRead): ReadResult {
  const result = parseAppDocument(JSON.parse(json), { appId });
  return result.ok ? { ok: true, ...described(result.document), warnings: result.warnings } : result;
}

function described(document: AppDocument): Omit<CheckedDocument, 'warnings'> {
  const { app, ir_version: irVersion } = document;
  return {
    json: JSON.stringify(document),
    sha256: documentHash(document),
    manifest: JSON.stringify(toolManifest(document) satisfies ToolManifest),
    version: app.version,
    irVersion,
    steps: stepCount(document),
    panels: app.ui.panels.length,
    icon: app.icon ?? null,
    hosts: hostsOf(app),
    capabilities: capabilitiesOf(app),
  };
}

export interface ToVerify extends ToRead {
  sha256: string;
}

/** Whether a stored document is the one that was stored, and passes today. */
export function verify({ json, appId, sha256 }: ToVerify): { ok: true } | { ok: false; issues: DocumentIssue[] | null } {
  const document = JSON.parse(json) as AppDocument;
  if (documentHash(document) !== sha256) return { ok: false, issues: null };
  const result = parseAppDocument(document, { appId });
  return result.ok ? { ok: true } : result;
}

export interface ToCall extends ToRead {
  function: string;
  args: string;
}

export type CallResult = { ok: true; json: string; appId: string; isKnown: boolean; refusal: ParamsIssue | null } | Refused;

/** The document, and whether its function of that name takes these arguments. */
export function call({ json, function: name, args }: ToCall): CallResult {
  const result = parseAppDocument(JSON.parse(json));
  if (!result.ok) return result;
  const { app } = result.document;
  const called = app.functions.find((definition) => definition.name === name);
  const refusal = called ? compileParamsCheck(called.params_schema)(JSON.parse(args)) : null;
  return { ok: true, json: JSON.stringify(result.document), appId: app.id, isKnown: called !== undefined, refusal };
}
