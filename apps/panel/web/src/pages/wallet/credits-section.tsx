import { useWallet } from '../../api/billing.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { credits, inDollars } from '../../lib/credits.js';

export function CreditsSection() {
  const wallet = useWallet();
  return (
    <Section id="credits" title="Credits" intro="Calls of priced functions are paid with them. 1,000 credits are worth one US dollar.">
      <Loaded query={wallet}>
        {({ balance, held, debt, plan, included_tokens }) => (
          <div className="section__body form">
            {debt > 0 && (
              <Notice tone="warning">
                <p>You owe {credits(debt)}. Nothing can be spent until they are paid; what comes in pays them first.</p>
              </Notice>
            )}
            <Facts
              facts={[
                ['Can be spent', `${credits(balance)} (${inDollars(balance)})`],
                ['Held for calls under way', credits(held)],
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
