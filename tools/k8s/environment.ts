import { readFileSync } from 'node:fs';
import type { Container, Manifest } from './manifests.js';

/** Keys and values of Secrets, by the name of the Secret. */
export type Secrets = Record<string, Record<string, string>>;

/** Secrets that an overlay contains. */
export const secretsOf = (manifests: Manifest[]): Secrets =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'Secret')
      .map(({ metadata, data = {} }) => [
        metadata.name,
        Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
      ]),
  );

const COMMAND = /^kubectl -n platform create secret generic (\S+)((?:.* \\\n)+.*)$/gm;
const LITERAL = /--from-literal=([A-Z_]+)=(["']?)(.*?)\2(?: \\)?$/gm;

/**
 * Secrets that docs/kubernetes.md tells operators to create, with sample values of the same form.
 */
export function secretsOfDocumentation(): Secrets {
  const text = readFileSync('docs/kubernetes.md', 'utf8');
  return Object.fromEntries(
    [...text.matchAll(COMMAND)].map(([, name = '', literals = '']) => [
      name,
      Object.fromEntries([...literals.matchAll(LITERAL)].map(([, key = '', , value = '']) => [key, valueOf(value)])),
    ]),
  );
}

const valueOf = (text: string): string =>
  text
    .replace('$(openssl rand -base64 32)', Buffer.alloc(32, 7).toString('base64'))
    .replace(/\$([A-Z_]+)/g, (_all, variable: string) =>
      `${variable.toLowerCase().replace('_', '-')}-`.padEnd(48, '0'),
    );

/**
 * Environment variables of a container.
 * @throws Error with the name of a missing object or key that is not optional.
 */
export function environmentOf(container: Container, manifests: Manifest[], secrets: Secrets): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) Object.assign(environment, configMap(configMapRef.name, manifests));
    if (secretRef) Object.assign(environment, secret(secretRef.name, secrets));
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const found = value ?? fromSecret(valueFrom?.secretKeyRef, secrets);
    if (found !== undefined) environment[name] = found;
  }
  return environment;
}

function configMap(name: string, manifests: Manifest[]): Record<string, string> {
  const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  if (!found?.data) throw new Error(`There is no ConfigMap ${name}.`);
  return found.data;
}

function secret(name: string, secrets: Secrets): Record<string, string> {
  const found = secrets[name];
  if (!found) throw new Error(`There is no Secret ${name}.`);
  return found;
}

function fromSecret(
  reference: { name: string; key: string; optional?: boolean } | undefined,
  secrets: Secrets,
): string | undefined {
  if (!reference) throw new Error('A variable with valueFrom has no secretKeyRef.');
  const value = secrets[reference.name]?.[reference.key];
  if (value === undefined && !reference.optional)
    throw new Error(`There is no key ${reference.key} in the Secret ${reference.name}.`);
  return value;
}
