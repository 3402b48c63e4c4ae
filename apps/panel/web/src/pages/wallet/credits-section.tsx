import { useWallet } from '../../api/billing.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { credits, inDollars } from '../../lib/credits.js';

export function CreditsSection() {
  const wallet = useWallet();
  return (
    <Section
      id="credits"
      title="Credits"
      intro="You pay for calls of paid functions with credits. 1,000 credits are worth one US dollar."
    >
      <Loaded query={wallet}>
        {({ balance, held, debt, plan, included_tokens }) => (
          <div className="section__body form">
            {debt > 0 && (
              <Notice tone="warning">
                <p>
                  You owe {credits(debt)}. You cannot spend credits until the debt is paid. New credits pay it first.
                </p>
              </Notice>
            )}
            <Facts
              facts={[
                ['Available', `${credits(balance)} (${inDollars(balance)})`],
                ['Reserved for running calls', credits(held)],
                ['Plan', plan],
                ['Included each month', credits(included_tokens)],
              ]}
            />
          </div>
        )}
      </Loaded>
    </Section>
  );
}
