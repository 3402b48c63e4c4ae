/** Version in package.json, whose place differs between the published package and the workspace. */
export const VERSION = '0.1.0';
