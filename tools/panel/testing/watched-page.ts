import type { Result } from 'axe-core';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Shorter than Jest's timeout, which would not say which element is missing. */
const TIMEOUT_MS = 45_000;

/** Chromium logs this for each error status, also if the page expects it. */
const EXPECTED = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;

// Code for the page is text, since TypeScript has no DOM types here.
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Content Security Policy: ' + violatedDirective + ' ' + blockedURI))`;
/**
 * Defines axe-core as a function, which costs a document nothing until the call. Sending this text
 * to a page takes longer than a run of axe-core.
 */
const DEFINE_AXE = `globalThis.loadAxe = () => { ${readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8')}\n}`;
const HAS_AXE = "typeof loadAxe === 'function'";
/**
 * Waits until colours are final. A change starts its transition one frame later, and a cancelled
 * transition, for example by a pointer that leaves, starts another one. So it repeats until no
 * finite animation runs.
 */
const REPORT_FINDINGS = `(async () => {
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const ending = () => document.getAnimations().filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  for (;;) {
    await frame();
    await frame();
    const moving = ending();
    if (moving.length === 0) break;
    await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
  }
  if (!globalThis.axe) loadAxe();
  const { violations } = await axe.run({ reporter: 'no-passes' });
  const { scrollWidth, clientWidth } = document.documentElement;
  return { violations, overhang: scrollWidth - clientWidth, headings: document.querySelectorAll('h1').length, title: document.title };
})()`;

export interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

interface Findings {
  violations: Result[];
  overhang: number;
  headings: number;
  title: string;
}

/** A page of a separate browser that records all errors that no page may cause. */
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

  /** Problems that axe-core finds, and horizontal overflow. */
  async check(): Promise<string[]> {
    const { page } = this;
    if (!(await page.evaluate<boolean>(HAS_AXE))) {
      await page.addInitScript({ content: DEFINE_AXE }); // for later documents of this page
      await page.evaluate(`${DEFINE_AXE}; 0`);
    }
    const { violations, overhang, headings, title } = await page.evaluate<Findings>(REPORT_FINDINGS);
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    if (overhang > 0) found.push(`${overhang} px overflow at the side`);
    if (headings !== 1) found.push('not exactly one h1');
    if (!/^.+ · Cloud Platform$/.test(title)) found.push(`the title is "${title}"`);
    return found;
  }

  /** Runs `check` in each of these looks. The page keeps the last look. */
  async checkLooks(looks: readonly Look[]): Promise<string[]> {
    const found: string[] = [];
    for (const { colorScheme, viewport } of looks) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.setViewportSize(viewport);
      const here = await this.check();
      found.push(...here.map((finding) => `${colorScheme}, ${viewport.width} px wide: ${finding}`));
    }
    return found;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private watched(): this {
    this.context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text()))
        this.complaints.push(message.text());
    });
    this.context.on('weberror', (error) => this.complaints.push(String(error.error())));
    return this;
  }
}
