/** The same part with members that can be reached, and methods that can be called, only as long as `assertOpen` does not throw. */
export const whileOpen = <Part extends object>(part: Part, assertOpen: () => void): Part =>
  new Proxy(part, {
    get(target, key) {
      assertOpen();
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        assertOpen();
        return member.apply(target, parameters);
      };
    },
  });
