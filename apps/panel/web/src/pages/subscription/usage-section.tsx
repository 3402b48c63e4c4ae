import { useUsage } from '../../api/billing.js';
import { Badge } from '../../components/badge.js';
import { Loaded } from '../../components/loaded.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { wholeNumber } from '../../lib/credits.js';

const NAMES: Record<string, string> = {
  tool_calls: 'Function calls',
  ai_tokens: 'AI tokens',
  automations: 'Automations',
};

export function UsageSection() {
  const usage = useUsage();
  return (
    <Section id="usage" title="Usage" intro="Your usage in this period.">
      <Loaded query={usage}>
        {({ usage: used, limits, exceeded, resets_at }) => (
          <>
            <ul className="list">
              {Object.keys({ ...NAMES, ...limits, ...used }).map((meter) => (
                <li className="list__item" key={meter}>
                  <div className="list__text">
                    <div className="list__title">
                      {NAMES[meter] ?? meter}
                      {exceeded.includes(meter) && <Badge tone="warning">Limit reached</Badge>}
                    </div>
                    <div className="list__note">
                      <span>{wholeNumber(used[meter] ?? 0)} used</span>
                      <span>{limits[meter] === undefined ? 'no limit' : `of ${wholeNumber(limits[meter])}`}</span>
                    </div>
                  </div>
                </li>
              ))}
            </ul>
            <div className="section__foot">
              <span>
                Resets <Time at={resets_at} />
              </span>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}
