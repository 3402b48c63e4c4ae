export { alternatives, canonicalCron, daysLeftOut, lastTime, nextTime } from './cron.js';
export { developmentNumber, developmentVersion } from './development-version.js';
export type * from './checking/checks.js';
export * from './document.js';
export { stronger } from './effects.js';
export { documentHash } from './hash.js';
export { ISSUE_RULES, type DocumentIssue, type IssueRule } from './issues.js';
export { LIMITS } from './limits.js';
export { alertActivity, refreshActivity, stepCount, toolManifest } from './manifest.js';
export { ANY_HOST, hostOf, hostsOf } from './hosts.js';
export { DECLARABLE_CAPABILITIES, capabilitiesOf, pathOf } from './capabilities.js';
export * from './context-paths.js';
export * from './context-table.js';
export { JsonSchemaChecker } from './json-schema.js';
export { compileParamsCheck, type ParamsCheck, type ParamsIssue } from './params-check.js';
export { parseAppDocument, type ParseOptions, type ParseResult } from './parse.js';
export {
  FILTERS,
  isWhole,
  parseTemplate,
  TemplateError,
  type Expression,
  type Filter,
  type Literal,
  type TemplatePart,
} from './templates.js';
export { moduleOf } from './modules/document-modules.js';
export { everyStep, everyStepOf } from './walk.js';
export { appDocumentSchema } from './schema/published.js';
