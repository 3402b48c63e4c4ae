/**
 * Wraps a part of the context: reading a member and calling a method throw when `assertOpen`
 * throws.
 */
export const withOpenCheck = <Part extends object>(part: Part, assertOpen: () => void): Part =>
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
