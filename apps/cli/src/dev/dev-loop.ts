import type { AppDocument } from '@platform/app-document';
import {
  isTransient,
  type AppResponse,
  type AppWebhook,
  type DeveloperProfileResponse,
  type PlatformClient,
} from '@platform/client';
import { setTimeout as delay } from 'node:timers/promises';
import { checkDocumentFile, countOf, issueLines, type CheckedFile } from '../app-document/document-file.js';
import type { Context } from '../context.js';
import { ensureApp } from '../deploying/developer-apps.js';
import { DeployRefused } from '../deploying/deploy-document.js';
import { ensureDeveloper } from '../deploying/developer.js';
import { refusalLines } from '../deploying/refusal.js';
import { CommandError } from '../failures.js';
import { followLogs } from '../logs/follow-logs.js';
import { lineText } from '../logs/log-lines.js';
import { printable } from '../text/printable.js';
import { webhookLines } from '../text/webhook-lines.js';
import { DevelopmentDeploys } from './development-deploys.js';
import type { FileWatch } from './file-watch.js';
import { renamedApp } from './renamed-app.js';

const TRY_EVERY_MS = 1_000;

export interface DevOptions {
  file: string;
  /** App to deploy to; undefined: the app of the document. */
  appId: string | undefined;
  nickname: string | undefined;
}

/**
 * Deploys a draft whenever its file changes, until an error occurs that another save cannot fix.
 */
export class DevLoop {
  private readonly deploys: DevelopmentDeploys;
  private developer: DeveloperProfileResponse | undefined;
  /** The followed app and its log. `ended` rejects if the log cannot be followed any more. */
  private logs: { appId: string; ended: Promise<never> } | undefined;
  /** Files that the app was last built from. */
  private inputs: string[] = [];
  /** The running version. */
  private live: { version: string; content: string; webhooks: string[] } | undefined;
  /** True if the last printed message was an error. */
  private isWrong = false;

  constructor(
    private readonly context: Context,
    private readonly client: PlatformClient,
    private readonly watch: FileWatch,
    private readonly options: DevOptions,
  ) {
    this.deploys = new DevelopmentDeploys(client);
  }

  /**
   * Deploys the app now and after each save.
   *
   * @throws the error that ends the loop: one that another save cannot fix, or the abort reason
   * after Ctrl-C.
   */
  async run(): Promise<never> {
    this.watch.watch([this.options.file]);
    for (let savedAt: number | null = null; ; savedAt = await Promise.race([this.watch.settled(), ...this.followed])) {
      await Promise.race([this.update(savedAt), ...this.followed]);
    }
  }

  private get followed(): Promise<never>[] {
    return this.logs ? [this.logs.ended] : [];
  }

  private async update(savedAt: number | null): Promise<void> {
    const { file, appId } = this.options;
    const checked = await this.check(savedAt !== null);
    if (!checked) return;
    const { document, issues, warnings } = checked;
    // A failed build knows only some of its files; a change in files of the previous build may fix
    // it.
    this.inputs = document ? checked.inputs : [...this.inputs, ...checked.inputs];
    this.watch.watch([file, ...this.inputs]);
    if (!document) {
      this.fail([...issueLines(file, issues), `${countOf(issues)} ${this.whatRuns}`], issues);
      return;
    }
    for (const line of issueLines(file, warnings)) this.context.output.note(line);
    const wanted = appId !== undefined && appId !== document.app.id ? await renamedApp(document, appId) : null;
    await this.deploy(checked, wanted ?? document, wanted ?? (checked.value as object), savedAt);
  }

  /**
   * Checks the file. Null, after an error was printed, if it existed before and cannot be read now,
   * as with some editors for a moment.
   *
   * @throws CommandError if it never existed.
   */
  private async check(wasThere: boolean): Promise<CheckedFile | null> {
    try {
      return await checkDocumentFile(this.options.file);
    } catch (error) {
      if (!(error instanceof CommandError) || !wasThere) throw error;
      this.fail([error.message]);
      return null;
    }
  }

  /**
   * Deploys the document, unless it already runs, and prints the result, also a refusal of the
   * document. A newer save cancels it. Before, it registers the user as a developer, creates the
   * app and follows its log if needed.
   *
   * @param sent the document in the form that is sent to the platform.
   * @throws the failures that another save cannot fix, such as an app that is not a draft; a
   * temporary failure only while the log is not followed yet.
   */
  private async deploy(
    checked: CheckedFile,
    { app }: AppDocument,
    sent: object,
    savedAt: number | null,
  ): Promise<void> {
    const { output } = this.context;
    const content = JSON.stringify(sent);
    if (content === this.live?.content) {
      if (this.isWrong) this.tellGoodAgain(app.id, this.live.version);
      return;
    }
    try {
      this.developer ??= await ensureDeveloper(this.context, this.client, app.id, this.options.nickname);
      assertDraft(await this.ridingOut(() => ensureApp(this.client, app)));
      this.followLogs(app.id);
      const { version, webhooks } = await this.deploys.deploy(sent, app.version, {
        userId: this.developer.platform_id,
        appId: app.id,
        pause: (ms) => delay(ms, undefined, { signal: this.watch.changed }),
        onTrouble: (reason) => output.note(`${printable(reason)} Trying again.`),
      });
      this.tell(app, version, savedAt, webhooks);
      this.live = { version, content, webhooks: webhookLines(webhooks) };
    } catch (error) {
      if ((error as Error).name === 'AbortError') return; // a newer save replaces this deploy
      if (error instanceof DeployRefused)
        this.fail([...refusalLines(error, this.options.file, checked.locate), this.whatRuns]);
      else if (isTransient(error) && this.logs)
        this.fail([printable((error as Error).message), `${this.whatRuns} Save the file again to retry.`]);
      else throw error;
    }
  }

  /**
   * Runs `work`, and retries temporary failures every second until the next save, if the platform
   * was reachable before.
   *
   * @throws an AbortError after the next save; otherwise the error of `work`.
   */
  private async ridingOut<T>(work: () => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work();
      } catch (error) {
        if (!this.logs || !isTransient(error)) throw error;
        if (isFirst) this.context.output.note(`${printable((error as Error).message)} Trying again.`);
        await delay(TRY_EVERY_MS, undefined, { signal: this.watch.changed });
      }
    }
  }

  /**
   * Prints that the version runs: with the functions, schedules and events of the app the first
   * time, and with its webhook addresses whenever they change.
   */
  private tell(app: AppDocument['app'], version: string, savedAt: number | null, webhooks: AppWebhook[]): void {
    const { output } = this.context;
    const seconds = savedAt === null ? null : (Date.now() - savedAt) / 1_000;
    const when = seconds === null ? '' : `, ${seconds.toFixed(2)} s after the save`;
    const lines = [
      output.paint('green', `✔ ${app.id} ${version} is live${when}.`),
      ...(this.live ? [] : contentsOf(app)),
    ];
    const addresses = webhookLines(webhooks);
    if (addresses.join() !== (this.live?.webhooks ?? []).join()) lines.push(...linesOf('Webhooks', addresses));
    output.line({ event: 'live', app_id: app.id, version, seconds, webhooks }, lines.join('\n'));
    this.isWrong = false;
  }

  /** Prints that the saved content matches the running version again, after an error. */
  private tellGoodAgain(appId: string, version: string): void {
    const { output } = this.context;
    output.line(
      { event: 'good_again', app_id: appId, version },
      output.paint('green', `✔ ${appId} is valid again; ${version} keeps running.`),
    );
    this.isWrong = false;
  }

  private fail(lines: string[], issues: object[] = []): void {
    const { output } = this.context;
    this.isWrong = true;
    const [first = '', ...rest] = lines;
    output.line(
      { event: 'failed', reasons: lines, issues },
      [output.paint('red', `✖ ${first}`), ...rest.map((line) => `  ${line}`)].join('\n'),
    );
  }

  private get whatRuns(): string {
    return this.live ? `${this.live.version} keeps running.` : 'Nothing was deployed.';
  }

  /**
   * Starts to print the log of the app, once. @throws CommandError if it is another app than
   * before.
   */
  private followLogs(appId: string): void {
    const { output, interruption } = this.context;
    if (this.logs && this.logs.appId !== appId) {
      throw new CommandError(
        `${this.options.file} now contains the app ${appId} instead of ${this.logs.appId}. Start \`platform dev\` again.`,
      );
    }
    if (this.logs) return;
    const ended = followLogs({
      client: this.client,
      appId,
      after: undefined,
      onLine: (line) => output.line({ event: 'log', ...line }, lineText(line, output)),
      onTrouble: (reason) => output.note(`${printable(reason)} Trying again.`),
      signal: interruption.signal,
    });
    ended.catch(() => undefined); // the main loop also waits for this promise and handles its error
    this.logs = { appId, ended };
  }
}

/**
 * Checks that the app is a draft. @throws CommandError if it is not: other users may use it, or
 * soon will.
 */
function assertDraft({ app_id: appId, status }: AppResponse): void {
  if (status === 'draft') return;
  const why =
    status === 'active'
      ? `${appId} is live`
      : status === 'suspended'
        ? `${appId} is suspended`
        : `${appId} is in review`;
  throw new CommandError(
    `${why}. \`platform dev\` works only with drafts. Develop a copy with \`--app ${appId}-dev\`.`,
  );
}

/** Functions, schedules and events of the app as lines, for the developer. */
function contentsOf({ functions, schedules, events }: AppDocument['app']): string[] {
  const parts: [string, string[]][] = [
    ['Functions', functions.map(({ name, action_type }) => `${name} (${action_type})`)],
    ['Schedules', schedules.map(({ name, cron }) => `${name} (${cron})`)],
    ['Events', events.subscribes.map(({ type }) => type)],
  ];
  return parts.filter(([, items]) => items.length).flatMap(([title, items]) => linesOf(title, [items.join(', ')]));
}

/** Indents the lines, and puts the title before the first one. */
const linesOf = (title: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `  ${(at ? '' : title).padEnd(10)} ${line}`);
