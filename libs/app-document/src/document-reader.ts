import type { ActionType } from '@platform/contracts';
import { checkNotInherited } from './steps-reader.js';
import { alternatives, canonicalCron, daysLeftOut } from './cron.js';
import {
  HTTP_METHODS,
  methodsOf,
  type App,
  type AppDocument,
  type AppFunction,
  type Emission,
  type HttpMethod,
  type Implementation,
  type JsonObject,
  type JsonValue,
  type Panel,
  type Schedule,
  type SettingType,
  type SkeletonProducer,
  type Subscription,
  type Webhook,
} from './document.js';
import { actionTypes } from './effects.js';
import { hostDeclared, hostsOf } from './hosts.js';
import { quote, within, type IssueList } from './issues.js';
import { isObject, textOf } from './json.js';
import { asObjectSchema, JsonSchemaChecker } from './json-schema.js';
import { LIMITS } from './limits.js';
import type { DocumentModules } from './modules/document-modules.js';
import { alertActivity, refreshActivity } from './manifest.js';
import { checkOf } from './schema/check.js';
import { codeReference, tree } from './schema/forms.js';
import { EGRESS_HOST } from './schema/names.js';
import {
  implementationOf,
  objectsIn,
  readImplementation,
  type SentBody,
  type SentDocument,
  type SentPart,
} from './sent-document.js';
import { checkEventPrefix, type Surroundings } from './step-rules.js';
import { TemplateCheck } from './template-check.js';
import { everyStepOf } from './walk.js';

const IS_WRITTEN_AS_HOST = new RegExp(EGRESS_HOST);

type UndecidedFunction = Omit<AppFunction, 'action_type'> & { action_type: ActionType | null };

/**
 * Checks the rules that JSON Schema cannot express, and builds the canonical form of a document.
 * Adds issues and warnings to the lists. The result is undefined or not valid if issues were added.
 *
 * @param appId id that the app must have; undefined if any is allowed.
 */
export function readDocument(
  sent: SentDocument,
  modules: DocumentModules,
  appId: string | undefined,
  issues: IssueList,
  warnings: IssueList,
): AppDocument | undefined {
  return new DocumentReader(sent, modules, issues, warnings).read(appId);
}

class DocumentReader {
  private readonly around: Surroundings;
  private readonly schemas = new JsonSchemaChecker();

  constructor(
    private readonly sent: SentDocument,
    modules: DocumentModules,
    private readonly issues: IssueList,
    private readonly warnings: IssueList,
  ) {
    this.around = {
      appId: textOf(sent.app['id']),
      functions: new Set(sent.functions.map(({ name }) => name)),
      secrets: new Set(objectsIn(sent.app['secrets']).map(([, secret]) => textOf(secret['name']))),
      modules,
    };
  }

  read(appId: string | undefined): AppDocument | undefined {
    const { app, irVersion, idPointer } = this.sent;
    if (appId !== undefined && appId !== app['id']) {
      this.issues.add(idPointer, 'app_id_mismatch', `This document must have the app id ${quote(appId)}.`);
    }
    this.checkNames();
    this.checkSettings();
    this.checkHosts();
    const functions = this.sent.functions.map((part) => this.function(part));
    const webhooks = this.webhooks();
    const schedules = this.sent.schedules.map((part) => this.schedule(part));
    const subscribes = this.subscriptions();
    const skeleton = objectsIn(app['skeleton']).map(([at, section]) =>
      this.producer(section, this.place('skeleton', at)),
    );
    const panels = objectsIn(isObject(app['ui']) ? app['ui']['panels'] : []).map(([at, panel]) => {
      return this.panel(panel, this.place('ui', 'panels', at));
    });
    const declared = this.emissions();
    if (this.issues.count) return undefined;

    const types = actionTypes(functions);
    const decided = functions.map((each) => ({ ...each, action_type: types.get(each.name) ?? 'destructive' }));
    const events = { subscribes, emits: [] };
    const published = publishedBy(this.around.appId, { functions: decided, webhooks, schedules, events, skeleton });
    // A declaration replaces the event that was found in steps or functions.
    const emits = [...new Map([...published, ...declared].map((emission) => [emission.type, emission])).values()];
    if (emits.length > LIMITS.emissions) {
      this.issues.add(
        this.place('events'),
        'too_many',
        `An app may publish at most ${LIMITS.emissions} types of events.`,
      );
    }
    const read = app as unknown as App;
    const { id, version, title, description, icon, homepage, license, category, hosts } = read;
    const { capabilities, secrets, settings, data, automations, lifecycle } = read;
    this.checkNumberOfHosts({ hosts, functions: decided, webhooks, schedules, events, skeleton });
    return {
      ir_version: textOf(irVersion),
      app: {
        id,
        version,
        title,
        description,
        icon,
        ...(homepage !== undefined && { homepage }),
        ...(license !== undefined && { license }),
        ...(category !== undefined && { category }),
        ...(hosts !== undefined && { hosts }),
        capabilities,
        functions: decided,
        webhooks,
        schedules,
        events: { subscribes, emits },
        skeleton,
        ui: { panels },
        secrets,
        settings,
        data,
        automations,
        lifecycle,
      },
    };
  }

  private place(...path: (string | number)[]): string {
    return within(this.sent.pointer, ...path);
  }

  private impl(body: SentBody, params: readonly string[] | null = null): Implementation {
    return implementationOf(body, this.around, this.issues, params);
  }

  private function({ value, pointer, name, body }: SentPart): UndecidedFunction {
    const { description, action_type, return_schema, required_scopes, effects, event } =
      value as unknown as UndecidedFunction;
    const params = isObject(value['params_schema']) ? value['params_schema'] : {};
    const schema = asObjectSchema(params);
    if (schema['type'] !== 'object') {
      this.issues.add(
        within(pointer, 'params_schema', 'type'),
        'json_schema',
        'The params of a function must be an object, so the type must be "object".',
      );
    }
    this.checkSchema(schema, within(pointer, 'params_schema'), schema['properties'] === params ? '/properties' : '');
    if (isObject(return_schema)) this.checkSchema(return_schema, within(pointer, 'return_schema'));
    return {
      name,
      description,
      action_type,
      params_schema: schema,
      return_schema,
      required_scopes,
      effects,
      event,
      impl: this.impl(body, paramsOf(schema)),
    };
  }

  /**
   * Checks a JSON Schema of the document, and adds its issues.
   *
   * @param added pointer of the wrapper that the reader put around the sent schema; it is removed
   * from the pointers of issues.
   */
  private checkSchema(schema: JsonObject, pointer: string, added = ''): void {
    for (const { pointer: at, rule, message } of this.schemas.check(schema)) {
      this.issues.add(pointer + (at.startsWith(added) ? at.slice(added.length) : at), rule, message);
    }
  }

  /**
   * Webhooks by path and method. A later webhook replaces an earlier one with the same path, for
   * the methods of both, with a warning.
   */
  private webhooks(): Webhook[] {
    let webhooks: { webhook: Webhook; pointer: string }[] = [];
    for (const { value, name, namePointer, body } of this.sent.webhooks) {
      const { secret_header, inbox, redirect_hosts, description } = value as unknown as Webhook;
      const path = name.replace(/^\/|\/$/g, '');
      const methods = methodsIn(value['method']);
      checkNotInherited(path, namePointer, this.issues);
      webhooks = webhooks.flatMap((earlier) => {
        if (earlier.webhook.path !== path) return [earlier];
        const taken = methodsOf(earlier.webhook).filter((method) => methods.includes(method));
        const left = methodsOf(earlier.webhook).filter((method) => !methods.includes(method));
        if (!taken.length) return [earlier];
        const what = `A later webhook has the same path ${quote(path)} and replaces this one`;
        this.warnings.add(earlier.pointer, 'duplicate', left.length ? `${what} for ${taken.join(', ')}.` : `${what}.`);
        return left.length ? [{ ...earlier, webhook: { ...earlier.webhook, method: oneOrMore(left) } }] : [];
      });
      webhooks.push({
        webhook: {
          path,
          method: oneOrMore(methods),
          secret_header,
          inbox,
          ...(redirect_hosts?.length && { redirect_hosts }),
          description,
          impl: this.impl(body),
        },
        pointer: namePointer,
      });
    }
    return webhooks.map(({ webhook }) => webhook);
  }

  private schedule({ value, pointer, name, body }: SentPart): Schedule {
    const { for_each_user, description } = value as unknown as Schedule;
    return {
      name,
      cron: this.cron(value['cron'], within(pointer, 'cron')),
      for_each_user,
      description,
      impl: this.impl(body),
    };
  }

  private cron(text: JsonValue | undefined, pointer: string): string {
    if (typeof text !== 'string') return '';
    try {
      const cron = canonicalCron(text);
      const missing = daysLeftOut(cron);
      if (missing.length)
        this.warnings.add(
          pointer,
          'cron',
          `This schedule does not run in months without day ${alternatives(missing)}.`,
        );
      return cron;
    } catch (error) {
      this.issues.add(
        pointer,
        'cron',
        `${quote(text)} is not a valid schedule. ${error instanceof Error ? error.message : String(error)}`,
      );
      return '';
    }
  }

  private subscriptions(): Subscription[] {
    const events = isObject(this.sent.app['events']) ? this.sent.app['events'] : {};
    const listed = objectsIn(events['subscribes']).map(([at, value]): SentPart => {
      const pointer = this.place('events', 'subscribes', at);
      return {
        value,
        pointer,
        name: textOf(value['type']),
        namePointer: within(pointer, 'type'),
        body: this.subscriber(value, pointer),
      };
    });
    const parts = [...listed, ...this.sent.subscriptions];
    this.checkUnique(parts, 'handler of the event');
    return parts.map(({ name, body }) => ({ type: name, impl: this.impl(body) }));
  }

  /**
   * Reads the implementation of a handler for an event, and adds an issue unless there is either
   * `handler` or `impl`. A `handler` is the name of a function. It becomes one step that calls the
   * function with the event.
   */
  private subscriber({ handler, impl }: JsonObject, pointer: string): SentBody {
    if ((handler === undefined) === (impl === undefined)) {
      this.issues.add(
        pointer,
        'required',
        'Add a handler for the event: "handler" (the name of a function) or "impl".',
      );
    }
    if (typeof handler !== 'string') return readImplementation(impl, within(pointer, 'impl'), this.issues);
    const place = within(pointer, 'handler');
    const isKnown = this.around.functions.has(handler);
    if (!isKnown)
      this.issues.add(place, 'unknown_function', `This app has no function ${quote(handler)}.`, {
        of: handler,
        among: this.around.functions,
      });
    const value = { id: 'call', kind: 'call', action: handler, params: { params: '{{event}}' } };
    return { pointer: place, steps: isKnown ? [{ value, pointer: place }] : [] };
  }

  private producer(section: JsonObject, pointer: string): SkeletonProducer {
    const { section: name, shape, alert, ttl } = section as unknown as SkeletonProducer;
    const body = readImplementation(section['producer'], within(pointer, 'producer'), this.issues);
    return { section: name, producer: this.impl(body), shape, alert, ttl };
  }

  private panel(panel: JsonObject, pointer: string): Panel {
    const { panel_id, slot, title, icon, render } = panel as unknown as Panel;
    const place = within(pointer, 'render');
    if (isObject(panel['render'])) {
      const check = Object.hasOwn(RENDER_CHECKS, textOf(render.kind)) ? RENDER_CHECKS[render.kind] : undefined;
      if (!check)
        this.issues.add(
          within(place, 'kind'),
          'value',
          'The kind must be "static" or "template", with "tree", or "code".',
        );
      else if (check(render, place, this.issues)) {
        if (render.kind === 'template') new TemplateCheck(this.issues).check(render.tree, within(place, 'tree'), null);
        if (render.kind === 'code') this.around.modules.checkReference(render, place);
      }
    }
    return { panel_id, slot, title, icon, render };
  }

  private emissions(): Emission[] {
    const { emits } = isObject(this.sent.app['events']) ? this.sent.app['events'] : {};
    return (Array.isArray(emits) ? emits : []).map((emission, at) => {
      const pointer = this.place('events', 'emits', at);
      const { type, schema_ref, payload_schema } = isObject(emission) ? emission : { type: emission, schema_ref: null };
      checkEventPrefix(
        textOf(type),
        isObject(emission) ? within(pointer, 'type') : pointer,
        this.around.appId,
        this.issues,
      );
      if (!isObject(payload_schema)) return { type: textOf(type), schema_ref: schema_ref as string | null };
      this.checkSchema(payload_schema, within(pointer, 'payload_schema'));
      return { type: textOf(type), schema_ref: schema_ref as string | null, payload_schema };
    });
  }

  private checkNames(): void {
    const { functions, schedules, app } = this.sent;
    const skeleton = this.named(app['skeleton'], 'section', 'skeleton');
    this.checkUnique(functions, 'function');
    this.checkUnique(schedules, 'schedule');
    this.checkUnique(skeleton, 'section of the skeleton');
    this.checkUnique(this.named(isObject(app['ui']) ? app['ui']['panels'] : [], 'panel_id', 'ui', 'panels'), 'panel');
    this.checkUnique(this.named(app['secrets'], 'name', 'secrets'), 'secret');
    this.checkUnique(this.named(app['settings'], 'name', 'settings'), 'setting');
    const activities = new Set(skeleton.flatMap(({ name }) => [refreshActivity(name), alertActivity(name)]));
    for (const { name, namePointer } of functions) {
      if (activities.has(name))
        this.issues.add(
          namePointer,
          'reserved_name',
          `A section of the skeleton reserves the function name ${quote(name)}.`,
        );
    }
  }

  private named(list: JsonValue | undefined, key: string, ...path: string[]): { name: string; namePointer: string }[] {
    return objectsIn(list).map(([at, value]) => ({
      name: textOf(value[key]),
      namePointer: this.place(...path, at, key),
    }));
  }

  private checkUnique(parts: readonly { name: string; namePointer: string }[], what: string): void {
    const names = new Set<string>();
    for (const { name, namePointer } of parts) {
      if (names.has(name)) this.issues.add(namePointer, 'duplicate', `There is another ${what} ${quote(name)}.`);
      checkNotInherited(name, namePointer, this.issues);
      names.add(name);
    }
  }

  /**
   * Adds an issue for each declared host that looks like a host and is not: a port that is too
   * high, or numbers that are not an IP address.
   */
  private checkHosts(): void {
    const { hosts } = this.sent.app;
    for (const [at, host] of (Array.isArray(hosts) ? hosts : []).entries()) {
      if (typeof host !== 'string' || !IS_WRITTEN_AS_HOST.test(host) || hostDeclared(host) !== null) continue;
      this.issues.add(this.place('hosts', at), 'value', `${quote(host)} is not a host that can be called.`);
    }
  }

  /**
   * Adds an issue if an app that declares hosts requests too many. An app that declares none has at
   * most a few, or all.
   */
  private checkNumberOfHosts(app: Parameters<typeof hostsOf>[0]): void {
    const { length: count } = app.hosts ? hostsOf(app) : [];
    if (count <= LIMITS.hostsAsked) return;
    const message = `The app requests ${count} hosts, including those of its steps. The maximum is ${LIMITS.hostsAsked}. To request every host, declare "hosts": ["*"].`;
    this.issues.add(this.place('hosts'), 'too_many', message);
  }

  private checkSettings(): void {
    for (const [at, { type, default: byDefault, enum: values }] of objectsIn(this.sent.app['settings'])) {
      const wrong = (value: JsonValue | undefined): boolean => !isOfType(value, type as SettingType);
      const refuse = (...path: (string | number)[]) => {
        this.issues.add(
          this.place('settings', at, ...path),
          'value',
          `This must be of the type ${quote(textOf(type))}.`,
        );
      };
      if (byDefault !== null && wrong(byDefault)) refuse('default');
      if (!Array.isArray(values)) continue;
      for (const [position, value] of values.entries()) if (wrong(value)) refuse('enum', position);
      if (byDefault !== null && !values.some((value) => JSON.stringify(value) === JSON.stringify(byDefault))) {
        this.issues.add(this.place('settings', at, 'default'), 'value', 'This must be one of "enum".');
      }
    }
  }
}

/**
 * Names of all parameters that a schema allows. Null if it allows other names, too, or is too
 * complex to tell.
 */
function paramsOf(schema: JsonObject): string[] | null {
  const { properties, additionalProperties, patternProperties, $ref } = schema;
  if (additionalProperties !== false || patternProperties !== undefined || $ref !== undefined) return null;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Methods in a fixed order, independent of the order in the document. */
const methodsIn = (sent: JsonValue | undefined): HttpMethod[] =>
  HTTP_METHODS.filter((method) => [sent].flat().includes(method));

const oneOrMore = ([first, ...others]: HttpMethod[]): Webhook['method'] =>
  others.length ? [first as HttpMethod, ...others] : (first as HttpMethod);

/** Events that the functions and steps of an app publish. */
function publishedBy(appId: string, app: Parameters<typeof everyStepOf>[0]): Emission[] {
  const events = app.functions.flatMap(({ event }) => (event === null ? [] : [`${appId}.${event}`]));
  const emitted = everyStepOf(app).filter(({ kind }) => kind === 'emit');
  return [...events, ...emitted.map(({ action }) => action)].map((type) => ({ type, schema_ref: null }));
}

const RENDER_CHECKS = {
  static: checkOf(tree('static')),
  template: checkOf(tree('template')),
  code: checkOf(codeReference),
};

function isOfType(value: JsonValue | undefined, type: SettingType): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}
