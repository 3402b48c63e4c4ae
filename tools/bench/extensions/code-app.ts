const code = (entry: string) => ({ module: 'main', entry });
const steps = [{ id: 'r', kind: 'control', action: 'return', params: { data: 1 } }];
const fn = (name: string, params: object) => ({
  id: name,
  kind: 'function',
  action: name,
  params: { description: name, ...params },
});

/**
 * App with three functions: one in steps and one in JavaScript that do nothing, and one that calls
 * its context ten times.
 */
export const codeApp = (appId: string, filler = '') => ({
  app_id: appId,
  version: '1.0.0',
  name: appId,
  modules: {
    main: `export const empty = () => 1;
      export const calls = async (event, ctx) => { for (let i = 0; i < 10; i++) await ctx.config.get('a'); return 1 };${filler}`,
  },
  steps: [fn('in_steps', { steps }), fn('in_code', { code: code('empty') }), fn('calls', { code: code('calls') })],
});
