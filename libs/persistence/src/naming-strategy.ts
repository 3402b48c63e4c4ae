import { DefaultNamingStrategy } from 'typeorm';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Properties are camelCase in TypeScript, columns snake_case in SQL. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return customName || snakeCase([...embeddedPrefixes, propertyName].join('_'));
  }
}
