import { schemaRulesOf } from '@platform/contracts';
import { getMetadataStorage } from 'class-validator';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './openapi-components.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
}

const NAME = /^#\/components\/schemas\/(.+)$/;

/**
 * Adds to the schemas of request bodies, in place, the rules that validation applies: optional
 * properties also take null, objects take no other keys, and fields can depend on each other.
 */
export function describeRequests(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const classes = classesByName();
  for (const name of takenBy(document)) {
    const schema = schemas[name];
    const target = classes.get(name);
    if (!schema?.properties || !target) continue;
    schema.additionalProperties ??= false;
    for (const key of optionalOf(target)) {
      const property = schema.properties[key];
      if (property) orNull(property);
    }
    Object.assign(schema, schemaRulesOf(target));
  }
}

function orNull(property: Schema): void {
  const choices = property.anyOf ?? property.oneOf;
  if (choices?.some(({ type }) => type === 'null')) return;
  if (choices) choices.push({ type: 'null' });
  else if (property.$ref) {
    const { $ref } = property;
    delete property.$ref;
    property.anyOf = [{ $ref }, { type: 'null' }];
  } else if (property.type !== undefined && ![property.type].flat().includes('null')) {
    property.type = [property.type, 'null'].flat();
    if (property.enum) property.enum = [...property.enum, null];
  }
}

/** Names of the schemas that request bodies contain, at any depth. */
function takenBy(document: OpenAPIObject): Set<string> {
  const names = new Set<string>();
  const schemas = document.components?.schemas ?? {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const [, name] = NAME.exec((node as Schema).$ref ?? '') ?? [];
    if (name && !names.has(name)) {
      names.add(name);
      visit(schemas[name]);
    }
    Object.values(node).forEach(visit);
  };
  for (const { requestBody } of operationsOf(document)) visit(requestBody);
  return names;
}

type Class = new () => object;

/**
 * Classes with validation rules, by name. class-validator has no function that lists them, so this
 * reads its storage.
 */
function classesByName(): Map<string, Class> {
  const { validationMetadatas: classes } = getMetadataStorage() as unknown as {
    validationMetadatas: Map<Class, unknown>;
  };
  return new Map([...classes.keys()].map((target) => [target.name, target]));
}

/** Names of the properties with `@IsOptional`. */
function optionalOf(target: Class): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  return new Set(rules.filter(({ name }) => name === 'isOptional').map(({ propertyName }) => propertyName));
}
