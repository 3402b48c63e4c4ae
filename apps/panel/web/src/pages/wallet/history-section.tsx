import { useWalletHistory } from '../../api/billing.js';
import { List } from '../../components/list.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { credits, signedCredits } from '../../lib/credits.js';

const REASONS: Record<string, string> = {
  action_charge: 'Use of an app',
  admin_adjustment: 'Adjusted by an administrator',
  app_subscription: 'A month of an app',
  call_charge: 'Call of a function',
  closure: 'Wallet closed',
  debt_payment: 'Payment of what was owed',
  earnings_to_debt: 'Your earnings, to pay what was owed',
  expiry: 'Expired',
  refund: 'Refund',
  subscription_grant: 'Credits of your plan',
  test_credits: 'Credits of a test payment, taken back',
  tier_fee: 'Developer tier',
  topup: 'Credits bought',
};

export function HistorySection() {
  const history = useWalletHistory();
  return (
    <Section id="history" title="History" intro="The newest 50 entries.">
      <List
        query={history}
        empty={
          <>
            <strong>No entries yet</strong>
            <span>What comes in and what you spend shows here.</span>
          </>
        }
      >
        {({ id, amount, reason, app_id, function: name, description, created_at, balance_after }) => (
          <li className="list__item" key={id}>
            <div className="list__text">
              <div className="list__title">{REASONS[reason] ?? reason}</div>
              <div className="list__note">
                {app_id && <span>{name ? `${app_id}: ${name}` : app_id}</span>}
                {description && <span>{description}</span>}
                {created_at && (
                  <span>
                    <Time at={created_at} />
                  </span>
                )}
                <span>{credits(balance_after)} after it</span>
              </div>
            </div>
            <strong>{signedCredits(amount)}</strong>
          </li>
        )}
      </List>
    </Section>
  );
}
