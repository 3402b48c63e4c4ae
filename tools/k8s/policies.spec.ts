import { containersOf, ofKind, OVERLAYS, readRendered, workloadsOf, type Manifest } from './manifests.js';

describe.each(OVERLAYS)('%s', (overlay) => {
  const manifests = readRendered(overlay);
  const workloads = workloadsOf(manifests);
  const containers = workloads.flatMap((workload) =>
    containersOf(workload).map((container) => ({ ...container, of: workload.metadata.name, pod: workload.pod })),
  );
  /** Names of the items that do not satisfy the condition. */
  const failing = <T extends { of: string }>(items: T[], holds: (item: T) => boolean) =>
    items.filter((item) => !holds(item)).map(({ of }) => of);
  const pods = workloads.map(({ pod, metadata }) => ({ pod, of: metadata.name }));

  it('has something to check', () => {
    expect(pods.length).toBeGreaterThanOrEqual(7);
  });

  it('enforces restricted in its namespace', () => {
    const [namespace, ...others] = manifests.filter(({ kind }) => kind === 'Namespace');
    expect(others).toEqual([]);
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const outside = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name,
    );
    expect(outside.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
  });

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  it('has pods that restricted takes', () => {
    const volumes = [
      'configMap',
      'csi',
      'downwardAPI',
      'emptyDir',
      'ephemeral',
      'persistentVolumeClaim',
      'projected',
      'secret',
    ];
    const seccomp = ['RuntimeDefault', 'Localhost'];
    expect(failing(pods, ({ pod }) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC)).toEqual([]);
    expect(failing(pods, ({ pod }) => pod.securityContext?.runAsNonRoot === true)).toEqual([]);
    expect(failing(pods, ({ pod }) => seccomp.includes(pod.securityContext?.seccompProfile?.type ?? ''))).toEqual([]);
    expect(
      failing(pods, ({ pod }) => (pod.volumes ?? []).every((volume) => volumes.some((kind) => kind in volume))),
    ).toEqual([]);
    expect(
      failing(containers, ({ securityContext: { seccompProfile, ...context } = {} }) => {
        const hasRights = context.privileged || context.allowPrivilegeEscalation !== false || context.capabilities?.add;
        return (
          !hasRights &&
          context.capabilities?.drop?.includes('ALL') === true &&
          (!seccompProfile || seccomp.includes(seccompProfile.type))
        );
      }),
    ).toEqual([]);
  });

  it('runs nothing as root, and lets nothing write to its image', () => {
    expect(
      failing(
        containers,
        ({ securityContext, pod }) => (securityContext?.runAsUser ?? pod.securityContext?.runAsUser ?? 0) > 0,
      ),
    ).toEqual([]);
    expect(failing(containers, ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true)).toEqual([]);
    expect(
      failing(containers, ({ volumeMounts }) => volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') ?? false),
    ).toEqual(overlay === 'development' ? ['redis'] : []);
  });

  it('gives no pod a token of Kubernetes, nor variables with the addresses of Services', () => {
    expect(failing(pods, ({ pod }) => pod.automountServiceAccountToken === false)).toEqual([]);
    expect(failing(pods, ({ pod }) => pod.enableServiceLinks === false)).toEqual([]);
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount') as (Manifest & {
      automountServiceAccountToken?: boolean;
    })[];
    expect(accounts.length).toBe(5);
    expect(accounts.filter((account) => account.automountServiceAccountToken !== false)).toEqual([]);
    const names = accounts.map(({ metadata }) => metadata.name);
    expect(
      failing(pods, ({ pod }) => pod.serviceAccountName === undefined || names.includes(pod.serviceAccountName)),
    ).toEqual([]);
  });

  it('asks each process how it is, and lets it finish', () => {
    const services = workloads.filter(({ labels }) =>
      ['server', 'worker'].includes(labels['app.kubernetes.io/component'] ?? ''),
    );
    expect(services.length).toBe(6);
    for (const { metadata, pod } of services) {
      const [service] = pod.containers;
      const isWorker = metadata.name.endsWith('-worker');
      expect([metadata.name, service?.livenessProbe?.httpGet]).toEqual([
        metadata.name,
        { path: '/healthz', port: isWorker ? 'metrics' : 'http' },
      ]);
      expect([metadata.name, service?.startupProbe?.httpGet]).toEqual([
        metadata.name,
        { path: '/healthz', port: isWorker ? 'metrics' : 'http' },
      ]);
      expect([metadata.name, service?.readinessProbe?.httpGet]).toEqual([
        metadata.name,
        isWorker ? undefined : { path: '/readyz', port: 'http' },
      ]);
    }
  });

  it('keeps a platform in production running while nodes go, and in development on one', () => {
    const budgets = ofKind<{ maxUnavailable: number }>(manifests, 'PodDisruptionBudget').map(({ metadata, spec }) => [
      metadata.name,
      spec.maxUnavailable,
    ]);
    const scaled = ofKind<{ minReplicas: number; maxReplicas: number }>(manifests, 'HorizontalPodAutoscaler').map(
      ({ metadata, spec }) => [metadata.name, spec.minReplicas > 1 && spec.maxReplicas > spec.minReplicas],
    );
    const names = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name);
    const deployments = overlay === 'production' ? names.filter((name) => name !== 'operator') : [];
    expect(budgets.sort()).toEqual(deployments.map((name) => [name, 1]).sort());
    expect(scaled.sort()).toEqual(deployments.map((name) => [name, true]).sort());
  });
});
