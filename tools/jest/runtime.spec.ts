it.each(['mock', 'doMock', 'setMock'] as const)('jest.%s refuses a module, which Node.js would load as it is', (name) => {
  expect(() => jest[name]('./test-cluster.js', () => ({}))).toThrow('No module can be mocked');
});

it('jest.mock without a factory is refused, too', () => {
  const { mock } = jest;
  expect(() => mock('./test-cluster.js')).toThrow('No module can be mocked');
});
