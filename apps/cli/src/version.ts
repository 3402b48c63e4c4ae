/** That of package.json, which lies elsewhere in the published package than in the workspace. */
export const VERSION = '0.1.0';
