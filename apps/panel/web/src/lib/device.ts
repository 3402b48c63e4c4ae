const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/i, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Windows|win32)\b/i, 'Windows'],
  [/\b(?:Macintosh|Mac OS X|darwin|macOS)\b/i, 'macOS'],
  [/\bLinux\b/i, 'Linux'],
];

const MAX_LENGTH = 60;

/**
 * Describes a user agent in plain words: `Firefox on Windows`, `platform-cli 0.1.0 on Linux`;
 * `Unknown device` without one.
 */
export function describeDevice(userAgent: string | null | undefined): string {
  if (!userAgent?.trim()) return 'Unknown device';
  const system = find(SYSTEMS, userAgent);
  const program = find(BROWSERS, userAgent) ?? nameOf(userAgent);
  return system ? `${program} on ${system}` : program;
}

const find = (known: [RegExp, string][], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Name and version at the beginning of a user agent (RFC 9110 section 10.1.5), for programs that
 * are not browsers. At most 60 characters.
 */
function nameOf(userAgent: string): string {
  const [product = ''] = userAgent.trim().split(/[\s(]/);
  return product.replace('/', ' ').slice(0, MAX_LENGTH) || 'Unknown program';
}
