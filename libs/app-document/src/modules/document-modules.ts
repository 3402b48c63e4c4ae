import { checkNotInherited } from '../steps-reader.js';
import type { CodeReference, JsonObject, Module } from '../document.js';
import { quote, within, type IssueList } from '../issues.js';
import { isObject, isStorable, nameOfType } from '../json.js';
import { LIMITS } from '../limits.js';
import { checkOf } from '../schema/check.js';
import { MODULE } from '../schema/modules.js';
import { moduleName } from '../schema/names.js';
import { readModuleSource, SourceError, type ModuleSource, type SourcePlace } from './module-source.js';

/** The modules of a document as they were sent; undefined if it has none. */
export interface SentModules {
  value: unknown;
  pointer: string;
}

const checkName = checkOf(moduleName(''));
const checkModule = checkOf(MODULE);
const SPECIFIER = /^\.\/([a-z][a-z0-9_-]{0,31})(?:\.js)?$/;

/** The modules of a document: read, parsed and linked, without running them. */
export class DocumentModules {
  /** Modules in their canonical form. Only valid if no issues were added. */
  readonly canonical: Record<string, Module> = {};
  private readonly sources = new Map<string, ModuleSource>();
  /**
   * Modules whose exports are not known because they could not be read. References to them add no
   * issues.
   */
  private readonly unreadable = new Set<string>();

  constructor(
    sent: SentModules | undefined,
    private readonly issues: IssueList,
  ) {
    if (!sent) return;
    this.read(sent);
    this.checkSizes(sent.pointer);
    for (const [name, { source }] of Object.entries(this.canonical))
      this.parse(name, source, sourcePointer(sent, name));
    for (const [name, source] of this.sources) this.link(source, sourcePointer(sent, name));
  }

  /**
   * Adds an issue if the module or the export that a reference names does not exist. Adds none for
   * a module that could not be read.
   */
  checkReference({ module, entry }: CodeReference, pointer: string): void {
    if (this.unreadable.has(module)) return;
    if (!this.sources.has(module)) {
      this.issues.add(within(pointer, 'module'), 'unknown_module', `This document has no module ${quote(module)}.`);
    } else if (!this.exports(module, entry)) {
      const message = `The module ${quote(module)} has no export ${quote(entry)}.`;
      this.issues.add(within(pointer, 'entry'), 'unknown_export', message);
    }
  }

  private read({ value, pointer }: SentModules): void {
    if (!isObject(value)) {
      this.issues.add(pointer, 'type', `Modules must be an object, but this is ${nameOfType(value)}.`);
      return;
    }
    const names = Object.keys(value);
    if (names.length > LIMITS.modules) {
      this.issues.add(pointer, 'too_many', `There may be at most ${LIMITS.modules} modules.`);
      return;
    }
    for (const name of names) this.readModule(name, value[name], within(pointer, name));
  }

  private readModule(name: string, sent: unknown, pointer: string): void {
    this.unreadable.add(name);
    checkNotInherited(name, pointer, this.issues);
    const module = isObject(sent) ? { ...sent } : sent;
    if (!checkName(name, pointer, this.issues) || !checkModule(module, pointer, this.issues)) return;
    const { source, source_map } = (
      typeof module === 'string' ? { source: module, source_map: null } : module
    ) as Module;
    for (const text of [source, source_map]) {
      if (text === null || isStorable(text)) continue;
      this.issues.add(
        pointer,
        'json',
        'This text contains a NUL character or half a surrogate pair, which cannot be stored.',
      );
      return;
    }
    if (source_map !== null && !isSourceMap(source_map)) {
      this.issues.add(within(pointer, 'source_map'), 'value', 'This is not a source map of version 3 as JSON text.');
    }
    this.canonical[name] = { source, source_map };
  }

  private checkSizes(pointer: string): void {
    const modules = Object.values(this.canonical);
    const limits: [what: string, texts: string[], limit: number][] = [
      ['sources', modules.map(({ source }) => source), LIMITS.sourceBytes],
      ['source maps', modules.map(({ source_map }) => source_map ?? ''), LIMITS.sourceMapBytes],
    ];
    for (const [what, texts, limit] of limits) {
      if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit) continue;
      this.issues.add(
        pointer,
        'document_size',
        `The ${what} of all modules together are larger than ${limit / 1024} KiB.`,
      );
      for (const name of Object.keys(this.canonical)) Reflect.deleteProperty(this.canonical, name);
    }
  }

  private parse(name: string, source: string, pointer: string): void {
    try {
      this.sources.set(name, readModuleSource(source));
      this.unreadable.delete(name);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.issues.add(pointer, 'syntax', `${error.message}, at ${inWords(error.place)}.`);
    }
  }

  private link({ imports }: ModuleSource, pointer: string): void {
    for (const { specifier, name, place } of imports) {
      const module = moduleOf(specifier);
      if (module !== null && this.unreadable.has(module)) continue;
      if (module === null || !this.sources.has(module)) {
        const reason = 'Code can only import modules of this document, as "./<name>". Use ctx.http for requests';
        this.issues.add(
          pointer,
          'unknown_module',
          `Cannot import ${quote(specifier)}, at ${inWords(place)}. ${reason}.`,
        );
      } else if (name !== null && !this.exports(module, name)) {
        const message = `The module ${quote(module)} has no export ${quote(name)} to import, at ${inWords(place)}.`;
        this.issues.add(pointer, 'unknown_export', message);
      }
    }
  }

  /** True if the module has the export, or if its exports are not known. */
  private exports(module: string, name: string, asked = new Set<string>()): boolean {
    if (this.unreadable.has(module)) return true;
    const key = `${module} ${name}`;
    const source = this.sources.get(module);
    if (!source || asked.has(key)) return false;
    asked.add(key);
    const found = source.exports.get(name);
    if (found === null) return true;
    if (found) return this.exports(moduleOf(found.specifier) ?? '', found.name, asked);
    return name !== 'default' && source.stars.some((specifier) => this.exports(moduleOf(specifier) ?? '', name, asked));
  }
}

/**
 * Name of the module that an import specifier (`./name` or `./name.js`) means; null for any other
 * specifier.
 */
export const moduleOf = (specifier: string): string | null => SPECIFIER.exec(specifier)?.[1] ?? null;

const inWords = ({ line, column }: SourcePlace): string => `${line}:${column}`;

function sourcePointer({ value, pointer }: SentModules, name: string): string {
  const place = within(pointer, name);
  return typeof (value as JsonObject)[name] === 'string' ? place : within(place, 'source');
}

function isSourceMap(text: string): boolean {
  try {
    const map: unknown = JSON.parse(text);
    return (
      isObject(map) && map['version'] === 3 && typeof map['mappings'] === 'string' && Array.isArray(map['sources'])
    );
  } catch {
    return false;
  }
}
