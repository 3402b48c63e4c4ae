import { checkCondition } from './conditions.js';
import { quote, within, type IssueList } from './issues.js';
import { textOf } from './json.js';
import type { DocumentModules } from './modules/document-modules.js';
import type { ReadStep } from './step-forms.js';

/** Names in the document to which its steps can refer. */
export interface Surroundings {
  appId: string;
  functions: ReadonlySet<string>;
  secrets: ReadonlySet<string>;
  modules: DocumentModules;
}

type Rule = (read: ReadStep, issues: IssueList, around: Surroundings) => void;

const has = ({ step }: ReadStep, key: string): boolean => Object.hasOwn(step.params, key);

const isSelective: Rule = (read, issues) => {
  if (['id', 'ids', 'where'].filter((key) => has(read, key)).length !== 1) {
    issues.add(read.params, 'required', 'Select documents with exactly one of "id", "ids" and "where".');
  }
};

const isHttpRequest: Rule = (read, issues) => {
  const url = textOf(read.step.params['url']);
  if (!/^(https?:\/\/|\{\{)/i.test(url))
    issues.add(within(read.params, 'url'), 'value', 'The address must begin with https:// or http://.');
  if (has(read, 'json') && has(read, 'body'))
    issues.add(within(read.params, 'body'), 'value', 'Remove "body" or "json": a request can have only one of them.');
};

const isReturn: Rule = (read, issues) => {
  if (has(read, 'body') && has(read, 'body_base64'))
    issues.add(
      within(read.params, 'body_base64'),
      'value',
      'Remove "body_base64" or "body": an answer can have only one of them.',
    );
};

/** Rules that a schema cannot express, by operation. */
const RULES: Readonly<Record<string, Rule>> = {
  'control.return': isReturn,
  'store.update': isSelective,
  'store.delete': isSelective,
  'http.get': isHttpRequest,
  'http.post': isHttpRequest,
  'http.put': isHttpRequest,
  'http.patch': isHttpRequest,
  'http.delete': isHttpRequest,
  'control.if': ({ step, params }, issues) => checkCondition(step.params['if'], within(params, 'if'), issues),
  'transform.filter': ({ step, params }, issues) => checkCondition(step.params['if'], within(params, 'if'), issues),
  'ui.render': (read, issues) => {
    if (has(read, 'node') === has(read, 'type'))
      issues.add(read.params, 'required', 'Add the content to show: "node", or "type" and "props".');
  },
  'secret.get': ({ step, params }, issues, { secrets }) => {
    const name = textOf(step.params['name']);
    if (!secrets.has(name) && !name.includes('{{')) {
      issues.add(
        within(params, 'name'),
        'unknown_secret',
        `The secret ${quote(name)} is not declared among "secrets".`,
        {
          of: name,
          among: secrets,
        },
      );
    }
  },
};

const callsOwnFunction: Rule = ({ step, target }, issues, { appId, functions }) => {
  const ownPrefix = `${appId}.`;
  if (step.action.startsWith(ownPrefix)) step.action = step.action.slice(ownPrefix.length);
  if (!step.action.includes('.') && !functions.has(step.action)) {
    issues.add(target, 'unknown_function', `This app has no function ${quote(step.action)}.`, {
      of: step.action,
      among: functions,
    });
  }
};

const emitsOwnEvent: Rule = ({ step, target }, issues, { appId }) =>
  checkEventPrefix(step.action, target, appId, issues);

export function checkEventPrefix(type: string, pointer: string, appId: string, issues: IssueList): void {
  if (!type.startsWith(`${appId}.`)) {
    issues.add(
      pointer,
      'event_prefix',
      `An app can publish only its own events: ${quote(type)} must begin with ${quote(`${appId}.`)}.`,
    );
  }
}

export function applyRules(read: ReadStep, issues: IssueList, around: Surroundings): void {
  const { kind, action } = read.step;
  if (kind === 'call') callsOwnFunction(read, issues, around);
  else if (kind === 'emit') emitsOwnEvent(read, issues, around);
  else RULES[`${kind}.${action}`]?.(read, issues, around);
}
