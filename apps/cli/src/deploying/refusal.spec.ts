import type { CallResponse } from '@platform/client';
import { DeployRefused } from './deploy-document.js';
import { refusalLines } from './refusal.js';

const refused = (data: unknown) =>
  new DeployRefused({ status: 'error', error: 'Too new.\u001b[2J', data } as CallResponse);

describe('a refused deploy', () => {
  it('shows issues of which only the platform knows where they stand in the file', () => {
    const locate = (issue: { pointer: string }) => ({
      ...issue,
      rule: 'value' as const,
      message: 'No such slot.',
      line: 3,
      column: 7,
    });
    const data = { issues: [{ pointer: '/ui', rule: 'value', message: 'No such slot.' }] };
    expect(refusalLines(refused(data), 'app.json', locate)).toEqual([
      'app.json:3:7: No such slot. (value, /ui)',
      'The platform refused the document. Nothing was deployed.',
    ]);
  });

  it('shows the reason, and nothing that acts on the terminal', () => {
    const locate = jest.fn();
    expect(refusalLines(refused({ deploy_id: 'dep_1' }), 'app.json', locate)).toEqual(['Too new.[2J']);
  });
});
