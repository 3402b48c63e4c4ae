import type { NewInVersion } from '@platform/contracts';

/** What is new in a version, for people. */
export function newInWords({ scopes, hosts, capabilities, events, name, icon }: NewInVersion): string {
  const parts = [
    listed('scope', scopes),
    listed('host', hosts),
    listed('capability', capabilities, 'capabilities'),
    listed('event', events),
    name === null ? '' : `the name "${name}"`,
    icon ? 'the icon' : '',
  ].filter(Boolean);
  return `new beside the version that runs: ${parts.join('; ')}`;
}

const MOST_NAMED = 20;

function listed(one: string, of: readonly string[], several = `${one}s`): string {
  if (!of.length) return '';
  const more = of.length > MOST_NAMED ? ` and ${of.length - MOST_NAMED} more` : '';
  return `${of.length === 1 ? one : several} ${of.slice(0, MOST_NAMED).join(', ')}${more}`;
}
