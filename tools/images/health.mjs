// Health check of a container: exit code 0 if its process is healthy. `health.mjs <variable with
// the port> <default port> <path>`
const [variable = '', port = '', path = ''] = process.argv.slice(2);
try {
  const { ok } = await fetch(`http://127.0.0.1:${process.env[variable] || port}${path}`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
