import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandProcess } from './command-process.js';

interface StoredCredentials {
  access_token: string;
  refresh_token: string;
  access_token_expires_at: string;
}

/** A computer with credentials of its own. */
export class Computer {
  constructor(
    private readonly home: string,
    readonly url: string,
  ) {}

  get folder(): string {
    return join(this.home, 'config', 'platform');
  }

  /** Variables for the home folder and the platform of this computer. */
  get env(): NodeJS.ProcessEnv {
    return { HOME: this.home, XDG_CONFIG_HOME: join(this.home, 'config'), PLATFORM_URL: this.url };
  }

  /** Starts `platform` with these parameters. */
  start(parameters: string | string[], env: NodeJS.ProcessEnv = {}, folder?: string, input?: string): CommandProcess {
    const words = typeof parameters === 'string' ? parameters.split(' ').filter(Boolean) : parameters;
    return CommandProcess.start(words, { ...this.env, ...env }, undefined, folder, input);
  }

  /** Runs `platform` to its end. */
  async run(parameters: string | string[], env: NodeJS.ProcessEnv = {}, input?: string) {
    const command = this.start(parameters, env, undefined, input);
    const exitCode = await command.exited;
    return { exitCode, stdout: command.stdout, stderr: command.stderr };
  }

  get files(): string[] {
    return readdirSync(this.folder).map((name) => join(this.folder, name));
  }

  get credentials(): StoredCredentials {
    return JSON.parse(readFileSync(this.file, 'utf8')) as StoredCredentials;
  }

  /** Makes the access token look expired. */
  expireAccessToken(): void {
    writeFileSync(
      this.file,
      JSON.stringify({ ...this.credentials, access_token_expires_at: new Date(0).toISOString() }),
    );
  }

  private get file(): string {
    const [file] = this.files.filter((path) => path.endsWith('.json'));
    if (!file) throw new Error(`there are no credentials in ${this.folder}`);
    return file;
  }
}
