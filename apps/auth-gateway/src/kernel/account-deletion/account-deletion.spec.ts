import type { TenantData } from '@platform/persistence';
import { AccountDeletionService } from './account-deletion.service.js';

const tenant = {} as TenantData;

it('erases what acts for a user before what is kept of them, whichever feature was made first', async () => {
  const erasures = new AccountDeletionService();
  const done: string[] = [];
  const step = (name: string) => (_tenant: TenantData, userId: string) => {
    done.push(`${name} of ${userId}`);
    return Promise.resolve();
  };
  erasures.addDataStep(step('notifications'));
  erasures.addAccessStep(step('sessions'));
  erasures.addDataStep(step('reviews'));
  erasures.addAccessStep(step('rules'));
  await erasures.deleteUserData(tenant, 'usr_1');
  expect(done).toEqual(['sessions of usr_1', 'rules of usr_1', 'notifications of usr_1', 'reviews of usr_1']);
});

it('does not go on after a step that fails', async () => {
  const erasures = new AccountDeletionService();
  const after = jest.fn().mockResolvedValue(undefined);
  erasures.addDataStep(() => Promise.reject(new Error('locked')));
  erasures.addDataStep(after);
  await expect(erasures.deleteUserData(tenant, 'usr_1')).rejects.toThrow('locked');
  expect(after).not.toHaveBeenCalled();
});
