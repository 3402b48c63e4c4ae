import { hasCode } from '../../api/problem.js';
import { useEarnings } from '../../api/billing.js';
import { AreaPage } from '../../components/area-page.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { Section } from '../../components/section.js';
import { credits, inDollars } from '../../lib/credits.js';
import { DestinationSection } from './destination-section.js';
import { PayoutsSection } from './payouts-section.js';

/** Earnings of a developer, and their payouts. */
export function EarningsPage() {
  const earnings = useEarnings();
  const isNoDeveloper = earnings.error !== null && hasCode(earnings.error, 'developer.not_registered');
  return (
    <AreaPage title="Earnings" intro="Your share of the payments for your apps.">
      <Section id="earned" title="Earned">
        {isNoDeveloper ? (
          <div className="list__empty">
            <strong>You are not a developer yet</strong>
            <span>Register on the command line with platform apps create, or with POST /v1/developer/register.</span>
          </div>
        ) : (
          <Loaded query={earnings}>
            {({ total_earnings, paid_out, pending_payout, available }) => (
              <div className="section__body">
                <Facts
                  facts={[
                    ['Earned', `${credits(total_earnings)} (${inDollars(total_earnings)})`],
                    ['Paid out', credits(paid_out)],
                    ['Not approved for payout yet', credits(pending_payout)],
                    ['Available for payout', credits(available)],
                  ]}
                />
              </div>
            )}
          </Loaded>
        )}
      </Section>
      {earnings.data && <DestinationSection />}
      {earnings.data && <PayoutsSection available={earnings.data.available} />}
    </AreaPage>
  );
}
