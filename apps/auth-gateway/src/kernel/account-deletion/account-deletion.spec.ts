import type { TenantData } from '@platform/persistence';
import { AccountDeletionService } from './account-deletion.service.js';

const tenant = {} as TenantData;

it('erases what acts for a user before what is kept of them, whichever feature was made first', async () => {
  const accountDeletion = new AccountDeletionService();
  const done: string[] = [];
  const step = (name: string) => (_tenant: TenantData, userId: string) => {
    done.push(`${name} of ${userId}`);
    return Promise.resolve();
  };
  accountDeletion.addDataStep(step('notifications'));
  accountDeletion.addAccessStep(step('sessions'));
  accountDeletion.addDataStep(step('reviews'));
  accountDeletion.addAccessStep(step('rules'));
  await accountDeletion.deleteUserData(tenant, 'usr_1');
  expect(done).toEqual(['sessions of usr_1', 'rules of usr_1', 'notifications of usr_1', 'reviews of usr_1']);
});

it('does not go on after a step that fails', async () => {
  const accountDeletion = new AccountDeletionService();
  const after = jest.fn().mockResolvedValue(undefined);
  accountDeletion.addDataStep(() => Promise.reject(new Error('locked')));
  accountDeletion.addDataStep(after);
  await expect(accountDeletion.deleteUserData(tenant, 'usr_1')).rejects.toThrow('locked');
  expect(after).not.toHaveBeenCalled();
});
