import { LedgerTest } from '../testing/ledger-test.js';
import { readBillingTime, lockBillingClock, moveBillingTime } from './billing-time.js';

let test: LedgerTest;
beforeEach(async () => (test = await LedgerTest.start()));
afterEach(() => test.stop());

const DAY_MS = 86_400_000;

it('moves the time of billing, and back', async () => {
  const { dataSource } = test;
  expect(await readBillingTime(dataSource)).toMatchObject({ ahead: '00:00:00', is_fixed: false });
  await moveBillingTime(dataSource, '32 days');
  await moveBillingTime(dataSource, '8 days', { isMore: true });
  const { ahead, now } = await readBillingTime(dataSource);
  expect(ahead).toBe('40 days');
  expect(Math.abs(now.getTime() - Date.now() - 40 * DAY_MS)).toBeLessThan(2 * 3_600_000);
  await moveBillingTime(dataSource, '0');
  expect(await readBillingTime(dataSource)).toMatchObject({ ahead: '00:00:00' });
});

it('never moves where a gateway in production has run', async () => {
  const { dataSource } = test;
  await lockBillingClock(dataSource);
  await lockBillingClock(dataSource);
  await expect(moveBillingTime(dataSource, '1 day')).rejects.toThrow(
    'A gateway in production has run on this database',
  );
  await moveBillingTime(dataSource, '0');
  expect(await readBillingTime(dataSource)).toMatchObject({ ahead: '00:00:00', is_fixed: true });
});

it('lets no gateway in production start with a time that is ahead', async () => {
  const { dataSource } = test;
  await moveBillingTime(dataSource, '32 days');
  await expect(lockBillingClock(dataSource)).rejects.toThrow(
    'ahead by 32 days, which production does not allow. Reset it with npm run billing:clock -- --reset',
  );
  await moveBillingTime(dataSource, '0');
  await lockBillingClock(dataSource);
});
