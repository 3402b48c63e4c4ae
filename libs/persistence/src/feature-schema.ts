import type { MigrationInterface } from 'typeorm';

/** Entities and migrations of a feature. It is in the feature's folder, and its group lists it. */
export interface FeatureSchema {
  entities?: readonly (new () => object)[];
  /** They run in the order of the times in their names, across all features. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/** Entities and migrations of all these features, for `Database`. */
export const schemaOf = (features: readonly FeatureSchema[]): Required<FeatureSchema> => ({
  entities: features.flatMap(({ entities = [] }) => entities),
  migrations: features.flatMap(({ migrations = [] }) => migrations),
});
