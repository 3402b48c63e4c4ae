import type { ToolManifest } from '@platform/contracts';
import type { AppDocument } from '../document.js';
import { documentHash } from '../hash.js';
import { hostsOf } from '../hosts.js';
import { capabilitiesOf } from '../capabilities.js';
import type { DocumentIssue } from '../issues.js';
import { toolManifest, stepCount } from '../manifest.js';
import { compileParamsCheck, type ParamsIssue } from '../params-check.js';
import { parseAppDocument } from '../parse.js';

/** A valid document, with the data that its storage needs. Large values are already JSON text. */
export interface CheckedDocument {
  /** The canonical document. */
  json: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  sha256: string;
  manifest: string;
  version: string;
  irVersion: string;
  steps: number;
  panels: number;
  icon: string | null;
  /** Hosts to which the app requests to send requests. */
  hosts: string[];
  /** Capabilities of the context that the app requests. */
  capabilities: string[];
  warnings: DocumentIssue[];
}

export type Refused = { ok: false; issues: DocumentIssue[] };
export type ReadResult = ({ ok: true } & CheckedDocument) | Refused;

/** A document as JSON text. */
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

/**
 * Checks that a stored document is unchanged and still valid. `ok` is false with null as `issues`
 * if its hash differs, and with issues if it is not valid any more.
 */
export function verify({
  json,
  appId,
  sha256,
}: ToVerify): { ok: true } | { ok: false; issues: DocumentIssue[] | null } {
  const document = JSON.parse(json) as AppDocument;
  if (documentHash(document) !== sha256) return { ok: false, issues: null };
  const result = parseAppDocument(document, { appId });
  return result.ok ? { ok: true } : result;
}

export interface ToCall extends ToRead {
  function: string;
  args: string;
}

export type CallResult =
  { ok: true; json: string; appId: string; isKnown: boolean; refusal: ParamsIssue | null } | Refused;

/**
 * Parses a document and checks arguments (JSON text) for one of its functions. `refusal` is the
 * first problem of the arguments; null if there is none or the document has no such function
 * (`isKnown` false). `ok` is false, with issues, if the document is not valid.
 */
export function call({ json, function: name, args }: ToCall): CallResult {
  const result = parseAppDocument(JSON.parse(json));
  if (!result.ok) return result;
  const { app } = result.document;
  const called = app.functions.find((definition) => definition.name === name);
  const refusal = called ? compileParamsCheck(called.params_schema)(JSON.parse(args)) : null;
  return { ok: true, json: JSON.stringify(result.document), appId: app.id, isKnown: called !== undefined, refusal };
}
