import { readFileSync } from 'node:fs';
import { ofKind, readRendered } from './manifests.js';
import { metricsOfServices, readsOf, unknownTo } from './promql.js';

interface RuleSpec {
  groups: {
    rules: { alert: string; expr: string; labels?: Record<string, string>; annotations?: Record<string, string> }[];
  }[];
}

const rules = ofKind<RuleSpec>(readRendered('production'), 'PrometheusRule').flatMap(({ spec }) =>
  spec.groups.flatMap((group) => group.rules),
);

it.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s is about metrics that there are',
  async (_name, { expr, labels, annotations }) => {
    const reads = readsOf(expr);
    expect(reads.errors).toEqual([]);
    expect(reads.metrics.length).toBeGreaterThan(0);
    expect(unknownTo(await metricsOfServices(), expr)).toEqual({ metrics: [], labels: [] });
    expect(['warning', 'critical']).toContain(labels?.['severity']);
    expect(Object.keys(annotations ?? {}).sort()).toEqual(['description', 'summary']);
  },
);

it('every metric of money that the documentation says to watch has an alert', () => {
  const text = readFileSync('docs/operations/alarms.md', 'utf8');
  const ofMoney = text.slice(text.indexOf('\n## Billing'), text.indexOf('\n## Payouts'));
  const names = [...ofMoney.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(8);
  const read = rules.flatMap(({ expr }) => readsOf(expr).metrics);
  expect(names.filter((name) => !read.includes(name))).toEqual([]);
});

it('workers are scaled by a metric that there is', async () => {
  const scalers = ofKind<{
    metrics: { external?: { metric: { name: string; selector: { matchLabels: Record<string, string> } } } }[];
  }>(readRendered('production'), 'HorizontalPodAutoscaler');
  const external = scalers.flatMap(({ metadata, spec }) =>
    spec.metrics.flatMap((metric) => (metric.external ? [{ of: metadata.name, ...metric.external.metric }] : [])),
  );
  expect(external.map(({ of, selector }) => [of, selector.matchLabels['service']])).toEqual([
    ['auth-gateway-worker', 'auth-gateway'],
    ['ext-webhook-host-worker', 'ext-webhook-host'],
  ]);
  const metrics = await metricsOfServices();
  expect(external.filter(({ name }) => !metrics.has(name))).toEqual([]);
});
