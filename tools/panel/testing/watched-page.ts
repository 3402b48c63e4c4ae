import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Shorter than Jest's, which would not say what did not come. */
const TIMEOUT_MS = 12_000;

/** Chromium says so of every answer that is an error, also where the page expects it. */
const EXPECTED = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;

// What runs in the page is text, since these programs know no DOM.
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Content Security Policy: ' + violatedDirective + ' ' + blockedURI))`;
/** Colours that are on their way would be taken for the final ones. */
const RUN_AXE = `Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))
  .then(() => axe.run({ resultTypes: ['violations'] }))`;
const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** A page of a browser of its own, which notes everything that must not happen on any page. */
export class WatchedPage {
  /** Errors of the console, of scripts and of the Content Security Policy. */
  readonly complaints: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript({ content: REPORT_VIOLATIONS });
    return new WatchedPage(context, await context.newPage()).watched();
  }

  /** What axe-core finds, and whether anything sticks out at the side. */
  async check(): Promise<string[]> {
    const { page } = this;
    await page.evaluate(`${axe.source}; 0`);
    const { violations } = await page.evaluate<AxeResults>(RUN_AXE);
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    const overhang = await page.evaluate<number>(OVERHANG);
    if (overhang > 0) found.push(`${overhang} px stick out at the side`);
    if ((await page.locator('h1').count()) !== 1) found.push('not exactly one h1');
    if (!/^.+ · Cloud Platform$/.test(await page.title())) found.push(`the title is "${await page.title()}"`);
    return found;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private watched(): this {
    this.context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) this.complaints.push(message.text());
    });
    this.context.on('weberror', (error) => this.complaints.push(String(error.error())));
    return this;
  }
}
