const DEVELOPMENT = /-dev\.(\d{1,9})$/;

/**
 * Version that the command `platform dev` deploys as the `number`th development version before
 * `version`: `1.2.0-dev.7`. Build metadata is removed.
 */
export const developmentVersion = (version: string, number: number): string =>
  `${version.split('+', 1)[0]}-dev.${number}`;

/** Number of a development version, which ends in `-dev.<number>`; null for any other version. */
export function developmentNumber(version: string): number | null {
  const [, number] = DEVELOPMENT.exec(version) ?? [];
  return number === undefined ? null : Number(number);
}
