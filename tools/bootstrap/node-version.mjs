const MINIMUM = { major: 20, minor: 19 };

/** Ends the process with one line if Node.js is too old for the platform. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor)) return;
  console.error(
    `The platform needs Node.js ${MINIMUM.major}.${MINIMUM.minor} or later; this is ${process.version}. Install a newer one from https://nodejs.org`,
  );
  process.exit(1);
}
