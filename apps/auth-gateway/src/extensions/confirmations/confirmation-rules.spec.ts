import { movesMoney } from './confirmation-rules.js';

describe('what moves money', () => {
  it.each([
    ['billing', 'write', [], true],
    ['wallet', 'destructive', [], true],
    ['billing', 'read', [], false],
    ['shop', 'write', ['billing:write'], true],
    ['shop', 'read', ['wallet:*'], true],
    ['shop', 'write', ['billing.charge'], true],
    ['shop', 'write', ['billing:read'], false],
    ['shop', 'destructive', ['orders:write', '*'], false],
    ['my-billing', 'write', [], false],
  ] as const)('a function of %s that is %s and needs %j: %s', (appId, action_type, required_scopes, moves) => {
    expect(movesMoney(appId, { action_type, required_scopes })).toBe(moves);
  });
});
