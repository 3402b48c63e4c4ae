import { requireProgram } from './programs.js';

describe('without the programs that it needs', () => {
  const path = process.env['PATH'];
  beforeEach(() => (process.env['PATH'] = '/nowhere'));
  afterEach(() => (process.env['PATH'] = path));

  it.each([
    ['buildah', 'buildah'],
    ['mmdebstrap', 'mmdebstrap'],
    ['unshare', 'util-linux'],
  ] as const)('npm run images says how to install %s', async (program, name) => {
    await expect(requireProgram(program)).rejects.toThrow(
      `npm run images needs ${program}, which is not installed: apt-get install ${name}.`,
    );
  });
});
