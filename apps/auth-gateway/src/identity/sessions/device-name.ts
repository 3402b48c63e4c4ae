const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^platform-cli\//, 'the command line'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const named = (known: [RegExp, string][], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Names the program of a request in our own words, such as `Firefox on Linux` or `an unknown
 * program`. The user agent itself is text of a stranger and must not appear in a mail.
 */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent ?? '';
  const [browser, system] = [named(BROWSERS, text), named(SYSTEMS, text)];
  return `${browser ?? 'an unknown program'}${system ? ` on ${system}` : ''}`;
}
