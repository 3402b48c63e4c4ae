import type { MigrationInterface } from 'typeorm';

/** What a feature has in the schema of its service: it stands in the feature's folder, and the list of its group takes it in. */
export interface FeatureSchema {
  entities?: readonly (new () => object)[];
  /** They run in the order of the times in their names, whichever feature they are of. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/** All that these features have, for `Database`. */
export const schemaOf = (features: readonly FeatureSchema[]): Required<FeatureSchema> => ({
  entities: features.flatMap(({ entities = [] }) => entities),
  migrations: features.flatMap(({ migrations = [] }) => migrations),
});
