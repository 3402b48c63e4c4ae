import { readFileSync } from 'node:fs';
import { ofKind, readRendered } from './manifests.js';

interface RouteSpec {
  hostnames?: string[];
  rules: {
    matches?: { path: { type: 'Exact' | 'PathPrefix'; value: string } }[];
    timeouts?: { request: string };
    backendRefs?: { name: string }[];
  }[];
}

const routes = ofKind<RouteSpec>(readRendered('production'), 'HTTPRoute');

/** Rule for a path at a host: an exact match, otherwise the longest prefix. */
function ruleFor(host: string, path: string) {
  const rules = routes.filter(({ spec }) => spec.hostnames?.includes(host)).flatMap(({ spec }) => spec.rules);
  const matches = rules.flatMap((rule) => (rule.matches ?? []).map((match) => ({ rule, ...match.path })));
  const exact = matches.find(({ type, value }) => type === 'Exact' && value === path);
  const prefixes = matches.filter(
    ({ type, value }) => type === 'PathPrefix' && (value === '/' || path === value || path.startsWith(`${value}/`)),
  );
  return (exact ?? prefixes.sort((a, b) => b.value.length - a.value.length)[0])?.rule;
}

const API = 'api.example.com';
const PANEL = 'panel.example.com';

it('every documented path of the gateway is for the public', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi/auth-gateway.json', 'utf8')) as {
    paths: Record<string, object>;
  };
  const all = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, 'x'));
  expect(all.length).toBeGreaterThan(100);
  const isPassedOn = (path: string) => ruleFor(API, path)?.backendRefs?.[0]?.name === 'auth-gateway';
  expect(all.filter((path) => !isPassedOn(path))).toEqual([]);
  expect(
    ['/', '/docs', '/docs/index.html', '/v1/openapi.json', '/openapi/registry.json'].filter(
      (path) => !isPassedOn(path),
    ),
  ).toEqual([]);
});

it.each([
  '/v1/internal',
  '/v1/internal/events',
  '/V1/internal/events',
  '/v1/Internal/events',
  '/v1//internal/events',
  '/metrics',
  '/readyz',
])('%s is not for the public at the gateway', (path) => {
  expect(ruleFor(API, path)).toBeUndefined();
});

it('everything at the name of the panel goes there', () => {
  for (const path of ['/', '/pay', '/v1/ext/invoices/webhook/payments', '/api/v1/me'])
    expect(ruleFor(PANEL, path)?.backendRefs?.[0]?.name).toBe('panel');
});

it('streams are never cut, and the rest has the time that a large body takes', () => {
  const seconds = (host: string, path: string) =>
    Number(/^(\d+)s$/.exec(ruleFor(host, path)?.timeouts?.request ?? '')?.[1]);
  expect(seconds(API, '/v1/events/stream')).toBe(0);
  expect(seconds(PANEL, '/api/v1/events/stream')).toBe(0);
  for (const [host, path] of [
    [API, '/v1/extensions/invoices/call'],
    [PANEL, '/v1/ext/invoices/webhook/payments'],
  ] as const)
    expect(seconds(host, path)).toBeGreaterThanOrEqual(60);
});
