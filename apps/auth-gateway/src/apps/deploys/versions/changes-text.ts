import type { NewInVersion } from '@platform/contracts';

/**
 * Describes the changes of a version that need a review in one line of text. Names at most 20
 * entries of a list.
 */
export function describeChanges({
  scopes,
  hosts,
  capabilities,
  events,
  webhooks,
  schedules,
  functions,
  name,
  icon,
}: NewInVersion): string {
  const parts = [
    listed('scope', scopes),
    listed('host (called or redirected to)', hosts, 'hosts (called or redirected to)'),
    listed('capability', capabilities, 'capabilities'),
    listed('event', events),
    listed('webhook', webhooks),
    listed('first schedule', schedules),
    listed('function that asks less of its callers', functions, 'functions that ask less of their callers'),
    name === null ? '' : `the name "${name}"`,
    icon ? 'the icon' : '',
  ].filter(Boolean);
  return `new compared with the running version: ${parts.join('; ')}`;
}

/**
 * Limit because the text is one of many lines in an answer, and the command line shows 50 lines.
 * `waits_for` has the full lists.
 */
const MAX_NAMED = 20;

function listed(one: string, of: readonly string[], several = `${one}s`): string {
  if (!of.length) return '';
  const more = of.length > MAX_NAMED ? ` and ${of.length - MAX_NAMED} more` : '';
  return `${of.length === 1 ? one : several} ${of.slice(0, MAX_NAMED).join(', ')}${more}`;
}
