const DEVELOPMENT = /-dev\.(\d{1,9})$/;

/** The version that `platform dev` deploys as the `number`th of what is to become `version`: `1.2.0-dev.7`. Build metadata is left out. */
export const developmentVersion = (version: string, number: number): string => `${version.split('+', 1)[0]}-dev.${number}`;

/** Null for a version that `platform dev` has not made. */
export function developmentNumber(version: string): number | null {
  const [, number] = DEVELOPMENT.exec(version) ?? [];
  return number === undefined ? null : Number(number);
}
